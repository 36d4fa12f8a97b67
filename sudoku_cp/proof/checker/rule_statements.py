"""The statements of a rule: each is some cells and a machine that reads their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import meanings_of_cages, meanings_of_clues, meanings_of_global_rules, meanings_of_lines
from .all_different_rules import ALL_DIFFERENT_RULES, all_different_cells
from .report import CheckLimitReached
from .rule_machines import DIFFERENT, Statement, Statements, disjunction
from .rule_meanings import MEANINGS, UNEXPLAINED, UnknownMeaning, on_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .certified_grid import CertifiedGrid
    from .certified_rules import CertifiedRule

FAMILIES = (meanings_of_global_rules, meanings_of_cages, meanings_of_lines, meanings_of_clues)
"""These modules register the meanings of their kinds of rules in the table."""


MAX_STATEMENT, STATEMENT_BYTES = 2000, 600
"""The most cells that a statement reads, repetitions counted; and the memory that one takes without its cells."""


def statements_of(grid: CertifiedGrid, rule: CertifiedRule) -> list[Statement] | None:
    """Return the statements of a rule; None if its meaning is not known."""
    try:
        return list(_rule_statements(grid, rule))
    except UnknownMeaning:
        return None


def _counted(grid: CertifiedGrid, statements: Statements) -> Statements:
    """Yield statements, each after its memory and the work of making it have been counted."""
    for cells, machine in statements:
        if len(cells) > MAX_STATEMENT:
            raise CheckLimitReached(f"a rule about more than {MAX_STATEMENT:,} cells at once")
        grid.budget.spend(5 + len(cells))
        grid.budget.hold(STATEMENT_BYTES + 8 * len(cells))
        yield cells, machine


def _rule_statements(grid: CertifiedGrid, rule: CertifiedRule) -> Statements:
    """Return the statements of a rule that may be inside another one, or raise `UnknownMeaning`."""
    if rule.kind in UNEXPLAINED:
        raise UnknownMeaning
    if rule.kind in JOINED:
        joined = JOINED[rule.kind](grid, **rule.fields)
        return _counted(grid, joined) if rule.kind == "any-of" else joined
    if rule.kind in ALL_DIFFERENT_RULES:
        return _counted(grid, ((cells, DIFFERENT) for cells in all_different_cells(grid, rule)))
    return _counted(grid, MEANINGS[rule.kind](grid, **rule.fields))


# --- rules made of rules ----------------------------------------------------------------------------------------------


def all_of(grid: CertifiedGrid, rules: Sequence[CertifiedRule]) -> Statements:
    """Every rule holds."""
    for rule in rules:
        grid.budget.spend(5)
        yield from _rule_statements(grid, rule)


def any_of(grid: CertifiedGrid, rules: Sequence[CertifiedRule]) -> Statements:
    """At least one of the rules holds."""
    branches = [list(_rule_statements(grid, rule)) for rule in rules]
    cells = sorted({cell for branch in branches for own, _ in branch for cell in own})
    return on_cells(cells, disjunction(cells, branches, grid.budget))


JOINED: dict[str, Callable[..., Statements]] = {"all-of": all_of, "any-of": any_of, "repeated": all_of}
"""The meanings of rules made of rules; copies of a repeated rule are made where it is read."""
