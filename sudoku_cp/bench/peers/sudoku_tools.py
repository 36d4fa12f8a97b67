"""The package sudokutools, by its dancing links."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sudokutools.solve import dlx
from sudokutools.sudoku import Sudoku

from sudoku_cp.bench.runners import LIMIT, parse_line

if TYPE_CHECKING:
    from sudoku_cp.bench.runners import AskLine, Boxes, LineAnswer


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
