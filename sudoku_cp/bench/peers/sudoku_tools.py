"""The package sudokutools, by its dancing links."""

from __future__ import annotations

from itertools import islice

from sudokutools.solve import dlx
from sudokutools.sudoku import Sudoku

from sudoku_cp.bench.runners import LIMIT, AskLine, Boxes, LineAnswer, parse_line


def make_solver(boxes: Boxes) -> AskLine:
    """Return the solver for puzzles with these boxes."""
    height, width = boxes

    def ask(line: str) -> LineAnswer:
        puzzle = Sudoku(size=(width, height))
        for place, value in zip(puzzle, parse_line(line), strict=True):
            puzzle[place] = value
        found = list(islice(dlx(puzzle), LIMIT))
        return ([found[0][place] for place in puzzle] if found else ()), len(found)

    return ask
