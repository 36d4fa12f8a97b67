"""Uniform full grids: of 4x4 by their index, of 6x6 and 9x9 by rejection sampling.

On 9x9 a trial fills boxes 1, 2, 3, 4, 7 and 5 so that every way to do so is equally likely, and then takes completion number j
of the board, in lexicographic order, j drawn from 1 to M = 32. If there are fewer, the trial is rejected. So every grid that can
be drawn is provably as likely as any other. All grids can be drawn if no six boxes have more than M completions: that is
observed, not proved; 28 were the most in 55 million trials.

On 6x6 all first bands are equally likely: any box 1, and a box 2 with the rows of box 1 exchanged, each in any order. Then
completion number j is taken, j drawn from 1 to `MOST_COMPLETIONS`; if there are fewer, everything is drawn again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast.prober import Prober, probe
from sudoku_cp.generate.plain.generator_kernel import call_kernel
from sudoku_cp.generate.plain.philox_kernel import stream_of
from sudoku_cp.generate.plain.random_words import below, random_words
from sudoku_cp.generate.plain.uniform_tables import all_4x4_grids, tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.box_shapes import Boxes
    from sudoku_cp.generate.plain.threaded_blocks import Halt

TRIED: tuple[Boxes, ...] = ((2, 2), (3, 3))
"""The boxes of boards that `uniform_grids` draws."""
WIDE: Boxes = (2, 3)
SIXES: tuple[Boxes, ...] = (WIDE, (3, 2))
"""The boxes of boards of 6x6."""
MOST_COMPLETIONS = 1408
"""The most completions of a first band of 6x6: some have 928, some 1088, the others 1408, in all 28,200,960 grids."""
EACH, MOST_EACH, FULL = 2, 16, 256
"""Trials of a puzzle in one call: few, and more where few puzzles are left, so that a kernel call has `FULL` of them."""


def uniform_grids(
    boxes: Boxes, seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], grids: NDArray[np.uint8], halt: Halt
) -> bool:
    """Write a grid for each number and try, which depends on these and the seed alone; return whether it finished."""
    if boxes == (2, 2):
        call_kernel("draw_4x4_grids", stream_of(seed, "grid"), numbers, tries, all_4x4_grids(), grids)
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
        call_kernel("propose", stream, who, left, each, proposed, wanted, about, room)
        prober.ask(proposed[these], wanted[these], found[these], nodes[these], solutions[these])
        if halt[0]:
            return False
        left = left[: call_kernel("accept", left, each, found, wanted, solutions, grids)]
    return True


def uniform_6x6_grids(
    boxes: Boxes, seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], *, limits: Limits = UNLIMITED
) -> NDArray[np.uint8]:
    """Return a uniform grid (N, 36) for each number and try, with boxes of 2x3 or 3x2. Raises `LimitReached`."""
    clock = limits.started()
    grids = np.zeros((len(numbers), 36), np.uint8)
    left = np.arange(len(numbers))
    trial = 0
    while left.size:
        words = random_words(seed, numbers[left], tries[left], f"grid {trial}", 13)
        wanted = below(words[:, 12], MOST_COMPLETIONS) + 1
        found = probe(_bands(words), wanted, boxes=WIDE, ordered=True, limits=clock.left())
        clock.check()
        drawn = found.found == wanted
        grids[left[drawn]] = found.solutions[drawn]
        left = left[~drawn]
        trial += 1
    upright = boxes != WIDE
    return np.ascontiguousarray(grids.reshape(-1, 6, 6).swapaxes(1, 2).reshape(-1, 36)) if upright else grids


def _bands(words: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return boards (N, 36) with a first band from twelve words each."""
    values = words[:, :6].argsort(1, kind="stable") + 1
    upper, lower = values[:, :3], values[:, 3:]
    first = np.take_along_axis(lower, words[:, 6:9].argsort(1, kind="stable"), 1)
    second = np.take_along_axis(upper, words[:, 9:12].argsort(1, kind="stable"), 1)
    bands = np.zeros((len(words), 36), np.uint8)
    bands[:, :12] = np.hstack([upper, first, lower, second])
    return bands
