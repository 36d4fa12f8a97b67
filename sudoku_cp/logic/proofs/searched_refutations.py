"""Refutations by SAT, for boards on which propagation refutes nothing: minimal sets of groups, found by deletion."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from sudoku_cp.logic.proofs.group_clauses import group_clauses
from sudoku_cp.logic.proofs.group_solver import GroupSolver
from sudoku_cp.logic.proofs.part_clauses import literal_numbers
from sudoku_cp.logic.proofs.refutations import Refutation, open_candidates

if TYPE_CHECKING:
    from sudoku_cp.backends import Clock
    from sudoku_cp.logic.candidate_board import CandidateBoard


SHRUNK = 10
"""Cores that are shrunk: a small one shrinks in milliseconds, a large one in seconds."""


def searched_refutations(board: CandidateBoard, clock: Clock) -> list[Refutation]:
    """Return the candidates with the smallest sets of groups that deletion finds, in order; empty if none can be refuted.

    Only the smallest cores that the solver names are shrunk. Raises `LimitReached`.
    """
    solver = GroupSolver(board, group_clauses(board), clock)
    numbers, everything = literal_numbers(board.layout), range(len(solver.groups))
    cores = []
    for candidate in open_candidates(board):
        core = solver.core(numbers.literal(*candidate), everything, clock)
        if core is not None:
            cores.append((len(core), candidate, core))
    least, found = len(solver.groups), list[Refutation]()
    for _, candidate, core in sorted(cores, key=itemgetter(0, 1))[:SHRUNK]:
        proof = solver.shrink(numbers.literal(*candidate), core, clock, least)
        if proof is None:
            continue
        if len(proof) < least:
            least, found = len(proof), []
        found.append(Refutation(*candidate, solver.proof(proof)))
    return sorted(found)
