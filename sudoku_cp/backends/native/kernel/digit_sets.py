"""Different cells whose values together are one of a list of sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.native.kernel.all_different import exclude, occurrences, place_hidden
from sudoku_cp.backends.native.kernel.bits import ALL, NONE, compiled, inlined, is_single, lowest
from sudoku_cp.backends.native.kernel.memory import narrow

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Neighbourhood, Pointer, Scope

FEW = 4
"""The most places of a required value for which it pays to look for cells that see them all."""


@inlined
def united(live: LiveDomains, cells: Pointer, size: int) -> tuple[Mask, Mask]:
    """Return the values that occur, and those of the cells that are decided."""
    union = decided = NONE
    for index in range(size):
        domain = live.domains[cells[index]]
        union |= domain
        if is_single(domain):
            decided |= domain
    return union, decided


@inlined
def meets_all(live: LiveDomains, cells: Pointer, size: int, mask: Mask) -> bool:
    """Return whether every cell may hold a value of the set."""
    for index in range(size):  # noqa: SIM110  # Numba does not support generators here
        if live.domains[cells[index]] & mask == NONE:
            return False
    return True


@compiled
def keep(live: LiveDomains, neighbourhood: Neighbourhood, cells: Pointer, size: int, possible: Mask, required: Mask) -> bool:
    """Keep the ``possible`` values, and propagate that every ``required`` one occurs."""
    for index in range(size):
        if not narrow(live, cells[index], possible):
            return False
    if required == NONE or size == 1:
        return True
    once, twice = occurrences(live, cells, size)
    if required & ~once:
        return False
    hidden = required & ~twice
    if hidden and not place_hidden(live, cells, size, hidden):
        return False
    required &= twice
    while required:
        value = lowest(required)
        required ^= value
        if not exclude(live, neighbourhood, cells, size, value, FEW):
            return False
    return True


@compiled
def digit_set(live: LiveDomains, scope: Scope, neighbourhood: Neighbourhood, masks: Pointer) -> bool:
    """Keep the sets that have a value for every cell: only their values are possible, and those in all of them must occur."""
    union, decided = united(live, scope.cells, scope.size)
    possible, required = NONE, ALL
    for index in range(scope.parameters[0], scope.parameters[1]):
        mask = masks[index]
        if mask & ~union == NONE and decided & ~mask == NONE and meets_all(live, scope.cells, scope.size, mask):
            possible |= mask
            required &= mask
    return possible != NONE and keep(live, neighbourhood, scope.cells, scope.size, possible, required & ~decided)
