"""Queries about a puzzle (solve, count, check and others), written once against the interface of a backend."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.queries.array_solver import solve_many
    from sudoku_cp.queries.candidate_queries import CandidateMemory, TrueCandidates, true_candidate_stream, true_candidates
    from sudoku_cp.queries.conflicts import Conflict, shrink, step_limits
    from sudoku_cp.queries.count_estimate import Estimate, estimate, estimates
    from sudoku_cp.queries.puzzle_check import BrokenRules, Check, Necessity, broken_rules, check, necessary_givens
    from sudoku_cp.queries.search_trace import mark_origins, solve_traced, statement_texts, trace
    from sudoku_cp.queries.solution_count import count
    from sudoku_cp.queries.solution_search import (
        Answer,
        Status,
        is_unique,
        random_solution,
        session_of,
        solutions,
        solve,
        solve_stream,
    )

__all__ = [
    "Answer",
    "BrokenRules",
    "CandidateMemory",
    "Check",
    "Conflict",
    "Estimate",
    "Necessity",
    "Status",
    "TrueCandidates",
    "broken_rules",
    "check",
    "count",
    "estimate",
    "estimates",
    "is_unique",
    "mark_origins",
    "necessary_givens",
    "random_solution",
    "session_of",
    "shrink",
    "solutions",
    "solve",
    "solve_many",
    "solve_stream",
    "solve_traced",
    "statement_texts",
    "step_limits",
    "trace",
    "true_candidate_stream",
    "true_candidates",
]

EXPORTS = {
    "puzzle_check": "BrokenRules Check Necessity broken_rules check necessary_givens",
    "candidate_queries": "CandidateMemory TrueCandidates true_candidate_stream true_candidates",
    "conflicts": "Conflict shrink step_limits",
    "solution_count": "count",
    "count_estimate": "Estimate estimate estimates",
    "array_solver": "solve_many",
    "search_trace": "mark_origins solve_traced statement_texts trace",
    "solution_search": "Answer Status is_unique random_solution session_of solutions solve solve_stream",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
