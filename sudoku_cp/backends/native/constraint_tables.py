"""Tables that propagators need besides their cells, made once for all constraints of the same shape."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, combinations, product
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.model import Domain, Relation, Table, members, to_mask
from sudoku_cp.model.layered_graph import layered_graph
from sudoku_cp.model.model import COMPARE, union_of
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from numpy.typing import NDArray


Pairs: TypeAlias = frozenset[tuple[int, ...]]

WORD, HALF = 64, 32
ONE = np.uint64(1)
BYTE = 8
MANY = 300
"""The most sets of one group: with more, sums over sets cost too much."""
MOST_ARCS = 4000
"""The most arcs of one layer of a graph that remembers which values it has read."""
KEPT = 4096
"""How many sets of a whole sum there is room for."""
FIRST, LAST = 0, 1
"""The states in which every path starts, and ends."""


# --- sets of values ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def set_masks(sets: frozenset[Domain], size: int) -> NDArray[np.uint64]:
    """Return those of the sets that have ``size`` values, as an array."""
    return np.array(sorted(one for one in sets if one.bit_count() == size and one < 1 << WORD), np.uint64)


@lru_cache(maxsize=4096)
def sums_of_sets(values: Domain, size: int, factor: int) -> tuple[NDArray[np.uint64], NDArray[np.int64], int] | None:
    """Return all sets of ``size`` values in order of their sums (times ``factor``), the sums minus the least one, and the least.

    Return None if there are more than `MANY` sets, or none.
    """
    if not 0 < comb(values.bit_count(), size) <= MANY:
        return None
    found = sorted((factor * sum(one), to_mask(one)) for one in combinations(members(values), size))
    least = found[0][0]
    return np.array([mask for _, mask in found], np.uint64), np.array([amount - least for amount, _ in found], np.int64), least


@lru_cache(maxsize=1024)
def wanted(values: frozenset[int]) -> Domain:
    """Return those of the values that a cell can have, as bits."""
    return to_mask(value for value in values if 0 <= value < WORD - 2)


# --- relations --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def sum_pairs(factor: int, opposite: int, relation: Relation, total: int, values: Domain) -> Pairs:
    """Return the pairs of values whose weighted sum is in that relation to the total."""
    test, span = COMPARE[relation], members(values)
    return frozenset((one, other) for one in span for other in span if test(factor * one + opposite * other, total))


@lru_cache(maxsize=4096)
def pair_table(pairs: Pairs, size: int) -> NDArray[np.uint64]:
    """Return, for each of the ``size`` bytes of a domain and each value of that byte, the partners it leaves; both ways."""
    bits = size * BYTE
    partners = [0] * (2 * bits)
    for one, other in pairs:
        if 0 <= one < bits and 0 <= other < bits:
            partners[one] |= 1 << other
            partners[bits + other] |= 1 << one
    single = np.array(partners, np.uint64).reshape(2 * size, BYTE)
    table = np.zeros((2 * size, 1), np.uint64)
    for place in range(BYTE):
        table = np.concatenate([table, table | single[:, place : place + 1]], axis=1)
    return table.ravel()


# --- graphs -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LayeredGraph:
    """A layered graph whose arcs are labelled with sets of values; ``starts`` says where the arcs of each layer start.

    ``domain`` has all values that its cells can hold.
    """

    domain: Domain
    states: int
    starts: tuple[int, ...]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    labels: NDArray[np.uint64]

    @cached_property
    def kinds(self) -> tuple[Domain, ...]:
        """The parts of the values that no label divides; none where those of all layers are too many for a word."""
        kinds = [self.domain]
        for label in set(self.labels.tolist()):
            kinds = [part for kind in kinds for part in (kind & label, kind & ~label) if part]
            if len(kinds) * (len(self.starts) - 1) > WORD:
                return ()
        return tuple(kinds)

    @cached_property
    def arcs(self) -> GraphArrays:
        """The arcs as the kernel reads them."""
        first = np.ones(len(self.sources), np.bool_)
        first[1:] = self.sources[1:] != self.sources[:-1]
        starts = np.flatnonzero(first)
        degrees = np.zeros(len(first), np.int32)
        degrees[starts] = np.diff(starts, append=len(first))
        places = np.zeros(self.states, np.int32)
        places[self.sources[starts]] = starts
        return GraphArrays(places[self.targets], self.labels, degrees)


class GraphArrays(NamedTuple):
    """A graph's arcs in columns: the first arc of the state that one leads to, its values, and how many its state has.

    The last holds of the first arc of each state; all arcs of a state are adjacent.
    """

    targets: NDArray[np.int32]
    labels: NDArray[np.uint64]
    degrees: NDArray[np.int32]


class _Edges(NamedTuple):
    """An automaton's edges in columns, its states numbered from 0."""

    states: NDArray[np.int64]
    sources: NDArray[np.int64]
    values: NDArray[np.int64]
    targets: NDArray[np.int64]


@lru_cache(maxsize=256)
def _edges(edges: frozenset[tuple[int, int, int]]) -> _Edges:
    """Return the edges in columns, without those whose values no cell can have."""
    table = np.fromiter(chain.from_iterable(edges), np.int64, 3 * len(edges)).reshape(-1, 3)
    table = table[(table[:, 1] >= 0) & (table[:, 1] < WORD)]
    states, numbers = np.unique(table[:, ::2], return_inverse=True)
    numbers = numbers.reshape(-1, 2)
    return _Edges(states, numbers[:, 0], table[:, 1], numbers[:, 1])


_Layers: TypeAlias = "list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]"
"""For each layer the states before its arcs, the states after them, and their values as bits."""


@lru_cache(maxsize=1024)
def automaton_graph(
    start: int,
    edges: frozenset[tuple[int, int, int]],
    accepting: frozenset[int],
    domains: tuple[Domain, ...],
    distinct: tuple[bool, ...] = (),
) -> LayeredGraph | None:
    """Return the graph of an automaton on cells with these domains, None where it accepts nothing.

    No path reads a value twice from cells that are ``distinct``, unless that graph would be too large to pay.
    """
    own = _edges(edges)
    wide = max(domains, default=0).bit_length() + len(own.states).bit_length() >= WORD
    found = None if wide or not any(distinct) else _layers_of_distinct(own, start, domains, distinct)
    layers, states = found or _layers_of_any(own, start, domains)
    alive = np.isin(own.states[states], list(accepting))
    size = len(own.states)
    for layer in ticked(range(len(layers) - 1, -1, -1), every=1):
        sources, targets, values = layers[layer]
        kept = np.flatnonzero(alive[targets])
        size = max(size, len(alive))
        layers[layer] = sources[kept], targets[kept], values[kept]
        before = len(layers[layer - 1][0]) + 1 if layer else 1
        alive = _mark_states(sources[kept], max(before, len(own.states)))
    return _number_states(layers, size, _union(domains)) if len(layers[0][0]) else None


@lru_cache(maxsize=256)
def has_disjoint_prefixes(start: int, edges: frozenset[tuple[int, int, int]], accepting: frozenset[int], length: int) -> bool:
    """Return whether the rest of whatever an automaton accepts determines the first ``length`` values, each 0 or 1.

    Pairs of states after different beginnings read the same rest; none must accept it twice.
    """
    after: dict[int, dict[int, list[int]]] = {}
    for before, value, end in ticked(edges):
        after.setdefault(before, {}).setdefault(value, []).append(end)
    states = [{start}]
    for _ in range(length):
        states = [{end for state in own for end in after.get(state, {}).get(value, ())} for own in states for value in (0, 1)]
    waiting = [*dict.fromkeys(pair for one, other in combinations(states, 2) for pair in product(one, other))]
    seen = set(waiting)
    for one, other in ticked(waiting):  # grows while it is walked
        if one in accepting and other in accepting:
            return False
        for value, ends in after.get(one, {}).items():
            fresh = [pair for pair in product(ends, after.get(other, {}).get(value, ())) if pair not in seen]
            seen.update(fresh)
            waiting += fresh
        if len(seen) > MOST_ARCS:
            return False
    return True


def _layers_of_any(own: _Edges, start: int, domains: tuple[Domain, ...]) -> tuple[_Layers, NDArray[Any]]:
    """Return the arcs that the start leads to, and the automaton's states by their numbers."""
    layers: _Layers = []
    alive = own.states == start
    for domain in ticked(domains, every=1):
        values = np.array([domain >> value & 1 for value in range(WORD)], np.bool_)
        arcs = np.flatnonzero(alive[own.sources] & values[own.values])
        alive = _mark_states(own.targets[arcs], len(own.states))
        layers.append((own.sources[arcs], own.targets[arcs], ONE << own.values[arcs].astype(np.uint64)))
    return layers, np.arange(len(own.states))


def _layers_of_distinct(
    own: _Edges, start: int, domains: tuple[Domain, ...], distinct: tuple[bool, ...]
) -> tuple[_Layers, NDArray[Any]] | None:
    """Return the arcs between pairs of a state and the values read so far, and the last states; None for too many."""
    order = np.argsort(own.sources, kind="stable")
    targets, bits, number = own.targets[order], 1 << own.values[order], len(own.states)
    first = np.searchsorted(own.sources[order], np.arange(number + 1))
    states = np.flatnonzero(own.states == start)
    used = np.zeros(len(states), np.int64)
    layers: _Layers = []
    for domain, remembers in ticked(zip(domains, distinct, strict=True), every=1):
        degrees = first[states + 1] - first[states]
        sources = np.repeat(np.arange(len(states)), degrees)
        arcs = np.arange(len(sources)) + np.repeat(first[states] - np.cumsum(degrees) + degrees, degrees)
        fits = np.flatnonzero(bits[arcs] & domain & ~(used[sources] if remembers else 0))
        if len(fits) > MOST_ARCS:
            return None
        sources, arcs = sources[fits], arcs[fits]
        pairs, names = np.unique((used[sources] | bits[arcs] * remembers) * number + targets[arcs], return_inverse=True)
        layers.append((sources, names, bits[arcs].astype(np.uint64)))
        states, used = pairs % number, pairs // number
    return layers, states


def _union(domains: tuple[Domain, ...]) -> Domain:
    return union_of(range(len(domains)), domains)


def _mark_states(states: NDArray[np.int64], number: int) -> NDArray[np.bool_]:
    marked = np.zeros(number, np.bool_)
    marked[states] = True
    return marked


def _number_states(layered: _Layers, number: int, domain: Domain) -> LayeredGraph:
    """Return the graph of arcs that all lie on some path: renumber the states, merge the arcs between two of them."""
    names = np.full(number, FIRST)
    states, starts = LAST + 1, [0]
    found = []
    for layer, (sources, targets, values) in ticked(enumerate(layered), every=1):
        if layer == len(layered) - 1:
            after = np.full(number, LAST)
        else:
            after = states - 1 + np.cumsum(_mark_states(targets, number))
            states = int(after[-1]) + 1
        ends = names[sources] << HALF | after[targets]
        order = np.argsort(ends, kind="stable")
        ends = ends[order]
        changes = np.flatnonzero(np.diff(ends, prepend=-1))
        found.append((ends[changes] >> HALF, ends[changes] & (1 << HALF) - 1, np.bitwise_or.reduceat(values[order], changes)))
        starts.append(starts[-1] + len(changes))
        names = after
    all_sources, all_targets, labels = (np.concatenate(column) for column in zip(*found, strict=True))
    return LayeredGraph(domain, states, tuple(starts), all_sources.astype(np.int32), all_targets.astype(np.int32), labels)


@lru_cache(maxsize=1024)
def table_graph(tuples: Pairs, domains: tuple[Domain, ...]) -> LayeredGraph | None:
    """Return the graph of a table on cells with these domains, None where none of its tuples fits.

    States that have the same continuations are merged into one.
    """
    layered = layered_graph(Table(tuple(range(len(domains))), tuples), domains)[1]
    if not all(layered):
        return None
    merged: list[dict[tuple[int, int], Domain]] = []
    names = {state: LAST for _, _, state in layered[-1]}
    states = 2
    for layer in reversed(layered):
        out: dict[int, dict[int, Domain]] = {}
        for state, value, after in ticked(layer):
            own = out.setdefault(state, {})
            own[names[after]] = own.get(names[after], 0) | 1 << value
        alike: dict[frozenset[tuple[int, Domain]], int] = {}
        names = {}
        first = len(merged) == len(layered) - 1
        arcs: dict[tuple[int, int], Domain] = {}
        for state, own in out.items():
            key = frozenset(own.items())
            if key not in alike:
                alike[key] = FIRST if first else states
                states += not first
                arcs |= {(alike[key], after): values for after, values in own.items()}
            names[state] = alike[key]
        merged.append(arcs)
    merged.reverse()
    starts = [0]
    for arcs in merged:
        starts.append(starts[-1] + len(arcs))
    joined = [(*ends, values) for arcs in merged for ends, values in arcs.items()]
    sources, targets, labels = zip(*joined, strict=True)
    ends = np.array(sources, np.int32), np.array(targets, np.int32)
    return LayeredGraph(_union(domains), states, tuple(starts), *ends, np.array(labels, np.uint64))
