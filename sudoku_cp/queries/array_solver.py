"""Arrays of plain puzzles, solved at once by the array engine and checked.

`solve_many` is public. The other functions serve `Puzzle` objects: `domain_arrays` makes arrays of them,
`solve_without_each_given` asks about each given, `count_one` counts the solutions of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_cp.arguments import checked
from sudoku_cp.backends import Clock, Limits
from sudoku_cp.backends.base import ArrayAnswer
from sudoku_cp.backends.fast import SHAPES, Boxes, lane_solver, shape_of, side_of
from sudoku_cp.backends.fast.lane_kernel import is_cached
from sudoku_cp.errors import InvalidInput, WrongAnswer
from sudoku_cp.grid import default_boxes
from sudoku_cp.queries.solution_search import GIVEN_BUDGET, with_nodes_at_most

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

PATIENCE = Limits(nodes=1_000_000)
"""Default limits for each puzzle: a minute at most, while most of the hardest known puzzles take a hundred nodes."""
SIDES = tuple(sorted({side_of(shape) for shape in SHAPES}))
"""The sides of the grids that are solved."""
WIDEST = 16
"""Side of the largest grid on which the kernel counts faster than other engines."""


@checked
def solve_many(
    puzzles: NDArray[Any] | Sequence[Any],
    solution_limit: int | None = 2,
    *,
    boxes: tuple[int, int] | None = None,
    candidates: bool = False,
    limits: Limits = PATIENCE,
    threads: int = 1,
) -> ArrayAnswer:
    """Count the solutions of every plain puzzle in an array up to ``solution_limit`` (None: all) and keep the first, checked.

    ``puzzles`` (N, cells) holds values, 0 in blank cells; with ``candidates`` it holds the set of the values that each cell may
    take, value v in bit v. ``boxes`` is (height, width), by default as square as possible. Returns a named tuple:
    ``solutions`` (N, cells) uint8, 0 where there is none; ``counts`` (N,), how many were found; ``exact`` (N,), whether these are
    all. A count below ``solution_limit`` that is not exact was stopped by ``limits`` (the time limit is for all puzzles, the
    node limit for each). The GIL is released meanwhile. Raises `InvalidInput` for arrays that hold no such puzzles.
    """
    array = _array_of(puzzles)
    shape = boxes or _boxes_of(array)
    if shape not in SHAPES:
        known = ", ".join(f"{height}x{width}" for height, width in SHAPES)
        raise InvalidInput(f"expected boxes (height, width) of {known}, got {shape!r}")
    found, right = lane_solver.solve_checked(
        array, solution_limit, boxes=shape, candidates=candidates, limits=limits, threads=threads
    )
    if not right.all():
        index = int(np.flatnonzero(~right)[0])
        given, got = (values[index].tolist() for values in (array, found.solutions))
        raise WrongAnswer(f"expected a solution of puzzle {index}, {given}, got {got}")
    return found


def _array_of(puzzles: NDArray[Any] | Sequence[Any]) -> NDArray[Any]:
    try:
        return np.asarray(puzzles)
    except ValueError as error:  # rows of different lengths
        raise InvalidInput(f"solve_many, puzzles: expected an array of shape (N, cells), got {puzzles!r:.80}") from error


def _boxes_of(puzzles: NDArray[Any]) -> tuple[int, int]:
    side = round(puzzles.shape[1] ** 0.5) if puzzles.ndim == 2 else 0  # noqa: PLR2004
    if side not in SIDES or side**2 != puzzles.shape[1]:
        cells = ", ".join(str(side**2) for side in SIDES)
        raise InvalidInput(f"expected an array of shape (N, cells) with {cells} cells, got {puzzles.shape}")
    boxes = default_boxes(side)
    assert boxes  # noqa: S101  # no side of a known shape is a prime
    return boxes


# --- puzzles as arrays ------------------------------------------------------------------------------------------


def domain_arrays(puzzles: Sequence[Puzzle], boxes: Boxes) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return two arrays (N, cells) of sets of values (bits): what each cell may be without its given, and with it."""
    side = side_of(boxes)
    free = np.full((len(puzzles), side**2), (2 << side) - 2, np.uint32)
    values = np.zeros((len(puzzles), side**2), np.uint32)
    for index, puzzle in enumerate(puzzles):
        values[index, list(puzzle.givens)] = list(puzzle.givens.values())
        if puzzle.candidates:
            free[index, list(puzzle.candidates)] = list(puzzle.candidates.values())
    return free, np.where(values > 0, free & np.uint32(1) << values, free)


def solve_without_each_given(
    free: NDArray[np.uint32],
    domains: NDArray[np.uint32],
    solutions: NDArray[np.uint8],
    givens: tuple[NDArray[np.intp], NDArray[np.intp]],
    *,
    boxes: Boxes,
    limits: Limits,
) -> ArrayAnswer:
    """Look, for each given (row, cell), for a solution in which its cell has another value than in the puzzle's solution.

    ``free`` and ``domains`` are those of `domain_arrays`. No solution means that the given can be left out.
    """
    rows, cells = givens
    questions = domains[rows]
    solved = np.uint32(1) << solutions[rows, cells].astype(np.uint32)
    questions[np.arange(len(rows)), cells] = free[rows, cells] & ~solved
    return solve_many(questions, 1, boxes=boxes, candidates=True, limits=with_nodes_at_most(limits, GIVEN_BUDGET))


# --- counting the solutions of one puzzle -----------------------------------------------------------------------


def can_count(puzzle: Puzzle, clock: Clock) -> bool:
    """Return whether the kernel counts this puzzle's solutions; under a time limit only if it is compiled already."""
    boxes = shape_of(puzzle.model())
    if boxes is None or side_of(boxes) > WIDEST:
        return False
    return clock.limits.seconds is None or is_cached(boxes)


def count_one(puzzle: Puzzle, solution_limit: int | None, clock: Clock, seconds: float | None) -> tuple[int, bool]:
    """Return how many solutions were found within ``seconds``, and whether these are all or ``solution_limit`` of them."""
    boxes = shape_of(puzzle.model())
    assert boxes  # noqa: S101  # see `can_count`
    _, domains = domain_arrays([puzzle], boxes)
    times = [time for time in (seconds, clock.seconds_left) if time is not None]
    limits = replace(clock.left(), seconds=min(times, default=None))
    found = solve_many(domains, solution_limit, boxes=boxes, candidates=True, limits=limits)
    return int(found.counts[0]), not found.stopped(solution_limit)[0]
