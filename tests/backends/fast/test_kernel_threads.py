"""Threads for kernels."""

import signal
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.backends.base import Clock
from sudoku_cp.backends.fast.puzzle_arrays import run_watched, split_range


def test_ctrl_c_while_tasks_are_handed_out_ends_them_all() -> None:
    """Every task that was begun is told to end and has ended before the interrupt goes on."""
    halt = np.zeros(1, dtype=np.uint8)
    ended: list[int] = []

    def tasks() -> Iterator[Callable[[], None]]:
        yield lambda: ended.append(1)
        signal.raise_signal(signal.SIGINT)
        yield lambda: ended.append(2)

    with pytest.raises(KeyboardInterrupt):
        run_watched(tasks(), Clock(Limits()), halt)
    assert (ended, halt[0]) == ([1, 2], 1)


@pytest.mark.parametrize(("number", "threads"), [(0, 1), (1, 2), (10_000, 1), (10_000, 2), (100_000, 3)])
def test_ranges_hold_every_puzzle_once(number: int, threads: int) -> None:
    """Ranges follow each other without a gap, from the first puzzle to the last."""
    ranges = list(split_range(number, threads))
    assert [puzzle for start, stop in ranges for puzzle in range(start, stop)] == list(range(number))
