"""Engines against each other: cross-checks on the same puzzles, and fuzzing with random ones."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.compare.engine_comparison import (
        Comparison,
        CrossCheck,
        Disagreement,
        Tally,
        Verdict,
        cross_check,
        table,
        table_of,
    )
    from sudoku_cp.compare.fuzzing import Fuzz, FuzzFinding, fuzz, write_finding
    from sudoku_cp.compare.random_puzzles import Draft, random_puzzle

__all__ = [
    "Comparison",
    "CrossCheck",
    "Disagreement",
    "Draft",
    "Fuzz",
    "FuzzFinding",
    "Tally",
    "Verdict",
    "cross_check",
    "fuzz",
    "random_puzzle",
    "table",
    "table_of",
    "write_finding",
]

EXPORTS = {
    "engine_comparison": "Comparison CrossCheck Disagreement Tally Verdict cross_check table table_of",
    "fuzzing": "Fuzz FuzzFinding fuzz write_finding",
    "random_puzzles": "Draft random_puzzle",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
