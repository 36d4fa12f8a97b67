"""What a rule of the puzzle says: its statements, each of some cells and a machine that reads their values."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from . import cages, clues, custom, everywhere, lines
from .differing import differing
from .machines import DIFFERENT, Machine, Statement, Statements, together
from .meanings import MEANINGS, UNEXPLAINED, Unknown, one

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .grid import Grid
    from .rules import Rule

FAMILIES = (everywhere, cages, lines, clues, custom)
"""What each kind means is told in these files; they enter it in the table."""


def statements(grid: Grid, rule: Rule) -> list[Statement] | None:
    """Return what a rule says; None where that is not known."""
    try:
        return list(_said(grid, rule))
    except Unknown:
        return None


def _said(grid: Grid, rule: Rule) -> Statements:
    """Return what a rule says that may be a part of another one."""
    cells = differing(grid, rule)
    if cells is not None:
        return [(some, DIFFERENT) for some in cells]
    if rule.kind in UNEXPLAINED:
        raise Unknown
    return list((JOINED | MEANINGS)[rule.kind](grid, **rule.fields))


# --- rules made of rules ----------------------------------------------------------------------------------------------


def all_of(grid: Grid, rules: Sequence[Rule]) -> Statements:
    """Every rule holds."""
    return chain.from_iterable(_said(grid, rule) for rule in rules)


def any_of(grid: Grid, rules: Sequence[Rule]) -> Statements:
    """At least one of the rules holds."""
    branches = [list(_said(grid, rule)) for rule in rules]
    cells = tuple(dict.fromkeys(cell for branch in branches for own, _ in branch for cell in own))
    wholes = [together(cells, branch) for branch in branches]

    def step(state: tuple[Any, ...], place: int, value: int) -> Any:
        after = tuple(None if own is None else whole.step(own, place, value) for own, whole in zip(state, wholes, strict=True))
        return after if any(own is not None for own in after) else None

    def accept(state: tuple[Any, ...]) -> bool:
        return any(own is not None and whole.accept(own) for own, whole in zip(state, wholes, strict=True))

    return one(cells, Machine(tuple(whole.start for whole in wholes), step, accept))


JOINED: dict[str, Callable[..., Statements]] = {"all-of": all_of, "any-of": any_of, "repeated": all_of}
"""The copies of a rule that is repeated are made where it is read."""
