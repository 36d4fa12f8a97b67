"""What rules mean: each kind says of which cells what holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .machines import Cells, Machine, Statements, in_order, test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Unknown(Exception):
    """It is not known what the rule means here."""


MEANINGS: dict[str, Callable[..., Statements]] = {}
"""What each kind of rule says of which cells."""
UNEXPLAINED = {
    "chaos-construction",
    "connected-values",
    "doppelganger",
    "full-rank",
    "regular-expression",
    "same-values-in-regions",
}
"""The kinds of rules whose meaning is told nowhere here: their clauses can only be taken on trust."""


def meaning(rule: Callable[..., Statements]) -> Callable[..., Statements]:
    """Enter a rule in the table by the kind that its name tells."""
    MEANINGS[rule.__name__.replace("_", "-")] = rule
    return rule


def one(cells: Cells, machine: Machine) -> Statements:
    """Say one thing of some cells."""
    return [(tuple(cells), machine)]


def once(cells: Cells, machine: Machine) -> Statements:
    """Say one thing of some cells, each of them read once."""
    return [(tuple(dict.fromkeys(cells)), machine)]


def each(cells: Cells, holds: Callable[[int], bool]) -> Statements:
    """Say the same of every cell."""
    machine = test(holds)
    return [((cell,), machine) for cell in cells]


def every_two(some: Iterable[tuple[int, int]], holds: Callable[[int, int], bool]) -> Statements:
    """Say the same of every pair."""
    machine = in_order(holds)
    return [(pair, machine) for pair in some]
