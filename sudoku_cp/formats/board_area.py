"""Where a board stands in a table with empty rows and columns: between its boxes, or as margins, as spreadsheets are laid out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from sudoku_cp.errors import ParseError
from sudoku_cp.grid import MAX_SIDE, default_boxes

_USUAL = 9
_SIDES = (4, 6, 8, 10, 12, 14, 15, 16, 18, 20, 24, 25)
"""Other sides, which gaps between the boxes show."""
_MOST = 4 * MAX_SIDE
"""The most rows and columns of a table that is searched."""
_KINDS = ("gaps", "margins", "filled")

_Places: TypeAlias = tuple[int, ...]
_Table: TypeAlias = Sequence[tuple[int, Sequence[str]]]


class BoardArea(NamedTuple):
    """The columns (from 0) of a table in which a board stands, and the empty lines (from 1) that are none of its rows."""

    columns: _Places
    left_out: frozenset[int]


def find_area(table: _Table, side: int | None) -> BoardArea | None:
    """Return where a board stands in a table; None if there are no rows or columns to leave out.

    Rows come with the numbers of their lines; ``side`` is the required one. A 10x10 board with an empty row and column at its
    edges and without a 10 is taken for a 9x9 board with margins: a larger one would lack several values and have no single
    solution. Raises `ParseError` if the board can stand in several places.
    """
    width = max((len(row) for _, row in table), default=0)
    rows = [[*row, *[""] * (width - len(row))] for _, row in table]
    if max(width, len(rows)) > _MOST or _are_counts(rows):
        return None
    across = [not any(column) for column in zip(*rows, strict=True)]
    down = [not any(row) for row in rows]
    if all(down) or not (any(across) or any(down)):
        return None
    for one in (_USUAL, *_SIDES) if side is None else (side,):
        found = _find_places(down, across, one) if _are_values(rows, one) else []
        if len(found) > 1:
            lines = f"line {table[found[0][0][0]][0]} and line {table[found[1][0][0]][0]}"
            words = f"the board can begin in {lines}, or in columns {found[0][1][0] + 1} and {found[1][1][0] + 1}"
            words = f"expected {one} rows and columns between empty ones, got {len(rows)} rows of {width}, in which {words}"
            raise ParseError(f"{words}: remove the empty rows and columns, or write 0 in each empty cell", line=table[0][0])
        if found:
            kept, columns = found[0]
            return BoardArea(columns, frozenset(line for at, (line, _) in enumerate(table) if at not in kept))
    return None


def find_areas(tables: Sequence[_Table], side: int | None) -> BoardArea | None:
    """Return where the boards of several tables stand, one in each and all in the same columns; None for anything else."""
    found = [find_area(table, side) for table in tables]
    areas = [area for area in found if area]
    if not areas or len(areas) < len(found) or len({area.columns for area in areas}) > 1:
        return None
    return BoardArea(areas[0].columns, frozenset().union(*(area.left_out for area in areas)))


def _are_counts(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a row only counts the columns, from 0 or 1, as data frames show it: its reader knows."""
    counts = [[text for text in row if text] for row in rows]
    return any(row in ([*map(str, range(first, first + len(row)))] for first in (0, 1)) for row in counts if len(row) >= _USUAL)


def _are_values(rows: Sequence[Sequence[str]], side: int) -> bool:
    """Return whether no number is larger than a side."""
    numbers = [int(text) for row in rows for text in row if text.isdecimal() and len(text) <= len(str(MAX_SIDE))]
    return max(numbers, default=0) <= side


def _find_places(down: Sequence[bool], across: Sequence[bool], side: int) -> list[tuple[_Places, _Places]]:
    """Return the rows and columns of a board of a side, given which rows and columns of a table are empty.

    Gaps between boxes come first, then margins alone. Nothing, if the table is no larger than the board, or is
    a usual board and the smaller one is not.
    """
    height, width = default_boxes(side) or (side, side)
    square = len(down) == len(across)
    if min(len(down), len(across)) < side or (square and (len(down) == side or (side != _USUAL and default_boxes(len(down))))):
        return []
    for kinds in product(_KINDS, repeat=2):
        rows = {*_places(down, side, height, kinds[0])}
        columns = {*_places(across, side, width, kinds[1])}
        if rows and columns:
            return sorted(product(rows, columns))
    return []


def _places(empty: Sequence[bool], side: int, box: int, kind: str) -> Iterator[_Places]:
    """Yield which of some rows or columns can be those of a board, where all others are empty."""
    if kind == "filled":
        filled = tuple(at for at, nothing in enumerate(empty) if not nothing)
        yield from [filled] * (len(filled) == side)
        return
    steps = [at + (at // box) * (kind == "gaps") for at in range(side)]
    for start in range(len(empty) - steps[-1]):
        kept = tuple(start + step for step in steps)
        if all(nothing or at in kept for at, nothing in enumerate(empty)):
            yield kept
