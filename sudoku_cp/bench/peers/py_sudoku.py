"""The package py-sudoku."""

from __future__ import annotations

from sudoku import Sudoku

from sudoku_cp.bench.runners import AskLine, Boxes, LineAnswer, parse_line


def make_solver(boxes: Boxes) -> AskLine:
    """Return the solver for puzzles with these boxes."""
    height, width = boxes
    side = height * width

    def ask(line: str) -> LineAnswer:
        values = parse_line(line)
        board = [values[start : start + side] for start in range(0, len(values), side)]
        puzzle = Sudoku(width, height, board=board)
        solved = puzzle.solve().board
        if any(value is None for row in solved for value in row):
            return (), 0
        return [value for row in solved for value in row], 1 + puzzle.has_multiple_solutions()

    return ask
