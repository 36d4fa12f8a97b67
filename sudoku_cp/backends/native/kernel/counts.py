"""Counts: how many cells hold a wanted value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import uint64

from sudoku_cp.backends.native.kernel.all_different import exclude
from sudoku_cp.backends.native.kernel.bits import NONE, compiled, is_single
from sudoku_cp.backends.native.kernel.memory import NOBODY, narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Neighbourhood, Scope

FEW = 5
"""The most places of a wanted value for which it pays to look for cells that differ from them all."""


@compiled
def count(live: LiveDomains, scope: Scope, neighbourhood: Neighbourhood) -> bool:
    """Propagate that so many cells hold a wanted value.

    The parameters are the wanted values; the least number, the greatest, and one it may not be; how many groups there are and
    the size of each. At most one cell of a group may hold a wanted value.
    """
    parameters = scope.parameters
    wanted, groups = uint64(parameters[0]), parameters[4]
    sure = possible = first = maybe = 0
    for group in range(groups):
        some = False
        for index in range(first, first + parameters[5 + group]):
            domain = live.domains[scope.cells[index]]
            if domain & wanted:
                some = True
                maybe += 1
                sure += domain & ~wanted == NONE
        possible += some
        first += parameters[5 + group]
    low, high = max(sure, parameters[1]), min(possible, parameters[2])
    low += low == parameters[3]
    high -= high == parameters[3]
    if low > high:
        return False
    if maybe == sure:
        return True
    if high == sure:
        return keep_out(live, scope, wanted)
    if low == possible:
        return fill_groups(live, scope, neighbourhood, wanted)
    return low == 0 or sure > 0 or not is_single(wanted) or exclude(live, neighbourhood, scope.cells, scope.size, wanted, FEW)


@compiled
def keep_out(live: LiveDomains, scope: Scope, wanted: Mask) -> bool:
    """Remove the wanted values from all cells that need not hold one."""
    for index in range(scope.size):
        domain = live.domains[scope.cells[index]]
        if domain & wanted and domain & ~wanted and not narrow(live, scope.cells[index], ~wanted):
            return False
    return True


@compiled
def fill_groups(live: LiveDomains, scope: Scope, neighbourhood: Neighbourhood, wanted: Mask) -> bool:
    """Propagate that every group that may hold a wanted value does."""
    first = 0
    for group in range(scope.parameters[4]):
        size = scope.parameters[5 + group]
        found, last = 0, NOBODY
        for index in range(first, first + size):
            if live.domains[scope.cells[index]] & wanted:
                found += 1
                last = index
        if found == 1:
            if not narrow(live, scope.cells[last], wanted):
                return False
        elif found > 1 and not exclude(live, neighbourhood, offset(scope.cells, first), size, wanted, FEW):
            return False
        first += size
    return True
