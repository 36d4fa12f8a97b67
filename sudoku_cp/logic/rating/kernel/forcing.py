"""The search for multiple and dynamic forcing chains, mode by mode and cell by cell, with looks at the clock in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import RATING
from sudoku_cp.logic.rating.kernel.reductions import DYNAMIC_MODE
from sudoku_cp.logic.rating.kernel.runs import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.backends.base import Clock
    from sudoku_cp.compile_cache import CachedModule

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
