"""Panels, texts and small solutions on pages, one after the other."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import ceil, floor
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.paper.page_items import LEADING, Page, PlacedPicture, TextBlock
from sudoku_cp.paper.puzzle_panels import GAP, PanelStyle, lay_out_panel, shortened_lines, wrap_text
from sudoku_cp.paper.sheet_options import POINTS_PER_MM
from sudoku_cp.render.geometry import Box, Point, Polyline, Routes, box_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.paper.page_items import Item
    from sudoku_cp.paper.puzzle_panels import Drawing, Panel
    from sudoku_cp.paper.sheet_options import SheetOptions
    from sudoku_cp.paper.typefaces import Typefaces
    from sudoku_cp.render.geometry import Piece
    from sudoku_cp.render.picture_layers import PictureItem


SHAPES = MappingProxyType({1: (1, 1), 2: (2, 1), 4: (2, 2), 6: (3, 2), 9: (3, 3)})
"""Rows and columns of puzzles on an upright page; on one that lies, they are swapped."""
FOOTER = 18.0
"""Above the bottom margin, in points, for the number of the page."""
BETWEEN = 20.0
"""Between puzzles, in points."""
TITLE, SECTION = 20.0, 15.0
"""Sizes of the font of the title, and of the heading of a section."""
SOLUTION_CELL, LEAST_SOLUTION_CELL = 12.2, 8.0
"""Points of a cell of a solution: of 9x9, and at least."""
_LARGE_SIDE = 9


def panel_style(per_page: int) -> PanelStyle:
    """Return the sizes of fonts for so many puzzles on a page."""
    if per_page == 1:
        return PanelStyle(13, 9.5)
    return PanelStyle(10, 8) if per_page <= 4 else PanelStyle(9, 7)  # noqa: PLR2004  # two columns of words at most


class SheetBuilder:
    """Makes pages; the next panel goes into the first free slot of the last one."""

    def __init__(self, options: SheetOptions, typefaces: Typefaces) -> None:
        """Begin without any page."""
        self.pages: list[Page] = []
        self._options, self._typefaces = options, typefaces
        self._style = panel_style(options.per_page)
        self._free: list[Box] = []
        self._body = Box(0, 0, 0, 0)
        width, height = options.page_size
        margin = options.margin * POINTS_PER_MM
        self.area = Box(margin, margin, width - margin, height - margin - FOOTER)
        """Where panels are placed."""

    # --- pages --------------------------------------------------------------------------------------------------

    def start_page(self) -> Page:
        """Add an empty page, whose slots are not free."""
        self.pages.append(Page())
        self._body, self._free = self.area, []
        return self.pages[-1]

    def start_section(self, heading: str, words: str = "", *, size: float = SECTION) -> None:
        """Begin a page with a heading, and perhaps smaller words below it; panels go below both."""
        page = self.start_page()
        for text, at_size, tag in ((heading, size, "H1"), (words, size / 2, "P")):
            lines = wrap_text(text, self.area.right - self.area.left, at_size, self._typefaces, bold=tag == "H1")
            if lines:
                at = Point((self.area.left + self.area.right) / 2, self._body.top)
                block = TextBlock(at, shortened_lines(lines, 3), at_size, "H1" if tag == "H1" else "P", tag == "H1", "centre")
                page.items.append(block)
                self._body = self._body._replace(top=self._body.top + block.height + GAP / 2)
        self._body = self._body._replace(top=self._body.top + GAP)
        self._free = [*_slots(self._body, self._options)]

    # --- puzzles ------------------------------------------------------------------------------------------------

    def add_panel(self, panel: Panel) -> int:
        """Add a puzzle, and return the index of its page: in the next slot, on a page of its own, or split over several."""
        if not self._free:
            self.start_page()
            self._free = [*_slots(self._body, self._options)]
        layout = lay_out_panel(panel, self._free[0], self._style, self._typefaces)
        if layout is None:
            return self._add_large(panel)
        del self._free[0]
        self.pages[-1].items += layout.items
        return len(self.pages) - 1

    def _add_large(self, panel: Panel) -> int:
        """Add a panel that fits into no slot on pages of its own, the first of which may have the heading of a section."""
        if len(self._free) < len([*_slots(self._body, self._options)]):
            self.start_page()
        wordless = panel._replace(words="")
        layout, words = lay_out_panel(panel, self._body, self._style, self._typefaces), ""
        if layout is None:  # the words on the pages after it
            layout, words = lay_out_panel(wordless, self._body, self._style, self._typefaces), panel.words
        if layout is None and self._body != self.area:
            self.start_page()
            layout = lay_out_panel(wordless, self._body, self._style, self._typefaces)
        first = len(self.pages) - 1
        self._free = []
        if layout is None:
            self._split(panel)
            return first
        self.pages[-1].items += layout.items
        if words:
            self._add_words(panel.heading, words)
        return first

    def _split(self, panel: Panel) -> None:
        """Draw a board that is too large for a page on several, whose edges overlap."""
        wide, high = self.area.right - self.area.left, self.area.bottom - self.area.top - 2 * self._style.heading
        scale, tiles = split_drawing(panel.drawing, wide, high)
        for number, tile in enumerate(tiles, 1):
            page = self.pages[-1] if number == 1 else self.start_page()
            words = f"{panel.heading}  (part {number} of {len(tiles)})".strip()
            lines = wrap_text(words, self.area.right - self.area.left, self._style.heading, self._typefaces, bold=True)
            page.items.append(TextBlock(Point(self.area.left, self.area.top), lines[:1], self._style.heading, "H2", bold=True))
            at = Point(self.area.left, self.area.top + 2 * self._style.heading)
            alt = panel.drawing.alt if number == 1 else f"Part {number} of {len(tiles)}"
            page.items.append(PlacedPicture(at, scale, tile.frame, tile.items, alt, clipped=True))
        if panel.words:
            self._add_words(panel.heading, panel.words)

    def _add_words(self, heading: str, words: str) -> None:
        """Print words on pages of their own, as many as they need."""
        size = self._style.words
        lines = wrap_text(words, self.area.right - self.area.left, size, self._typefaces)
        most = int((self.area.bottom - self.area.top) / (size * LEADING)) - 3
        for start in range(0, len(lines), most):
            page = self.start_page()
            title = wrap_text(heading, self.area.right - self.area.left, self._style.heading, self._typefaces, bold=True)[:1]
            page.items.append(TextBlock(Point(self.area.left, self.area.top), title, self._style.heading, "Caption", bold=True))
            at = Point(self.area.left, self.area.top + 2 * self._style.heading)
            page.items.append(TextBlock(at, lines[start : start + most], size))

    # --- solutions ----------------------------------------------------------------------------------------------

    def add_solutions(self, drawings: Iterable[tuple[str, Drawing]]) -> None:
        """Draw small boards with captions in rows, each board in the size that suits it, as many on a page as fit."""
        left, top, high = self._body.left, self._body.top, 0.0
        for caption, drawing in drawings:
            scale = self._solution_scale(drawing)
            width, height = scale * drawing.width, scale * drawing.height + 12
            if left > self._body.left and left + width > self._body.right + 0.1:
                left, top, high = self._body.left, top + high + GAP, 0.0
            if top + height > self._body.bottom + 0.1 and top > self._body.top:
                self.start_page()
                left, top, high = self._body.left, self._body.top, 0.0
            lines = shortened_lines(wrap_text(caption, width, 8, self._typefaces, bold=True), 1)
            items: list[Item] = [TextBlock(Point(left, top), lines, 8, "Caption", bold=True)]
            items.append(PlacedPicture(Point(left, top + 12), scale, drawing.frame, drawing.items, drawing.alt))
            self.pages[-1].items += items
            left, high = left + width + BETWEEN, max(high, height)

    def _solution_scale(self, drawing: Drawing) -> float:
        """Return the points of a cell: four boards of 9x9 side by side on A4, larger boards in smaller cells."""
        wide, high = self.area.right - self.area.left, self._body.bottom - self._body.top - 12
        usual = SOLUTION_CELL if drawing.width < _LARGE_SIDE + 1 else max(LEAST_SOLUTION_CELL, 9 * SOLUTION_CELL / drawing.width)
        return min(usual, wide / drawing.width, high / drawing.height)


def _slots(body: Box, options: SheetOptions) -> Iterator[Box]:
    """Yield the places of puzzles on a page, row by row."""
    rows, columns = SHAPES[options.per_page]
    width, height = options.page_size
    if width > height:
        rows, columns = columns, rows
    wide = (body.right - body.left - (columns - 1) * BETWEEN) / columns
    high = (body.bottom - body.top - (rows - 1) * BETWEEN) / rows
    for row in range(rows):
        for column in range(columns):
            left, top = body.left + column * (wide + BETWEEN), body.top + row * (high + BETWEEN)
            yield Box(left, top, left + wide, top + high)


# A picture that is too large for a page, cut into tiles: each has what is drawn there and no more, and empty ones are left out.
#
# So pages and their contents grow with what is drawn, not with how far apart the boards of a puzzle are.


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
