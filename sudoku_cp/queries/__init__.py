"""The questions people ask of a puzzle, written once over the contract of a backend."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late

if TYPE_CHECKING:
    from sudoku_cp.queries.checking import Check, Conflict, check
    from sudoku_cp.queries.many import solve_many
    from sudoku_cp.queries.questions import Answer, Status, count, is_unique, solutions, solve
    from sudoku_cp.queries.sampling import random_solution
    from sudoku_cp.queries.sessions import session_of
    from sudoku_cp.queries.shrinking import a_step, shrunk
    from sudoku_cp.queries.tracing import marked, solve_traced, statements, trace

__all__ = [
    "Answer",
    "Check",
    "Conflict",
    "Status",
    "a_step",
    "check",
    "count",
    "is_unique",
    "marked",
    "random_solution",
    "session_of",
    "shrunk",
    "solutions",
    "solve",
    "solve_many",
    "solve_traced",
    "statements",
    "trace",
]

HOMES = {
    "checking": "Check Conflict check",
    "many": "solve_many",
    "questions": "Answer Status count is_unique solutions solve",
    "sampling": "random_solution",
    "sessions": "session_of",
    "shrinking": "a_step shrunk",
    "tracing": "marked solve_traced statements trace",
}

__getattr__ = late(__name__, HOMES)
