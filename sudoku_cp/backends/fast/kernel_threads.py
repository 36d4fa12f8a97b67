"""Threads in which kernels run, so that the calling thread can watch the clock."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.interrupts import defer_interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock

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
