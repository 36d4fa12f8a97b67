"""Arrays of puzzles, solved by the lane kernel: many in threads, a few in the calling thread, since waking another costs more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.backends.base import UNLIMITED, ArrayAnswer, Limits
from sudoku_cp.backends.fast.kernel_threads import run_watched
from sudoku_cp.backends.fast.lane_kernel import aligned_zeros, lane_kernel
from sudoku_cp.backends.fast.puzzle_arrays import MOST, check_array, check_count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock
    from sudoku_cp.backends.fast.box_shapes import Boxes
    from sudoku_cp.backends.fast.lane_kernel import LaneKernel

FEW = 256 * 81
"""The most cells of an array that the calling thread searches and checks: waking a thread takes longer than that many cells."""
SHARE, SHARES = 256, 8
"""The most puzzles that a thread takes at a time, and how many times it takes some at least, if there are enough."""
CALLER_NODES = 20_000
"""Nodes in the calling thread, which cannot watch a clock meanwhile: 10 ms for a grid of 81 cells, fewer nodes for more cells."""


class CheckedAnswer(NamedTuple):
    """An answer, and for each puzzle whether its first solution obeys the rules, or none was found."""

    answer: ArrayAnswer
    right: NDArray[np.bool_]


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
    return _solve(puzzles, solution_limit, boxes, limits, threads, candidates=candidates, checked=False).answer


def compile_search(boxes: Boxes) -> None:
    """Compile the search and its check into the cache, by solving an empty grid."""
    side = boxes[0] * boxes[1]
    solve_checked(np.zeros((1, side * side), np.uint8), 1, boxes=boxes, limits=Limits(nodes=1000))


def solve_checked(
    puzzles: NDArray[Any],
    solution_limit: int | None = 2,
    *,
    boxes: Boxes,
    candidates: bool = False,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> CheckedAnswer:
    """Do the same and check the solutions, independently of the search: each thread those that it has found."""
    return _solve(puzzles, solution_limit, boxes, limits, threads, candidates=candidates, checked=True)


def _solve(
    puzzles: NDArray[Any],
    solution_limit: int | None,
    boxes: Boxes,
    limits: Limits,
    threads: int,
    *,
    candidates: bool,
    checked: bool,
) -> CheckedAnswer:
    """Answer an array; all is right if nothing is checked."""
    clock = limits.started()
    array = check_array(puzzles, boxes, candidates=candidates)
    most = check_count("a limit", MOST if solution_limit is None else solution_limit)
    threads = check_count("a number of threads", threads)
    budget = MOST if limits.nodes is None else check_count("a limit of nodes", limits.nodes, least=0)
    code = lane_kernel(*boxes)
    task = _make_task(array, candidates=candidates, limit=most, most_nodes=budget)
    right = np.ones(len(array), np.bool_)
    # The calling thread does not look at the clock, which only matters if no time is left at all.
    search = _search_here if 0 < array.size <= FEW and clock.seconds_left != 0 else _search_in_threads
    search(code, task, clock, threads, right if checked else None)
    return CheckedAnswer(_array_answer(task["solutions"], task["counts"], most), right)


def _make_task(array: NDArray[Any], *, candidates: bool, limit: int, most_nodes: int) -> dict[str, Any]:
    """Return the fields of a `SearchTask` for all puzzles of an array; the search clears the answers."""
    return {
        "puzzles": array,
        "candidates": bool(candidates),
        "solutions": np.empty(array.shape, np.uint8),
        "counts": np.empty(len(array), np.int64),
        "nodes": np.empty(len(array), np.int64),
        "limit": limit,
        "most_nodes": most_nodes,
        "halt": np.zeros(1, np.uint8),
        "number": len(array),
        "taken": aligned_zeros((1,), np.dtype(np.int64)),
        "share": len(array),
    }


def _search_here(code: LaneKernel, task: dict[str, Any], clock: Clock, threads: int, right: NDArray[np.bool_] | None) -> None:
    """Search with few nodes in the calling thread, and in others for the puzzles that need more; then check all here."""
    array, counts, budget = task["puzzles"], task["counts"], task["most_nodes"]
    first = min(budget, CALLER_NODES * 81 // array.size)
    with clock.on_cancel(partial(task["halt"].fill, 1)):
        starts = code.search(task | {"most_nodes": first})
    if first < budget and counts.min() < 0:
        unfinished = np.flatnonzero(counts < 0)
        rest = _make_task(array[unfinished], candidates=task["candidates"], limit=task["limit"], most_nodes=budget)
        _search_in_threads(code, rest, clock, threads, None)
        for name in ("solutions", "counts"):
            task[name][unfinished] = rest[name]
    if right is not None:
        code.check(array, task["solutions"], counts, right, starts, len(array))


def _search_in_threads(
    code: LaneKernel, task: dict[str, Any], clock: Clock, threads: int, right: NDArray[np.bool_] | None
) -> None:
    """Search in several threads, each of which takes a share of the puzzles whenever its lanes run out of work.

    Each checks its own shares, so that none waits for another.
    """
    share = max(1, min(SHARE, task["number"] // (SHARES * threads)))

    def search() -> None:
        starts = code.search(task | {"share": share})
        if right is not None:
            code.check(task["puzzles"], task["solutions"], task["counts"], right, starts, share)

    run_watched([search] * threads, clock, task["halt"], threads)


def _array_answer(solutions: NDArray[np.uint8], counts: NDArray[np.int64], limit: int) -> ArrayAnswer:
    """Return the answer that the kernel's counts mean, in which those that a limit cut short are complemented."""
    stopped = counts < 0
    if stopped.any():
        np.invert(counts, out=counts, where=stopped)
        return ArrayAnswer(solutions, counts, ~stopped & (counts < limit))
    return ArrayAnswer(solutions, counts, counts < limit)


def check_solutions(puzzles: NDArray[Any], found: ArrayAnswer, *, boxes: Boxes, candidates: bool = False) -> NDArray[np.bool_]:
    """Return for each puzzle whether its first solution obeys the rules, or none was found; independently of any search.

    ``puzzles`` are those that an engine has taken.
    """
    array = np.ascontiguousarray(puzzles, np.uint32 if candidates else np.uint8)
    right = np.ones(len(array), np.bool_)
    whole = np.zeros(min(1, len(array)), np.int64)
    solutions, counts = np.ascontiguousarray(found.solutions), np.ascontiguousarray(found.counts)
    lane_kernel(*boxes).check(array, solutions, counts, right, whole, len(array))
    return right


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
