"""Arrays of puzzles, solved by the lane kernel: many in threads, a few in the calling thread, since waking another costs more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.backends.base import UNLIMITED, ArrayAnswer, Clock, Limits
from sudoku_cp.backends.fast.lane_kernel import LaneKernel, aligned_zeros, lane_kernel
from sudoku_cp.backends.fast.puzzle_arrays import MOST, check_array, check_count, run_watched, split_range
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.fast import Boxes


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


# Probes: many small questions about plain grids, which generators ask and the lane kernel answers.
#
# An answer depends only on its own probe, not on the others, their number, the threads or the processor. So the kernel uses the
# same rules everywhere, and no lane takes work from another unless that changes no answer.


EXCEPT = 128
"""Added to a value, means any other value."""
CHEAP = 8
"""First guesses of a probe that go to the first cell with two candidates: most probes need no more."""
MOST_PROBES = 1 << 62
"""Stands for no limit."""


class Probed(NamedTuple):
    """The answers to probes.

    ``found`` (N,) is how many solutions were found, at most as many as were wanted; complemented (``~found``) where a limit
    came first. ``solutions`` (N, cells) is the last solution wanted, 0 in every cell if there are fewer. ``nodes`` (N,) is the
    number of guesses.
    """

    found: NDArray[np.int64]
    solutions: NDArray[np.uint8]
    nodes: NDArray[np.int64]


class Prober:
    """Answers probes of one kind in the calling thread, until ``halt[0]`` is set.

    Raises `BackendMissing` where Numba cannot compile.
    """

    def __init__(
        self,
        boxes: Boxes,
        *,
        most_nodes: int = MOST_PROBES,
        cheap: int = CHEAP,
        ordered: bool = False,
        steals: bool = False,
        halt: NDArray[np.uint8] | None = None,
    ) -> None:
        """Choose the kind, by the options of `probe`; setting ``halt[0]`` stops all probes.

        With ``steals`` idle lanes take work from others, so that a hard probe does not delay the rest; which solution comes
        last, and what a node limit leaves, then depend on the other probes; the number of solutions does not.
        """
        self._kernel = lane_kernel(*boxes, probing=True)
        self.halt = np.zeros(1, np.uint8) if halt is None else halt
        self._kind = {
            "most_nodes": most_nodes,
            "cheap": cheap,
            "ordered": ordered,
            "steals": steals,
            "candidates": False,
            "limit": 0,
        }

    def ask(
        self,
        puzzles: NDArray[np.uint8],
        wanted: NDArray[np.int64],
        found: NDArray[np.int64],
        nodes: NDArray[np.int64],
        solutions: NDArray[np.uint8] | None = None,
    ) -> None:
        """Write the answers to probes into the arrays, as in `Probed`; rows of ``solutions`` without a solution are not changed.

        All arrays must be contiguous, ``puzzles`` and ``wanted`` as for `probe`; nothing is checked.
        """
        found[:] = nodes[:] = 0
        task: dict[str, Any] = {
            **self._kind,
            "puzzles": puzzles,
            "wanted": wanted,
            "counts": found,
            "nodes": nodes,
            "solutions": puzzles if solutions is None else solutions,
            "keeps": solutions is not None,
            "halt": self.halt,
            "number": len(puzzles),
            "taken": np.zeros(1, np.int64),
            "share": len(puzzles),
        }
        self._kernel.search(task)


def probe(
    puzzles: NDArray[np.uint8],
    wanted: NDArray[np.int64] | int,
    *,
    boxes: Boxes,
    most_nodes: int = MOST_PROBES,
    cheap: int = CHEAP,
    ordered: bool = False,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> Probed:
    """Look for ``wanted`` solutions, one number for all or (N,), of each of ``puzzles`` (N, cells); solutions are not checked.

    A cell is 0 if it is blank, a value, or `EXCEPT` plus a value, which means any other value. Each probe ends after
    ``most_nodes`` guesses; the first ``cheap`` of them go to the first cell with two candidates, or, with ``ordered``, all to
    the first open cell, so that solutions come in lexicographic order. Limits do not raise: see `Probed`.
    """
    clock = limits.started()
    array = _check_probes(puzzles, boxes)
    many = np.ascontiguousarray(np.broadcast_to(wanted, len(array)), np.int64)
    if many.size and many.min() < 1:
        raise InvalidInput(f"expected a number of solutions from 1, got {many.min()}")
    most = min(most_nodes, MOST_PROBES if limits.nodes is None else limits.nodes)
    found = Probed(np.zeros(len(array), np.int64), np.zeros(array.shape, np.uint8), np.zeros(len(array), np.int64))
    prober = Prober(boxes, most_nodes=most, cheap=cheap, ordered=ordered)

    def ask(start: int, stop: int) -> None:
        part = slice(start, stop)
        prober.ask(array[part], many[part], found.found[part], found.nodes[part], found.solutions[part])

    run_watched([partial(ask, *share) for share in split_range(len(array), threads)], clock, prober.halt, threads)
    return found


def _check_probes(puzzles: NDArray[np.uint8], boxes: Boxes) -> NDArray[np.uint8]:
    """Return the array as the kernel reads it, or raise `InvalidInput`."""
    side = boxes[0] * boxes[1]
    given = np.asarray(puzzles)
    if given.dtype != np.uint8 or given.ndim != 2 or given.shape[1] != side**2:  # noqa: PLR2004
        raise InvalidInput(f"expected an array of bytes of shape (N, {side**2}), got {given.dtype} of {given.shape}")
    wrong = (given & (EXCEPT - 1) > side) | (given == EXCEPT)
    if wrong.any():
        row, cell = np.argwhere(wrong)[0].tolist()
        raise InvalidInput(f"expected values from 0 to {side}, or {EXCEPT} more; got {given[row, cell]} in cell {cell} of {row}")
    return np.ascontiguousarray(given)
