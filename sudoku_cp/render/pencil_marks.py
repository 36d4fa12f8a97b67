"""Pencil marks: each at its own place in a cell, in the widest area that values, signs and labels leave."""

from __future__ import annotations

from itertools import product, starmap
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.model import members
from sudoku_cp.render.cell_labels import STRIP
from sudoku_cp.render.geometry import Box, Point
from sudoku_cp.render.pieces import LETTER_WIDTH, Piece, centred_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.cosmetics import Annotation, Candidate, MarkShape
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Position
    from sudoku_cp.render.taken_space import TakenSpace

INK, BOLD_INK, WHITE_INK = "#555555", "#000000", "#FFFFFF"
_EDGE = 0.03
"""The distance of pencil marks from the edges of their cell."""
_AREAS = sorted(
    starmap(Box, product((_EDGE, 0.3), (_EDGE, STRIP, 0.3), (1 - _EDGE, 0.7), (1 - _EDGE, 0.7))),
    key=lambda box: (-(box.right - box.left) * (box.bottom - box.top), box),
)
"""The areas of a cell for pencil marks, widest first."""


class PencilMark(NamedTuple):
    """A pencil mark, its middle, and the radius of the circle that it has for itself."""

    piece: Piece
    at: Point
    radius: float


def place_pencil_marks(position: Position, annotation: Annotation, room: TakenSpace) -> dict[Candidate, PencilMark]:
    """Return the pencil marks of cells without a value, or the candidates that the puzzle restricts them to."""
    shapes = {mark.candidate: mark.shape for mark in annotation.marks}
    added: dict[Cell, Domain] = {}
    for cell, marked in shapes:
        added[cell] = added.get(cell, 0) | 1 << marked
    found: dict[Candidate, PencilMark] = {}
    for cell, value in enumerate(position.values):
        marks = (position.marks[cell] if position.marks else 0) or position.puzzle.candidates.get(cell, 0)
        marks |= added.get(cell, 0)
        if value is None and marks:
            layouts = (dict(_marks_in_area(position, cell, marks, area, shapes)) for area in _AREAS)
            chosen: dict[Candidate, PencilMark] = room.place(layouts, lambda layout: [one.piece.box for one in layout.values()])
            found |= chosen
    return found


def _marks_in_area(
    position: Position, cell: Cell, marks: Domain, area: Box, shapes: Mapping[Candidate, MarkShape]
) -> Iterator[tuple[Candidate, PencilMark]]:
    """Yield pencil marks, each at its own place within an area of the cell."""
    puzzle = position.puzzle
    row, column = puzzle.grid.places[cell]
    across = max(3, ceil(sqrt(len(puzzle.grid.values))))
    wide, high = (area.right - area.left) / across, (area.bottom - area.top) / across
    for mark in members(marks):
        down, right = divmod(mark - puzzle.grid.values[0], across)
        at = Point(column + area.left + (right + 0.5) * wide, row + area.top + (down + 0.5) * high)
        text = puzzle.symbols.sign(mark)
        shape = shapes.get((cell, mark))
        ink = INK if shape is None else WHITE_INK if shape == "filled" else BOLD_INK
        size = min(0.75 * high, wide / (LETTER_WIDTH * len(text)))
        yield (cell, mark), PencilMark(centred_text(at, text, size, ink), at, 0.48 * min(wide, high))
