"""A picture that is too large for a page, cut into tiles: each has what is drawn there and no more, and empty ones are left out.

So pages and their contents grow with what is drawn, not with how far apart the boards of a puzzle are.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.render.geometry import Box, Point, box_around
from sudoku_cp.render.shapes import Polyline, Routes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.paper.panels import Drawing
    from sudoku_cp.render.picture_layers import PictureItem
    from sudoku_cp.render.pieces import Piece

_Tile: TypeAlias = "tuple[int, int]"
"""The row and the column of a tile."""
SPLIT_CELL, OVERLAP = 16.0, 1.0
"""Points of a cell, at least, of a board that is split over pages, and the cells that neighbouring pages share."""


class Tile(NamedTuple):
    """A part of a drawing: its frame, and the items in it."""

    frame: Box
    items: list[PictureItem]


def split_drawing(drawing: Drawing, wide: float, high: float) -> tuple[float, list[Tile]]:
    """Return the points of a cell and the parts of a drawing, row by row, for pages of so many points; neighbours overlap."""
    across, down = (
        ceil((length - OVERLAP) / ceil((length - OVERLAP) / (points / SPLIT_CELL - OVERLAP)))  # whole cells
        for length, points in ((drawing.width, wide), (drawing.height, high))
    )
    tiling = _Tiling(drawing.frame, across, down)
    found: dict[_Tile, list[PictureItem]] = {}
    for item in drawing.items:
        pieces: dict[_Tile, list[Piece]] = {}
        for piece in item.pieces:
            for tile, part in tiling.parts(piece):
                pieces.setdefault(tile, []).append(part)
        for tile, own in pieces.items():
            found.setdefault(tile, []).append(replace(item, pieces=tuple(own)))
    width, height = min(across + OVERLAP, drawing.width), min(down + OVERLAP, drawing.height)
    return min(wide / width, high / height), [Tile(tiling.frame_of(tile), found[tile]) for tile in sorted(found)]


class _Tiling(NamedTuple):
    """Tiles over a frame, which begin every ``across`` and ``down`` cells and are `OVERLAP` cells larger."""

    frame: Box
    across: int
    down: int

    def frame_of(self, tile: _Tile) -> Box:
        """Return the part of the frame that a tile covers."""
        row, column = tile
        left, top = self.frame.left + column * self.across, self.frame.top + row * self.down
        right, bottom = left + self.across + OVERLAP, top + self.down + OVERLAP
        return Box(left, top, min(right, self.frame.right), min(bottom, self.frame.bottom))

    def parts(self, piece: Piece) -> Iterator[tuple[_Tile, Piece]]:
        """Yield the tiles that a piece meets; of many routes in one shape, each tile gets its own."""
        if not isinstance(piece.shape, Routes):
            for tile in dict.fromkeys(tile for box in _boxes(piece) for tile in self._tiles_at(box)):
                yield tile, piece
            return
        edge = piece.shape.stroke.width if piece.shape.stroke else 0.0
        routes: dict[_Tile, list[tuple[Point, ...]]] = {}
        for route in piece.shape.routes:
            for tile in self._tiles_at(box_around(route, edge)):
                routes.setdefault(tile, []).append(route)
        for tile, own in routes.items():
            yield tile, piece._replace(shape=piece.shape._replace(routes=tuple(own)))

    def _tiles_at(self, box: Box) -> Iterator[_Tile]:
        """Yield the tiles that a box meets."""
        frame = self.frame
        rows = _numbers(box.top - frame.top, box.bottom - frame.top, self.down, frame.bottom - frame.top)
        columns = _numbers(box.left - frame.left, box.right - frame.left, self.across, frame.right - frame.left)
        return ((row, column) for row in rows for column in columns)


def _numbers(first: float, last: float, step: int, length: float) -> Iterable[int]:
    """Return the numbers of the parts, ``step`` and an overlap long, of a length that a stretch of it meets."""
    parts = max(1, ceil((length - OVERLAP) / step))
    return range(max(0, ceil((first - OVERLAP) / step) - 1), min(parts - 1, floor(last / step)) + 1)


def _boxes(piece: Piece) -> Iterable[Box]:
    """Return boxes that cover a piece: that of each stretch of a line, which may lead far."""
    if not isinstance(piece.shape, Polyline):
        return (piece.box,)
    return (box_around(pair, piece.shape.stroke.width) for pair in pairwise(piece.shape.points))
