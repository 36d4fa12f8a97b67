"""Hidden and naked pairs, triplets and quads; hidden pairs and triplets that place a digit at once."""

from __future__ import annotations

from sudoku_cp.logic.rating.kernel.grid import KINDS, RatedGrid, fill, lowest_of, next_subset, report, report_placement, size_of
from sudoku_cp.logic.rating.kernel.singles import is_single
from sudoku_cp.logic.rating.kernel.techniques import (
    DIRECT_HIDDEN_PAIR,
    DIRECT_HIDDEN_TRIPLET,
    HIDDEN_PAIR,
    HIDDEN_QUAD,
    HIDDEN_TRIPLET,
    NAKED_PAIR,
    NAKED_QUAD,
    NAKED_TRIPLET,
)

PAIR, TRIPLET = 2, 3
DIRECT_RATINGS = (0, 0, 20, 25)
HIDDEN_RATINGS = (0, 0, 34, 40, 54)
NAKED_RATINGS = (0, 0, 30, 36, 50)
DIRECT_NAMES = (0, 0, DIRECT_HIDDEN_PAIR, DIRECT_HIDDEN_TRIPLET)
HIDDEN_NAMES = (0, 0, HIDDEN_PAIR, HIDDEN_TRIPLET, HIDDEN_QUAD)
NAKED_NAMES = (0, 0, NAKED_PAIR, NAKED_TRIPLET, NAKED_QUAD)
"""By the size of the set."""


def hidden_places(grid: RatedGrid, kind: int, house: int, digits: int) -> int:
    """Return the places of these digits in a house; 0 if one has less than two, or they need more cells than there are digits."""
    union, size = 0, size_of(digits)
    while digits:
        places = grid.places[kind, house, lowest_of(digits)]
        if size_of(places) < PAIR:
            return 0
        union |= places
        digits &= digits - 1
    return union if size_of(union) == size else 0


def place_beside(grid: RatedGrid, kind: int, house: int, digits: int, cells: int) -> int:
    """Return the first digit, of those with two places or more, that has one place outside the cells of the set, or -1."""
    for digit in range(grid.houses.shape[1]):
        places = grid.places[kind, house, digit]
        if not digits >> digit & 1 and size_of(places) >= PAIR and is_single(places & ~cells):
            return digit
    return -1


def find_direct_hidden_set(grid: RatedGrid, size: int) -> bool:
    """Look for a hidden set that leaves another digit one place."""
    n = grid.houses.shape[1]
    for kind in KINDS:
        for house in range(n):
            if grid.open_cells[kind, house] <= size:
                continue
            digits = (1 << size) - 1
            while digits < 1 << n:
                cells = hidden_places(grid, kind, house, digits)
                digit = place_beside(grid, kind, house, digits, cells) if cells else -1
                if digit >= 0:
                    cell = grid.houses[kind, house, lowest_of(grid.places[kind, house, digit] & ~cells)]
                    return report_placement(grid, DIRECT_RATINGS[size], DIRECT_NAMES[size], cell, digit)
                digits = next_subset(digits)
    return False


def keep_digits(grid: RatedGrid, kind: int, house: int, cells: int, digits: int) -> bool:
    """Note that these cells keep these digits only; return whether they have others."""
    gone = 0
    fill(grid.removed, 0)
    while cells:
        cell = grid.houses[kind, house, lowest_of(cells)]
        grid.removed[cell] = grid.candidates[cell] & ~digits
        gone |= grid.removed[cell]
        cells &= cells - 1
    return gone != 0


def find_hidden_set(grid: RatedGrid, size: int) -> bool:
    """Look for a hidden set that eliminates, in a house with more than twice as many open cells."""
    n = grid.houses.shape[1]
    for kind in KINDS:
        for house in range(n):
            if grid.open_cells[kind, house] <= 2 * size:
                continue
            digits = (1 << size) - 1
            while digits < 1 << n:
                cells = hidden_places(grid, kind, house, digits)
                if cells and keep_digits(grid, kind, house, cells, digits):
                    return report(grid, HIDDEN_RATINGS[size], HIDDEN_NAMES[size])
                digits = next_subset(digits)
    return False


def naked_digits(grid: RatedGrid, kind: int, house: int, cells: int) -> int:
    """Return the candidates of these cells; 0 if one has less than two, or they are more than the cells."""
    union, size = 0, size_of(cells)
    while cells:
        own = grid.candidates[grid.houses[kind, house, lowest_of(cells)]]
        if size_of(own) < PAIR:
            return 0
        union |= own
        cells &= cells - 1
    return union if size_of(union) == size else 0


def remove_beside(grid: RatedGrid, kind: int, house: int, cells: int, digits: int) -> bool:
    """Note that the other cells of a house lose these digits; return whether any has them."""
    gone = 0
    fill(grid.removed, 0)
    for place in range(grid.houses.shape[1]):
        cell = grid.houses[kind, house, place]
        if not cells >> place & 1:
            grid.removed[cell] = grid.candidates[cell] & digits
            gone |= grid.removed[cell]
    return gone != 0


def find_naked_set(grid: RatedGrid, size: int) -> bool:
    """Look for a naked set that eliminates, in a house with twice as many open cells or more."""
    n = grid.houses.shape[1]
    for kind in KINDS:
        for house in range(n):
            if grid.open_cells[kind, house] < 2 * size:
                continue
            cells = (1 << size) - 1
            while cells < 1 << n:
                digits = naked_digits(grid, kind, house, cells)
                if digits and remove_beside(grid, kind, house, cells, digits):
                    return report(grid, NAKED_RATINGS[size], NAKED_NAMES[size])
                cells = next_subset(cells)
    return False
