"""Unique rectangles and loops: what each type eliminates.

The *roof* are the cells of the loop that have extra candidates. Each type fills ``trial`` with what it eliminates and offers it
to `improve`, which keeps the hint of the lowest rating and, among those, of the lowest type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.rating.kernel.grid import RatedGrid, copy, fill, is_better, keep_best, lowest_of, next_subset, size_of
from sudoku_cp.logic.rating.kernel.singles import is_single
from sudoku_cp.logic.rating.kernel.techniques import UNIQUE_LOOP

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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


def use_type_4(
    grid: RatedGrid, house: tuple[int, int], roof: tuple[int, int], length: int, pair: int, trial: NDArray[np.int64]
) -> None:
    """A digit of the pair has no other place in the roof's house: the roof loses the other digit."""
    kind, number = house
    first, second = roof
    own = 1 << grid.place_of[first, kind] | 1 << grid.place_of[second, kind]
    left = pair
    while left:
        digit = lowest_of(left)
        if grid.places[kind, number, digit] & ~own == 0:
            fill(trial, 0)
            trial[first] = trial[second] = pair & ~(1 << digit)
            improve(grid, trial, rating_of(length), 4)
        left &= left - 1


def use_naked_set(
    grid: RatedGrid, house: tuple[int, int], roof: tuple[int, int], length: int, pair: int, size: int, trial: NDArray[np.int64]
) -> None:
    """The extras of the roof, as one cell, and ``size`` - 1 others of its house have ``size`` digits: the rest loses them."""
    n = grid.houses.shape[1]
    kind, number = house
    first, second = roof
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
            for place in range(n):
                if not (cells | own) >> place & 1:
                    cell = grid.houses[kind, number, place]
                    trial[cell] = grid.candidates[cell] & union
            improve(grid, trial, rating_of(length) + size - 1, 3)
        cells = next_subset(cells)


def use_hidden_set(
    grid: RatedGrid, house: tuple[int, int], roof: tuple[int, int], length: int, pair: int, size: int, trial: NDArray[np.int64]
) -> None:
    """The pair and ``size`` - 2 other digits have places in the roof, as one cell, and ``size`` - 1 other cells only."""
    n = grid.houses.shape[1]
    kind, number = house
    first, second = roof
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


def use_pair_of_roof(grid: RatedGrid, roof: tuple[int, int], length: int, pair: int, trial: NDArray[np.int64]) -> None:
    """Types 3 and 4: a roof of two cells in one house."""
    first, second = roof
    extras = (grid.candidates[first] | grid.candidates[second]) & ~pair
    for kind in range(3):
        number = grid.house_of[first, kind]
        if number != grid.house_of[second, kind]:
            continue
        house = (kind, number)
        use_type_4(grid, house, roof, length, pair, trial)
        for size in range(2, LARGEST_SET + 1):
            if is_single(extras) or 2 * size > grid.open_cells[kind, number]:
                break
            if size >= size_of(extras):
                use_naked_set(grid, house, roof, length, pair, size, trial)
            if 2 * size < grid.open_cells[kind, number]:
                use_hidden_set(grid, house, roof, length, pair, size, trial)


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
        use_pair_of_roof(grid, (first, second), length, pair, trial)
