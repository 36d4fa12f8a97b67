"""WXYZ-wings and larger ones: three to six cells of a house with one digit more than they are, and a cell of two candidates.

Theory of operation. The cells are the *set*, the other is the *pair*; the set has both digits of the pair. A digit of the pair is
*restricted* if the pair sees all cells of the set that have it: then not both have it, so the other digit is in the set or in the
pair, and leaves what sees all its places in both. If both are restricted, set and pair are locked together: each of their digits
leaves what sees all its places.

The best wing has the lowest rating, then removes most, then has the greatest *suffix*: whether both digits are restricted, the
candidates of its largest cell, those of all cells of the set (as text). Of equals the first counts, by the cells of set and pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import (
    BENT_WINGS,
    CELL,
    NAME,
    RATING,
    RatedGrid,
    clear_hint,
    copy,
    fill,
    lowest_of,
    next_subset,
    size_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


RATINGS = (0, 0, 0, 56, 64, 66, 75)
"""By the cells of the set, the highest of each."""
FOUR_CELLS, USUAL_SIZE = 4, 3
"""Sets of up to four cells are easier by a tenth for each candidate that their largest cell has above or below three."""
BITS = 7
"""Of the number of a cell."""


class Wing(NamedTuple):
    """The wing that is tried, and the ``best`` so far: its rank and its place in the order.

    ``cells`` are those of the set, in order; ``removed`` is what the wing removes.
    """

    cells: NDArray[np.int64]
    removed: NDArray[np.int64]
    best: NDArray[np.int64]


def find_cells(grid: RatedGrid, kind: int, house: int, places: int, wing: Wing) -> int:
    """Fill in the cells of these places; return their candidates, 0 if one has less than two."""
    union, count = 0, 0
    while places:
        cell = grid.houses[kind, house, lowest_of(places)]
        own = grid.candidates[cell]
        if size_of(own) < 2:
            return 0
        union |= own
        wing.cells[count] = cell
        count += 1
        places &= places - 1
    return union


def sees_digit(grid: RatedGrid, wing: Wing, size: int, cell: int, digits: int) -> bool:
    """Return whether a cell sees, and is not, all cells of the set that have any of these digits."""
    for i in range(size):
        if grid.candidates[wing.cells[i]] & digits and not grid.sees[cell, wing.cells[i]]:
            return False
    return True


def is_in(wing: Wing, size: int, cell: int) -> bool:
    """Return whether a cell belongs to the set."""
    for i in range(size):
        if wing.cells[i] == cell:
            return True
    return False


def remove_digit(grid: RatedGrid, wing: Wing, size: int, pair: int, digit: int) -> int:
    """Add what a digit (its bit) leaves, if one of its places in set and pair has it; return how many cells that are."""
    count = 0
    with_pair = grid.candidates[pair] & digit
    for cell in range(len(grid.candidates)):
        if not grid.candidates[cell] & digit or cell == pair or (with_pair and not grid.sees[cell, pair]):
            continue
        if not is_in(wing, size, cell) and sees_digit(grid, wing, size, cell, digit):
            wing.removed[cell] |= digit
            count += 1
    return count


def text_rank(number: int) -> int:
    """Return a number by which numbers below 100 are ordered as texts are: 10 comes between 1 and 2."""
    return 100 * number if number < 10 else 100 * (number // 10) + number % 10 + 1


def offer(grid: RatedGrid, wing: Wing, size: int, pair: int, count: int, is_double: bool) -> None:
    """Keep the wing as the hint if it removes anything and is the best so far."""
    largest, candidates, order, rating = 0, 0, 0, RATINGS[size]
    for i in range(size):
        own = size_of(grid.candidates[wing.cells[i]])
        largest = max(largest, own)
        candidates += own
        order = order << BITS | wing.cells[i]
    order = order << BITS | pair
    if size <= FOUR_CELLS:
        rating -= abs(USUAL_SIZE - largest)
    suffix = (10 * is_double + largest) * 1000 + text_rank(candidates)
    rank = ((rating << 12) - count << 20) - suffix
    if not count or (grid.hint[RATING] and (rank > wing.best[0] or (rank == wing.best[0] and order >= wing.best[1]))):
        return
    wing.best[0], wing.best[1] = rank, order
    grid.hint[RATING], grid.hint[NAME], grid.hint[CELL] = rating, BENT_WINGS + size - 3, -1
    copy(wing.removed, grid.removed)


def use_pair(grid: RatedGrid, wing: Wing, size: int, union: int, pair: int) -> None:
    """Try a set with a pair, both of whose candidates it has."""
    own = grid.candidates[pair]
    low, high = own & -own, own & (own - 1)
    with_low, with_high = sees_digit(grid, wing, size, pair, low), sees_digit(grid, wing, size, pair, high)
    if not with_low and not with_high:
        return
    fill(wing.removed, 0)
    if not with_low or not with_high:
        count = remove_digit(grid, wing, size, pair, high if with_low else low)
        offer(grid, wing, size, pair, count, False)
        return
    by_low, by_high = remove_digit(grid, wing, size, pair, low), remove_digit(grid, wing, size, pair, high)
    by_others, left = 0, union & ~own
    while left:
        by_others += remove_digit(grid, wing, size, pair, left & -left)
        left &= left - 1
    is_double = by_others > 0 or (by_low > 0 and by_high > 0)
    offer(grid, wing, size, pair, by_low + by_high + by_others, is_double)


def find_bent_wing(grid: RatedGrid, size: int) -> bool:
    """Look for the best wing whose set has so many cells."""
    n, cells = grid.houses.shape[1], len(grid.candidates)
    wing = Wing(np.zeros(size, np.int64), np.zeros(cells, np.int64), np.zeros(2, np.int64))
    clear_hint(grid)
    for kind in range(3):
        for house in range(n):
            places = (1 << size) - 1
            while places < 1 << n:
                union = find_cells(grid, kind, house, places, wing)
                places = next_subset(places)
                if size_of(union) != size + 1:
                    continue
                for pair in range(cells):
                    own = grid.candidates[pair]
                    if size_of(own) == 2 and not own & ~union and not is_in(wing, size, pair):
                        use_pair(grid, wing, size, union, pair)
    return bool(grid.hint[RATING] > 0)
