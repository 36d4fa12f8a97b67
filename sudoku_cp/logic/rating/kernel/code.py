"""The compiled code: which modules it is made of, and what is called from outside."""

from __future__ import annotations

from functools import lru_cache

from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.logic.rating.kernel import (
    aligned,
    cycles,
    fish,
    grave,
    grid,
    links,
    locked,
    loop_types,
    loops,
    path,
    singles,
    subsets,
    techniques,
    wings,
)

MODULES = (
    grid,
    techniques,
    singles,
    locked,
    subsets,
    fish,
    wings,
    loop_types,
    loops,
    grave,
    aligned,
    links,
    cycles,
    path,
)
"""In the order in which they must be compiled."""
ENTRIES = ("begin", "advance", "find_unusual", "take")


@lru_cache(maxsize=8)
def kernel(box_height: int, box_width: int) -> CachedModule:
    """Return the code for a size of board; each entry is compiled when it is first called."""
    name = f"explainer-{box_height}x{box_width}"
    return CachedModule.of_functions(name, MODULES, ENTRIES, "Sudoku Explainer's rating", lean=True)
