"""The statements of a rule: each is some cells and a machine that reads their values."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from . import meanings_of_cages, meanings_of_clues, meanings_of_global_rules, meanings_of_lines
from .all_different_rules import all_different_cells
from .rule_machines import DIFFERENT, RuleMachine, Statement, Statements, conjunction
from .rule_meanings import MEANINGS, UNEXPLAINED, UnknownMeaning, on_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .certified_grid import CertifiedGrid
    from .certified_rules import CertifiedRule

FAMILIES = (meanings_of_global_rules, meanings_of_cages, meanings_of_lines, meanings_of_clues)
"""These modules register the meanings of their kinds of rules in the table."""


def statements_of(grid: CertifiedGrid, rule: CertifiedRule) -> list[Statement] | None:
    """Return the statements of a rule; None if its meaning is not known."""
    try:
        return list(_rule_statements(grid, rule))
    except UnknownMeaning:
        return None


def _rule_statements(grid: CertifiedGrid, rule: CertifiedRule) -> Statements:
    """Return the statements of a rule that may be inside another one, or raise `UnknownMeaning`."""
    cells = all_different_cells(grid, rule)
    if cells is not None:
        return [(some, DIFFERENT) for some in cells]
    if rule.kind in UNEXPLAINED:
        raise UnknownMeaning
    return list((JOINED | MEANINGS)[rule.kind](grid, **rule.fields))


# --- rules made of rules ----------------------------------------------------------------------------------------------


def all_of(grid: CertifiedGrid, rules: Sequence[CertifiedRule]) -> Statements:
    """Every rule holds."""
    return chain.from_iterable(_rule_statements(grid, rule) for rule in rules)


def any_of(grid: CertifiedGrid, rules: Sequence[CertifiedRule]) -> Statements:
    """At least one of the rules holds."""
    branches = [list(_rule_statements(grid, rule)) for rule in rules]
    cells = tuple(dict.fromkeys(cell for branch in branches for own, _ in branch for cell in own))
    wholes = [conjunction(cells, branch) for branch in branches]

    def step(state: tuple[Any, ...], place: int, value: int) -> Any:
        after = tuple(None if own is None else whole.step(own, place, value) for own, whole in zip(state, wholes, strict=True))
        return after if any(own is not None for own in after) else None

    def accept(state: tuple[Any, ...]) -> bool:
        return any(own is not None and whole.accept(own) for own, whole in zip(state, wholes, strict=True))

    return on_cells(cells, RuleMachine(tuple(whole.start for whole in wholes), step, accept))


JOINED: dict[str, Callable[..., Statements]] = {"all-of": all_of, "any-of": any_of, "repeated": all_of}
"""The meanings of rules made of rules; copies of a repeated rule are made where it is read."""
