"""Arrays of plain puzzles, as every engine that solves arrays takes them: checked, or made of assumptions; threads over them."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import lru_cache
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.errors import InvalidInput
from sudoku_cp.interrupts import defer_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Assumed, Clock
    from sudoku_cp.backends.fast import Boxes


MOST = 1 << 62
"""Stands for no limit."""


def check_count(name: str, number: Any, least: int = 1) -> int:
    """Return a whole number, at most `MOST`, or raise `InvalidInput` if it is below ``least``."""
    if not isinstance(number, Integral) or number < least:
        raise InvalidInput(f"expected {name} from {least}, got {number!r}")
    return min(int(number), MOST)


def check_array(puzzles: NDArray[Any], boxes: Boxes, *, candidates: bool) -> NDArray[Any]:
    """Return the array as kernels read it, or raise `InvalidInput`."""
    given = np.asarray(puzzles)
    side = boxes[0] * boxes[1]
    problems = []
    if given.dtype.kind not in "iu":
        problems.append(f"expected an array of integers, got {given.dtype}")
    if given.ndim != 2 or given.shape[1] != side**2:  # noqa: PLR2004
        problems.append(f"expected an array of shape (N, {side**2}) for boxes of {boxes[0]}x{boxes[1]}, got {given.shape}")
    if not problems and given.size:
        problems += _bad_cells(given, side, candidates=candidates)
    if problems:
        raise InvalidInput(problems)
    return np.ascontiguousarray(given, np.uint32 if candidates else np.uint8)


def _bad_cells(given: NDArray[Any], side: int, *, candidates: bool) -> Iterator[str]:
    """Yield a problem if there are numbers that no cell can hold: the first one, where it is, and how many there are."""
    most = (2 << side) - 2 if candidates else side
    if (
        (given.dtype.kind == "u" or given.min() >= 0)
        and given.max() <= most
        and not (candidates and np.bitwise_or.reduce(given, axis=None) & 1)
    ):
        return
    wrong = (given > most) | (given < 0)
    if candidates:
        wrong |= given & 1 == 1
    if wrong.any():
        row, cell = np.argwhere(wrong)[0].tolist()
        expected = f"sets of the values 1 to {side} as bits (at most {most})" if candidates else f"values from 0 to {side}"
        yield f"expected {expected}, got {given[row, cell]} in cell {cell} of puzzle {row}, and {wrong.sum()} such in all"


def grid_from_assumptions(side: int, assume: Assumed) -> NDArray[np.uint32]:
    """Return the set (bits) of the values that each cell of a grid may take under ``assume``."""
    everything = (2 << side) - 2
    return np.array([everything & assume.get(cell, -1) for cell in range(side * side)], np.uint32)


# Threads in which kernels run, so that the calling thread can watch the clock.


LEAST, LARGEST = 256, 1 << 14
"""The fewest and the most puzzles that a thread takes at a time."""
LOOK = 0.005
"""Seconds between two checks of a clock that has nearly run down."""
SHARES = 8
"""Ranges for each thread, if there are enough puzzles: threads that finish early help the others."""


@lru_cache(maxsize=4)
def thread_pool(threads: int) -> ThreadPoolExecutor:
    """Return a pool of threads that is kept: starting a thread takes longer than solving a hundred puzzles."""
    return ThreadPoolExecutor(threads, thread_name_prefix="sudoku_cp-lanes")


if hasattr(os, "register_at_fork"):
    # A forked child has none of its parent's threads.
    os.register_at_fork(after_in_child=thread_pool.cache_clear)


def run_watched(tasks: Iterable[Callable[[], None]], clock: Clock, halt: NDArray[np.uint8], threads: int = 1) -> None:
    """Run all tasks, none of which may call this again; once a limit is reached, set ``halt[0]``, which must end them soon.

    They run in other threads: this one watches the clock and handles Ctrl-C.
    """

    def stop() -> None:
        halt[0] = 1

    running: list[Future[None]] = []
    with clock.on_cancel(stop):
        try:
            with defer_interrupts():
                running += [thread_pool(threads).submit(task) for task in tasks]
            # The clock stands still while one of them loads the kernel.
            while wait(running, clock.seconds_left and max(clock.seconds_left, LOOK)).not_done and clock.seconds_left != 0:
                pass
        finally:
            stop()
            wait(running)
    for one in running:
        one.result()


def split_range(number: int, threads: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of puzzles that threads take one after the other."""
    share = number if threads == 1 else min(LARGEST, max(LEAST, -(-number // (SHARES * threads))))
    for start in range(0, number, max(1, share)):
        yield start, min(number, start + share)
