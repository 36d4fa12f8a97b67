"""Unique rectangles and loops: the search for loops. `loop_types` says what each is good for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import RATING, RatedGrid, clear_hint, size_of
from sudoku_cp.logic.rating.kernel.loop_types import use_loop

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHORTEST = 4
FREE = 2
"""Cells of a loop that may have any extra candidates; more must all have one and the same."""
STEP, KIND, EXTRAS, ALLOWED = range(4)
"""What the walk knows of each cell on its way: the next step to try, the kind of house it came by, extras so far, cells
allowed."""


def has_house(grid: RatedGrid, used: NDArray[np.int64], cell: int, parity: int) -> bool:
    """Return whether a house of the cell has a cell of this parity on the way already."""
    for kind in range(3):
        if used[parity, kind] >> grid.house_of[cell, kind] & 1:
            return True
    return False


def switch_houses(grid: RatedGrid, used: NDArray[np.int64], cell: int, parity: int) -> None:
    """Note that a cell joins the way, or leaves it."""
    for kind in range(3):
        used[parity, kind] ^= 1 << grid.house_of[cell, kind]


def next_step(grid: RatedGrid, walk: NDArray[np.int64], cell: int, depth: int) -> tuple[int, int]:
    """Return the next neighbour of a cell and its kind of house, never the kind that led here; a cell of -1 at the end."""
    n = grid.houses.shape[1]
    step = walk[depth, STEP]
    if step // n == walk[depth, KIND] and step % n == 0:
        step += n
    walk[depth, STEP] = step + 1
    kind = step // n
    return (grid.houses[kind, grid.house_of[cell, kind], step % n], kind) if kind < 3 else (-1, kind)


def may_join(grid: RatedGrid, walk: NDArray[np.int64], depth: int, cell: int, pair: int) -> bool:
    """Return whether a loop may go on to a cell: with the pair alone, the one extra digit of all, or while some may have any."""
    own = grid.candidates[cell]
    if own & pair != pair:
        return False
    return own == pair or size_of(walk[depth, EXTRAS] | (own & ~pair)) == 1 or walk[depth, ALLOWED] > 0


def is_loop(used: NDArray[np.int64]) -> bool:
    """Return whether the houses of the cells at odd places are those of the cells at even ones."""
    return used[0, 0] == used[1, 0] and used[0, 1] == used[1, 1] and used[0, 2] == used[1, 2]


def walk_loops(grid: RatedGrid, start: int, way: NDArray[np.int64], walk: NDArray[np.int64], trial: NDArray[np.int64]) -> None:
    """Go through all loops from a cell of two candidates, depth first, and use each."""
    pair = grid.candidates[start]
    used = np.zeros((2, 3), np.int64)
    on_way = np.zeros(len(grid.values), np.bool_)
    depth, way[0], on_way[start] = 0, start, True
    walk[0, STEP], walk[0, KIND], walk[0, EXTRAS], walk[0, ALLOWED] = 0, -1, 0, FREE
    switch_houses(grid, used, start, 0)
    while depth >= 0:
        cell, kind = next_step(grid, walk, way[depth], depth)
        if cell < 0:
            switch_houses(grid, used, way[depth], depth & 1)
            on_way[way[depth]] = False
            depth -= 1
        elif cell == start:
            if depth + 1 >= SHORTEST and is_loop(used):
                use_loop(grid, way, depth + 1, pair, trial)
        elif not on_way[cell] and may_join(grid, walk, depth, cell, pair) and not has_house(grid, used, cell, depth + 1 & 1):
            extras = grid.candidates[cell] & ~pair
            walk[depth + 1, STEP], walk[depth + 1, KIND] = 0, kind
            walk[depth + 1, EXTRAS] = walk[depth, EXTRAS] | extras
            walk[depth + 1, ALLOWED] = walk[depth, ALLOWED] - (extras != 0)
            depth += 1
            way[depth], on_way[cell] = cell, True
            switch_houses(grid, used, cell, depth & 1)


def find_loop(grid: RatedGrid) -> bool:
    """Look for the loop of the lowest rating, then type, then the first found."""
    size = len(grid.values)
    way, trial = np.zeros(size, np.int64), np.zeros(size, np.int64)
    walk = np.zeros((size, 4), np.int64)
    clear_hint(grid)
    for start in range(size):
        if size_of(grid.candidates[start]) == 2:
            walk_loops(grid, start, way, walk, trial)
    return bool(grid.hint[RATING] > 0)
