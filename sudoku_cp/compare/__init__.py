"""Engines against each other: the same puzzles through several, and random ones made to find a difference."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late

if TYPE_CHECKING:
    from sudoku_cp.compare.crosscheck import Comparison, Disagreement, Tally, Verdict, cross_check, table

__all__ = ["Comparison", "Disagreement", "Tally", "Verdict", "cross_check", "table"]

HOMES = {"crosscheck": "Comparison Disagreement Tally Verdict cross_check table"}

__getattr__ = late(__name__, HOMES)
