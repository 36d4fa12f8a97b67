"""Solvers of other Python packages, each imported when its solver is made: not all need be installed."""

from __future__ import annotations

from itertools import islice

import numpy as np

from sudoku_cp.bench.runners import LIMIT, AskLine, Boxes, LineAnswer, parse_line
from sudoku_cp.grid import Grid


def make_cpmpy_solver(boxes: Boxes) -> AskLine:
    """Return what one writes with CPMpy: an array of integers and AllDifferent, solved by its default solver."""
    import cpmpy

    side = boxes[0] * boxes[1]
    houses = list(map(list, Grid.square(side, boxes).houses.values()))

    def ask(line: str) -> LineAnswer:
        values = np.array(parse_line(line))
        cells = cpmpy.intvar(1, side, shape=len(values))
        model = cpmpy.Model([cpmpy.AllDifferent(cells[house]) for house in houses], cells[values > 0] == values[values > 0])
        found: list[list[int]] = []
        model.solveAll(display=lambda: found.append(cells.value().tolist()), solution_limit=LIMIT)
        return (found[0] if found else ()), len(found)

    return ask


def make_dlxsudoku_solver(boxes: Boxes) -> AskLine:
    """Return the solver of dlxsudoku, for puzzles of up to nine values."""
    from dlxsudoku import Sudoku
    from dlxsudoku.exceptions import SudokuHasMultipleSolutionsError, SudokuHasNoSolutionError

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


def make_py_sudoku_solver(boxes: Boxes) -> AskLine:
    """Return the solver of py-sudoku."""
    from sudoku import Sudoku

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


def make_sudokutools_solver(boxes: Boxes) -> AskLine:
    """Return the solver of sudokutools, by its dancing links."""
    from sudokutools.solve import dlx
    from sudokutools.sudoku import Sudoku

    height, width = boxes

    def ask(line: str) -> LineAnswer:
        puzzle = Sudoku(size=(width, height))
        for place, value in zip(puzzle, parse_line(line), strict=True):
            puzzle[place] = value
        found = list(islice(dlx(puzzle), LIMIT))
        return ([found[0][place] for place in puzzle] if found else ()), len(found)

    return ask
