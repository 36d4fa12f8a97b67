"""What rules mean: a table with a function for each kind of rule, which returns statements about cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rule_machines import Cells, RuleMachine, Statements, keep_all, neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class UnknownMeaning(Exception):
    """The checker does not know what the rule means here."""


MEANINGS: dict[str, Callable[..., Statements]] = {}
"""The meaning of each kind of rule: takes the grid and the rule's fields, and returns statements."""
UNEXPLAINED = {
    "chaos-construction",
    "connected-values",
    "doppelganger",
    "full-rank",
    "regular-expression",
    "same-values-in-regions",
}
"""The kinds of rules without a meaning here: their clauses can only be taken on trust."""


def meaning(rule: Callable[..., Statements]) -> Callable[..., Statements]:
    """Register a function in the table under the kind of rule that it is named after."""
    MEANINGS[rule.__name__.replace("_", "-")] = rule
    return rule


def on_cells(cells: Cells, machine: RuleMachine) -> Statements:
    """Return one statement about some cells."""
    return [(tuple(cells), machine)]


def on_distinct_cells(cells: Cells, machine: RuleMachine) -> Statements:
    """Return one statement about some cells, each of them read once."""
    return [(tuple(dict.fromkeys(cells)), machine)]


def on_each_cell(cells: Cells, holds: Callable[[int], bool]) -> Statements:
    """Yield the same statement about every cell."""
    machine = keep_all(holds)
    return (((cell,), machine) for cell in cells)


def on_each_pair(some: Iterable[tuple[int, int]], holds: Callable[[int, int], bool]) -> Statements:
    """Yield the same statement about every pair."""
    machine = neighbours(holds)
    return ((pair, machine) for pair in some)
