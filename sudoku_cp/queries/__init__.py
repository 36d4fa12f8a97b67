"""The questions people ask of a puzzle, written once over the contract of a backend."""

from sudoku_cp.backends import Cancellation, Limits, Solution
from sudoku_cp.queries.checking import Check, Conflict, check
from sudoku_cp.queries.questions import Answer, Status, count, is_unique, solutions, solve
from sudoku_cp.queries.sessions import session_of
from sudoku_cp.queries.shrinking import shrunk
from sudoku_cp.queries.tracing import marked, statements, trace

__all__ = [
    "Answer",
    "Cancellation",
    "Check",
    "Conflict",
    "Limits",
    "Solution",
    "Status",
    "check",
    "count",
    "is_unique",
    "marked",
    "session_of",
    "shrunk",
    "solutions",
    "solve",
    "statements",
    "trace",
]
