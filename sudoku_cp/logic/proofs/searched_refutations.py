"""Refutations by SAT, for boards on which propagation refutes nothing: minimal sets of groups, found by deletion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.proofs.group_clauses import group_clauses
from sudoku_cp.logic.proofs.group_solver import GroupSolver
from sudoku_cp.logic.proofs.part_clauses import literal_numbers
from sudoku_cp.logic.proofs.refutations import Refutation, open_candidates

if TYPE_CHECKING:
    from sudoku_cp.backends import Clock
    from sudoku_cp.logic.candidate_board import CandidateBoard


def searched_refutations(board: CandidateBoard, clock: Clock) -> list[Refutation]:
    """Return the candidates with the smallest sets of groups that deletion finds, in order; empty if none can be refuted.

    Raises `LimitReached`.
    """
    solver = GroupSolver(board, group_clauses(board), clock)
    numbers, everything = literal_numbers(board.layout), range(len(solver.groups))
    least, found = len(solver.groups), list[Refutation]()
    for cell, value in open_candidates(board):
        target = numbers.literal(cell, value)
        core = solver.core(target, everything, clock)
        proof = None if core is None else solver.shrink(target, core, clock, least)
        if proof is None:
            continue
        if len(proof) < least:
            least, found = len(proof), []
        found.append(Refutation(cell, value, solver.proof(proof)))
    return found
