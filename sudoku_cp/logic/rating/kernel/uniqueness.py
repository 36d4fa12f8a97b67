"""Unique loops and the bivalue grave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.logic.rating.kernel.basic_techniques import is_single, remove_seen
from sudoku_cp.logic.rating.kernel.grid import (
    GRAVE,
    PLAIN_KINDS,
    RATING,
    UNIQUE_LOOP,
    RatedGrid,
    clear_hint,
    common_kind,
    copy,
    fill,
    is_better,
    keep_best,
    lowest_of,
    next_subset,
    report,
    size_of,
)

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
    for kind in range(grid.houses.shape[0]):
        if used[parity, kind] >> grid.house_of[cell, kind] & 1:
            return True
    return False


def switch_houses(grid: RatedGrid, used: NDArray[np.int64], cell: int, parity: int) -> None:
    """Note that a cell joins the way, or leaves it."""
    for kind in range(grid.houses.shape[0]):
        if grid.house_of[cell, kind] < grid.counts[kind]:
            used[parity, kind] ^= 1 << grid.house_of[cell, kind]


def next_step(grid: RatedGrid, walk: NDArray[np.int64], cell: int, depth: int) -> tuple[int, int]:
    """Return the next neighbour of a cell and its kind of house, never the kind that led here; a cell of -1 at the end."""
    n, kinds = grid.houses.shape[2], grid.houses.shape[0]
    step = walk[depth, STEP]
    while step < n * kinds:
        kind = step // n
        house = grid.house_of[cell, kind]
        if kind != walk[depth, KIND] and house < grid.counts[kind]:
            walk[depth, STEP] = step + 1
            return grid.houses[kind, house, step % n], kind
        step = (kind + 1) * n
    return -1, kinds


def may_join(grid: RatedGrid, walk: NDArray[np.int64], depth: int, cell: int, pair: int) -> bool:
    """Return whether a loop may go on to a cell: with the pair alone, the one extra digit of all, or while some may have any."""
    own = grid.candidates[cell]
    if own & pair != pair:
        return False
    return own == pair or size_of(walk[depth, EXTRAS] | (own & ~pair)) == 1 or walk[depth, ALLOWED] > 0


def is_loop(used: NDArray[np.int64]) -> bool:
    """Return whether the houses of the cells at odd places are those of the cells at even ones."""
    for kind in range(used.shape[1]):
        if used[0, kind] != used[1, kind]:
            return False
    return True


def is_restricted(grid: RatedGrid, cell: int, pair: int) -> bool:
    """Return whether a move or consecutive digits may forbid a cell one of the digits of a pair, so that they may not change."""
    for at in range(grid.degrees[cell]):
        other = grid.neighbours[cell, at]
        if grid.candidates[other] & pair and common_kind(grid, cell, other) < 0:
            return True
    for at in range(grid.near_counts[cell]):
        if grid.candidates[grid.near[cell, at]] & (pair << 1 | pair >> 1):
            return True
    return False


def is_way_restricted(grid: RatedGrid, way: NDArray[np.int64], length: int, pair: int) -> bool:
    """Return whether that holds for any cell of a loop."""
    if grid.houses.shape[0] == PLAIN_KINDS:
        return False
    for i in range(length):
        if is_restricted(grid, way[i], pair):
            return True
    return False


def walk_loops(grid: RatedGrid, start: int, way: NDArray[np.int64], walk: NDArray[np.int64], trial: NDArray[np.int64]) -> None:
    """Go through all loops from a cell of two candidates, depth first, and use each."""
    pair = grid.candidates[start]
    used = np.zeros((2, grid.houses.shape[0]), np.int64)
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
            if depth + 1 >= SHORTEST and is_loop(used) and not is_way_restricted(grid, way, depth + 1, pair):
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


# Unique rectangles and loops: what each type eliminates.
#
# The *roof* are the cells of the loop that have extra candidates. Each type fills ``trial`` with what it eliminates and offers
# it to `improve`, which keeps the hint of the lowest rating and, among those, of the lowest type.


LARGEST_SET = 7


def improve(grid: RatedGrid, trial: NDArray[np.int64], rating: int, kind: int) -> None:
    """Keep what ``trial`` eliminates as the hint, if that is anything and better than the hint so far."""
    if is_better(grid, rating, 0, kind) and trial.any():
        copy(trial, grid.removed)
        keep_best(grid, rating, 0, kind, UNIQUE_LOOP)


def rating_of(length: int) -> int:
    """Return the rating of a loop of types 1, 2 and 4."""
    return 45 + (3 if length >= 10 else 0) + (2 if length >= 8 else 1 if length >= 6 else 0)


def use_type_2(grid: RatedGrid, way: NDArray[np.int64], length: int, pair: int, extras: int, trial: NDArray[np.int64]) -> None:
    """The roof has one extra digit: it leaves what sees the whole roof."""
    fill(trial, 0)
    for cell in range(len(grid.values)):
        gone = grid.candidates[cell] & extras
        for i in range(length):
            if gone and grid.candidates[way[i]] != pair and not grid.sees[cell, way[i]]:
                gone = 0
        trial[cell] = gone
    improve(grid, trial, rating_of(length), 2)


def use_type_4(grid: RatedGrid, first: int, second: int, length: int, pair: int, trial: NDArray[np.int64]) -> None:
    """A digit of the pair, the lower one if both do, has no other place in a house of the roof: that loses the other digit."""
    left = pair
    while left:
        digit = lowest_of(left)
        for kind in range(grid.houses.shape[0]):
            house = grid.house_of[first, kind]
            own = 1 << grid.place_of[first, kind] | 1 << grid.place_of[second, kind]
            is_common = house == grid.house_of[second, kind] and house < grid.counts[kind]
            if is_common and grid.places[kind, house, digit] & ~own == 0:
                fill(trial, 0)
                trial[first] = trial[second] = pair & ~(1 << digit)
                improve(grid, trial, rating_of(length), 4)
                return
        left &= left - 1


def remove_digits(grid: RatedGrid, kind: int, house: int, places: int, digits: int, removed: NDArray[np.int64]) -> None:
    """Add to ``removed`` what a naked set in these places removes, from its house or from all that its cells see."""
    if grid.is_general[0]:
        while digits:
            digit = lowest_of(digits)
            remove_seen(grid, kind, house, places & grid.places[kind, house, digit], digit, removed)
            digits &= digits - 1
        return
    for place in range(grid.houses.shape[2]):
        if not places >> place & 1:
            cell = grid.houses[kind, house, place]
            removed[cell] = grid.candidates[cell] & digits


def use_naked_set(
    grid: RatedGrid, kind: int, number: int, first: int, second: int, length: int, pair: int, size: int, trial: NDArray[np.int64]
) -> None:
    """The extras of the roof, as one cell, and ``size`` - 1 others of its house have ``size`` digits: the rest loses them."""
    n = grid.houses.shape[2]
    own = 1 << grid.place_of[first, kind] | 1 << grid.place_of[second, kind]
    extras = (grid.candidates[first] | grid.candidates[second]) & ~pair
    shared = grid.candidates[first] & grid.candidates[second] & extras
    cells = (1 << size - 1) - 1
    while cells < 1 << n:
        union, inner, good = extras, shared, cells & own == 0
        for place in range(n):
            if good and cells >> place & 1:
                candidates = grid.candidates[grid.houses[kind, number, place]]
                union |= candidates
                inner |= candidates
                good = size_of(candidates) > 1
        if good and size_of(union) == size and inner == union:
            fill(trial, 0)
            remove_digits(grid, kind, number, cells | own, union, trial)
            improve(grid, trial, rating_of(length) + size - 1, 3)
        cells = next_subset(cells)


def use_hidden_set(
    grid: RatedGrid, kind: int, number: int, first: int, second: int, length: int, pair: int, size: int, trial: NDArray[np.int64]
) -> None:
    """The pair and ``size`` - 2 other digits have places in the roof, as one cell, and ``size`` - 1 other cells only."""
    n = grid.houses.shape[2]
    one, other = 1 << grid.place_of[first, kind], 1 << grid.place_of[second, kind]
    taken = grid.candidates[first] | grid.candidates[second]
    digits = (1 << size - 2) - 1
    while digits < 1 << n:
        hidden, union, good = digits | pair, 0, digits & taken == 0
        for digit in range(n):
            if good and hidden >> digit & 1:
                places = grid.places[kind, number, digit] & ~other
                union |= places
                good = places != 0
        if good and size_of(union) == size:
            fill(trial, 0)
            for place in range(n):
                if (union & ~one) >> place & 1:
                    cell = grid.houses[kind, number, place]
                    trial[cell] = grid.candidates[cell] & ~hidden
            improve(grid, trial, rating_of(length) + size_of(union & ~one) - 1, 3)
        digits = next_subset(digits) if digits else 1 << n


def use_pair_of_roof(grid: RatedGrid, first: int, second: int, length: int, pair: int, trial: NDArray[np.int64]) -> None:
    """Types 3 and 4: a roof of two cells in one house."""
    extras = (grid.candidates[first] | grid.candidates[second]) & ~pair
    use_type_4(grid, first, second, length, pair, trial)
    for size in range(2, 1 if is_single(extras) else LARGEST_SET + 1):
        for kind in range(grid.houses.shape[0]):
            number = grid.house_of[first, kind]
            if number != grid.house_of[second, kind] or 2 * size > grid.open_cells[kind, number] or number >= grid.counts[kind]:
                continue
            if size >= size_of(extras):
                use_naked_set(grid, kind, number, first, second, length, pair, size, trial)
            if 2 * size < grid.open_cells[kind, number]:
                use_hidden_set(grid, kind, number, first, second, length, pair, size, trial)


def use_loop(grid: RatedGrid, way: NDArray[np.int64], length: int, pair: int, trial: NDArray[np.int64]) -> None:
    """Try all types on a loop."""
    roof, extras, first, second = 0, 0, -1, -1
    for i in range(length):
        cell = way[i]
        if grid.candidates[cell] != pair:
            roof += 1
            extras |= grid.candidates[cell] & ~pair
            if first < 0:
                first = cell
            else:
                second = cell
    if roof == 1:
        fill(trial, 0)
        trial[first] = pair
        improve(grid, trial, rating_of(length), 1)
    if roof >= 2 and is_single(extras):
        use_type_2(grid, way, length, pair, extras, trial)
    if roof == 2:
        use_pair_of_roof(grid, first, second, length, pair, trial)


# Bivalue universal grave: without the *extras*, every open cell would have two candidates and every digit two places.


LARGEST_GRAVE_SET = 6


def roof_cells(grid: RatedGrid, kind: int, house: int, digit: int) -> int:
    """Return the places of a digit in cells of three candidates or more."""
    places = grid.places[kind, house, digit]
    for place in range(grid.houses.shape[2]):
        if places >> place & 1 and size_of(grid.candidates[grid.houses[kind, house, place]]) < 3:
            places &= ~(1 << place)
    return places


def find_extras(grid: RatedGrid, extras: NDArray[np.int64]) -> bool:
    """Collect the extras: digits that one big cell of a house has too many; if there is one such digit, that of all big cells.

    False if a house has a digit too often without a big cell.
    """
    n = grid.houses.shape[2]
    shared = np.zeros(len(extras), np.int64)
    digits = 0
    for kind in range(grid.houses.shape[0]):
        for house in range(grid.counts[kind]):
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
    n = grid.houses.shape[2]
    for cell in range(len(grid.values)):
        if grid.values[cell] == 0 and size_of(grid.candidates[cell] & ~extras[cell]) != 2:
            return False
    for kind in range(grid.houses.shape[0]):
        for house in range(grid.counts[kind]):
            for digit in range(n):
                count = size_of(grid.places[kind, house, digit])
                for cell in grid.houses[kind, house]:
                    count -= extras[cell] >> digit & 1
                if count not in (0, 2):
                    return False
    return grid.houses.shape[0] == PLAIN_KINDS or not is_grave_restricted(grid, extras)


def is_grave_restricted(grid: RatedGrid, extras: NDArray[np.int64]) -> bool:
    """Return whether a move or consecutive digits may forbid an open cell one of its two digits besides extras."""
    for cell in range(len(extras)):
        if grid.values[cell] == 0 and is_restricted(grid, cell, grid.candidates[cell] & ~extras[cell]):
            return True
    return False


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
    if common_kind(grid, first, second) < 0 or not is_single(common):
        return False
    fill(grid.removed, 0)
    for cell in (first, second):
        grid.removed[cell] = grid.candidates[cell] & ~extras[cell] & ~common
    return bool(grid.removed[first] or grid.removed[second])


def use_grave_set(grid: RatedGrid, extras: NDArray[np.int64], union: int, kind: int, house: int, size: int) -> bool:
    """Type 3: the extras, as one cell, and ``size`` - 1 other cells of the house have ``size`` digits: the rest loses them."""
    n = grid.houses.shape[2]
    roof = 0
    for place in range(n):
        if extras[grid.houses[kind, house, place]]:
            roof |= 1 << place
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
            fill(grid.removed, 0)
            remove_digits(grid, kind, house, cells | roof, digits, grid.removed)
            if grid.removed.any():
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
    return found if found < grid.counts[kind] else -1


def find_largest_grave(grid: RatedGrid, extras: NDArray[np.int64], union: int) -> bool:
    """Type 3, in any house and of any size."""
    for size in range(2, LARGEST_GRAVE_SET + 1):
        for kind in range(grid.houses.shape[0]):
            house = common_house_of(grid, extras, kind)
            if house >= 0 and use_grave_set(grid, extras, union, kind, house, size):
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
