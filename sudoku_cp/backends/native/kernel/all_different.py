"""Cells that differ: hidden singles, naked pairs, and cells that see all places of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.native.kernel.bits import NONE, compiled, inlined, is_single, lowest, size_of, smallest, without_lowest
from sudoku_cp.backends.native.kernel.memory import narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Neighbourhood, Pointer, Scope

FEW = 3
"""The most places of a value in a house for which it pays to look for cells that see them all."""
PAIR = 2
WORD = 64


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
    for word in range(neighbourhood.words):
        common = rows[neighbourhood.places[0] * neighbourhood.words + word]
        for index in range(1, found):
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
def exclusion(live: LiveDomains, scope: Scope, neighbourhood: Neighbourhood) -> bool:
    """Apply naked pairs; remove a value that must occur from the cells that see all its places."""
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
