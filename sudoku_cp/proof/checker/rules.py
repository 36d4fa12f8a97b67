"""The rules of a puzzle, read anew from its JSON."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from .conditions import unfulfilled
from .fields import OffGrid, Origin, read_fields
from .report import Bad, need

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .grid import Grid

JOINED = {"any-of", "all-of", "repeated"}
"""Kinds of rules that are made of rules."""
DEEPEST, MOST = 8, 10_000
"""So many of them stand inside one another, and so many other rules, copies counted, inside one."""


class Rule(NamedTuple):
    """A rule with its fields, in which cells are numbers; ``told`` is its JSON.

    Inside a rule that is made of rules, ``rules`` are rules as well; those of one that is repeated are all copies.
    """

    kind: str
    fields: dict[str, Any]
    told: dict[str, Any]


def read_rule(told: Any, grid: Grid) -> Rule:
    """Return the rule that is told, or raise what is wrong with it."""
    depth, size = measure(told)
    need(depth <= DEEPEST, f"expected at most {DEEPEST} joined rules inside one another")
    need(size <= MOST, f"expected at most {MOST:,} rules inside one, copies counted")
    return _read(told, Origin(grid))


def measure(told: Any, depth: int = 0) -> tuple[int, int]:
    """Return how many joined rules stand inside one another (one more than allowed is enough), and how many others inside."""
    rules = told.get("rules") if isinstance(told, dict) and told.get("kind") in [*JOINED] else None
    if not isinstance(rules, list) or depth > DEEPEST:
        return (depth, 1)
    shifts = told.get("shifts") if told["kind"] == "repeated" else None
    inside = [measure(rule, depth + 1) for rule in rules]
    copies = 1 + len(shifts) if isinstance(shifts, list) else 1
    return max((deep for deep, _ in inside), default=depth + 1), copies * sum(size for _, size in inside)


def _read(told: Any, origin: Origin) -> Rule:
    """Return a rule that may be moved, or raise `OffGrid` where it would leave the grid."""
    told = {"kind": told} if isinstance(told, str) else told
    kind = told.get("kind") if isinstance(told, dict) else None
    need(isinstance(kind, str), f"expected a rule, got {told!r:.80}")
    kind = str(kind)
    fields = read_fields(kind, told, origin)
    if problems := [*unfulfilled(kind, origin.grid, fields)]:
        raise Bad(*problems)
    if kind in JOINED:
        shifts = fields.pop("shifts", [])
        fields["rules"] = [_inside(kind, rule, origin) for rule in fields["rules"]]
        fields["rules"] += _copies(told["rules"], shifts, origin)
    return Rule(kind, fields, told)


def _inside(kind: str, told: Any, origin: Origin) -> Rule:
    try:
        return _read(told, origin)
    except Bad as bad:
        raise Bad(*(f"{kind}, rules: {problem}" for problem in bad.args)) from bad


def _copies(rules: list[Any], shifts: list[list[int]], origin: Origin) -> Iterator[Rule]:
    """Yield the rules moved by each shift, but those that would leave the grid."""
    grid, down, right = origin
    for (farther_down, farther_right), rule in product(shifts, rules):
        try:
            yield _inside("repeated", rule, Origin(grid, down + farther_down, right + farther_right))
        except OffGrid:
            continue
