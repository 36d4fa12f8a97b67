"""The last resort of a path, for any rules: candidates that the fewest groups refute, whatever the pattern is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.proofs.rounds import next_refutations
from sudoku_cp.logic.step import Pattern, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.proofs.refutations import Refutation

_OF_CELLS = frozenset({ProofStatement.HAS_VALUE, ProofStatement.ONE_VALUE})
_OF_PLACES = frozenset({ProofStatement.HAS_PLACE, ProofStatement.ONCE})


def refutations(board: CandidateBoard) -> Iterator[Step]:
    """Yield the candidates whose refutation takes the fewest groups; those that SAT finds where propagation refutes nothing.

    On a board with a single completion some candidate always can be refuted. Raises `LimitReached`.
    """
    found = next_refutations(board, board.clock)
    for refutation in found.refutations if found else ():
        yield _refutation_step(board, refutation, by_cases=found is not None and found.search)


def _refutation_step(board: CandidateBoard, refutation: Refutation, *, by_cases: bool) -> Step:
    """Return the step that eliminates a refuted candidate; its cells are the open ones of which the proof speaks."""
    layout, (cell, value, proof) = board.layout, refutation
    cells = to_mask(group.subject for group in proof if group.statement in _OF_CELLS) | 1 << cell
    values = to_mask(group.value for group in proof if group.statement in _OF_PLACES) | 1 << value
    for group in proof:
        if group.statement in _OF_PLACES:
            cells |= layout.groups[group.subject].mask & board.open
        elif group.statement is ProofStatement.PART:
            cells |= to_mask(layout.parts[group.subject].cells) & board.open
    pattern = Pattern(by_cases=by_cases)
    return Step(Technique.REFUTATION, values, cells, ((cell, value),), pattern=pattern, proof=proof)
