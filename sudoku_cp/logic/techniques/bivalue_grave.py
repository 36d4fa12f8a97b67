"""BUG+1: but for one extra candidate, all open cells have two candidates and every value two places wherever it has any.

If that candidate were false, taking in every open cell the candidate that a solution does not take would make another solution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.indifference import allows_other_candidates
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard

_PAIR, _TRIPLE = 2, 3


def bug_plus_1(board: CandidateBoard) -> Iterator[Step]:
    """Yield the cell with the extra candidate: its other two go."""
    others = [cell for cell in members(board.open) if board.candidates[cell].bit_count() != _PAIR]
    if len(others) != 1 or not allows_other_candidates(board):
        return
    (cell,) = others
    domain = board.candidates[cell]
    if domain.bit_count() != _TRIPLE:
        return
    for value in members(domain):
        if _is_grave_without(board, cell, value):
            removed = tuple((cell, other) for other in members(domain & ~(1 << value)))
            pattern = Pattern(fins=1 << cell, sets=(CellsAndValues(1 << cell, domain),))
            proof = tuple(ProofGroup(ProofStatement.HAS_VALUE, one) for one in members(board.open))
            yield Step(Technique.BUG_PLUS_1, 1 << value, 1 << cell, removed, (), pattern, proof)


def _is_grave_without(board: CandidateBoard, cell: Cell, value: int) -> bool:
    """Return whether without a candidate every value has two places or none in each group of two or more open cells.

    In a group that is no house that makes as many values as cells, so that there too each of them stands in one of its places.
    """
    for group in board.layout.groups:
        if not (group.mask & board.open) & ((group.mask & board.open) - 1):
            continue  # no two values can meet in it
        for other in board.layout.values:
            places = board.places[other] & group.mask
            if other == value:
                places &= ~(1 << cell)
            if places and places.bit_count() != _PAIR:
                return False
    return True
