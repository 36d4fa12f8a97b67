"""The package dlxsudoku."""

from __future__ import annotations

from dlxsudoku import Sudoku
from dlxsudoku.exceptions import SudokuHasMultipleSolutionsError, SudokuHasNoSolutionError

from sudoku_cp.bench.runners import AskLine, Boxes, LineAnswer, parse_line


def make_solver(boxes: Boxes) -> AskLine:
    """Return the solver for puzzles of up to nine values."""
    del boxes  # the package knows square boxes only

    def ask(line: str) -> LineAnswer:
        try:
            puzzle = Sudoku(line)
            puzzle.solve()
        except SudokuHasNoSolutionError:
            return (), 0
        except SudokuHasMultipleSolutionsError:
            return (), 2
        return parse_line(puzzle.to_oneliner()), 1

    return ask
