"""Bounds of sums, over groups of cells that differ.

The parameters of `bounds` are the least and the greatest total, the number of groups, and the factor and the size of each group;
its cells are those of the groups in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.native.kernel.bits import (
    ALL,
    NONE,
    bit,
    compiled,
    from_value,
    inlined,
    is_single,
    largest,
    smallest,
    up_to,
)
from sudoku_cp.backends.native.kernel.memory import NOBODY, narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Pointer, Scope

ENDLESS = 1 << 40
"""A number beyond every total."""
HIGHEST = 63


@inlined
def least_sum(live: LiveDomains, cells: Pointer, size: int, but: int) -> int:
    """Return the least sum of different values, none below its cell's smallest; leave out the cell at index ``but``."""
    taken = NONE
    total = 0
    for index in range(size):
        if index != but:
            free = ~taken & from_value(smallest(live.domains[cells[index]]))
            if free == NONE:
                return ENDLESS
            value = smallest(free)
            taken |= bit(value)
            total += value
    return total


@inlined
def greatest_sum(live: LiveDomains, cells: Pointer, size: int, but: int) -> int:
    """Return the greatest sum of different values, none above its cell's largest; leave out the cell at index ``but``."""
    taken = NONE
    total = 0
    for index in range(size):
        if index != but:
            free = ~taken & up_to(largest(live.domains[cells[index]]))
            if free == NONE:
                return -ENDLESS
            value = largest(free)
            taken |= bit(value)
            total += value
    return total


@inlined
def span(live: LiveDomains, cells: Pointer, size: int, factor: int) -> tuple[int, int]:
    """Return the least and the greatest that a group adds to the sum."""
    least = factor * least_sum(live, cells, size, NOBODY)
    greatest = factor * greatest_sum(live, cells, size, NOBODY)
    if factor < 0:
        return greatest, least
    return least, greatest


@compiled
def narrow_group(live: LiveDomains, cells: Pointer, size: int, low: int, high: int) -> bool:
    """The cells of the group add up to a sum from ``low`` to ``high``: bound each cell by the others."""
    for index in range(size):
        cell = cells[index]
        if is_single(live.domains[cell]):
            continue
        top = high - least_sum(live, cells, size, index)
        bottom = low - greatest_sum(live, cells, size, index)
        if top < 0 or bottom > HIGHEST:
            return False
        kept = ALL
        if top < HIGHEST:
            kept &= up_to(top)
        if bottom > 0:
            kept &= from_value(bottom)
        if not narrow(live, cell, kept):
            return False
    return True


@compiled
def bounds(live: LiveDomains, scope: Scope, numbers: Pointer) -> bool:
    """Bound each group by the rest of the total that the others leave."""
    parameters = scope.parameters
    groups = parameters[2]
    least = greatest = first = 0
    for group in range(groups):
        size = parameters[4 + 2 * group]
        one, other = span(live, offset(scope.cells, first), size, parameters[3 + 2 * group])
        numbers[2 * group], numbers[2 * group + 1] = one, other
        least += one
        greatest += other
        first += size
    if least > parameters[1] or greatest < parameters[0]:
        return False
    first = 0
    for group in range(groups):
        factor, size = parameters[3 + 2 * group], parameters[4 + 2 * group]
        low = parameters[0] - (greatest - numbers[2 * group + 1])
        high = parameters[1] - (least - numbers[2 * group])
        if low > numbers[2 * group] or high < numbers[2 * group + 1]:
            if factor < 0:
                factor, low, high = -factor, -high, -low
            if not narrow_group(live, offset(scope.cells, first), size, -(-low // factor), high // factor):
                return False
        first += size
    return True


@compiled
def unequal(live: LiveDomains, scope: Scope) -> bool:
    """Once a single term is open, rule out the value that completes the total. The parameters are the total and the factors."""
    rest = scope.parameters[0]
    unsettled = NOBODY
    for index in range(scope.size):
        domain = live.domains[scope.cells[index]]
        if is_single(domain):
            rest -= scope.parameters[1 + index] * smallest(domain)
        elif unsettled != NOBODY:
            return True
        else:
            unsettled = index
    if unsettled == NOBODY:
        return rest != 0
    factor = scope.parameters[1 + unsettled]
    value = rest // factor
    if value * factor != rest or value < 0 or value > HIGHEST:
        return True
    return narrow(live, scope.cells[unsettled], ~bit(value))
