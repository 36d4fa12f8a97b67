"""How Solo's game IDs encode numbers in cells, and regions: by the lengths of runs.

Numbers: ``a`` to ``z`` stand for 1 to 26 blanks, ``_`` separates two numbers. Regions: the possible lines inside the board, first
the vertical ones row by row, then the horizontal ones column by column, and one more at the end; ``_`` is a line at once, ``a``
to ``y`` a line after 1 to 25 places without one, ``z`` 25 places without a line and no line after them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.union_find import label_components

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell

_ITEM = re.compile(r"([a-z])|(_)|([1-9][0-9]{0,8})")
_BLANKS = 26
_PLACES = 25


def parse_numbers(text: str, noun: str, cells: range, largest: int) -> dict[Cell, int]:
    """Return the numbers in their cells."""
    found: dict[Cell, int] = {}
    cell = position = 0
    while position < len(text):
        item = _ITEM.match(text, position)
        if not item:
            raise ParseError(f"expected letters for blanks and numbers in {noun}, got {text[position]!r} as sign {position + 1}")
        if item[3]:
            found[cell] = int(item[3])
        cell += ord(item[1]) - ord("a") + 1 if item[1] else bool(item[3])
        position = item.end()
    if cell != len(cells):
        raise ParseError(f"expected {noun} to fill {len(cells)} cells, got {cell}")
    wrong = [f"expected numbers from 1 to {largest} in {noun}, got {number}" for number in found.values() if number > largest]
    if wrong:
        raise ParseError(wrong[:10])
    return found


def format_numbers(numbers: Mapping[Cell, int], side: int) -> str:
    """Return numbers as `parse_numbers` reads them."""
    parts: list[str] = []
    blanks = 0
    for cell in range(side * side):
        if cell not in numbers:
            blanks += 1
            continue
        parts.append(_format_run(blanks, _BLANKS) if blanks else "_" * bool(parts))
        parts.append(str(numbers[cell]))
        blanks = 0
    return "".join(parts) + _format_run(blanks, _BLANKS)


def _format_run(number: int, most: int) -> str:
    whole, rest = divmod(number, most)
    return chr(ord("a") - 1 + most) * whole + (chr(ord("a") - 1 + rest) if rest else "")


def _neighbours(side: int) -> list[tuple[Cell, Cell]]:
    """Return the pairs of neighbours between which a line can be, in the order of the text."""
    upright = [(row * side + column, row * side + column + 1) for row in range(side) for column in range(side - 1)]
    return upright + [(row * side + column, (row + 1) * side + column) for column in range(side) for row in range(side - 1)]


def parse_regions(text: str, noun: str, side: int) -> list[int]:
    """Return the number of each cell's region, counted in reading order; cells without a line between them are in one region."""
    places = _neighbours(side)
    together: list[tuple[Cell, Cell]] = []
    position = 0
    for number, sign in enumerate(text, 1):
        if not ("a" <= sign <= "z" or sign == "_"):
            raise ParseError(f"expected letters or '_' in {noun}, got {sign!r} as sign {number}")
        run = 0 if sign == "_" else min(ord(sign) - ord("a") + 1, _PLACES)
        together += places[position : position + run]
        position += run + (sign != "z")
    if position != len(places) + 1:
        raise ParseError(f"expected {noun} to encode {len(places)} lines and one after them, got {position}")
    return label_components(side * side, together)


def format_regions(labels: Sequence[int], side: int) -> str:
    """Return regions as `parse_regions` reads them; cells are of one region where their labels are the same."""
    parts: list[str] = []
    run = 0
    for one, other in [*_neighbours(side), (-1, -1)]:
        if one >= 0 and labels[one] == labels[other]:
            run += 1
            continue
        while run > _PLACES:
            parts.append("z")
            run -= _PLACES
        parts.append(chr(ord("a") - 1 + run) if run else "_")
        run = 0
    return "".join(parts)
