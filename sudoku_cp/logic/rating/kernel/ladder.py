"""The ladder: techniques in the order of their ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.logic.rating.kernel.aligned import find_aligned_pair, find_aligned_triplet
from sudoku_cp.logic.rating.kernel.basic_techniques import (
    find_direct_hidden_set,
    find_direct_locked,
    find_fish,
    find_hidden_set,
    find_hidden_single,
    find_locked,
    find_naked_set,
    find_naked_single,
    find_wing,
)
from sudoku_cp.logic.rating.kernel.cycles import find_cycle_or_chain
from sudoku_cp.logic.rating.kernel.grid import RATING, RatedGrid, apply_hint, copy, fill, place
from sudoku_cp.logic.rating.kernel.reductions import DYNAMIC_MODE
from sudoku_cp.logic.rating.kernel.runs import Store
from sudoku_cp.logic.rating.kernel.uniqueness import find_grave, find_loop

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock
    from sudoku_cp.compile_cache import CachedModule


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
    """Look for what eliminates, up to hidden triplets."""
    return (
        find_locked(grid)
        or find_naked_set(grid, 2)
        or find_fish(grid, 2)
        or find_hidden_set(grid, 2)
        or find_naked_set(grid, 3)
        or find_fish(grid, 3)
        or find_hidden_set(grid, 3)
    )


WINGS, LOOPS_AND_QUADS, GRAVES, PAIRS, CYCLES, TRIPLETS = range(6)
"""The rungs above hidden triplets."""


def find_rung(grid: RatedGrid, rung: int) -> bool:
    """Look for a technique of a rung."""
    if rung == WINGS:
        return find_wing(grid, 2) or find_wing(grid, 3)
    if rung == LOOPS_AND_QUADS:
        return find_loop(grid) or find_naked_set(grid, 4) or find_fish(grid, 4) or find_hidden_set(grid, 4)
    if rung == GRAVES:
        return find_grave(grid)
    if rung == PAIRS:
        return find_aligned_pair(grid)
    if rung == CYCLES:
        return find_cycle_or_chain(grid)
    return find_aligned_triplet(grid)


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
    """Find and apply hints up to hidden triplets, at most as many as there is room for, and return how many were found."""
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


# The search for multiple and dynamic forcing chains, mode by mode and cell by cell, with looks at the clock in between.


HIGHEST_LEVEL = 3
POOL_CELLS = 1 << 20
"""Parents that are kept at a time: some hundred times what the longest run needs."""
SUFFIXES = ("", " (+)", " (+ Forcing Chains)", " (+ Multiple Forcing Chains)", " (+ Dynamic Forcing Chains)")
"""What the names of dynamic chains end with, by the level of help."""


def make_store(grid: Any) -> Store:
    """Return room for all runs of a grid."""
    side = grid["houses"].shape[1]
    nodes = side * len(grid["values"])
    slots = 2 * (2 + int(np.bitwise_count(grid["candidates"]).sum()))
    return Store(
        np.zeros((slots, 2 * nodes), np.int32),
        np.zeros((slots, 2, nodes + 1), np.int32),
        np.zeros(POOL_CELLS, np.int32),
        np.zeros((slots, 2), np.int32),
        np.zeros(2 * nodes, np.int32),
        np.zeros(2 * nodes, np.int32),
        np.zeros(2 * nodes, np.int32),
        np.zeros((slots, nodes), np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(5, np.int64),
    )


def find_forcing_chains(code: Callable[..., CachedModule], grid: Any, work: Any, clock: Clock) -> int | None:
    """Leave the best hint of the first mode that has one in the grid, and return the level of help; None without a hint.

    ``code`` returns the compiled code, ``nested`` or not; ``work`` is room for another grid. Raises `LimitReached`.
    """
    store = make_store(grid)
    for mode in range(DYNAMIC_MODE + HIGHEST_LEVEL + 1):
        compiled = code(nested=mode > DYNAMIC_MODE + 1)
        compiled.call("clear_runs", grid, work, store)
        for cell in range(len(grid["values"])):
            compiled.call("search_cell", grid, work, store, cell, mode)
            clock.check()
        if grid["hint"][RATING]:
            return max(0, mode - DYNAMIC_MODE)
    return None


def level_suffix(level: int) -> str:
    """Return what the name of a technique ends with at this level of help."""
    return SUFFIXES[level]
