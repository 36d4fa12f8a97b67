"""The questions people ask of a puzzle, written once over the contract of a backend."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late

if TYPE_CHECKING:
    from sudoku_cp.queries.array_solver import solve_many
    from sudoku_cp.queries.candidates import CandidateMemory, TrueCandidates, true_candidate_stream, true_candidates
    from sudoku_cp.queries.checking import Check, check
    from sudoku_cp.queries.conflicts import Conflict
    from sudoku_cp.queries.counting import count
    from sudoku_cp.queries.estimating import Estimate, estimate, estimates
    from sudoku_cp.queries.necessity import Necessity, necessary_givens
    from sudoku_cp.queries.questions import Answer, Status, is_unique, solutions, solve, solve_stream
    from sudoku_cp.queries.sampling import random_solution
    from sudoku_cp.queries.sessions import session_of
    from sudoku_cp.queries.shrinking import a_step, shrunk
    from sudoku_cp.queries.tracing import marked, solve_traced, statements, trace

__all__ = [
    "Answer",
    "CandidateMemory",
    "Check",
    "Conflict",
    "Estimate",
    "Necessity",
    "Status",
    "TrueCandidates",
    "a_step",
    "check",
    "count",
    "estimate",
    "estimates",
    "is_unique",
    "marked",
    "necessary_givens",
    "random_solution",
    "session_of",
    "shrunk",
    "solutions",
    "solve",
    "solve_many",
    "solve_stream",
    "solve_traced",
    "statements",
    "trace",
    "true_candidate_stream",
    "true_candidates",
]

HOMES = {
    "candidates": "CandidateMemory TrueCandidates true_candidate_stream true_candidates",
    "checking": "Check check",
    "conflicts": "Conflict",
    "counting": "count",
    "estimating": "Estimate estimate estimates",
    "array_solver": "solve_many",
    "necessity": "Necessity necessary_givens",
    "questions": "Answer Status is_unique solutions solve solve_stream",
    "sampling": "random_solution",
    "sessions": "session_of",
    "shrinking": "a_step shrunk",
    "tracing": "marked solve_traced statements trace",
}

__getattr__ = late(__name__, HOMES)
