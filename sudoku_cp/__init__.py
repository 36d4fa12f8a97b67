"""Constraint-programming sudoku: solve, count, compare and prove puzzles of any size and many variants.

The names below are the public API. They are imported when they are first used, and solver libraries only when an engine
needs them, so that importing the package is quick.
"""

from __future__ import annotations

from sudoku_cp.lazy_exports import TYPE_CHECKING, lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.backends import Cancellation, Limits, Solution, backend
    from sudoku_cp.batch import generate_files, rate_files, solve_files
    from sudoku_cp.compare import Comparison, cross_check
    from sudoku_cp.errors import (
        BackendFailed,
        BackendMissing,
        InvalidInput,
        InvalidType,
        LimitReached,
        NotProved,
        ParseError,
        SudokuError,
        UnknownName,
        Unsupported,
        WrongAnswer,
    )
    from sudoku_cp.formats import read_puzzles, write_puzzles
    from sudoku_cp.generate import GeneratedPuzzle, GenerateRequest, generate
    from sudoku_cp.grid import Board, Grid
    from sudoku_cp.logic import Explanation, Hint, SolvePath, explain, hint, steps
    from sudoku_cp.logic.rating.ratings import Ratings, rate
    from sudoku_cp.proof import Certificate, Report, prove, verify
    from sudoku_cp.puzzle import Origin, Position, Puzzle
    from sudoku_cp.queries import (
        Answer,
        CandidateMemory,
        Check,
        Estimate,
        TrueCandidates,
        check,
        count,
        estimate,
        is_unique,
        mark_origins,
        random_solution,
        solutions,
        solve,
        solve_many,
        trace,
        true_candidate_stream,
        true_candidates,
    )
    from sudoku_cp.render import draw, layers, svg
    from sudoku_cp.symbols import Symbols

__version__ = "0.2.0"

EXPORTS = {
    "batch": "generate_files rate_files solve_files",
    "backends": "Cancellation Limits Solution backend",
    "compare": "Comparison cross_check",
    "errors": (
        "BackendFailed BackendMissing InvalidInput InvalidType LimitReached NotProved ParseError SudokuError UnknownName "
        "Unsupported WrongAnswer"
    ),
    "formats": "read_puzzles write_puzzles",
    "generate": "GeneratedPuzzle GenerateRequest generate",
    "grid": "Board Grid",
    "logic": "Explanation Hint SolvePath explain hint steps",
    "logic.rating.ratings": "Ratings rate",
    "proof": "Certificate Report prove verify",
    "puzzle": "Origin Position Puzzle",
    "queries": (
        "Answer CandidateMemory Check Estimate TrueCandidates check count estimate is_unique mark_origins random_solution "
        "solutions solve solve_many trace true_candidate_stream true_candidates"
    ),
    "render": "draw layers svg",
    "symbols": "Symbols",
}

__all__ = [
    "Answer",
    "BackendFailed",
    "BackendMissing",
    "Board",
    "Cancellation",
    "CandidateMemory",
    "Certificate",
    "Check",
    "Comparison",
    "Estimate",
    "Explanation",
    "GenerateRequest",
    "GeneratedPuzzle",
    "Grid",
    "Hint",
    "InvalidInput",
    "InvalidType",
    "LimitReached",
    "Limits",
    "NotProved",
    "Origin",
    "ParseError",
    "Position",
    "Puzzle",
    "Ratings",
    "Report",
    "Solution",
    "SolvePath",
    "SudokuError",
    "Symbols",
    "TrueCandidates",
    "UnknownName",
    "Unsupported",
    "WrongAnswer",
    "backend",
    "check",
    "count",
    "cross_check",
    "draw",
    "estimate",
    "explain",
    "generate",
    "generate_files",
    "hint",
    "is_unique",
    "layers",
    "mark_origins",
    "prove",
    "random_solution",
    "rate",
    "rate_files",
    "read_puzzles",
    "solutions",
    "solve",
    "solve_files",
    "solve_many",
    "steps",
    "svg",
    "trace",
    "true_candidate_stream",
    "true_candidates",
    "verify",
    "write_puzzles",
]


if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
