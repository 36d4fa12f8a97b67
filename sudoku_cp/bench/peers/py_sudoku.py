"""The package py-sudoku."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku import Sudoku

from sudoku_cp.bench.asking import values_of

if TYPE_CHECKING:
    from sudoku_cp.bench.asking import Boxes, Found, One


def opened(boxes: Boxes) -> One:
    """Return what answers puzzles with these boxes."""
    height, width = boxes
    side = height * width

    def ask(line: str) -> Found:
        values = values_of(line)
        board = [values[start : start + side] for start in range(0, len(values), side)]
        puzzle = Sudoku(width, height, board=board)
        solved = puzzle.solve().board
        if any(value is None for row in solved for value in row):
            return (), 0
        return [value for row in solved for value in row], 1 + puzzle.has_multiple_solutions()

    return ask
