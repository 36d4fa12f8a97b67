"""Propagation to a fixpoint: run the waiting constraints, and wake those that watch a changed cell, until none is waiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numba import uint64

from sudoku_cp.backends.native.kernel import all_different, connections, digit_sets, layered_graphs, regions, sum_bounds
from sudoku_cp.backends.native.kernel.all_different import PAIR, PAIRED, WatchedHouses, exclude
from sudoku_cp.backends.native.kernel.bits import (
    NONE,
    ONE,
    bit,
    compiled,
    inlined,
    is_single,
    lowest,
    size_of,
    smallest,
    without_lowest,
)
from sudoku_cp.backends.native.kernel.memory import (
    BLAMED,
    CHANGED,
    NOBODY,
    NODES,
    RUNS,
    SLICE_END,
    GraphArcs,
    LiveDomains,
    Neighbourhood,
    Scope,
    ValueSets,
    bytes_at,
    cells_at,
    live_of,
    narrow,
    numbers_at,
    offset,
    pop_changed,
    words_at,
)

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import Addresses, Pointer


KINDS = (
    *("relation", "clause", "count", "unequal"),
    *("digit set", "bounds", "house", "different"),
    *("exclusion", "connected", "set sums", "walk"),
    "regions",
)
"""The propagators: constraints are numbered in this order, and the lowest one waiting is run.

The quickest come first. Those of houses wait for those of clues, though they take no longer: nearly every change wakes many of
them, and few of them find a contradiction. A search of connected cells takes longer than any of these, and waits for them; a
search of regions waits for everything.
"""
RELATION, CLAUSE, COUNT, UNEQUAL, DIGIT_SET, BOUNDS, HOUSE, DIFFERENT, *_REST = range(len(KINDS))
EXCLUSION, CONNECTED, SET_SUMS, WALK, REGIONS = _REST
FIXPOINT, FAILED, PAUSED = range(3)
WORD = 64


class Network(NamedTuple):
    """The houses of cells, which constraints watch a cell, and which are waiting."""

    house_starts: Pointer
    house_numbers: Pointer
    first_house: int
    houses: WatchedHouses
    watch_starts: Pointer
    watch_words: Pointer
    watch_bits: Pointer
    late_starts: Pointer
    late_words: Pointer
    late_bits: Pointer
    ends_starts: Pointer
    ends_words: Pointer
    ends_bits: Pointer
    waiting: Pointer
    waiting_words: int


class ConstraintStore(NamedTuple):
    """The constraints, and what their propagators need."""

    kinds: Pointer
    cell_starts: Pointer
    cells: Pointer
    parameter_starts: Pointer
    parameters: Pointer
    tables: Pointer
    numbers: Pointer
    visits: Pointer
    areas: Pointer
    seen_labels: Pointer


@inlined
def network_of(addresses: Addresses) -> Network:
    """Return the network."""
    return Network(
        cells_at(addresses.house_starts),
        cells_at(addresses.house_numbers),
        addresses.first_house,
        WatchedHouses(words_at(addresses.house_rows), words_at(addresses.lost)),
        cells_at(addresses.watch_starts),
        cells_at(addresses.watch_words),
        words_at(addresses.watch_bits),
        cells_at(addresses.late_starts),
        cells_at(addresses.late_words),
        words_at(addresses.late_bits),
        cells_at(addresses.ends_starts),
        cells_at(addresses.ends_words),
        words_at(addresses.ends_bits),
        words_at(addresses.waiting),
        (addresses.constraints + WORD - 1) // WORD,
    )


@inlined
def store_of(addresses: Addresses) -> ConstraintStore:
    """Return the constraints."""
    return ConstraintStore(
        cells_at(addresses.kinds),
        cells_at(addresses.cell_starts),
        cells_at(addresses.cells),
        cells_at(addresses.parameter_starts),
        numbers_at(addresses.parameters),
        words_at(addresses.tables),
        numbers_at(addresses.numbers),
        cells_at(addresses.visits),
        cells_at(addresses.areas),
        words_at(addresses.seen_labels),
    )


@inlined
def neighbourhood_of(addresses: Addresses) -> Neighbourhood:
    """Return which cells see each other."""
    return Neighbourhood(
        numbers_at(addresses.first_rows),
        words_at(addresses.rows),
        addresses.words,
        offset(words_at(addresses.domains), addresses.size),
        numbers_at(addresses.numbers),
    )


@inlined
def value_sets_of(addresses: Addresses) -> ValueSets:
    """Return the sets of values."""
    return ValueSets(
        words_at(addresses.masks),
        numbers_at(addresses.amounts),
        words_at(addresses.kept_masks),
        numbers_at(addresses.kept_amounts),
        words_at(addresses.sums),
        offset(numbers_at(addresses.numbers), WORD),
    )


@inlined
def graph_arcs_of(addresses: Addresses) -> GraphArcs:
    """Return the graphs."""
    return GraphArcs(
        cells_at(addresses.targets),
        words_at(addresses.labels),
        cells_at(addresses.degrees),
        bytes_at(addresses.marks),
        cells_at(addresses.seen),
        cells_at(addresses.entered),
        cells_at(addresses.taken),
        words_at(addresses.missing),
        words_at(addresses.memory),
    )


@inlined
def wake_watchers(network: Network, cell: int) -> None:
    """Queue all constraints that watch every change of the cell."""
    for index in range(network.watch_starts[cell], network.watch_starts[cell + 1]):
        network.waiting[network.watch_words[index]] |= network.watch_bits[index]


@inlined
def wake_decision_watchers(network: Network, cell: int) -> None:
    """Queue the constraints that watch only for the cell's decision."""
    for index in range(network.late_starts[cell], network.late_starts[cell + 1]):
        network.waiting[network.late_words[index]] |= network.late_bits[index]


@inlined
def wake_ends_watchers(network: Network, cell: int) -> None:
    """Queue the constraints that watch only for the cell's least and greatest values."""
    for index in range(network.ends_starts[cell], network.ends_starts[cell + 1]):
        network.waiting[network.ends_words[index]] |= network.ends_bits[index]


@inlined
def note_removed(network: Network, neighbourhood: Neighbourhood, cell: int, domain: Mask, removed: Mask) -> None:
    """Note that a cell does not hold the removed values, and in its houses that they lost a place, and that two are left."""
    lost = removed | PAIRED if size_of(domain) == PAIR else removed
    for index in range(network.house_starts[cell], network.house_starts[cell + 1]):
        network.houses.lost[network.house_numbers[index]] |= lost
    word, others = cell // WORD, ~bit(cell % WORD)
    while removed:
        neighbourhood.holders[smallest(removed) * neighbourhood.words + word] &= others
        removed = without_lowest(removed)


@inlined
def exclude_from_neighbours(live: LiveDomains, neighbourhood: Neighbourhood, cell: int, domain: Mask) -> bool:
    """Remove the value of a decided cell from the cells that see it."""
    value, words = smallest(domain), neighbourhood.words
    row = offset(neighbourhood.rows, (neighbourhood.first_rows[value] + cell) * words)
    for word in range(words):
        seen = row[word] & neighbourhood.holders[value * words + word]
        while seen:
            other = word * WORD + smallest(seen)
            seen = without_lowest(seen)
            if not narrow(live, other, ~domain):
                live.control[BLAMED] = ~other
                return False
    return True


@compiled
def propagate_changes(live: LiveDomains, network: Network, neighbourhood: Neighbourhood) -> bool:
    """Remove the values of decided cells from their neighbours, and wake the watchers of changed cells."""
    while live.control[CHANGED]:
        cell, removed = pop_changed(live)
        domain = live.domains[cell]
        note_removed(network, neighbourhood, cell, domain, removed)
        if is_single(domain):
            if not exclude_from_neighbours(live, neighbourhood, cell, domain):
                return False
            wake_decision_watchers(network, cell)
        if removed > domain or removed & (lowest(domain) - ONE):
            wake_ends_watchers(network, cell)
        wake_watchers(network, cell)
    return True


@inlined
def next_waiting(network: Network) -> int:
    """Remove the first waiting constraint from the queue and return it; -1 if there is none."""
    for word in range(network.waiting_words):
        waiting = network.waiting[word]
        if waiting:
            network.waiting[word] = without_lowest(waiting)
            return word * WORD + smallest(waiting)
    return -1


@inlined
def scope_of(store: ConstraintStore, number: int) -> Scope:
    """Return the cells and parameters of a constraint."""
    first = store.cell_starts[number]
    size = store.cell_starts[number + 1] - first
    return Scope(offset(store.cells, first), size, offset(store.parameters, store.parameter_starts[number]))


@inlined
def run_propagator(  # noqa: C901, PLR0911  # one for each kind
    live: LiveDomains,
    network: Network,
    store: ConstraintStore,
    neighbourhood: Neighbourhood,
    value_sets: ValueSets,
    graph: GraphArcs,
    number: int,
) -> bool:
    """Run a constraint's propagator; return False on a contradiction."""
    kind, scope = store.kinds[number], scope_of(store, number)
    if kind == RELATION:
        return relation(live, scope, store.tables)
    if kind == CLAUSE:
        return clause(live, scope)
    if kind == COUNT:
        return count(live, scope, neighbourhood)
    if kind == UNEQUAL:
        return sum_bounds.unequal(live, scope)
    if kind == DIGIT_SET:
        return digit_sets.digit_set(live, scope, neighbourhood, value_sets.masks)
    if kind == BOUNDS:
        return sum_bounds.bounds(live, scope, value_sets.numbers)
    if kind == CONNECTED:
        return connections.connected(live, scope, store.visits, store.areas)
    if kind == HOUSE:
        return all_different.house(live, scope, network.houses, neighbourhood, number - network.first_house)
    if kind == DIFFERENT:
        return all_different.different(live, scope)
    if kind == EXCLUSION:
        return all_different.exclusion(live, scope, neighbourhood)
    if kind == SET_SUMS:
        return sum_bounds.set_sums(live, scope, neighbourhood, value_sets)
    if kind == REGIONS:
        return regions.regions(live, scope, store.visits, value_sets.kept_masks, store.seen_labels)
    return layered_graphs.walk(live, scope, graph)


@compiled
def propagate(addresses: Addresses) -> int:
    """Propagate until nothing is waiting (`FIXPOINT`), there is a contradiction (`FAILED`), or the slice is over (`PAUSED`)."""
    live, network, store = live_of(addresses), network_of(addresses), store_of(addresses)
    neighbourhood, value_sets, graph = neighbourhood_of(addresses), value_sets_of(addresses), graph_arcs_of(addresses)
    while True:
        if live.control[RUNS] + live.control[NODES] >= live.control[SLICE_END]:
            return PAUSED
        if not propagate_changes(live, network, neighbourhood):
            return FAILED
        number = next_waiting(network)
        if number < 0:
            return FIXPOINT
        live.control[RUNS] += 1
        live.control[BLAMED] = number
        if not run_propagator(live, network, store, neighbourhood, value_sets, graph, number):
            return FAILED


@compiled
def clear_queue(addresses: Addresses) -> None:
    """Empty the queue and the stack of changes after a contradiction."""
    live, network = live_of(addresses), network_of(addresses)
    while live.control[CHANGED]:
        pop_changed(live)
    for word in range(network.waiting_words):
        network.waiting[word] = NONE
    for house in range(addresses.house_count):
        network.houses.lost[house] = NONE


# Counts: how many cells hold a wanted value.


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


# Relations of two cells, and clauses.


BYTE, VALUES = 8, 256
"""The bits of a byte, and how many values it can have."""


@inlined
def partners(table: Pointer, size: int, domain: Mask) -> Mask:
    """Return the values compatible with some value of the domain; the table has them for each byte of a domain."""
    found = NONE
    for place in range(size):
        found |= table[place * VALUES + (domain >> uint64(BYTE * place) & uint64(VALUES - 1))]
    return found


@compiled
def relation(live: LiveDomains, scope: Scope, tables: Pointer) -> bool:
    """Keep in each cell the values compatible with the other. The parameters are the table's place and the bytes of a domain."""
    one, other, size = scope.cells[0], scope.cells[1], scope.parameters[1]
    table = offset(tables, scope.parameters[0])
    if not narrow(live, other, partners(table, size, live.domains[one])):
        return False
    return narrow(live, one, partners(offset(table, size * VALUES), size, live.domains[other]))


@compiled
def clause(live: LiveDomains, scope: Scope) -> bool:
    """If only one cell can still make the clause true, narrow it. The parameters are each cell's values that make it true."""
    last = NOBODY
    for index in range(scope.size):
        domain, wanted = live.domains[scope.cells[index]], uint64(scope.parameters[index])
        if domain & wanted:
            if domain & ~wanted == NONE:
                return True
            if last != NOBODY:
                return True
            last = index
    return last != NOBODY and narrow(live, scope.cells[last], uint64(scope.parameters[last]))
