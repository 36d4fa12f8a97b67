"""The ladder: techniques in the order of their ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.logic.rating.kernel.basic_techniques import (
    find_direct_hidden_set,
    find_direct_locked,
    find_fish,
    find_forcing_cell,
    find_hidden_set,
    find_hidden_single,
    find_locked,
    find_locked_apart,
    find_naked_set,
    find_naked_single,
    find_wing,
)
from sudoku_cp.logic.rating.kernel.cycles import find_cycle_or_chain
from sudoku_cp.logic.rating.kernel.grid import (
    ALIGNED_PAIR,
    ALIGNED_TRIPLET,
    RATING,
    ROW,
    RatedGrid,
    apply_hint,
    copy,
    fill,
    lowest_of,
    place,
    report,
    size_of,
)
from sudoku_cp.logic.rating.kernel.reductions import DYNAMIC_MODE, base_of
from sudoku_cp.logic.rating.kernel.runs import Store
from sudoku_cp.logic.rating.kernel.uniqueness import find_grave, find_loop

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock
    from sudoku_cp.compile_cache import CachedModule


# Aligned pair and triplet exclusion.
#
# A combination of candidates of two or three cells is out if two of them that see each other are equal, or if it has all
# candidates of an *excluder*, a cell that all of them see. Candidates in no combination that is left are eliminated.


WORD = 60
"""Sets of cells are words of so many bits."""


def common_excluders(
    grid: RatedGrid, seen: NDArray[np.int64], first: int, second: int, third: int, found: NDArray[np.int64]
) -> int:
    """Fill ``found`` with the candidates of the excluders that all cells see, and return how many there are."""
    count = 0
    for word in range(seen.shape[1]):
        left = seen[first, word] & seen[second, word] & seen[third, word]
        while left:
            found[count] = grid.candidates[WORD * word + lowest_of(left)]
            count += 1
            left &= left - 1
    return count


def is_out(union: int, found: NDArray[np.int64], count: int) -> bool:
    """Return whether these digits are all candidates of some excluder."""
    for i in range(count):
        if found[i] & ~union == 0:
            return True
    return False


def exclude_pair(grid: RatedGrid, first: int, second: int, found: NDArray[np.int64], count: int) -> bool:
    """Note the candidates of two cells that are in no combination; return whether there are any."""
    left_first = left_second = 0
    one = grid.candidates[first]
    while one:
        a = one & -one
        other = grid.candidates[second]
        while other:
            b = other & -other
            if not (a == b and grid.sees[first, second]) and not is_out(a | b, found, count):
                left_first |= a
                left_second |= b
            other &= other - 1
        one &= one - 1
    fill(grid.removed, 0)
    grid.removed[first] = grid.candidates[first] & ~left_first
    grid.removed[second] = grid.candidates[second] & ~left_second
    return bool(grid.removed[first] or grid.removed[second])


def exclude_triplet(grid: RatedGrid, first: int, second: int, third: int, found: NDArray[np.int64], count: int) -> bool:
    """Note the candidates of three cells that are in no combination; return whether there are any."""
    left_first = left_second = left_third = 0
    for x in range(grid.houses.shape[2]):
        for y in range(grid.houses.shape[2]):
            if not grid.candidates[first] >> x & 1 or not grid.candidates[second] >> y & 1:
                continue
            if x == y and grid.sees[first, second]:
                continue
            last = grid.candidates[third]
            if grid.sees[first, third]:
                last &= ~(1 << x)
            if grid.sees[second, third]:
                last &= ~(1 << y)
            while last:
                z = lowest_of(last)
                if not is_out(1 << x | 1 << y | 1 << z, found, count):
                    left_first |= 1 << x
                    left_second |= 1 << y
                    left_third |= 1 << z
                last &= last - 1
    fill(grid.removed, 0)
    grid.removed[first] = grid.candidates[first] & ~left_first
    grid.removed[second] = grid.candidates[second] & ~left_second
    grid.removed[third] = grid.candidates[third] & ~left_third
    return bool(grid.removed[first] or grid.removed[second] or grid.removed[third])


def find_excluders(grid: RatedGrid, size: int) -> NDArray[np.int64]:
    """Return (cells, words) the excluders, of 2 to ``size`` candidates, that each cell to be tried sees."""
    cells = len(grid.values)
    seen = np.zeros((cells, cells // WORD + 1), np.int64)
    for cell in range(cells):
        if size_of(grid.candidates[cell]) >= 2:
            for at in range(grid.degrees[cell]):
                other = grid.peers[cell, at]
                if 2 <= size_of(grid.candidates[other]) <= size:
                    seen[cell, other // WORD] |= 1 << other % WORD
    return seen


def find_aligned_pair(grid: RatedGrid) -> bool:
    """Look for two cells with two or more common excluders."""
    size = len(grid.values)
    seen, found = find_excluders(grid, 2), np.zeros(size, np.int64)
    for second in range(size):
        for first in range(second):
            count = common_excluders(grid, seen, first, second, second, found)
            if count >= 2 and exclude_pair(grid, first, second, found, count):
                return report(grid, 62, ALIGNED_PAIR)
    return False


def find_third_cell(grid: RatedGrid, seen: NDArray[np.int64], first: int, second: int, found: NDArray[np.int64]) -> bool:
    """Look for a third cell, an excluder of the first or of the second, such that the three exclude something."""
    for origin in (first, second):
        for at in range(grid.degrees[origin]):
            third = grid.neighbours[origin, at]
            if third in (first, second) or not seen[origin, third // WORD] >> third % WORD & 1:
                continue
            if origin == second and grid.sees[first, third]:
                continue
            count = common_excluders(grid, seen, first, second, third, found)
            if count >= 2 and exclude_triplet(grid, first, second, third, found, count):
                return True
    return False


def find_aligned_triplet(grid: RatedGrid) -> bool:
    """Look for three cells with two or more common excluders."""
    size = len(grid.values)
    seen, found = find_excluders(grid, 3), np.zeros(size, np.int64)
    for second in range(size):
        for first in range(second):
            if common_excluders(grid, seen, first, second, second, found) < 2:
                continue
            if find_third_cell(grid, seen, first, second, found):
                return report(grid, 75, ALIGNED_TRIPLET)
    return False


def find_direct(grid: RatedGrid) -> bool:
    """Look for a hint that places a digit at once, or is about cells that hold no consecutive digits."""
    return (
        find_hidden_single(grid)
        or find_direct_locked(grid)
        or find_direct_hidden_set(grid, 2)
        or find_naked_single(grid)
        or find_forcing_cell(grid)
        or find_locked_apart(grid)
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
    n = grid.houses.shape[2]
    fill(grid.values, 0)
    fill(grid.candidates, (1 << n) - 1)
    for kind in range(grid.houses.shape[0]):
        fill(grid.open_cells[kind], n)
        for house in range(grid.counts[kind]):
            fill(grid.places[kind, house], (1 << n) - 1)
    for cell in range(len(givens)):
        if givens[cell]:
            place(grid, cell, givens[cell] - 1)


def is_full(grid: RatedGrid) -> bool:
    """Return whether no cell is open."""
    for house in range(grid.counts[ROW]):
        if grid.open_cells[ROW, house]:
            return False
    return True


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


def find_forcing_chains(
    code: Callable[..., CachedModule], grid: Any, work: Any, clock: Clock, *, highest: int | None = None
) -> int | None:
    """Leave the best hint of the first mode that has one in the grid, and return the level of help; None without a hint.

    ``code`` returns the compiled code, ``nested`` or not; ``work`` is room for another grid. Modes all of whose hints are rated
    above the ``highest`` rating (in tenths) are not searched. Raises `LimitReached`.
    """
    modes = [mode for mode in range(DYNAMIC_MODE + HIGHEST_LEVEL + 1) if highest is None or base_of(mode) <= highest]
    store = make_store(grid) if modes else None
    for mode in modes:
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
