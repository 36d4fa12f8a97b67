"""Full grids of plain boards, by the method that is best for their boxes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED
from sudoku_cp.backends.fast.box_shapes import side_of
from sudoku_cp.generate.plain.gibbs_grids import gibbs_grids
from sudoku_cp.generate.plain.threaded_blocks import run_in_blocks
from sudoku_cp.generate.plain.uniform_grids import SIXES, TRIED, uniform_6x6_grids, uniform_grids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits
    from sudoku_cp.backends.fast.box_shapes import Boxes
    from sudoku_cp.generate.plain.threaded_blocks import Halt

UNIFORM: tuple[Boxes, ...] = (*TRIED, *SIXES)
"""The boxes of boards whose grids are drawn uniformly."""


def full_grids(
    boxes: Boxes,
    seed: int,
    numbers: Sequence[int] | NDArray[np.int64],
    *,
    tries: Sequence[int] | NDArray[np.int64] | None = None,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> NDArray[np.uint8]:
    """Return a full grid (N, cells) for each number: uniform where the boxes are `UNIFORM`, else approximately so.

    Each depends on the seed, its number and its try (N,; 0 by default) alone. Raises `LimitReached`.
    """
    who = np.array(numbers, np.int64).reshape(-1)
    attempts = np.zeros(len(who), np.int64) if tries is None else np.array(tries, np.int64)
    if boxes in SIXES:
        return uniform_6x6_grids(boxes, seed, who, attempts, limits=limits)
    if boxes not in TRIED:
        return gibbs_grids(boxes, seed, who, attempts, limits=limits)
    grids = np.zeros((len(who), side_of(boxes) ** 2), np.uint8)

    def work(block: slice, halt: Halt) -> bool:
        return uniform_grids(boxes, seed, who[block], attempts[block], grids[block], halt)

    run_in_blocks(len(who), work, limits, threads)
    return grids
