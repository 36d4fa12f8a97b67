"""Our own engines as contestants: from a line of text, or from an array, to checked answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from numpy.typing import NDArray

from sudoku_cp.backends import SupportsArrays, new_backend
from sudoku_cp.backends.base import ArrayAnswer
from sudoku_cp.backends.fast import lane_solver
from sudoku_cp.bench.runners import LIMIT, NO_ANSWER, AskArray, AskLine, Boxes, GivensArray, LineAnswer
from sudoku_cp.errors import WrongAnswer
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import solve
from sudoku_cp.queries.array_solver import PATIENCE, solve_many
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    import numpy as np


def engine(name: str, boxes: Boxes) -> AskLine:
    """Return the `AskLine` of a new engine of that name, which remembers no puzzle."""
    backend = new_backend(name)
    grid = Grid.square(boxes[0] * boxes[1], boxes)
    symbols = numerals(grid.values)

    def ask(line: str) -> LineAnswer:
        answer = solve(Puzzle.parse(line, grid, symbols), backend=backend, solution_limit=LIMIT)
        return answer.solution or (), answer.count

    ask("." * len(grid.cells))  # the session is opened, and the rules translated, before the clock starts
    return ask


def kernel(threads: str, boxes: Boxes) -> AskArray:
    """Return the `AskArray` of the batch kernel with that many threads."""
    return _ask_array(partial(solve_many, boxes=boxes, threads=int(threads)))


def array_engine(name: str, boxes: Boxes) -> AskArray:
    """Return the `AskArray` of a new engine of that name, which answers arrays; its solutions are checked."""
    session = new_backend(name).open(Puzzle(Grid.square(boxes[0] * boxes[1], boxes)).model())
    assert isinstance(session, SupportsArrays)  # noqa: S101  # the registry says which do

    def solve_checked(puzzles: GivensArray, solution_limit: int) -> ArrayAnswer:
        found = session.solve_many(puzzles, solution_limit, limits=PATIENCE)
        if not lane_solver.check_solutions(puzzles, found, boxes=boxes).all():
            raise WrongAnswer(f"expected solutions from {name}, got a grid that is none")
        return found

    return _ask_array(solve_checked)


def make_unchecked_solver(boxes: Boxes) -> AskArray:
    """Return the `AskArray` of the batch kernel on one thread without the check of its solutions."""
    return _ask_array(partial(lane_solver.solve_many, boxes=boxes, limits=PATIENCE))


def _ask_array(solve: Callable[[GivensArray, int], ArrayAnswer]) -> AskArray:
    """Return the `AskArray` of a solver; a puzzle that a limit stopped has no answer."""

    def ask(puzzles: GivensArray, solution_limit: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        found = solve(puzzles, solution_limit)
        found.counts[found.stopped(solution_limit)] = NO_ANSWER
        return found.solutions, found.counts

    return ask
