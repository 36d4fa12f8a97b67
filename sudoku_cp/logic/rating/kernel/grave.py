"""Bivalue universal grave: without the *extras*, every open cell would have two candidates and every digit two places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import KINDS, RatedGrid, copy, fill, lowest_of, next_subset, report, size_of
from sudoku_cp.logic.rating.kernel.singles import is_single
from sudoku_cp.logic.rating.kernel.techniques import GRAVE

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST_SET = 6


def roof_cells(grid: RatedGrid, kind: int, house: int, digit: int) -> int:
    """Return the places of a digit in cells of three candidates or more."""
    places = grid.places[kind, house, digit]
    for place in range(grid.houses.shape[1]):
        if places >> place & 1 and size_of(grid.candidates[grid.houses[kind, house, place]]) < 3:
            places &= ~(1 << place)
    return places


def find_extras(grid: RatedGrid, extras: NDArray[np.int64]) -> bool:
    """Collect the extras: digits that one big cell of a house has too many; if there is one such digit, that of all big cells.

    False if a house has a digit too often without a big cell.
    """
    n = grid.houses.shape[1]
    shared = np.zeros(len(extras), np.int64)
    digits = 0
    for kind in KINDS:
        for house in range(n):
            for digit in range(n):
                if size_of(grid.places[kind, house, digit]) in (0, 2):
                    continue
                big = roof_cells(grid, kind, house, digit)
                if big == 0:
                    return False
                digits |= 1 << digit
                if is_single(big):
                    extras[grid.houses[kind, house, lowest_of(big)]] |= 1 << digit
                while big:
                    shared[grid.houses[kind, house, lowest_of(big)]] = 1 << digit
                    big &= big - 1
    if is_single(digits):
        copy(shared, extras)
    return digits != 0


def is_grave(grid: RatedGrid, extras: NDArray[np.int64]) -> bool:
    """Return whether without the extras every open cell has two candidates, and every digit no or two places in every house."""
    n = grid.houses.shape[1]
    for cell in range(len(grid.values)):
        if grid.values[cell] == 0 and size_of(grid.candidates[cell] & ~extras[cell]) != 2:
            return False
    for kind in range(3):
        for house in range(n):
            for digit in range(n):
                count = size_of(grid.places[kind, house, digit])
                for cell in grid.houses[kind, house]:
                    count -= extras[cell] >> digit & 1
                if count not in (0, 2):
                    return False
    return True


def use_one_digit(grid: RatedGrid, extras: NDArray[np.int64], union: int) -> bool:
    """Type 2: one digit is extra; it leaves what sees all cells that have it as an extra."""
    gone = 0
    for cell in range(len(grid.values)):
        grid.removed[cell] = grid.candidates[cell] & union
        for other in range(len(extras)):
            if extras[other] and not grid.sees[cell, other]:
                grid.removed[cell] = 0
        gone |= grid.removed[cell]
    return gone != 0


def use_locked_digit(grid: RatedGrid, extras: NDArray[np.int64], first: int, second: int) -> bool:
    """Type 4: two cells share a house and one digit besides extras: each keeps that and its extras."""
    common = grid.candidates[first] & ~extras[first] & grid.candidates[second] & ~extras[second]
    if not grid.sees[first, second] or not is_single(common):
        return False
    fill(grid.removed, 0)
    for cell in (first, second):
        grid.removed[cell] = grid.candidates[cell] & ~extras[cell] & ~common
    return bool(grid.removed[first] or grid.removed[second])


def use_naked_set(grid: RatedGrid, extras: NDArray[np.int64], union: int, kind: int, house: int, size: int) -> bool:
    """Type 3: the extras, as one cell, and ``size`` - 1 other cells of the house have ``size`` digits: the rest loses them."""
    n = grid.houses.shape[1]
    cells = (1 << size - 1) - 1
    while cells < 1 << n:
        digits, inner, good = union, 0, True
        for place in range(n):
            cell = grid.houses[kind, house, place]
            if cells >> place & 1:
                inner |= grid.candidates[cell]
                good = good and grid.candidates[cell] != 0 and extras[cell] == 0
        digits |= inner
        if good and size_of(inner) == size and digits == inner:
            gone = 0
            fill(grid.removed, 0)
            for place in range(n):
                cell = grid.houses[kind, house, place]
                if not cells >> place & 1 and extras[cell] == 0:
                    grid.removed[cell] = grid.candidates[cell] & digits
                    gone |= grid.removed[cell]
            if gone:
                return True
        cells = next_subset(cells)
    return False


def common_house_of(grid: RatedGrid, extras: NDArray[np.int64], kind: int) -> int:
    """Return the house of this kind that has all cells with extras, or -1."""
    found = -1
    for cell in range(len(extras)):
        if extras[cell]:
            if found not in (-1, grid.house_of[cell, kind]):
                return -1
            found = grid.house_of[cell, kind]
    return found


def find_largest_grave(grid: RatedGrid, extras: NDArray[np.int64], union: int) -> bool:
    """Type 3, in any house and of any size."""
    for size in range(2, LARGEST_SET + 1):
        for kind in range(3):
            house = common_house_of(grid, extras, kind)
            if house >= 0 and use_naked_set(grid, extras, union, kind, house, size):
                return report(grid, 57 + size - 1, GRAVE)
    return False


def find_grave(grid: RatedGrid) -> bool:
    """Look for types 1, 2, 4 and 3, in this order."""
    extras = np.zeros(len(grid.values), np.int64)
    if not find_extras(grid, extras) or not is_grave(grid, extras):
        return False
    roof, union, first, second = 0, 0, -1, -1
    for cell in range(len(extras)):
        if extras[cell]:
            roof += 1
            union |= extras[cell]
            first, second = (cell, second) if first < 0 else (first, cell)
    if roof == 1:
        fill(grid.removed, 0)
        grid.removed[first] = grid.candidates[first] & ~union
        return report(grid, 56, GRAVE)
    if is_single(union) and use_one_digit(grid, extras, union):
        return report(grid, 57, GRAVE)
    if roof == 2 and use_locked_digit(grid, extras, first, second):
        return report(grid, 57, GRAVE)
    return not is_single(union) and find_largest_grave(grid, extras, union)
