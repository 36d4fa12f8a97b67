"""As few givens as can be: of a solution, in a pattern, or none at all."""

from sudoku_cp.generate.fewest.grids import Fewest, fewest_givens
from sudoku_cp.generate.fewest.patterns import Pattern, pattern_puzzle
from sudoku_cp.generate.fewest.without import Without, made_without_givens, needs_no_givens

__all__ = ["Fewest", "Pattern", "Without", "fewest_givens", "made_without_givens", "needs_no_givens", "pattern_puzzle"]
