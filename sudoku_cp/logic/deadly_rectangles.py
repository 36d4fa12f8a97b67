"""Rectangles in which two values can always be exchanged: if a solution has a, b / b, a there, then b, a / a, b makes another.

That holds where every group, of whatever rule, meets both diagonals of the rectangle alike (in one cell of each, or in none), no
other rule part can tell the two apart (see below), and no cell of it is given.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.model import AllDifferent, Count, DigitSet, Linear, cells_of, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout
    from sudoku_cp.model import Constraint, Domain


_PAIR, _LAST = 2, 3
"""The values of a rectangle, and the index of its last corner: corners i and 3 - i are opposite."""


class CellRectangle(NamedTuple):
    """Where two rows and two columns cross: the corners line by line, so that corners i and 3 - i are opposite."""

    corners: tuple[Cell, Cell, Cell, Cell]
    mask: CellSet
    rows: tuple[GroupIndex, GroupIndex]
    columns: tuple[GroupIndex, GroupIndex]

    @property
    def lines(self) -> tuple[GroupIndex, ...]:
        """Its rows and columns."""
        return (*self.rows, *self.columns)

    def lines_of(self, corner: int) -> tuple[GroupIndex, GroupIndex]:
        """Return row and column of the corner of that index."""
        return self.rows[corner // 2], self.columns[corner % 2]

    def is_diagonal(self, cells: CellSet) -> bool:
        """Return whether ``cells`` are two opposite corners."""
        return any(cells == 1 << self.corners[corner] | 1 << self.corners[_LAST - corner] for corner in (0, 1))


class OpenRectangle(NamedTuple):
    """A rectangle of open cells that may all take the two values of ``pair``, judging by the filled cells.

    The ``floor`` has no candidates but these two, and in some cell of it both are left; the ``roof``, the other cells, has more.
    """

    rectangle: CellRectangle
    pair: Domain
    floor: CellSet
    roof: CellSet


def rectangles_of(layout: Layout, tick: Callable[[], object] = int) -> list[CellRectangle]:
    """Return the rectangles of a layout in which two values can be exchanged, looked for once.

    Then ``tick`` is called before each pair of rows.
    """
    known = _known_rectangles(layout)
    if not known:
        found: dict[CellSet, CellRectangle] = {}
        for pair in combinations(layout.houses_of_kind(HouseKind.ROW), 2):
            tick()
            for rectangle in _rectangles_between(layout, pair):
                found.setdefault(rectangle.mask, rectangle)
        known[:] = found.values()
    return known


@lru_cache(maxsize=64)
def _known_rectangles(_: Layout) -> list[CellRectangle]:
    """Return the rectangles of a layout if they have been looked for: else the list in which to note them."""
    return []


@lru_cache(maxsize=4096)
def _rectangles_between(layout: Layout, rows: tuple[GroupIndex, GroupIndex]) -> tuple[CellRectangle, ...]:
    """Return those of two rows."""
    found: list[CellRectangle] = []
    columns = layout.houses_of_kind(HouseKind.COLUMN)
    crossings = [(column, cells) for column in columns if (cells := _crossing_cells(layout, rows, column))]
    for (left, (p, r)), (right, (q, s)) in combinations(crossings, 2):
        if _is_exchangeable(layout, p, q, r, s):
            found.append(CellRectangle((p, q, r, s), to_mask((p, q, r, s)), rows, (left, right)))
    return tuple(found)


def open_rectangles(board: CandidateBoard) -> list[OpenRectangle]:
    """Return the rectangles of open cells, with every two values that fit."""
    return board.derive(_find_open)


def _crossing_cells(layout: Layout, rows: tuple[GroupIndex, GroupIndex], column: GroupIndex) -> tuple[Cell, Cell] | None:
    """Return the cells in which a column crosses both rows if they are two."""
    upper, lower = (layout.groups[row].mask & layout.groups[column].mask for row in rows)
    if upper.bit_count() != 1 or lower.bit_count() != 1 or upper == lower:
        return None
    return upper.bit_length() - 1, lower.bit_length() - 1


def _is_exchangeable(layout: Layout, p: Cell, q: Cell, r: Cell, s: Cell) -> bool:
    """Return whether each group meets the diagonals p, s and q, r in one cell each or not at all, and parts are indifferent."""
    first, second = 1 << p | 1 << s, 1 << q | 1 << r
    for cell in (p, q, r, s):
        for group in layout.groups_of[cell]:
            mask = layout.groups[group].mask
            if (mask & first).bit_count() != 1 or (mask & second).bit_count() != 1:
                return False
    return not layout.cells_of_parts & (first | second) or allows_exchange(layout, first, second)


def _find_open(board: CandidateBoard) -> list[OpenRectangle]:
    closed, bivalue = ~board.open, to_mask(cell for cell in members(board.open) if board.candidates[cell].bit_count() == _PAIR)
    return [
        found
        for rectangle in rectangles_of(board.layout, board.tick)
        if not rectangle.mask & closed and rectangle.mask & bivalue
        for found in _open_pairs(board, rectangle)
    ]


def _open_pairs(board: CandidateBoard, rectangle: CellRectangle) -> Iterator[OpenRectangle]:
    p, q, r, s = rectangle.corners
    allowed = board.allowed[p] & board.allowed[q] & board.allowed[r] & board.allowed[s]
    if not allowed & (allowed - 1):
        return
    for domain in {board.candidates[cell] for cell in rectangle.corners}:
        if domain & ~allowed or domain.bit_count() != _PAIR:
            continue
        roof = to_mask(cell for cell in members(rectangle.mask) if board.candidates[cell] & ~domain)
        yield OpenRectangle(rectangle, domain, rectangle.mask & ~roof, roof)


# Rule parts that hold in two solutions alike, so an argument from uniqueness may ignore them.
#
# A sum, a set of values or a count looks at the values of its cells together: it holds as before when these change places.


_BOTH = 2


def allows_exchange(layout: Layout, first: CellSet, second: CellSet) -> bool:
    """Return whether every rule part holds as before if the cells of ``first`` and those of ``second`` exchange their values.

    The cells of each of the two hold one value. Groups are not looked at.
    """
    for constraint in _constraints_over(layout, first | second):
        factors = _factors(constraint)
        if factors is None:
            return False
        if sum(factors.get(cell, 0) for cell in members(first)) != sum(factors.get(cell, 0) for cell in members(second)):
            return False
    return True


def allows_other_candidates(board: CandidateBoard) -> bool:
    """Return whether every rule part holds as before if each open cell of two candidates takes the other one.

    That is taken for granted where the open cells of a constraint are those of a group, two or more, in which each value has two
    places or none: there the values change places.
    """
    opened = {group.mask & board.open for group in board.layout.groups}
    for constraint in _constraints_over(board.layout, board.open):
        factors = _factors(constraint)
        cells = to_mask(cell for cell in factors or () if board.open >> cell & 1) if factors else 0
        if factors is None or cells not in opened or cells.bit_count() < _BOTH:
            return False
        if len({factors[cell] for cell in members(cells)}) > 1:
            return False
    return True


def _constraints_over(layout: Layout, cells: CellSet) -> Iterator[Constraint]:
    """Yield the constraints of rule parts about some of the cells."""
    for part in layout.parts:
        if to_mask(part.cells) & cells:
            yield from (one for one in part.constraints if to_mask(cells_of(one)) & cells)


def _factors(constraint: Constraint) -> dict[int, int] | None:
    """Return how often each cell counts in a constraint that looks at its values together; None if it does not."""
    match constraint:
        case AllDifferent(cells) | DigitSet(cells, _):
            return dict.fromkeys(cells, 1)
        case Count() if len(set(constraint.cells)) == len(constraint.cells):
            return dict.fromkeys(constraint.cells, 1)
        case Linear(terms, _, _) if len({cell for cell, _ in terms}) == len(terms):
            return dict(terms)
    return None
