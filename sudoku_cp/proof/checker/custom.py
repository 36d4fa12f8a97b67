"""What rules of one's own mean, and rules made of rules."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from .machines import Cells, Machine, Statements, in_order
from .meanings import MEANINGS, every_two, meaning, one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .grid import Grid

# --- rules of one's own -----------------------------------------------------------------------------------------------


MEANINGS |= {
    "pairs-in-order": lambda _, cells, pairs: one(cells, in_order(lambda a, b: [a, b] in pairs)),
    "pairs-of-all": lambda _, cells, pairs: every_two(combinations(cells, 2), lambda a, b: [a, b] in pairs),
}


@meaning
def automaton(
    _: Grid, cells: Cells, start: Sequence[int], edges: Sequence[Sequence[int]], accepting: Sequence[int]
) -> Statements:
    """The values lead from a start to an accepting state."""
    after: dict[tuple[int, int], set[int]] = {}
    for before, value, end in edges:
        after.setdefault((before, value), set()).add(end)

    def step(states: frozenset[int], _: int, value: int) -> Any:
        return frozenset().union(*(after.get((state, value), ()) for state in states)) or None

    return one(cells, Machine(frozenset(start), step, lambda states: not states.isdisjoint(accepting)))
