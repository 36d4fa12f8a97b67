"""Rule parts that hold in two solutions alike, so an argument from uniqueness may ignore them.

A sum, a set of values or a count looks at the values of its cells together: it holds as before when these change places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.model import AllDifferent, Count, DigitSet, Linear, cells_of, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, Layout
    from sudoku_cp.model import Constraint

_PAIR = 2


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
        if factors is None or cells not in opened or cells.bit_count() < _PAIR:
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
