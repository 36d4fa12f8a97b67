"""Pointing and claiming, direct (they place a digit at once) and not."""

from __future__ import annotations

from sudoku_cp.logic.rating.kernel.grid import BOX, COLUMN, ROW, RatedGrid, fill, lowest_of, report, report_placement, size_of
from sudoku_cp.logic.rating.kernel.techniques import CLAIMING, DIRECT_CLAIMING, DIRECT_POINTING, POINTING

PAIRS = ((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX))
"""The kinds of the house that has all places of a digit, and of the house that holds them all, in the order of search."""


def common_house(grid: RatedGrid, kind: int, house: int, places: int, other: int) -> int:
    """Return the house of kind ``other`` that has all these places of a house, -1 if none has."""
    found = -1
    while places:
        crossed = grid.house_of[grid.houses[kind, house, lowest_of(places)], other]
        if found not in (-1, crossed):
            return -1
        found = crossed
        places &= places - 1
    return found


def find_direct_locked(grid: RatedGrid) -> bool:
    """Look for locked candidates that leave one place in a house like the one they lie in."""
    n = grid.houses.shape[1]
    for kind, other in PAIRS:
        for digit in range(n):
            for house in range(n):
                places = grid.places[kind, house, digit]
                if size_of(places) < 2:
                    continue
                crossed = common_house(grid, kind, house, places, other)
                if crossed < 0:
                    continue
                cell = only_place_left(grid, kind, house, digit, other, crossed)
                if cell >= 0:
                    name = DIRECT_POINTING if kind == BOX else DIRECT_CLAIMING
                    return report_placement(grid, 17 if kind == BOX else 19, name, cell, digit)
    return False


def only_place_left(grid: RatedGrid, kind: int, house: int, digit: int, other: int, crossed: int) -> int:
    """Return the cell of the first house of the same kind that has all places but this one in the crossed house, or -1."""
    for third in range(grid.houses.shape[1]):
        places = grid.places[kind, third, digit]
        if third == house or size_of(places) < 2:
            continue
        outside, last = 0, -1
        while places:
            cell = grid.houses[kind, third, lowest_of(places)]
            if grid.house_of[cell, other] != crossed:
                outside += 1
                last = cell
            places &= places - 1
        if outside == 1:
            return last
    return -1


def lock(grid: RatedGrid, kind: int, house: int, digit: int, other: int) -> bool:
    """Note what follows if all places of a digit in a house lie in another; return whether anything does."""
    places = grid.places[kind, house, digit]
    if size_of(places) < 2:
        return False
    crossed = common_house(grid, kind, house, places, other)
    if crossed < 0 or size_of(grid.places[other, crossed, digit]) == size_of(places):
        return False
    fill(grid.removed, 0)
    for cell in grid.houses[other, crossed]:
        if grid.house_of[cell, kind] != house:
            grid.removed[cell] = grid.candidates[cell] & 1 << digit
    return True


def find_locked(grid: RatedGrid) -> bool:
    """Look for locked candidates that eliminate."""
    n = grid.houses.shape[1]
    for kind, other in PAIRS:
        for digit in range(n):
            for house in range(n):
                if lock(grid, kind, house, digit, other):
                    return report(grid, 26 if kind == BOX else 28, POINTING if kind == BOX else CLAIMING)
    return False
