"""Tables and automata: paths through layered graphs.

The graph is searched depth first, as in Cheng and Yap, "An MDD-based generalized arc consistency algorithm for positive and
negative table constraints and some global constraints" (2010): a state that leads nowhere is left at once, one that leads to the
end is not entered twice, and a layer is left as soon as all values from there on have a path. A state is named by the first of
its arcs.

A graph that tells few kinds of values apart is not searched twice for the same cells: which kinds they may hold is a word, and
those that lie on a path another. Both are kept in a memory that all constraints with that graph share, where the newest
displaces what was there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import int64, uint64

from sudoku_cp.backends.native.kernel.bits import NONE, ONE, bit, compiled, inlined
from sudoku_cp.backends.native.kernel.memory import GraphArcs, narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Pointer, Scope

FIRST_STATE = 0
UNSEEN, DEAD, USEFUL = range(3)
"""What is known of a state: nothing, that it leads nowhere, or that it leads to the end."""


PLACE, MEMORY, NUMBER, FIRST_KIND = range(4)
"""The parameters: where the graph's arcs start, and its memory; how many kinds of values it distinguishes, and these.

There are none where the kinds of all cells take more than a word.
"""
MEMORY_BITS = 12
REMEMBERED = 1 << MEMORY_BITS
"""For how many words of kinds a memory has room."""
MIXING = uint64(0x9E3779B97F4A7C15)
"""An odd number that spreads words over the memory (Knuth's multiplicative hashing, with the golden ratio)."""
WORD = 64


@compiled
def walk(live: LiveDomains, scope: Scope, graph: GraphArcs) -> bool:
    """Keep the values that lie on a path from the first state to the end."""
    number = scope.parameters[NUMBER]
    if number == 0:
        fits = search_graph(live, scope, graph)
        for layer in range(scope.size - 1, -1, -1):
            fits = fits and narrow(live, scope.cells[layer], ~graph.missing[layer])
        return fits
    kinds = offset(scope.parameters, FIRST_KIND)
    held = kinds_held(live, scope, kinds, number)
    place = scope.parameters[MEMORY] + 2 * int64(held * MIXING >> uint64(WORD - MEMORY_BITS))
    if graph.memory[place] != held:
        graph.memory[place] = held
        graph.memory[place + 1] = kinds_on_paths(live, scope, graph, kinds, number)
    return keep_kinds(live, scope, kinds, number, held, graph.memory[place + 1])


@inlined
def kinds_held(live: LiveDomains, scope: Scope, kinds: Pointer, number: int) -> Mask:
    """Return which kinds of values the cells may hold, a bit for each kind of each cell."""
    held = NONE
    for layer in range(scope.size):
        domain = live.domains[scope.cells[layer]]
        for kind in range(number):
            if domain & uint64(kinds[kind]):
                held |= bit(layer * number + kind)
    return held


@inlined
def kinds_on_paths(live: LiveDomains, scope: Scope, graph: GraphArcs, kinds: Pointer, number: int) -> Mask:
    """Search the graph; return those of the kinds that lie on a path, none if there is no path."""
    kept = NONE
    if search_graph(live, scope, graph):
        for layer in range(scope.size):
            found = live.domains[scope.cells[layer]] & ~graph.missing[layer]
            for kind in range(number):
                if found & uint64(kinds[kind]):
                    kept |= bit(layer * number + kind)
    return kept


@inlined
def keep_kinds(live: LiveDomains, scope: Scope, kinds: Pointer, number: int, held: Mask, kept: Mask) -> bool:
    """Remove the values of the kinds that are held but not kept."""
    if kept == NONE:
        return False
    lost = held & ~kept
    for layer in range(scope.size - 1, -1, -1):
        if lost >> uint64(layer * number) == NONE:
            continue
        for kind in range(number):
            if lost & bit(layer * number + kind) and not narrow(live, scope.cells[layer], ~uint64(kinds[kind])):
                return False  # a cell that is read several times
        lost &= bit(layer * number) - ONE
    return True


@compiled
def search_graph(live: LiveDomains, scope: Scope, graph: GraphArcs) -> bool:
    """Find the values of each layer that are on no path (`GraphArcs.missing`); return whether there is any path."""
    place = scope.parameters[PLACE]
    graph = GraphArcs(
        offset(graph.targets, place),
        offset(graph.labels, place),
        offset(graph.degrees, place),
        graph.marks,
        graph.seen,
        graph.entered,
        graph.taken,
        graph.missing,
        graph.memory,
    )
    for layer in range(scope.size):
        graph.missing[layer] = live.domains[scope.cells[layer]]
    seen = find_paths(live, scope, graph)
    fits = graph.marks[FIRST_STATE] == USEFUL
    for index in range(seen):
        graph.marks[graph.seen[index]] = UNSEEN
    return fits


@inlined
def find_paths(live: LiveDomains, scope: Scope, graph: GraphArcs) -> int:
    """Take the values that lie on a path from the missing ones, and mark the states seen; return how many there are."""
    last = scope.size - 1
    settled = scope.size
    graph.seen[0] = graph.entered[0] = graph.taken[0] = FIRST_STATE
    graph.marks[FIRST_STATE] = DEAD
    layer, seen = 0, 1
    while layer >= 0:
        state, arc = graph.entered[layer], graph.taken[layer]
        if arc == state + graph.degrees[state] or (layer >= settled and graph.marks[state] == USEFUL):
            layer -= 1
            if layer >= 0:
                if graph.marks[state] == USEFUL:
                    settled = add_arc(graph, layer, settled)
                graph.taken[layer] += 1
            continue
        after = graph.targets[arc]
        values = graph.labels[arc] & live.domains[scope.cells[layer]]
        if values == NONE or (layer + 1 >= settled and graph.marks[state] == USEFUL and values & graph.missing[layer] == NONE):
            graph.taken[layer] = arc + 1
        elif layer < last and graph.marks[after] == UNSEEN:
            graph.marks[after] = DEAD  # until a path is found
            graph.seen[seen] = after
            seen += 1
            layer += 1
            graph.entered[layer] = graph.taken[layer] = after
        else:
            if layer == last or graph.marks[after] == USEFUL:
                settled = add_arc(graph, layer, settled)
            graph.taken[layer] = arc + 1
    return seen


@inlined
def add_arc(graph: GraphArcs, layer: int, settled: int) -> int:
    """The arc taken in this layer leads to the end: its values are not missing; return from which layer on none is."""
    graph.marks[graph.entered[layer]] = USEFUL
    graph.missing[layer] &= ~graph.labels[graph.taken[layer]]
    while settled > 0 and graph.missing[settled - 1] == NONE:
        settled -= 1
    return settled
