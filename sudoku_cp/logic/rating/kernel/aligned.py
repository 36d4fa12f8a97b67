"""Aligned pair and triplet exclusion.

A combination of candidates of two or three cells is out if two of them that see each other are equal, or if it has all candidates
of an *excluder*, a cell that all of them see. Candidates in no combination that is left are eliminated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import ALIGNED_PAIR, ALIGNED_TRIPLET, RatedGrid, fill, lowest_of, report, size_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def common_excluders(
    grid: RatedGrid, excluders: NDArray[np.bool_], first: int, second: int, third: int, found: NDArray[np.int64]
) -> int:
    """Fill ``found`` with the candidates of the excluders that all cells see, and return how many there are."""
    count = 0
    for cell in grid.peers[first]:
        if excluders[cell] and grid.sees[cell, second] and (third < 0 or grid.sees[cell, third]):
            found[count] = grid.candidates[cell]
            count += 1
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
    for x in range(grid.houses.shape[1]):
        for y in range(grid.houses.shape[1]):
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


def mark_cells(grid: RatedGrid, size: int, excluders: NDArray[np.bool_], base: NDArray[np.bool_]) -> None:
    """Mark the excluders, of 2 to ``size`` candidates, and the cells to try: those that see an excluder."""
    for cell in range(len(grid.values)):
        excluders[cell] = 2 <= size_of(grid.candidates[cell]) <= size
    for cell in range(len(grid.values)):
        base[cell] = size_of(grid.candidates[cell]) >= 2 and excluders[grid.peers[cell]].any()


def find_aligned_pair(grid: RatedGrid) -> bool:
    """Look for two cells with two or more common excluders."""
    size = len(grid.values)
    excluders, base, found = np.zeros(size, np.bool_), np.zeros(size, np.bool_), np.zeros(size, np.int64)
    mark_cells(grid, 2, excluders, base)
    for second in range(size):
        for first in range(second):
            if base[first] and base[second]:
                count = common_excluders(grid, excluders, first, second, -1, found)
                if count >= 2 and exclude_pair(grid, first, second, found, count):
                    return report(grid, 62, ALIGNED_PAIR)
    return False


def find_third_cell(
    grid: RatedGrid, excluders: NDArray[np.bool_], base: NDArray[np.bool_], first: int, second: int, found: NDArray[np.int64]
) -> bool:
    """Look for a third cell, an excluder of the first or of the second, such that the three exclude something."""
    for origin in (first, second):
        for third in grid.neighbours[origin]:
            if (
                third in (first, second)
                or not excluders[third]
                or not base[third]
                or (origin == second and grid.sees[first, third])
            ):
                continue
            count = common_excluders(grid, excluders, first, second, third, found)
            if count >= 2 and exclude_triplet(grid, first, second, third, found, count):
                return True
    return False


def find_aligned_triplet(grid: RatedGrid) -> bool:
    """Look for three cells with two or more common excluders."""
    size = len(grid.values)
    excluders, base, found = np.zeros(size, np.bool_), np.zeros(size, np.bool_), np.zeros(size, np.int64)
    mark_cells(grid, 3, excluders, base)
    for second in range(size):
        for first in range(second):
            if not base[first] or not base[second]:
                continue
            if common_excluders(grid, excluders, first, second, -1, found) < 2:
                continue
            if find_third_cell(grid, excluders, base, first, second, found):
                return report(grid, 75, ALIGNED_TRIPLET)
    return False
