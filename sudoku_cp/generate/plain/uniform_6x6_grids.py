"""Uniform full grids of 6x6: a random first band, and one of its completions by rejection sampling.

All first bands are equally likely: any box 1, and a box 2 with the rows of box 1 exchanged, each in any order. Then completion
number j is taken, j drawn from 1 to `MOST`; if there are fewer, everything is drawn again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast.prober import probe
from sudoku_cp.generate.plain.random_words import below, random_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.box_shapes import Boxes

WIDE: Boxes = (2, 3)
SIXES: tuple[Boxes, ...] = (WIDE, (3, 2))
MOST = 1408
"""The most completions of a first band: some have 928, some 1088, the others 1408, in all 28,200,960 grids."""


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
        wanted = below(words[:, 12], MOST) + 1
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
