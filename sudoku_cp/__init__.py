"""Constraint-programming sudoku: solve, count, compare and prove puzzles of any size and many variants.

The names below are the package's face. They are looked up when they are first used, and solver libraries only when
an engine that needs one is asked, so that importing the package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudoku_cp.backends import Cancellation, Limits, Solution, backend
    from sudoku_cp.compare import Comparison, compare
    from sudoku_cp.errors import (
        BackendMissing,
        InvalidInput,
        LimitReached,
        ParseError,
        SudokuError,
        UnknownName,
        Unsupported,
        WrongAnswer,
    )
    from sudoku_cp.formats import read_puzzles, write_puzzles
    from sudoku_cp.grid import Board, Grid
    from sudoku_cp.puzzle import Origin, Position, Puzzle
    from sudoku_cp.queries import Answer, Check, check, count, is_unique, marked, solutions, solve, trace
    from sudoku_cp.render import draw
    from sudoku_cp.symbols import Symbols

__version__ = "0.1.0.dev0"

_HOMES = {
    "backends": "Cancellation Limits Solution backend",
    "compare": "Comparison compare",
    "errors": (
        "BackendMissing InvalidInput LimitReached ParseError SudokuError UnknownName Unsupported WrongAnswer"
    ),
    "formats": "read_puzzles write_puzzles",
    "grid": "Board Grid",
    "puzzle": "Origin Position Puzzle",
    "queries": "Answer Check check count is_unique marked solutions solve trace",
    "render": "draw",
    "symbols": "Symbols",
}
_HOME_OF = {name: room for room, names in _HOMES.items() for name in names.split()}

__all__ = [  # noqa: PLE0604  # a test holds this list against _HOMES
    "Answer",
    "BackendMissing",
    "Board",
    "Cancellation",
    "Check",
    "Comparison",
    "Grid",
    "InvalidInput",
    "LimitReached",
    "Limits",
    "Origin",
    "ParseError",
    "Position",
    "Puzzle",
    "Solution",
    "SudokuError",
    "Symbols",
    "UnknownName",
    "Unsupported",
    "WrongAnswer",
    "backend",
    "check",
    "compare",
    "count",
    "draw",
    "is_unique",
    "marked",
    "read_puzzles",
    "solutions",
    "solve",
    "trace",
    "write_puzzles",
]


def __getattr__(name: str) -> object:
    """Import the room of a public name when the name is first used."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
