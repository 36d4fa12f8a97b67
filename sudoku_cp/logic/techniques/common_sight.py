"""Common sight: a cell that sees all places of a value in a house, each perhaps for another reason (knights, kings, diagonals)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.proof_groups import distinct, sees
from sudoku_cp.logic.step import Pattern, ProofGroup, Statement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard


def common_sights(board: CandidateBoard) -> Iterator[Step]:
    """Yield values that leave cells which see all their places in a house, at least one through more groups than one.

    Where one group holds all the places the value is locked in it: that is another technique.
    """
    layout = board.layout
    if len(layout.groups) == layout.houses:
        return
    for value in board.searched_values:
        for house in range(layout.houses):
            places = board.places[value] & layout.groups[house].mask
            seeing = layout.seen_by_all(places) & board.places[value] & ~layout.groups[house].mask if places else 0
            together = 0
            if seeing:
                for group in layout.groups_over(places):
                    together |= layout.groups[group].mask
            if seeing & ~together:
                removed = board.eliminations([(value, seeing)])
                proof = [ProofGroup(Statement.HAS_PLACE, house, value)]
                proof += [group for cell in members(seeing) for group in sees(layout, value, cell, places)]
                yield Step(Technique.COMMON_SIGHT, 1 << value, places, removed, (), Pattern((house,)), distinct(proof))
