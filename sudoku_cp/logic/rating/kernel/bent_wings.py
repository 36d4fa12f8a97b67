"""WXYZ-wings and larger ones: three to six cells that see each other, one digit more than cells, and a cell of two candidates.

Theory of operation. The cells, on plain boards those of a house, are the *set*, the other is the *pair*; the set has both digits
of the pair. A digit of the pair is *restricted* if the pair sees all cells of the set that have it: then not both have it, so the
other digit is in the set or in the pair, and leaves what sees all its places in both. If both are restricted, set and pair are
locked together: each of their digits leaves what sees all its places.

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
HALF = 45
"""Sets of cells are two words: the first five rows, and the others."""


class Wing(NamedTuple):
    """The wing that is tried, and the ``best`` so far: its rank and its place in the order.

    ``cells`` are those of the set, in order; ``removed`` is what the wing removes.
    """

    cells: NDArray[np.int64]
    removed: NDArray[np.int64]
    best: NDArray[np.int64]


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


def rank_of(grid: RatedGrid, cell: int, other: int) -> int:
    """Return the place of another cell among the neighbours of a cell."""
    at = 0
    while grid.neighbours[cell, at] != other:
        at += 1
    return at


def offer(grid: RatedGrid, wing: Wing, size: int, pair: int, count: int, is_double: bool) -> None:
    """Keep the wing as the hint if it removes anything and is the best so far."""
    if not count:
        return
    largest, candidates, order, rating = 0, 0, 0, RATINGS[size]
    for i in range(size):
        own = size_of(grid.candidates[wing.cells[i]])
        largest = max(largest, own)
        candidates += own
        order = order << BITS | (rank_of(grid, wing.cells[0], wing.cells[1]) if i == 1 else wing.cells[i])
    order = order << BITS | pair
    if size <= FOUR_CELLS:
        rating -= abs(USUAL_SIZE - largest)
    suffix = (10 * is_double + largest) * 1000 + text_rank(candidates)
    rank = ((rating << 12) - count << 20) - suffix
    if grid.hint[RATING] and (rank > wing.best[0] or (rank == wing.best[0] and order >= wing.best[1])):
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


def add_cell(cells: NDArray[np.int64], cell: int) -> None:
    """Add a cell to a set."""
    cells[cell // HALF] |= 1 << cell % HALF


def take_lowest(cells: NDArray[np.int64]) -> int:
    """Take the lowest cell out of a set and return it, -1 if that is empty."""
    for word in range(2):
        if cells[word]:
            cell = HALF * word + lowest_of(cells[word])
            cells[word] &= cells[word] - 1
            return cell
    return -1


def use_set(grid: RatedGrid, wing: Wing, size: int, union: int) -> None:
    """Try a set with every pair."""
    for pair in range(len(grid.candidates)):
        own = grid.candidates[pair]
        if size_of(own) == 2 and not own & ~union and not is_in(wing, size, pair):
            use_pair(grid, wing, size, union, pair)


def find_bent_wing(grid: RatedGrid, size: int) -> bool:
    """Look for the best wing whose set has so many cells: for all sets, depth first, each in the order of its cells."""
    cells = len(grid.candidates)
    wing = Wing(np.zeros(size, np.int64), np.zeros(cells, np.int64), np.zeros(2, np.int64))
    seen, left, unions = np.zeros((cells, 2), np.int64), np.zeros((size, 2), np.int64), np.zeros(size, np.int64)
    clear_hint(grid)
    for cell in range(cells):
        if size_of(grid.candidates[cell]) > 1:
            add_cell(left[0], cell)
            for at in range(grid.degrees[cell]):
                add_cell(seen[cell], grid.neighbours[cell, at])
    depth = 0
    while depth >= 0:
        cell = take_lowest(left[depth])
        if cell < 0:
            depth -= 1
            continue
        union = unions[depth] | grid.candidates[cell]
        wing.cells[depth] = cell
        if size_of(union) > size + 1:
            continue
        if depth < size - 1:
            depth += 1
            unions[depth] = union
            for word in range(2):
                left[depth, word] = left[depth - 1, word] & seen[cell, word]
        elif size_of(union) == size + 1:
            use_set(grid, wing, size, union)
    return bool(grid.hint[RATING] > 0)
