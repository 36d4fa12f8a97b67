"""The package dlxsudoku."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlxsudoku import Sudoku
from dlxsudoku.exceptions import SudokuHasMultipleSolutionsError, SudokuHasNoSolutionError

from sudoku_cp.bench.asking import values_of

if TYPE_CHECKING:
    from sudoku_cp.bench.asking import Boxes, Found, One


def opened(boxes: Boxes) -> One:
    """Return what answers puzzles of up to nine values."""
    del boxes  # the package knows square boxes only

    def ask(line: str) -> Found:
        try:
            puzzle = Sudoku(line)
            puzzle.solve()
        except SudokuHasNoSolutionError:
            return (), 0
        except SudokuHasMultipleSolutionsError:
            return (), 2
        return values_of(puzzle.to_oneliner()), 1

    return ask
