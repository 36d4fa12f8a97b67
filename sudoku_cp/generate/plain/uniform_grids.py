"""Uniform full grids: of 4x4 by their index, of 9x9 by rejection sampling.

A trial fills boxes 1, 2, 3, 4, 7 and 5 so that every way to do so is equally likely, and then takes completion number j of the
board, in lexicographic order, j drawn from 1 to M = 32. If there are fewer, the trial is rejected. So every grid that can come is
proved to be as likely as any other. All grids can come if no six boxes have more than M completions: that is observed, not
proved; 28 were the most in 55 million trials.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends.fast.prober import Prober
from sudoku_cp.generate.plain.compiled_loops import call
from sudoku_cp.generate.plain.philox_kernel import stream_of
from sudoku_cp.generate.plain.uniform_tables import all_small, tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.box_shapes import Boxes
    from sudoku_cp.generate.plain.threaded_blocks import Halt

UNIFORM: tuple[Boxes, ...] = ((2, 2), (3, 3))
"""The boxes of boards whose grids are drawn exactly uniformly."""
EACH, MOST_EACH, FULL = 2, 16, 256
"""Trials of a puzzle in one call: few, and more where few puzzles are left, so that a kernel call has `FULL` of them."""


def uniform_grids(
    boxes: Boxes, seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], grids: NDArray[np.uint8], halt: Halt
) -> bool:
    """Write a grid for each number and try, which depends on these and the seed alone; return whether it finished."""
    if boxes == (2, 2):
        call("draw_small", stream_of(seed, "grid"), numbers, tries, all_small(), grids)
        return True
    return _by_trials(seed, numbers, tries, grids, halt)


def _by_trials(seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], grids: NDArray[np.uint8], halt: Halt) -> bool:
    stream, about, room = stream_of(seed, "grid"), tables(), np.zeros((3, 20), np.int64)
    who, left = np.array([numbers, tries, np.zeros_like(numbers)]), np.arange(len(numbers))
    most = EACH * len(numbers) + MOST_EACH * FULL
    proposed, solutions = np.zeros((2, most, 81), np.uint8)
    wanted, found, nodes = np.empty((3, most), np.int64)
    prober = Prober((3, 3), ordered=True, halt=halt)
    while len(left):
        each = min(MOST_EACH, max(EACH, FULL // len(left)))
        these = slice(0, each * len(left))
        call("propose", stream, who, left, each, proposed, wanted, about, room)
        prober.ask(proposed[these], wanted[these], found[these], nodes[these], solutions[these])
        if halt[0]:
            return False
        left = left[: call("accept", left, each, found, wanted, solutions, grids)]
    return True
