"""The levels of arrays of boards that have the same groups: singles in compiled code, as `open_cells_of` has them for one board.

Glossary of this package: a **group** is cells that all differ; a **house** is a group with as many cells as there are values, so
that each value has a place in it; a **candidate** is a value that an open cell may still take.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import Unsupported
from sudoku_cp.logic.difficulty_level import Level
from sudoku_cp.logic.layout import layout_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.singles_kernel import FlatGroups
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle


LOADING, COMPILING = 8, 1000
"""Boards that take longer one by one (1 ms for 9x9) than the code takes to load (10 ms), or to compile (seconds)."""


@dataclass(frozen=True)
class CellGroups:
    """The groups of a puzzle with their names, the first ``houses`` of which are houses, and the ``domains`` of its cells.

    Pencil marks narrow the domains; givens do not.
    """

    names: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    houses: int
    domains: tuple[Domain, ...]


def groups_of(puzzle: Puzzle) -> CellGroups:
    """Return the groups of a puzzle; raise `Unsupported` if its rules say more than that cells differ."""
    found = _groups(layout_of(puzzle))
    if not puzzle.candidates:
        return found
    return replace(found, domains=tuple(own & puzzle.candidates.get(cell, own) for cell, own in enumerate(found.domains)))


@lru_cache(maxsize=64)
def _groups(layout: Layout) -> CellGroups:
    if layout.parts:
        kinds = dict.fromkeys(part.rule.kind for part in layout.parts)
        raise Unsupported(
            f"expected rules that only require cells to differ, for singles on arrays of boards; got {', '.join(kinds)}"
        )
    names, cells = (tuple(getattr(group, field) for group in layout.groups) for field in ("name", "cells"))
    return CellGroups(names, cells, layout.houses, layout.domains)


@lru_cache(maxsize=64)
def flatten_groups(groups: CellGroups) -> FlatGroups:
    """Return the groups as arrays."""
    from sudoku_cp.backends.fast.singles_kernel import FlatGroups  # noqa: PLC0415  # imports Numba, which help does without

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
    if not LOADING <= number < COMPILING:
        return number >= COMPILING
    from sudoku_cp.backends.fast.singles_kernel import singles_code  # noqa: PLC0415  # imports Numba

    return singles_code(flatten_groups(groups).bits).is_cached()


def open_cells_of_arrays(groups: CellGroups, givens: NDArray[np.uint8], *, limits: Limits = UNLIMITED) -> NDArray[np.int64]:
    """Return (N, 2) the numbers of open cells of each board, as in `OpenCells`.

    ``givens`` (N, cells) are values, 0 in blank cells. Raises `LimitReached`.
    """
    from sudoku_cp.backends.fast.singles_kernel import count_open_cells  # noqa: PLC0415  # imports Numba

    boards = np.ascontiguousarray(givens, np.uint8).reshape(len(givens), len(groups.domains))
    return count_open_cells(flatten_groups(groups), boards, limits.started())


def levels(groups: CellGroups, givens: NDArray[np.uint8], *, limits: Limits = UNLIMITED) -> NDArray[np.int8]:
    """Return the `Level` of each board (N,). An easy or medium one has exactly one solution."""
    after_hidden, after_all = open_cells_of_arrays(groups, givens, limits=limits).T
    return np.where(after_all > 0, Level.HARD, np.where(after_hidden > 0, Level.MEDIUM, Level.EASY)).astype(np.int8)
