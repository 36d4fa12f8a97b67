"""The loops around the lane kernel, compiled: the kernels of this package."""

from __future__ import annotations

from typing import Any

from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.generate.plain import (
    dig_rounds_kernel,
    philox_kernel,
    random_changes_kernel,
    uniform_tables,
    uniform_trials_kernel,
)

ENTRIES = ("propose", "accept", "draw_4x4_grids", "draw_orders", "ready", "ask", "learn", "draw_words", "restore_givens")
"""The functions called from outside. All others are inlined: calls count references to arrays, which took most of the time."""

_loops = CachedModule.of_functions(
    "generating",
    (uniform_tables, philox_kernel, uniform_trials_kernel, dig_rounds_kernel, random_changes_kernel),
    ENTRIES,
    "the generator's kernel",
    inline=True,
)


def call_kernel(function: str, *arguments: Any) -> Any:
    """Call one of `ENTRIES`; raise `BackendMissing` where Numba may not compile."""
    return _loops.call(function, *arguments)
