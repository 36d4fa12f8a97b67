"""Singles, locked candidates, sets, fish and wings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.rating.kernel.grid import (
    BOX,
    CLAIMING,
    COLUMN,
    DIRECT_CLAIMING,
    DIRECT_HIDDEN_PAIR,
    DIRECT_HIDDEN_TRIPLET,
    DIRECT_POINTING,
    FORCING_CELL,
    GENERAL_INTERSECTIONS,
    GENERAL_PAIR,
    GENERAL_QUAD,
    GENERAL_TRIPLET,
    GROUP,
    HIDDEN_PAIR,
    HIDDEN_QUAD,
    HIDDEN_SINGLE,
    HIDDEN_TRIPLET,
    JELLYFISH,
    LAST_VALUE,
    LOCKED_APART,
    NAKED_PAIR,
    NAKED_QUAD,
    NAKED_SINGLE,
    NAKED_TRIPLET,
    POINTING,
    ROW,
    SWORDFISH,
    WINDOW,
    X_WING,
    XY_WING,
    XYZ_WING,
    RatedGrid,
    fill,
    is_near,
    kind_of_turn,
    lowest_of,
    next_subset,
    report,
    report_placement,
    size_of,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def is_single(mask: int) -> bool:
    """Return whether a set has one member."""
    return mask != 0 and mask & (mask - 1) == 0


def find_hidden_single(grid: RatedGrid) -> bool:
    """Look for the only place of a digit in a house; all houses with one open cell come first."""
    for alone in (True, False):
        for turn in range(grid.houses.shape[0]):
            kind = kind_of_turn(turn)
            for house in range(grid.counts[kind]):
                if (grid.open_cells[kind, house] == 1) != alone:
                    continue
                for digit in range(grid.houses.shape[2]):
                    places = grid.places[kind, house, digit]
                    if is_single(places):
                        cell = grid.houses[kind, house, lowest_of(places)]
                        if alone:
                            return report_placement(grid, 10, LAST_VALUE, cell, digit)
                        return report_placement(grid, 12 if kind == BOX else 15, HIDDEN_SINGLE, cell, digit)
    return False


def find_naked_single(grid: RatedGrid) -> bool:
    """Look for a cell with one candidate."""
    for cell in range(len(grid.candidates)):
        if is_single(grid.candidates[cell]):
            return report_placement(grid, 23, NAKED_SINGLE, cell, lowest_of(grid.candidates[cell]))
    return False


# Pointing and claiming, direct (they place a digit at once) and not.


PAIRS = (
    *((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX)),
    *((GROUP, COLUMN), (GROUP, ROW), (COLUMN, GROUP), (ROW, GROUP), (BOX, GROUP), (GROUP, BOX)),
    *((WINDOW, COLUMN), (WINDOW, ROW), (COLUMN, WINDOW), (ROW, WINDOW), (BOX, WINDOW), (WINDOW, BOX)),
    *((WINDOW, GROUP), (GROUP, WINDOW)),
)
"""The kinds of the house that has all places of a digit, and of the house that holds them all, in the order of search."""


def has_kinds(grid: RatedGrid, kind: int, other: int) -> bool:
    """Return whether there are houses of both kinds, and boxes."""
    if kind >= grid.houses.shape[0] or other >= grid.houses.shape[0]:
        return False
    return grid.counts[BOX] > 0 and grid.counts[kind] > 0 and grid.counts[other] > 0


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
    n = grid.houses.shape[2]
    for kind, other in PAIRS:
        if not has_kinds(grid, kind, other):
            continue
        for digit in range(n):
            for house in range(grid.counts[kind]):
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
    for third in range(grid.counts[kind]):
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


def remove_seen(grid: RatedGrid, kind: int, house: int, places: int, digit: int, removed: NDArray[np.int64]) -> bool:
    """Add to ``removed`` that what sees all these places of a house loses a digit; return whether anything has it."""
    some = False
    first = grid.houses[kind, house, lowest_of(places)]
    for at in range(grid.degrees[first]):
        cell = grid.neighbours[first, at]
        sees_all, left = grid.candidates[cell] >> digit & 1 == 1, places & (places - 1)
        while left and sees_all:
            sees_all = grid.sees[cell, grid.houses[kind, house, lowest_of(left)]] != 0
            left &= left - 1
        if sees_all:
            removed[cell] |= 1 << digit
            some = True
    return some


MOST_LOCKED = 6
"""More places than these are not tried."""


def lock_seen(grid: RatedGrid, kind: int, house: int, digit: int) -> bool:
    """Note that what sees all places of a digit in a house loses it; return whether anything does."""
    places = grid.places[kind, house, digit]
    if not 2 <= size_of(places) <= MOST_LOCKED:
        return False
    fill(grid.removed, 0)
    return remove_seen(grid, kind, house, places, digit, grid.removed)


def find_locked_seen(grid: RatedGrid) -> bool:
    """Look for a digit all of whose places in a house a cell elsewhere sees."""
    for kind in range(grid.houses.shape[0]):
        for digit in range(grid.houses.shape[2]):
            for house in range(grid.counts[kind]):
                if lock_seen(grid, kind, house, digit):
                    return report(grid, 29, GENERAL_INTERSECTIONS)
    return False


def find_locked(grid: RatedGrid) -> bool:
    """Look for locked candidates that eliminate."""
    if grid.is_general[0]:
        return find_locked_seen(grid)
    n = grid.houses.shape[2]
    for kind, other in PAIRS:
        if not has_kinds(grid, kind, other):
            continue
        for digit in range(n):
            for house in range(grid.counts[kind]):
                if lock(grid, kind, house, digit, other):
                    return report(grid, 26 if kind == BOX else 28, POINTING if kind == BOX else CLAIMING)
    return False


# Neighbours that hold no consecutive digits.


def remove_near(grid: RatedGrid, cell: int, digits: int, only_seen: bool) -> bool:
    """Note that the cells near another, or those of them that it sees, lose some digits; return whether any has them."""
    gone = 0
    fill(grid.removed, 0)
    for at in range(grid.near_counts[cell]):
        other = grid.near[cell, at]
        if grid.sees[cell, other] or not only_seen:
            grid.removed[other] = grid.candidates[other] & digits
            gone |= grid.removed[other]
    return gone != 0


def find_forcing_cell(grid: RatedGrid) -> bool:
    """Look for a cell each of whose two or three candidates removes the same digit near it: 4 and 6 leave no 5."""
    for cell in range(len(grid.candidates) if grid.near_counts[0] else 0):
        own = grid.candidates[cell]
        size, low = size_of(own), own & -own
        pair, triplet = 3 * low, 7 * low
        if own == pair and remove_near(grid, cell, own, True):
            return report(grid, 24, FORCING_CELL)
        if size >= PAIR and own in (triplet, triplet & ~(2 * low)) and remove_near(grid, cell, 2 * low, size == TRIPLET):
            return report(grid, 24, FORCING_CELL)
    return False


REACHES = ((WINDOW, 4, 5), (COLUMN, 9, 3), (ROW, 9, 3), (BOX, 9, 5))
"""Kinds of houses, how many of each are tried, and how many places of a digit one cell may be, or be near."""


def stand_by(grid: RatedGrid, kind: int, house: int, places: int, digits: int) -> bool:
    """Note that the cells that are, or are near, each of these places lose some digits; return whether any has them."""
    gone = 0
    fill(grid.removed, 0)
    first = grid.houses[kind, house, lowest_of(places)]
    for at in range(grid.near_counts[first] + 1):
        cell = grid.near[first, at] if at < grid.near_counts[first] else first
        left, is_by = places & (places - 1), True
        while left and is_by:
            place = grid.houses[kind, house, lowest_of(left)]
            is_by = cell == place or is_near(grid, cell, place)
            left &= left - 1
        if is_by:
            grid.removed[cell] = grid.candidates[cell] & digits
            gone |= grid.removed[cell]
    return gone != 0


def find_locked_apart(grid: RatedGrid) -> bool:
    """Look for a digit that a house has only in cells that one cell is or is near: that has no consecutive digit."""
    for digit in range(grid.houses.shape[2] if grid.near_counts[0] else 0):
        for kind, count, reach in REACHES:
            if kind >= grid.houses.shape[0]:
                continue
            for house in range(min(count, grid.counts[kind])):
                places = grid.places[kind, house, digit]
                if places and size_of(places) <= reach and stand_by(grid, kind, house, places, 2 << digit | (1 << digit) >> 1):
                    return report(grid, 25, LOCKED_APART)
    return False


# Hidden and naked pairs, triplets and quads; hidden pairs and triplets that place a digit at once.


PAIR, TRIPLET = 2, 3
DIRECT_RATINGS = (0, 0, 20, 25)
HIDDEN_RATINGS = (0, 0, 34, 40, 54)
NAKED_RATINGS = (0, 0, 30, 36, 50)
DIRECT_NAMES = (0, 0, DIRECT_HIDDEN_PAIR, DIRECT_HIDDEN_TRIPLET)
HIDDEN_NAMES = (0, 0, HIDDEN_PAIR, HIDDEN_TRIPLET, HIDDEN_QUAD)
NAKED_NAMES = (0, 0, NAKED_PAIR, NAKED_TRIPLET, NAKED_QUAD)
GENERAL_NAMES = (0, 0, GENERAL_PAIR, GENERAL_TRIPLET, GENERAL_QUAD)
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
    for digit in range(grid.houses.shape[2]):
        places = grid.places[kind, house, digit]
        if not digits >> digit & 1 and size_of(places) >= PAIR and is_single(places & ~cells):
            return digit
    return -1


def find_direct_hidden_set(grid: RatedGrid, size: int) -> bool:
    """Look for a hidden set that leaves another digit one place."""
    n = grid.houses.shape[2]
    for turn in range(grid.houses.shape[0]):
        kind = kind_of_turn(turn)
        for house in range(grid.counts[kind]):
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
    n = grid.houses.shape[2]
    for turn in range(grid.houses.shape[0]):
        kind = kind_of_turn(turn)
        for house in range(grid.counts[kind]):
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
    for place in range(grid.houses.shape[2]):
        cell = grid.houses[kind, house, place]
        if not cells >> place & 1:
            grid.removed[cell] = grid.candidates[cell] & digits
            gone |= grid.removed[cell]
    return gone != 0


def use_naked_set(grid: RatedGrid, kind: int, house: int, cells: int, digits: int) -> bool:
    """Note what a naked set removes, from its house or from all that its cells see; return whether anything is."""
    if not grid.is_general[0]:
        return remove_beside(grid, kind, house, cells, digits)
    some = False
    fill(grid.removed, 0)
    while digits:
        digit = lowest_of(digits)
        some |= remove_seen(grid, kind, house, cells & grid.places[kind, house, digit], digit, grid.removed)
        digits &= digits - 1
    return some


def find_naked_set(grid: RatedGrid, size: int) -> bool:
    """Look for a naked set that eliminates, in a house with twice as many open cells or more."""
    n = grid.houses.shape[2]
    for turn in range(grid.houses.shape[0]):
        kind = kind_of_turn(turn)
        for house in range(grid.counts[kind]):
            if grid.open_cells[kind, house] < 2 * size:
                continue
            cells = (1 << size) - 1
            while cells < 1 << n:
                digits = naked_digits(grid, kind, house, cells)
                if digits and use_naked_set(grid, kind, house, cells, digits):
                    names = GENERAL_NAMES if grid.is_general[0] else NAKED_NAMES
                    return report(grid, NAKED_RATINGS[size], names[size])
                cells = next_subset(cells)
    return False


# X-wing, swordfish and jellyfish.


RATINGS = (0, 0, 32, 38, 52)
NAMES = (0, 0, X_WING, SWORDFISH, JELLYFISH)
"""By the number of lines."""


def covers_of(grid: RatedGrid, kind: int, bases: int, digit: int) -> int:
    """Return the crossing lines in which these have all their places of a digit.

    0 if a line has less than two places, or they need more crossing lines than they are.
    """
    union, size = 0, size_of(bases)
    while bases:
        places = grid.places[kind, lowest_of(bases), digit]
        if size_of(places) < 2:
            return 0
        union |= places
        bases &= bases - 1
    return union if size_of(union) == size else 0


def remove_from_covers(grid: RatedGrid, cover: int, bases: int, covers: int, digit: int) -> bool:
    """Note that lines of kind ``cover`` keep a digit only where they cross the bases; return whether they had it elsewhere."""
    some = False
    fill(grid.removed, 0)
    while covers:
        line = lowest_of(covers)
        places = grid.places[cover, line, digit] & ~bases
        while places:
            grid.removed[grid.houses[cover, line, lowest_of(places)]] = 1 << digit
            some = True
            places &= places - 1
        covers &= covers - 1
    return some


def find_fish(grid: RatedGrid, size: int) -> bool:
    """Look for a fish without fins, columns as bases first."""
    n = grid.houses.shape[2]
    for kind, cover in ((COLUMN, ROW), (ROW, COLUMN)):
        bases = (1 << size) - 1
        while bases < 1 << n:
            for digit in range(n):
                covers = covers_of(grid, kind, bases, digit)
                if covers and remove_from_covers(grid, cover, bases, covers, digit):
                    return report(grid, RATINGS[size], NAMES[size])
            bases = next_subset(bases)
    return False


# XY-wing and XYZ-wing.


def is_wing(pivot: int, first: int, second: int, size: int) -> bool:
    """Return whether the candidates of three cells make a wing; the pivot has ``size``, the others two each."""
    common = pivot & first & second
    return (
        size_of(pivot & ~first) == 1
        and first != second
        and size_of(pivot | first | second) == 3
        and size_of(common) == (1 if size == 3 else 0)
    )


def remove_wing(grid: RatedGrid, pivot: int, first: int, second: int, size: int) -> bool:
    """Note what a wing eliminates: its common digit from what sees both ends, and the pivot if that has it."""
    digit = grid.candidates[first] & grid.candidates[second]
    gone = 0
    fill(grid.removed, 0)
    for at in range(grid.degrees[first]):
        cell = grid.peers[first, at]
        if cell not in (pivot, second) and grid.sees[cell, second] and (size == 2 or grid.sees[cell, pivot]):
            grid.removed[cell] = grid.candidates[cell] & digit
            gone |= grid.removed[cell]
    return gone != 0


def find_wing(grid: RatedGrid, size: int) -> bool:
    """Look for an XY-wing (the pivot has 2 candidates) or an XYZ-wing (3)."""
    for pivot in range(len(grid.candidates)):
        own = grid.candidates[pivot]
        if size_of(own) != size:
            continue
        for at in range(grid.degrees[pivot]):
            first = grid.neighbours[pivot, at]
            if size_of(grid.candidates[first]) != 2 or size_of(own & ~grid.candidates[first]) != 1:
                continue
            for other_at in range(grid.degrees[pivot]):
                second = grid.neighbours[pivot, other_at]
                if size_of(grid.candidates[second]) != 2:
                    continue
                if not is_wing(own, grid.candidates[first], grid.candidates[second], size):
                    continue
                if remove_wing(grid, pivot, first, second, size):
                    return report(grid, 42 if size == 2 else 44, XY_WING if size == 2 else XYZ_WING)
    return False
