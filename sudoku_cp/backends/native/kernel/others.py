"""Relations of two cells, clauses, counts, and paths through layered graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import uint64

from sudoku_cp.backends.native.kernel.bits import NONE, compiled, inlined, is_single
from sudoku_cp.backends.native.kernel.different import exclude
from sudoku_cp.backends.native.kernel.memory import NOBODY, behind, narrow

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import Graph, Live, Pointer, Scope, Sight

BYTE, VALUES = 8, 256
"""Bits of a byte, and how many values it has."""
FEW = 5
FIRST_STATE, LAST_STATE = 0, 1


# --- relations --------------------------------------------------------------------------------------------------


@inlined
def partners(table: Pointer, size: int, domain: Mask) -> Mask:
    """Return the values that go with some value of the domain; the table has them for each byte of a domain."""
    found = NONE
    for place in range(size):
        found |= table[place * VALUES + (domain >> uint64(BYTE * place) & uint64(VALUES - 1))]
    return found


@compiled
def relation(live: Live, scope: Scope, tables: Pointer) -> bool:
    """Each cell keeps what goes with the other. The parameters are the table's place and the bytes of a domain."""
    one, other, size = scope.cells[0], scope.cells[1], scope.told[1]
    table = behind(tables, scope.told[0])
    if not narrow(live, other, partners(table, size, live.domains[one])):
        return False
    return narrow(live, one, partners(behind(table, size * VALUES), size, live.domains[other]))


# --- clauses ----------------------------------------------------------------------------------------------------


@compiled
def clause(live: Live, scope: Scope) -> bool:
    """The last cell that can still make it true must. The parameters are the sets of values that make it true, a cell each."""
    last = NOBODY
    for index in range(scope.size):
        domain, wanted = live.domains[scope.cells[index]], uint64(scope.told[index])
        if domain & wanted:
            if domain & ~wanted == NONE:
                return True
            if last != NOBODY:
                return True
            last = index
    return last != NOBODY and narrow(live, scope.cells[last], uint64(scope.told[last]))


# --- counts -----------------------------------------------------------------------------------------------------


@compiled
def count(live: Live, scope: Scope, sight: Sight) -> bool:
    """So many cells hold a wanted value.

    The parameters are the wanted values; the least number, the greatest, and one it may not be; how many groups there are and
    the size of each. Of a group at most one cell may be wanted.
    """
    told = scope.told
    wanted, groups = uint64(told[0]), told[4]
    sure = possible = first = maybe = 0
    for group in range(groups):
        some = False
        for index in range(first, first + told[5 + group]):
            domain = live.domains[scope.cells[index]]
            if domain & wanted:
                some = True
                maybe += 1
                sure += domain & ~wanted == NONE
        possible += some
        first += told[5 + group]
    low, high = max(sure, told[1]), min(possible, told[2])
    low += low == told[3]
    high -= high == told[3]
    if low > high:
        return False
    if maybe == sure:
        return True
    if high == sure:
        return keep_out(live, scope, wanted)
    if low == possible:
        return fill_groups(live, scope, sight, wanted)
    return low == 0 or sure > 0 or not is_single(wanted) or exclude(live, sight, scope.cells, scope.size, wanted, FEW)


@compiled
def keep_out(live: Live, scope: Scope, wanted: Mask) -> bool:
    """No further cell holds a wanted value."""
    for index in range(scope.size):
        domain = live.domains[scope.cells[index]]
        if domain & wanted and domain & ~wanted and not narrow(live, scope.cells[index], ~wanted):
            return False
    return True


@compiled
def fill_groups(live: Live, scope: Scope, sight: Sight, wanted: Mask) -> bool:
    """Every group in which a cell may be wanted has one that is."""
    first = 0
    for group in range(scope.told[4]):
        size = scope.told[5 + group]
        found, last = 0, NOBODY
        for index in range(first, first + size):
            if live.domains[scope.cells[index]] & wanted:
                found += 1
                last = index
        if found == 1:
            if not narrow(live, scope.cells[last], wanted):
                return False
        elif found > 1 and not exclude(live, sight, behind(scope.cells, first), size, wanted, FEW):
            return False
        first += size
    return True


# --- graphs -----------------------------------------------------------------------------------------------------


@compiled
def walk(live: Live, scope: Scope, graph: Graph) -> bool:
    """Keep the values that lie on a path from the first state (0) to the last (1).

    The parameters are where the arcs of each layer start, and the last ends.
    """
    last = scope.size - 1
    graph.reached[FIRST_STATE] = 1
    passed = 0
    for layer in range(scope.size):
        passed = step(graph, scope.told[layer], scope.told[layer + 1], live.domains[scope.cells[layer]], passed)
        graph.ends[layer] = passed
    fits = graph.reached[LAST_STATE] != 0
    graph.useful[LAST_STATE] = 1
    for layer in range(last, -1, -1):
        first = graph.ends[layer - 1] if layer else 0
        kept = step_back(graph, first, graph.ends[layer])
        fits = fits and narrow(live, scope.cells[layer], kept)
    wipe(graph, passed)
    return fits


@inlined
def step(graph: Graph, first: int, end: int, domain: Mask, passed: int) -> int:
    """Mark the states that a layer's arcs lead to; note the arcs behind those ``passed``, and return how many are passed then."""
    arc = first
    while arc < end:
        # All arcs from one state stand together, and few states are ever reached.
        next_state = arc + graph.alike[arc]
        if graph.reached[graph.sources[arc]]:
            for own in range(arc, next_state):
                if graph.labels[own] & domain:
                    graph.reached[graph.targets[own]] = 1
                    graph.passed[passed] = own
                    passed += 1
        arc = next_state
    return passed


@inlined
def step_back(graph: Graph, first: int, end: int) -> Mask:
    """Return the values on those of a layer's arcs that lead to the end, and mark the states they come from."""
    kept = NONE
    for index in range(first, end):
        arc = graph.passed[index]
        if graph.useful[graph.targets[arc]]:
            kept |= graph.labels[arc]
            graph.useful[graph.sources[arc]] = 1
    return kept


@inlined
def wipe(graph: Graph, passed: int) -> None:
    """Take all marks away, for the next graph."""
    graph.reached[FIRST_STATE] = graph.useful[LAST_STATE] = 0
    for index in range(passed):
        arc = graph.passed[index]
        graph.reached[graph.targets[arc]] = 0
        graph.useful[graph.sources[arc]] = 0
