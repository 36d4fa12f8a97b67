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
    nested,
    nested_multiple,
    path,
    patterns,
    reductions,
    runs,
    singles,
    subsets,
    techniques,
    wings,
)

BASICS = (grid, techniques, singles, locked, subsets, fish)
LADDER = (*BASICS, wings, loop_types, loops, grave, aligned, links, cycles, path)
NETS = (*BASICS, links, cycles, runs, patterns, nested, nested_multiple, reductions)
"""The modules in the order in which they must be compiled."""

LADDER_ENTRIES = ("begin", "advance", "find_unusual", "take")
NET_ENTRIES = ("clear_runs", "search_cell")
"""What is called from outside; each is compiled when it is first called."""


@lru_cache(maxsize=8)
def ladder_code(box_height: int, box_width: int) -> CachedModule:
    """Return the code of the ladder, cycles and simple forcing chains included, for a size of board."""
    name = f"explainer-{box_height}x{box_width}"
    return CachedModule.of_functions(name, LADDER, LADDER_ENTRIES, "Sudoku Explainer's rating", lean=True)


@lru_cache(maxsize=8)
def net_code(box_height: int, box_width: int) -> CachedModule:
    """Return the code of multiple and dynamic forcing chains for a size of board."""
    name = f"explainer-nets-{box_height}x{box_width}"
    return CachedModule.of_functions(name, NETS, NET_ENTRIES, "Sudoku Explainer's forcing chains", lean=True)
