"""The fewest givens: of a solution, in a pattern, or none at all."""

from sudoku_cp.generate.fewest.bounds_search import GivenBounds, fewest_givens
from sudoku_cp.generate.fewest.pattern_search import (
    NoGivensAnswer,
    PatternAnswer,
    make_puzzle_without_givens,
    needs_no_givens,
    pattern_puzzle,
)

__all__ = [
    "GivenBounds",
    "NoGivensAnswer",
    "PatternAnswer",
    "fewest_givens",
    "make_puzzle_without_givens",
    "needs_no_givens",
    "pattern_puzzle",
]
