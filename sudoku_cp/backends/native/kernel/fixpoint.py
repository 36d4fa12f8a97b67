"""Propagation: run what waits, and wake what watches a changed cell, until nothing waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends.native.kernel import different, others, sets, setsums, sums
from sudoku_cp.backends.native.kernel.bits import NONE, compiled, inlined, is_single, smallest, without_lowest
from sudoku_cp.backends.native.kernel.memory import (
    BLAMED,
    CHANGED,
    MOST_RUNS,
    RUNS,
    Graph,
    Live,
    Pool,
    Scope,
    Sight,
    behind,
    bytes_at,
    cells_at,
    changed_cell,
    live_of,
    narrow,
    numbers_at,
    words_at,
)

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.memory import Addresses, Pointer

KINDS = (
    *("different", "relation", "clause", "count", "unequal"),
    *("digit set", "bounds"),
    *("exclusion", "set sums", "walk"),
)
"""The propagators, the quickest first: constraints are numbered in this order, and the lowest that waits is run."""
DIFFERENT, RELATION, CLAUSE, COUNT, UNEQUAL, DIGIT_SET, BOUNDS, EXCLUSION, SET_SUMS, WALK = range(len(KINDS))
SETTLED, FAILED, PAUSED = range(3)
WORD = 64


class Network(NamedTuple):
    """Who differs from whom, who watches whom, and who waits."""

    size: int
    words: int
    neighbour_starts: Pointer
    neighbours: Pointer
    watch_starts: Pointer
    watch_words: Pointer
    watch_bits: Pointer
    late_starts: Pointer
    late_words: Pointer
    late_bits: Pointer
    waiting: Pointer
    waiting_words: int


class Store(NamedTuple):
    """The constraints, and what their propagators need."""

    kinds: Pointer
    cell_starts: Pointer
    cells: Pointer
    told_starts: Pointer
    told: Pointer
    tables: Pointer
    numbers: Pointer


@inlined
def network_of(given: Addresses) -> Network:
    """Return the network."""
    return Network(
        given.size,
        given.words,
        cells_at(given.neighbour_starts),
        cells_at(given.neighbours),
        cells_at(given.watch_starts),
        cells_at(given.watch_words),
        words_at(given.watch_bits),
        cells_at(given.late_starts),
        cells_at(given.late_words),
        words_at(given.late_bits),
        words_at(given.waiting),
        (given.constraints + WORD - 1) // WORD,
    )


@inlined
def store_of(given: Addresses) -> Store:
    """Return the constraints."""
    return Store(
        cells_at(given.kinds),
        cells_at(given.cell_starts),
        cells_at(given.cells),
        cells_at(given.told_starts),
        numbers_at(given.told),
        words_at(given.tables),
        numbers_at(given.numbers),
    )


@inlined
def sight_of(given: Addresses) -> Sight:
    """Return who sees whom."""
    return Sight(words_at(given.rows), given.words, numbers_at(given.numbers))


@inlined
def pool_of(given: Addresses) -> Pool:
    """Return the sets of values."""
    return Pool(
        words_at(given.masks),
        numbers_at(given.amounts),
        words_at(given.kept_masks),
        numbers_at(given.kept_amounts),
        words_at(given.sums),
        behind(numbers_at(given.numbers), WORD),
    )


@inlined
def graph_of(given: Addresses) -> Graph:
    """Return the graphs."""
    return Graph(
        cells_at(given.sources),
        cells_at(given.targets),
        words_at(given.labels),
        cells_at(given.alike),
        bytes_at(given.reached),
        bytes_at(given.useful),
        cells_at(given.passed),
        cells_at(given.ends),
    )


@inlined
def wake(network: Network, cell: int) -> None:
    """Let everything that watches the cell wait for its run."""
    for index in range(network.watch_starts[cell], network.watch_starts[cell + 1]):
        network.waiting[network.watch_words[index]] |= network.watch_bits[index]


@inlined
def wake_late(network: Network, cell: int) -> None:
    """Let what watches for the cell to be decided wait for its run."""
    for index in range(network.late_starts[cell], network.late_starts[cell + 1]):
        network.waiting[network.late_words[index]] |= network.late_bits[index]


@compiled
def spread(live: Live, network: Network) -> bool:
    """Take the values of decided cells from their neighbours, and wake who watches a changed cell."""
    while live.control[CHANGED]:
        cell = changed_cell(live)
        domain = live.domains[cell]
        if is_single(domain):
            for index in range(network.neighbour_starts[cell], network.neighbour_starts[cell + 1]):
                if not narrow(live, network.neighbours[index], ~domain):
                    live.control[BLAMED] = ~network.neighbours[index]
                    return False
            wake_late(network, cell)
        wake(network, cell)
    return True


@inlined
def next_waiting(network: Network) -> int:
    """Return the first constraint that waits, which then waits no more; -1 when none does."""
    for word in range(network.waiting_words):
        waiting = network.waiting[word]
        if waiting:
            network.waiting[word] = without_lowest(waiting)
            return word * WORD + smallest(waiting)
    return -1


@inlined
def scope_of(store: Store, number: int) -> Scope:
    """Return the cells and parameters of a constraint."""
    first = store.cell_starts[number]
    size = store.cell_starts[number + 1] - first
    return Scope(behind(store.cells, first), size, behind(store.told, store.told_starts[number]))


@inlined
def run(live: Live, store: Store, sight: Sight, pool: Pool, graph: Graph, number: int) -> bool:  # noqa: PLR0911  # one a kind
    """Run a constraint's propagator; return False on a contradiction."""
    kind, scope = store.kinds[number], scope_of(store, number)
    if kind == DIFFERENT:
        return different.different(live, scope)
    if kind == RELATION:
        return others.relation(live, scope, store.tables)
    if kind == CLAUSE:
        return others.clause(live, scope)
    if kind == COUNT:
        return others.count(live, scope, sight)
    if kind == UNEQUAL:
        return sums.unequal(live, scope)
    if kind == DIGIT_SET:
        return sets.digit_set(live, scope, sight, pool.masks)
    if kind == BOUNDS:
        return sums.bounds(live, scope, pool.numbers)
    if kind == EXCLUSION:
        return different.exclusion(live, scope, sight)
    if kind == SET_SUMS:
        return setsums.set_sums(live, scope, sight, pool)
    return others.walk(live, scope, graph)


@compiled
def settle(given: Addresses) -> int:
    """Propagate until nothing waits (`SETTLED`), something is impossible (`FAILED`), or the time is up (`PAUSED`)."""
    live, network, store = live_of(given), network_of(given), store_of(given)
    sight, pool, graph = sight_of(given), pool_of(given), graph_of(given)
    while True:
        if not spread(live, network):
            return FAILED
        if live.control[RUNS] >= live.control[MOST_RUNS]:
            return PAUSED
        number = next_waiting(network)
        if number < 0:
            return SETTLED
        live.control[RUNS] += 1
        live.control[BLAMED] = number
        if not run(live, store, sight, pool, graph, number):
            return FAILED


@compiled
def forget(given: Addresses) -> None:
    """After a contradiction nothing waits any more."""
    live, network = live_of(given), network_of(given)
    while live.control[CHANGED]:
        changed_cell(live)
    for word in range(network.waiting_words):
        network.waiting[word] = NONE
