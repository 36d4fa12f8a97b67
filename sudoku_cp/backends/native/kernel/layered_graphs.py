"""Tables and automata: paths through layered graphs.

The graph is searched depth first, as in Cheng and Yap, "An MDD-based generalized arc consistency algorithm for positive and
negative table constraints and some global constraints" (2010): a state that leads nowhere is left at once, one that leads to the
end is not entered twice, and a layer is left as soon as all values from there on have a path. A state is named by the first of
its arcs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.native.kernel.bits import NONE, compiled, inlined
from sudoku_cp.backends.native.kernel.memory import GraphArcs, narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Scope

FIRST_STATE = 0
UNSEEN, DEAD, USEFUL = range(3)
"""What is known of a state: nothing, that it leads nowhere, or that it leads to the end."""


@compiled
def walk(live: LiveDomains, scope: Scope, graph: GraphArcs) -> bool:
    """Keep the values that lie on a path from the first state to the end. The parameter is where the graph's arcs start."""
    place = scope.parameters[0]
    graph = GraphArcs(
        offset(graph.targets, place),
        offset(graph.labels, place),
        offset(graph.degrees, place),
        graph.marks,
        graph.seen,
        graph.entered,
        graph.taken,
        graph.missing,
    )
    for layer in range(scope.size):
        graph.missing[layer] = live.domains[scope.cells[layer]]
    seen = find_paths(live, scope, graph)
    fits = graph.marks[FIRST_STATE] == USEFUL
    for index in range(seen):
        graph.marks[graph.seen[index]] = UNSEEN
    for layer in range(scope.size - 1, -1, -1):
        fits = fits and narrow(live, scope.cells[layer], ~graph.missing[layer])
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
