"""Arrays of puzzles, solved by the lane kernel: many in threads, a few in the calling thread, since waking another costs more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.base import UNLIMITED, ArrayAnswer, Limits
from sudoku_cp.backends.fast.kernel_threads import run_watched, thread_pool
from sudoku_cp.backends.fast.lane_kernel import lane_kernel
from sudoku_cp.backends.fast.puzzle_arrays import MOST, check_array, check_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock
    from sudoku_cp.backends.fast.box_shapes import Boxes
    from sudoku_cp.backends.fast.lane_kernel import LaneKernel

FEW = 256 * 81
"""The most cells of an array that the calling thread searches and checks: waking a thread takes longer than that many cells."""
SHARE, SHARES = 64, 8
"""The most puzzles that a thread takes at a time, and how many times it takes some at least, if there are enough."""
CALLER_NODES = 20_000
"""Nodes in the calling thread, which cannot watch a clock meanwhile: 10 ms for a grid of 81 cells, fewer nodes for more cells."""


def solve_many(
    puzzles: NDArray[Any],
    solution_limit: int | None = 2,
    *,
    boxes: Boxes,
    candidates: bool = False,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> ArrayAnswer:
    """Count the solutions of each puzzle and keep the first, as `SupportsArrays.solve_many` says; unchecked.

    Raises `InvalidInput` for an array that does not hold puzzles with such boxes, with everything that is wrong with it.
    """
    clock = limits.started()
    array = check_array(puzzles, boxes, candidates=candidates)
    most = check_count("a limit", MOST if solution_limit is None else solution_limit)
    threads = check_count("a number of threads", threads)
    budget = MOST if limits.nodes is None else check_count("a limit of nodes", limits.nodes, least=0)
    code = lane_kernel(*boxes)
    task = _make_task(array, candidates=candidates, limit=most, most_nodes=budget)
    # The calling thread does not look at the clock, which only matters if no time is left at all.
    search = _search_here if 0 < array.size <= FEW and clock.seconds_left != 0 else _search_in_threads
    search(code, task, clock, threads)
    return _array_answer(task["solutions"], task["counts"], most)


def _make_task(array: NDArray[Any], *, candidates: bool, limit: int, most_nodes: int) -> dict[str, Any]:
    """Return the fields of a `SearchTask` for all puzzles of an array."""
    return {
        "puzzles": array,
        "candidates": bool(candidates),
        "solutions": np.zeros(array.shape, np.uint8),
        "counts": np.zeros(len(array), np.int64),
        "nodes": np.zeros(len(array), np.int64),
        "limit": limit,
        "most_nodes": most_nodes,
        "halt": np.zeros(1, np.uint8),
        "number": len(array),
        "taken": np.zeros(1, np.int64),
        "share": len(array),
    }


def _search_here(code: LaneKernel, task: dict[str, Any], clock: Clock, threads: int) -> None:
    """Search with few nodes in the calling thread, and in others for the puzzles that need more."""
    array, counts, budget = task["puzzles"], task["counts"], task["most_nodes"]
    first = min(budget, CALLER_NODES * 81 // array.size)
    with clock.on_cancel(partial(task["halt"].fill, 1)):
        code.search(task | {"most_nodes": first})
    if first < budget and counts.min() < 0:
        unfinished = np.flatnonzero(counts < 0)
        rest = _make_task(array[unfinished], candidates=task["candidates"], limit=task["limit"], most_nodes=budget)
        _search_in_threads(code, rest, clock, threads)
        for name in ("solutions", "counts"):
            task[name][unfinished] = rest[name]


def _search_in_threads(code: LaneKernel, task: dict[str, Any], clock: Clock, threads: int) -> None:
    """Search in several threads, each of which takes a share of the puzzles whenever its lanes run out of work."""
    share = max(1, min(SHARE, task["number"] // (SHARES * threads)))
    run_watched([partial(code.search, task | {"share": share})] * threads, clock, task["halt"], threads)


def _array_answer(solutions: NDArray[np.uint8], counts: NDArray[np.int64], limit: int) -> ArrayAnswer:
    """Return the answer that the kernel's counts mean, in which those that a limit cut short are complemented."""
    stopped = counts < 0
    if stopped.any():
        np.invert(counts, out=counts, where=stopped)
        return ArrayAnswer(solutions, counts, ~stopped & (counts < limit))
    return ArrayAnswer(solutions, counts, counts < limit)


def check_solutions(
    puzzles: NDArray[Any], found: ArrayAnswer, *, boxes: Boxes, candidates: bool = False, threads: int = 1
) -> NDArray[np.bool_]:
    """Return for each puzzle whether its first solution obeys the rules, or none was found; independently of the search.

    ``puzzles`` are those that `solve_many` has taken.
    """
    code = lane_kernel(*boxes)
    array = np.ascontiguousarray(puzzles, np.uint32 if candidates else np.uint8)
    solutions = np.ascontiguousarray(found.solutions)
    unsolved: NDArray[np.bool_] = found.counts == 0
    if unsolved.all():
        return unsolved

    if threads == 1 or array.size <= FEW:
        return code.check(array, solutions) | unsolved

    def check(start: int) -> NDArray[np.bool_]:
        return code.check(array[start : start + share], solutions[start : start + share])

    share = -(-len(array) // threads)
    checks: NDArray[np.bool_] = np.concatenate(list(thread_pool(threads).map(check, range(0, len(array), share))))
    checks |= unsolved
    return checks


# --- all solutions by repeated first solutions (Lawler's partition, 1972) ---------------------------------------


def partition_around(grid: NDArray[np.uint32], solution: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return grids (N, cells) that together have all solutions of ``grid`` but this one, each solution in one of them.

    There is one grid for each open cell of ``grid``: the cells before it are as in the solution, the cell itself is not.
    """
    chosen = np.left_shift(np.uint32(1), solution, dtype=np.uint32)
    open_cells = np.flatnonzero(grid != chosen)
    before = np.arange(len(grid)) < open_cells[:, np.newaxis]
    parts = np.where(before, chosen, grid)
    parts[np.arange(len(open_cells)), open_cells] &= ~chosen[open_cells]
    return parts
