"""Singles on arrays of boards that have the same groups, in compiled code: as `open_cells_of` does for one board."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast.kernel import instruction_set, lane_expressions, vector_memory
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.logic import singles_kernel, vector_singles
from sudoku_cp.logic.difficulty_level import Level

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.logic.cell_groups import CellGroups

KERNEL = (lane_expressions, instruction_set, vector_memory, vector_singles, singles_kernel)
"""The modules that the code is made of."""
SLICE = 16_000
"""Cells of groups, over all boards at a time, between two looks at the clock: far less than a tenth of a second."""

LOADING, COMPILING = 8, 1000
"""Boards that take longer one by one (1 ms for 9x9) than the code takes to load (10 ms), or to compile (seconds)."""


class FlatGroups(NamedTuple):
    """Groups as arrays: see `singles_kernel`. The lowest bit of the ``domains`` stands for the value ``first``."""

    domains: NDArray[Any]
    first: int
    cells: NDArray[np.int64]
    starts: NDArray[np.int64]
    houses: int

    @property
    def bits(self) -> int:
        """The bits of a set: 16, 32 or 64."""
        return 8 * self.domains.itemsize


@lru_cache(maxsize=64)
def flatten_groups(groups: CellGroups) -> FlatGroups:
    """Return the groups as arrays."""
    union = 0
    for domain in groups.domains:
        union |= domain
    first = (union & -union).bit_length() - 1
    bits = next(bits for bits in (16, 32, 64) if union >> first >> bits == 0)
    domains = np.array([domain >> first for domain in groups.domains], np.dtype(f"uint{bits}"))
    cells = np.array([cell for group in groups.cells for cell in group], np.int64)
    starts = np.cumsum([0, *map(len, groups.cells)], dtype=np.int64)
    return FlatGroups(domains, first, cells, starts, groups.houses)


def is_worthwhile(groups: CellGroups, number: int) -> bool:
    """Return whether so many boards are worth loading the compiled code, or compiling it where it is not cached."""
    return number >= COMPILING or (number >= LOADING and _kernel(flatten_groups(groups).bits).is_cached())


@lru_cache(maxsize=3)
def _kernel(bits: int) -> CachedModule:
    """Return the kernel for sets of so many bits."""
    return CachedModule.of_functions(f"singles-{bits}", KERNEL, ("survey",), "the kernel of singles")


def open_cells_of_arrays(groups: CellGroups, givens: NDArray[np.uint8], *, limits: Limits = UNLIMITED) -> NDArray[np.int64]:
    """Return (N, 2) the numbers of open cells of each board, as in `OpenCells`.

    ``givens`` (N, cells) are values, 0 in blank cells. Raises `LimitReached`.
    """
    shape, clock = flatten_groups(groups), limits.started()
    boards = np.ascontiguousarray(givens, np.uint8).reshape(len(givens), len(groups.domains))
    left = np.zeros((len(boards), 2), np.int64)
    kernel = _kernel(shape.bits)
    together = vector_singles.lanes_of(shape.bits)
    piece = together * max(1, SLICE // (1 + len(shape.cells)))
    for start in range(0, len(boards), piece):
        clock.check()
        own = slice(start, start + piece)
        kernel.call("survey", boards[own], *shape, together, left[own])
    return left


def levels(groups: CellGroups, givens: NDArray[np.uint8], *, limits: Limits = UNLIMITED) -> NDArray[np.int8]:
    """Return the `Level` of each board (N,). An easy or medium one has exactly one solution."""
    after_hidden, after_all = open_cells_of_arrays(groups, givens, limits=limits).T
    return np.where(after_all > 0, Level.HARD, np.where(after_hidden > 0, Level.MEDIUM, Level.EASY)).astype(np.int8)
