"""Sums, counts, tables and automata of more than two cells as clauses by which unit propagation misses little.

The walk through the cells is that of `sudoku_cp.model.layered_graph`: in each layer one state is true. The clauses for solvers
(`sudoku_cp.model.rewrite`) say what a state and a value lead to. These say besides, for states before, values and states after,
that each needs one of the others that it shares an arc with: so a cell of which every value left leads to the same state decides
that state, as a person sees it.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model.layered_graph import layered_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from sudoku_cp.model import Automaton, Count, Domain, Linear, Table
    from sudoku_cp.model.layered_graph import Layer

TRUE, FALSE = -2, -1
"""Literals of what is certain, each the other one's negation (``literal ^ 1``)."""
Roles: TypeAlias = "tuple[Mapping[int, int], Mapping[int, int], Mapping[int, int]]"
"""The literals of the states before, the values and the states after a layer."""


def graph_clauses(
    constraint: Linear | Count | Table | Automaton,
    live: Sequence[Domain],
    literal_of: Callable[[int, int], int],
    fresh: Callable[[], int],
) -> Iterator[tuple[int, ...]]:
    """Yield the clauses of a constraint over the live candidates; ``fresh`` returns the literals of new auxiliaries."""
    cells, graph = layered_graph(constraint, live)
    if not all(graph):
        yield ()
        return
    before = {0: TRUE}
    for cell, layer in zip(cells, graph, strict=True):
        ends = dict.fromkeys(end for _, _, end in layer)
        after = {end: fresh() for end in ends} if len(ends) > 1 else dict.fromkeys(ends, TRUE)
        domain = live[cell]
        values = [value for value in range(domain.bit_length()) if domain >> value & 1]
        letters = {value: literal_of(cell, value) for value in values} if len(values) > 1 else dict.fromkeys(values, TRUE)
        for clause in _layer_clauses((before, letters, after), layer):
            if TRUE not in clause:
                yield tuple(literal for literal in clause if literal != FALSE)
        before = after


def _layer_clauses(roles: Roles, layer: Layer) -> Iterator[tuple[int, ...]]:
    before, letters, after = roles
    yield tuple(after.values())
    yield from ((one ^ 1, other ^ 1) for one, other in combinations(after.values(), 2))
    for one, other in permutations(range(3), 2):
        shared: dict[int, dict[int, None]] = {item: {} for item in roles[one]}
        for arc in layer:
            shared[arc[one]][arc[other]] = None
        for item, partners in shared.items():
            if len(partners) < len(roles[other]):
                yield (roles[one][item] ^ 1, *(roles[other][partner] for partner in partners))
    ends: dict[tuple[int, int], list[int]] = {}
    for start, value, end in layer:
        ends.setdefault((start, value), []).append(after[end])
    for start, first in before.items():
        for value, second in letters.items():
            yield (first ^ 1, second ^ 1, *ends.get((start, value), ()))
