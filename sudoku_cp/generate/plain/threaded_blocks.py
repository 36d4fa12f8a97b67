"""Work on many boards, cut into blocks and run in threads, within limits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sudoku_cp.backends.fast.kernel_threads import run_watched
from sudoku_cp.errors import LimitReached

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits

    Halt: TypeAlias = NDArray[np.uint8]
    """A flag that is set once a limit is reached."""

BLOCK = 8192
"""Boards in a block: enough to fill the lanes, few enough for the caches."""


def run_in_blocks(number: int, work: Callable[[slice, Halt], bool], limits: Limits, threads: int = 1) -> None:
    """Run ``work`` on blocks of ``number`` boards; it returns whether it finished.

    Raises `LimitReached` if some did not. The result for a board does not depend on its block or thread.
    """
    clock = limits.started()
    halt = np.zeros(1, np.uint8)
    size = min(BLOCK, max(1, -(-number // threads)))
    blocks = [slice(start, min(number, start + size)) for start in range(0, number, size)]
    ended = [False] * len(blocks)

    def task(place: int) -> None:
        if not halt[0]:
            ended[place] = work(blocks[place], halt)

    run_watched([partial(task, place) for place in range(len(blocks))], clock, halt, threads)
    if not all(ended):
        raise LimitReached(clock.reached() or "deadline", f"{clock.elapsed:.3g} s")
