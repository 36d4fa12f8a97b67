"""Small labels in cells: totals of cages and lines, letters of groups, signs of notes; placed clear of all other letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.render.svg_pieces import DIGIT_HEIGHT, LETTER_WIDTH, Box, Point, SvgPiece, left_text, rectangle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Place
    from sudoku_cp.render.taken_space import TakenSpace

LETTER = 0.24
"""The size of label letters, in cells."""
SIZES = (LETTER, 0.2, 0.17, 0.14)
"""Smaller ones are for crowded cells and long texts."""
PAD, EDGE = 0.025, 0.04
"""The ground around the letters, and its distance from the cell's edge."""
MAX_TRIED_CELLS = 12
"""The most cells of a thing that are tried for a spot."""
STRIP = EDGE + 2 * PAD + DIGIT_HEIGHT * LETTER
"""The height of the strip at the top of a cell that labels take."""


@dataclass(frozen=True)
class CellLabel:
    """A text that belongs in one of ``places``, preferably the first; in a colour, on a ground."""

    text: str
    places: tuple[Place, ...]
    colour: str = "#000000"
    ground: str = "#FFFFFF"


def place_label(one: CellLabel, room: TakenSpace, others: Sequence[Place]) -> tuple[tuple[SvgPiece, ...], Place]:
    """Return the pieces of a label at the first free spot, and its place; places that ``others`` use come last."""
    size, box, place = room.place(_spots(one, {*others}), lambda spot: spot[1:2])
    words = left_text(Point(box.left + PAD, (box.top + box.bottom) / 2), one.text, size, one.colour)
    return (rectangle(box, one.ground), words), place


def _spots(one: CellLabel, others: set[Place]) -> Iterator[tuple[float, Box, Place]]:
    """Yield the spots for a label, best first: the top left of its first place, elsewhere in it, then its other places."""
    places = one.places[:MAX_TRIED_CELLS]
    alone = [place for place in places if place not in others]
    widest = (1 - 2 * EDGE - 2 * PAD) / (LETTER_WIDTH * len(one.text))
    sizes = [size for size in SIZES if size <= widest] or [widest]
    for size in sizes:
        width, height = LETTER_WIDTH * size * len(one.text) + 2 * PAD, DIGIT_HEIGHT * size + 2 * PAD
        for place in (*alone, *(place for place in places if place in others)):
            for left, top in _corners(width, height):
                at = Point(place[1] + left, place[0] + top)
                yield size, Box(at.x, at.y, at.x + width, at.y + height), place


def _corners(width: float, height: float) -> Iterator[tuple[float, float]]:
    """Yield the positions of a label's top left corner in a cell: along its top, its left and right side, its bottom."""
    low, right = 1 - EDGE - height, 1 - EDGE - width
    across = [EDGE + step * 0.06 for step in range(1 + int((right - EDGE + 1e-9) / 0.06))]
    down = [EDGE + step * 0.06 for step in range(1, 1 + int((low - EDGE) / 0.06))]
    yield from ((left, EDGE) for left in (*across, right))
    yield from ((left, top) for left in (EDGE, right) for top in down)
    yield from ((left, low) for left in (*across, right))
