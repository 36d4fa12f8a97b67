"""The compiled code: which modules it is made of, and what is called from outside."""

from __future__ import annotations

from functools import lru_cache

from sudoku_cp.compile_cache import SHORT, CachedModule
from sudoku_cp.logic.kernel_variants import kernel_variant
from sudoku_cp.logic.rating.kernel import (
    aligned,
    basic_techniques,
    bent_wings,
    cycles,
    grid,
    ladder,
    nested_chains,
    no_nesting,
    patterns,
    reductions,
    runs,
    strong_links,
    uniqueness,
)

BASICS = (grid, basic_techniques)
LADDER = (*BASICS, uniqueness, aligned, cycles, ladder)
LINKS_AND_WINGS = (grid, strong_links, bent_wings)
NETS = (*BASICS, cycles, runs, patterns, nested_chains, reductions)
"""The modules of each unit."""


PLAIN_NETS = (*BASICS, runs, patterns, no_nesting, kernel_variant(reductions, {"use_nested": no_nesting.use_nothing}))
"""The same without nested chains, which take most of the time that it takes to compile the nets."""

LADDER_ENTRIES = ("begin", "advance", "find_rung", "take")
LINK_AND_WING_ENTRIES = ("find_strong_links", "find_bent_wing")
NET_ENTRIES = ("clear_runs", "search_cell")
"""What is called from outside; each is compiled when it is first called."""
_TWENTY_SECONDS = "some 20 seconds"
"""The ladder compiles in 20 seconds on a busy machine, the nets in 40 for both kinds."""


@lru_cache(maxsize=8)
def ladder_code(box_height: int, box_width: int) -> CachedModule:
    """Return the code of the ladder, cycles and simple forcing chains included, for a size of board."""
    name = f"explainer-{box_height}x{box_width}"
    description = "Sudoku Explainer's rating"
    return CachedModule.of_functions(name, LADDER, LADDER_ENTRIES, description, duration=_TWENTY_SECONDS, lean=True)


@lru_cache(maxsize=1)
def link_and_wing_code() -> CachedModule:
    """Return the code of what Sukaku Explainer adds: strong links and bent wings, on boards of 9x9."""
    return CachedModule.of_functions(
        "explainer-links-3x3", LINKS_AND_WINGS, LINK_AND_WING_ENTRIES, "Sukaku Explainer's techniques", duration=SHORT, lean=True
    )


@lru_cache(maxsize=8)
def net_code(box_height: int, box_width: int, *, nested: bool) -> CachedModule:
    """Return the code of multiple and dynamic forcing chains for a size of board, with or without nested chains."""
    name = f"explainer-{'nested' if nested else 'nets'}-{box_height}x{box_width}"
    description = f"Sudoku Explainer's {'nested' if nested else 'forcing'} chains"
    modules, duration = (NETS, "about half a minute") if nested else (PLAIN_NETS, _TWENTY_SECONDS)
    return CachedModule.of_functions(name, modules, NET_ENTRIES, description, duration=duration, lean=True)
