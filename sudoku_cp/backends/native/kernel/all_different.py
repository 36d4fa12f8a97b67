"""Cells that differ: hidden singles, naked pairs, and cells that see all places of a value.

Rule of this file: which cells may hold a value (`Neighbourhood.holders`) is brought up to date before propagators run, so there
may be more of them than domains have by now, never fewer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.backends.native.kernel.bits import (
    LAST,
    NONE,
    ONE,
    compiled,
    inlined,
    is_single,
    lowest,
    size_of,
    smallest,
    without_lowest,
)
from sudoku_cp.backends.native.kernel.memory import narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Neighbourhood, Pointer, Scope

FEW = 3
"""The most places of a value in a house for which it pays to look for cells that see them all."""
PAIR = 2
PAIRED = ONE << np.uint64(LAST)
"""Among the values that a house has lost: one of its cells has two candidates left."""
WORD = 64


class WatchedHouses(NamedTuple):
    """The cells of each house as bits, and the values that they have lost since it was last propagated."""

    rows: Pointer
    lost: Pointer


@compiled
def exclude(live: LiveDomains, neighbourhood: Neighbourhood, cells: Pointer, size: int, value: Mask, most: int) -> bool:
    """One of the cells holds ``value``: if at most ``most`` may, remove it from every cell that sees them all."""
    found = 0
    for index in range(size):
        cell = cells[index]
        if live.domains[cell] & value:
            if found == most:
                return True
            neighbourhood.places[found] = cell
            found += 1
    if found == 0:
        return False
    rows = offset(neighbourhood.rows, neighbourhood.first_rows[smallest(value)] * neighbourhood.words)
    holders = offset(neighbourhood.holders, smallest(value) * neighbourhood.words)
    for word in range(neighbourhood.words):
        common = holders[word]
        for index in range(found):
            common &= rows[neighbourhood.places[index] * neighbourhood.words + word]
        while common:
            cell = word * WORD + smallest(common)
            common = without_lowest(common)
            if not narrow(live, cell, ~value):
                return False
    return True


@inlined
def occurrences(live: LiveDomains, cells: Pointer, size: int) -> tuple[Mask, Mask]:
    """Return the values that occur, and those that occur in at least two cells."""
    once = twice = NONE
    for index in range(size):
        domain = live.domains[cells[index]]
        twice |= once & domain
        once |= domain
    return once, twice


@compiled
def place_hidden(live: LiveDomains, cells: Pointer, size: int, hidden: Mask) -> bool:
    """Each value in ``hidden`` has one place left: put it there."""
    for index in range(size):
        cell = cells[index]
        own = live.domains[cell] & hidden
        if own and (not is_single(own) or not narrow(live, cell, own)):
            return False
    return True


@compiled
def different(live: LiveDomains, scope: Scope) -> bool:
    """If the cells have exactly as many values as they need, place each value that has only one place."""
    once, twice = occurrences(live, scope.cells, scope.size)
    spare = size_of(once) - scope.size
    if spare:
        return spare > 0
    hidden = once & ~twice
    return hidden == NONE or place_hidden(live, scope.cells, scope.size, hidden)


@compiled
def house(live: LiveDomains, scope: Scope, houses: WatchedHouses, neighbourhood: Neighbourhood, number: int) -> bool:
    """Place each value with one place in the house, remove one with few from the cells that see them, apply naked pairs.

    The house holds every value. Only those that it has lost somewhere may have fewer places than before.
    """
    noted = houses.lost[number]
    houses.lost[number] = NONE
    lost = noted & ~PAIRED
    row = offset(houses.rows, number * neighbourhood.words)
    while lost:
        value = lowest(lost)
        lost ^= value
        holders = offset(neighbourhood.holders, smallest(value) * neighbourhood.words)
        found = 0
        for word in range(neighbourhood.words):
            found += size_of(row[word] & holders[word])
        if found == 0:
            return False
        if found == 1:
            if not narrow(live, first_of(row, holders), value):
                return False
        elif found <= FEW and not exclude_places(live, neighbourhood, row, holders, value):
            return False
    return noted & PAIRED == NONE or naked_pairs(live, scope)


@inlined
def first_of(row: Pointer, holders: Pointer) -> int:
    """Return the first cell that is in both; there is one."""
    word = 0
    while row[word] & holders[word] == NONE:
        word += 1
    return word * WORD + smallest(row[word] & holders[word])


@inlined
def exclude_places(live: LiveDomains, neighbourhood: Neighbourhood, row: Pointer, holders: Pointer, value: Mask) -> bool:
    """Remove the value from every holder that sees all the holders in the house."""
    rows = offset(neighbourhood.rows, neighbourhood.first_rows[smallest(value)] * neighbourhood.words)
    for word in range(neighbourhood.words):
        common = holders[word] & ~row[word]
        for place in range(neighbourhood.words):
            inside = row[place] & holders[place]
            while inside and common:
                common &= rows[(place * WORD + smallest(inside)) * neighbourhood.words + word]
                inside = without_lowest(inside)
        while common:
            if not narrow(live, word * WORD + smallest(common), ~value):
                return False
            common = without_lowest(common)
    return True


@compiled
def exclusion(live: LiveDomains, scope: Scope, neighbourhood: Neighbourhood) -> bool:
    """Apply naked pairs; if the cells have exactly as many values as they need, remove each from cells that see its places."""
    if not naked_pairs(live, scope):
        return False
    once = twice = thrice = often = NONE
    for index in range(scope.size):
        domain = live.domains[scope.cells[index]]
        often |= thrice & domain
        thrice |= twice & domain
        twice |= once & domain
        once |= domain
    if size_of(once) != scope.size:
        return size_of(once) > scope.size
    few = twice & ~often
    while few:
        value = lowest(few)
        few ^= value
        if not exclude(live, neighbourhood, scope.cells, scope.size, value, FEW):
            return False
    return True


@compiled
def naked_pairs(live: LiveDomains, scope: Scope) -> bool:
    """If two cells have the same two candidates, remove these from the others."""
    for first in range(scope.size):
        domain = live.domains[scope.cells[first]]
        if size_of(domain) != PAIR:
            continue
        for second in range(first + 1, scope.size):
            if live.domains[scope.cells[second]] == domain:
                for other in range(scope.size):
                    if other != first and other != second and not narrow(live, scope.cells[other], ~domain):  # noqa: PLR1714
                        return False
    return True
