"""Meanings of custom rules: pairs of values and automata."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from .rule_machines import Cells, RuleMachine, Statements, neighbours
from .rule_meanings import MEANINGS, meaning, on_cells, on_each_pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .certified_grid import CertifiedGrid

MEANINGS |= {
    "pairs-in-order": lambda _, cells, pairs: on_cells(cells, neighbours(lambda a, b: [a, b] in pairs)),
    "pairs-of-all": lambda _, cells, pairs: on_each_pair(combinations(cells, 2), lambda a, b: [a, b] in pairs),
}


@meaning
def automaton(
    _: CertifiedGrid, cells: Cells, start: Sequence[int], edges: Sequence[Sequence[int]], accepting: Sequence[int]
) -> Statements:
    """The values lead from a start to an accepting state."""
    after: dict[tuple[int, int], set[int]] = {}
    for before, value, end in edges:
        after.setdefault((before, value), set()).add(end)

    def step(states: frozenset[int], _: int, value: int) -> Any:
        return frozenset().union(*(after.get((state, value), ()) for state in states)) or None

    return on_cells(cells, RuleMachine(frozenset(start), step, lambda states: not states.isdisjoint(accepting)))
