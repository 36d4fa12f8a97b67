"""The ladder: all producers in order, and the path of hints through a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.rating.kernel.aligned import find_aligned_pair, find_aligned_triplet
from sudoku_cp.logic.rating.kernel.cycles import find_cycle_or_chain
from sudoku_cp.logic.rating.kernel.fish import find_fish
from sudoku_cp.logic.rating.kernel.grave import find_grave
from sudoku_cp.logic.rating.kernel.grid import RatedGrid, apply_hint, copy, fill, place
from sudoku_cp.logic.rating.kernel.locked import find_direct_locked, find_locked
from sudoku_cp.logic.rating.kernel.loops import find_loop
from sudoku_cp.logic.rating.kernel.singles import find_hidden_single, find_naked_single
from sudoku_cp.logic.rating.kernel.subsets import find_direct_hidden_set, find_hidden_set, find_naked_set
from sudoku_cp.logic.rating.kernel.wings import find_wing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def find_direct(grid: RatedGrid) -> bool:
    """Look for a hint that places a digit at once."""
    return (
        find_hidden_single(grid)
        or find_direct_locked(grid)
        or find_direct_hidden_set(grid, 2)
        or find_naked_single(grid)
        or find_direct_hidden_set(grid, 3)
    )


def find_basic(grid: RatedGrid) -> bool:
    """Look for what eliminates, up to XYZ-wings."""
    return (
        find_locked(grid)
        or find_naked_set(grid, 2)
        or find_fish(grid, 2)
        or find_hidden_set(grid, 2)
        or find_naked_set(grid, 3)
        or find_fish(grid, 3)
        or find_hidden_set(grid, 3)
        or find_wing(grid, 2)
        or find_wing(grid, 3)
    )


def find_unusual(grid: RatedGrid) -> bool:
    """Look for all else up to aligned triplets."""
    return (
        find_loop(grid)
        or find_naked_set(grid, 4)
        or find_fish(grid, 4)
        or find_hidden_set(grid, 4)
        or find_grave(grid)
        or find_aligned_pair(grid)
        or find_cycle_or_chain(grid)
        or find_aligned_triplet(grid)
    )


def begin(grid: RatedGrid, givens: NDArray[np.int64]) -> None:
    """Set up a grid in which every open cell has all candidates that the givens (0: blank) leave."""
    n = grid.houses.shape[1]
    fill(grid.values, 0)
    fill(grid.candidates, (1 << n) - 1)
    for kind in range(3):
        fill(grid.open_cells[kind], n)
        for house in range(n):
            fill(grid.places[kind, house], (1 << n) - 1)
    for cell in range(len(givens)):
        if givens[cell]:
            place(grid, cell, givens[cell] - 1)


def is_full(grid: RatedGrid) -> bool:
    """Return whether no cell is open."""
    return bool(grid.open_cells[0].sum() == 0)


def advance(grid: RatedGrid, hints: NDArray[np.int64], removed: NDArray[np.int64]) -> int:
    """Find and apply hints up to XYZ-wings, at most as many as there is room for, and return how many were found."""
    for step in range(len(hints)):
        if is_full(grid) or not (find_direct(grid) or find_basic(grid)):
            return step
        copy(grid.hint, hints[step])
        copy(grid.removed, removed[step])
        apply_hint(grid)
    return len(hints)


def take(grid: RatedGrid) -> None:
    """Apply the hint that was found."""
    apply_hint(grid)
