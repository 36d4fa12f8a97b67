"""Work on many boards, cut into blocks and run in threads, within limits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sudoku_cp.backends.fast.kernel_threads import run_watched
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.plain.generator_kernel import call_kernel, stream_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits


if TYPE_CHECKING:
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


# Random words of 32 bits for many puzzles; they depend on the seed, the puzzle, the try and the purpose alone.


def random_words(
    seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], purpose: str, amount: int
) -> NDArray[np.uint32]:
    """Return numbers (N, amount), uniform from 0 to 2**32 - 1, for each of the puzzles ``numbers`` (N,) and its try."""
    words = np.empty((len(numbers), amount), np.uint32)
    call_kernel("draw_words", stream_of(seed, purpose), numbers, tries, words)
    return words


def below(words: NDArray[np.uint32], bound: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Return numbers from 0 to ``bound`` - 1, uniform up to a bias of ``bound`` / 2**32."""
    return (words.astype(np.uint64) * np.asarray(bound, np.uint64) >> np.uint64(32)).astype(np.int64)
