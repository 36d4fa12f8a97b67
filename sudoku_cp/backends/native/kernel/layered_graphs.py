"""Tables and automata: paths through layered graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.native.kernel.bits import NONE, compiled, inlined
from sudoku_cp.backends.native.kernel.memory import narrow

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import GraphArcs, LiveDomains, Scope

FIRST_STATE, LAST_STATE = 0, 1


@compiled
def walk(live: LiveDomains, scope: Scope, graph: GraphArcs) -> bool:
    """Keep the values that lie on a path from the first state (0) to the last (1).

    The parameters are where the arcs of each layer start, and the last ends.
    """
    last = scope.size - 1
    graph.reached[FIRST_STATE] = 1
    passed = 0
    for layer in range(scope.size):
        passed = forward_layer(
            graph, scope.parameters[layer], scope.parameters[layer + 1], live.domains[scope.cells[layer]], passed
        )
        graph.ends[layer] = passed
    fits = graph.reached[LAST_STATE] != 0
    graph.useful[LAST_STATE] = 1
    for layer in range(last, -1, -1):
        first = graph.ends[layer - 1] if layer else 0
        kept = backward_layer(graph, first, graph.ends[layer])
        fits = fits and narrow(live, scope.cells[layer], kept)
    clear_marks(graph, passed)
    return fits


@inlined
def forward_layer(graph: GraphArcs, first: int, end: int, domain: Mask, passed: int) -> int:
    """Mark the states that a layer's arcs lead to; append the arcs to the ``passed`` ones, and return how many there are then."""
    arc = first
    while arc < end:
        # All arcs from one state are adjacent, and few states are ever reached.
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
def backward_layer(graph: GraphArcs, first: int, end: int) -> Mask:
    """Return the values on those of a layer's arcs that lead to the end, and mark the states they come from."""
    kept = NONE
    for index in range(first, end):
        arc = graph.passed[index]
        if graph.useful[graph.targets[arc]]:
            kept |= graph.labels[arc]
            graph.useful[graph.sources[arc]] = 1
    return kept


@inlined
def clear_marks(graph: GraphArcs, passed: int) -> None:
    """Clear all marks, for the next graph."""
    graph.reached[FIRST_STATE] = graph.useful[LAST_STATE] = 0
    for index in range(passed):
        arc = graph.passed[index]
        graph.reached[graph.targets[arc]] = 0
        graph.useful[graph.sources[arc]] = 0
