"""The last resort of a path, for any rules: candidates that the fewest groups refute, whatever the pattern is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.proofs.refutations import smallest_refutations
from sudoku_cp.logic.step import ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard


def refutations(board: CandidateBoard) -> Iterator[Step]:
    """Yield the candidates whose refutation takes the fewest groups."""
    layout = board.layout
    for cell, value, proof in smallest_refutations(board):
        houses = [group.subject for group in proof if group.statement in {ProofStatement.HAS_PLACE, ProofStatement.ONCE}]
        cells = to_mask(
            group.subject for group in proof if group.statement in {ProofStatement.HAS_VALUE, ProofStatement.ONE_VALUE}
        )
        for house in houses:
            cells |= layout.groups[house].mask & board.open
        for group in proof:
            if group.statement is ProofStatement.PART:
                cells |= to_mask(layout.parts[group.subject].cells) & board.open
        values = (
            to_mask(group.value for group in proof if group.statement in {ProofStatement.HAS_PLACE, ProofStatement.ONCE})
            | 1 << value
        )
        yield Step(Technique.REFUTATION, values, cells | 1 << cell, ((cell, value),), proof=proof)
