"""The last resort of a path, for any rules: candidates that the fewest groups refute, or cells that are settled by search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.load_time import loading
from sudoku_cp.logic.proofs.refutations import lone_refutations, smallest_refutations
from sudoku_cp.logic.step import Pattern, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Candidate, ProofGroup

_OF_CELLS = frozenset({ProofStatement.HAS_VALUE, ProofStatement.ONE_VALUE})
_OF_PLACES = frozenset({ProofStatement.HAS_PLACE, ProofStatement.ONCE})


def refutations(board: CandidateBoard) -> Iterator[Step]:
    """Yield the candidates whose refutation takes the fewest groups; where propagation refutes nothing, what SAT shows.

    That is the value of some cells, or, where each cell has several, candidates that are in no solution. On a board with a
    single completion there always is a step. Raises `LimitReached`.
    """
    found = lone_refutations(board) or smallest_refutations(board)
    for cell, value, proof in found:
        yield _proved_step(board, (cell, value), proof, Pattern())
    if not found and all(board.candidates[cell] for cell in members(board.open)):
        yield from _searched_steps(board)


def _searched_steps(board: CandidateBoard) -> Iterator[Step]:
    with loading():  # a solver library
        from sudoku_cp.logic.proofs.searched_refutations import searched_refutations  # noqa: PLC0415
        from sudoku_cp.logic.proofs.settled_cells import settled_cells  # noqa: PLC0415

    pattern = Pattern(by_cases=True)
    settled = settled_cells(board, board.clock)
    for cell, value, proof in settled:
        yield _proved_step(board, (cell, value), proof, pattern, is_placed=True)
    for cell, value, proof in [] if settled else searched_refutations(board, board.clock):
        yield _proved_step(board, (cell, value), proof, pattern)


def _proved_step(
    board: CandidateBoard, candidate: Candidate, proof: tuple[ProofGroup, ...], pattern: Pattern, *, is_placed: bool = False
) -> Step:
    """Return the step that eliminates a candidate, or places it; its cells are the open ones of which the proof speaks."""
    layout, (cell, value) = board.layout, candidate
    cells = to_mask(group.subject for group in proof if group.statement in _OF_CELLS) | 1 << cell
    values = to_mask(group.value for group in proof if group.statement in _OF_PLACES) | 1 << value
    for group in proof:
        if group.statement in _OF_PLACES:
            cells |= layout.groups[group.subject].mask & board.open
        elif group.statement is ProofStatement.PART:
            cells |= to_mask(layout.parts[group.subject].cells) & board.open
    effects: tuple[tuple[Candidate, ...], tuple[Candidate, ...]] = ((), (candidate,)) if is_placed else ((candidate,), ())
    return Step(Technique.REFUTATION, values, cells, *effects, pattern, proof)
