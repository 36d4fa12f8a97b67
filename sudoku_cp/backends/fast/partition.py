"""All solutions by way of questions that find the first of each grid and say whether there are more (Lawler, 1972)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Assumed


def grid_from_assumptions(side: int, assume: Assumed) -> NDArray[np.uint32]:
    """Return what is assumed of an empty grid: the set (bits) of the values that each cell may take."""
    everything = (2 << side) - 2
    return np.array([everything & assume.get(cell, -1) for cell in range(side * side)], np.uint32)


def partition_around(grid: NDArray[np.uint32], solution: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return grids (N, cells) that have all solutions of ``grid`` but this one, each in one of them.

    For each cell that is open in ``grid``: the cells before it as in the solution, itself of any other value.
    """
    chosen = np.left_shift(np.uint32(1), solution, dtype=np.uint32)
    open_cells = np.flatnonzero(grid != chosen)
    before = np.arange(len(grid)) < open_cells[:, np.newaxis]
    parts = np.where(before, chosen, grid)
    parts[np.arange(len(open_cells)), open_cells] &= ~chosen[open_cells]
    return parts
