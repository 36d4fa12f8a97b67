"""Our own engines as contestants: from a line of text, or from an array, to checked answers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.backends import fresh
from sudoku_cp.backends.fast import many
from sudoku_cp.bench.asking import LIMIT, NO_ANSWER
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve
from sudoku_cp.queries.array_solver import PATIENCE, solve_many
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Many as ArrayAnswer
    from sudoku_cp.bench.asking import Boxes, Found, Many, One, Puzzles


def engine(name: str, boxes: Boxes) -> One:
    """Return what asks the engine of that name, afresh, so that it remembers nothing of puzzles it has seen before."""
    own = fresh(name)
    grid = Grid.square(boxes[0] * boxes[1], boxes)
    symbols = numerals(grid.values)

    def ask(line: str) -> Found:
        answer = solve(Puzzle.parse(line, grid, symbols), backend=own, solution_limit=LIMIT)
        return answer.solution or (), answer.count

    ask("." * len(grid.cells))  # the session is opened, and the rules translated, before the clock starts
    return ask


def kernel(threads: str, boxes: Boxes) -> Many:
    """Return what asks the batch kernel with so many threads."""
    return _answers_of(partial(solve_many, boxes=boxes, threads=int(threads)))


def unchecked(boxes: Boxes) -> Many:
    """Return what asks the batch kernel on one thread, and does not check its solutions."""
    return _answers_of(partial(many.solve_many, boxes=boxes, limits=PATIENCE))


def _answers_of(solve: Callable[[Puzzles, int], ArrayAnswer]) -> Many:
    """Return what answers as contestants do: of a puzzle that a limit ended there is no answer."""

    def ask(puzzles: Puzzles, solution_limit: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        found = solve(puzzles, solution_limit)
        found.counts[found.stopped(solution_limit)] = NO_ANSWER
        return found.solutions, found.counts

    return ask
