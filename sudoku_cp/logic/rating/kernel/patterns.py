"""What runs use when links lead no further: locked candidates, hidden pairs, naked pairs and X-wings of the board that is left.

The first of these four that has any result gives all its results. Each removes candidates because of its parents: those that were
on the board when the run began, and would spoil the pattern. A pattern without parents was there before, and is of no use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.rating.kernel.basic_techniques import (
    PAIRS,
    common_house,
    covers_of,
    hidden_places,
    keep_digits,
    lock,
    naked_digits,
    remove_beside,
    remove_from_covers,
)
from sudoku_cp.logic.rating.kernel.grid import COLUMN, KINDS, ROW, RatedGrid, lowest_of, next_subset
from sudoku_cp.logic.rating.kernel.runs import Store, add_literal, add_parent, open_list

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def add_parents_of_places(grid: RatedGrid, kind: int, house: int, digit: int, places: int, parents: NDArray[np.int32]) -> None:
    """Add "digit off" in these places of a house; ``parents`` has their number first."""
    n = grid.houses.shape[1]
    while places:
        parents[0] += 1
        parents[parents[0]] = 2 * (grid.houses[kind, house, lowest_of(places)] * n + digit) + 1
        places &= places - 1


def use_pattern(work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Turn off what ``removed`` of the work board says, because of the parents; return whether there was anything to use."""
    if parents[0] == 0:
        return False
    n = work.houses.shape[1]
    for cell in range(len(work.removed)):
        gone = work.removed[cell]
        while gone:
            literal = 2 * (cell * n + lowest_of(gone)) + 1
            gone &= gone - 1
            if not store.first[slot, literal]:
                start = open_list(store)
                for i in range(1, parents[0] + 1):
                    add_parent(store, start, parents[i])
                add_literal(store, slot, literal, start)
    return True


def use_locked(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use pointing and claiming."""
    n = grid.houses.shape[1]
    used = False
    for kind, other in PAIRS:
        for digit in range(n):
            for house in range(n):
                if not lock(work, kind, house, digit, other):
                    continue
                crossed = common_house(work, kind, house, work.places[kind, house, digit], other)
                gone = grid.places[kind, house, digit] & ~work.places[kind, house, digit]
                outside = 0
                while gone:
                    place = lowest_of(gone)
                    if grid.house_of[grid.houses[kind, house, place], other] != crossed:
                        outside |= 1 << place
                    gone &= gone - 1
                parents[0] = 0
                add_parents_of_places(grid, kind, house, digit, outside, parents)
                used |= use_pattern(work, store, slot, parents)
    return used


def use_hidden_pairs(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use hidden pairs."""
    n = grid.houses.shape[1]
    used = False
    for kind in KINDS:
        for house in range(n):
            if grid.open_cells[kind, house] <= 4:
                continue
            digits = 3
            while digits < 1 << n:
                cells = hidden_places(work, kind, house, digits)
                if cells and keep_digits(work, kind, house, cells, digits):
                    parents[0] = 0
                    left = digits
                    while left:
                        digit = lowest_of(left)
                        add_parents_of_places(grid, kind, house, digit, grid.places[kind, house, digit] & ~cells, parents)
                        left &= left - 1
                    used |= use_pattern(work, store, slot, parents)
                digits = next_subset(digits)
    return used


def use_naked_pairs(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use naked pairs."""
    n = grid.houses.shape[1]
    used = False
    for kind in KINDS:
        for house in range(n):
            if grid.open_cells[kind, house] < 4:
                continue
            cells = 3
            while cells < 1 << n:
                digits = naked_digits(work, kind, house, cells)
                if digits and remove_beside(work, kind, house, cells, digits):
                    parents[0] = 0
                    for digit in range(n):
                        if not digits >> digit & 1:
                            places = grid.places[kind, house, digit] & cells
                            add_parents_of_places(grid, kind, house, digit, places, parents)
                    used |= use_pattern(work, store, slot, parents)
                cells = next_subset(cells)
    return used


def use_x_wings(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use X-wings."""
    n = grid.houses.shape[1]
    used = False
    for kind, cover in ((COLUMN, ROW), (ROW, COLUMN)):
        bases = 3
        while bases < 1 << n:
            for digit in range(n):
                covers = covers_of(work, kind, bases, digit)
                if not covers or not remove_from_covers(work, cover, bases, covers, digit):
                    continue
                parents[0] = 0
                left = bases
                while left:
                    line = lowest_of(left)
                    add_parents_of_places(grid, kind, line, digit, grid.places[kind, line, digit] & ~covers, parents)
                    left &= left - 1
                used |= use_pattern(work, store, slot, parents)
            bases = next_subset(bases)
    return used


def use_patterns(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use the first kind of pattern that has any result; return whether there was one."""
    return (
        use_locked(grid, work, store, slot, parents)
        or use_hidden_pairs(grid, work, store, slot, parents)
        or use_naked_pairs(grid, work, store, slot, parents)
        or use_x_wings(grid, work, store, slot, parents)
    )
