"""The rules of a puzzle, read from its JSON."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from .field_conditions import check_conditions
from .report import Rejected, require, shown
from .rule_fields import OffGrid, RulePlacement, read_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .certified_grid import CertifiedGrid

JOINED = {"any-of", "all-of", "repeated"}
"""Kinds of rules that are made of rules."""
MAX_DEPTH, MAX_INNER_RULES, RULE_BYTES = 8, 10_000, 800
"""How deep they may be nested, how many other rules one may contain, copies counted, and the memory of one without its cells."""


class CertifiedRule(NamedTuple):
    """A rule with its fields, in which cells are numbers; ``source`` is its JSON.

    Inside a rule that is made of rules, ``rules`` are rules as well; those of one that is repeated are all copies.
    """

    kind: str
    fields: dict[str, Any]
    source: dict[str, Any]


def read_rule(grid: CertifiedGrid, data: Any) -> CertifiedRule:
    """Read a rule, or raise `Rejected` with what is wrong with it."""
    depth, size = measure(data)
    require(depth <= MAX_DEPTH, f"expected at most {MAX_DEPTH} joined rules inside one another")
    require(size <= MAX_INNER_RULES, f"expected at most {MAX_INNER_RULES:,} rules inside one, copies counted")
    return _read_moved_rule(data, RulePlacement(grid))


def measure(data: Any, depth: int = 0) -> tuple[int, int]:
    """Return how deep joined rules are nested (one more than allowed is enough), and how many other rules are inside."""
    rules = data.get("rules") if isinstance(data, dict) and data.get("kind") in [*JOINED] else None
    if not isinstance(rules, list) or depth > MAX_DEPTH:
        return (depth, 1)
    shifts = data.get("shifts") if data["kind"] == "repeated" else None
    inside = [measure(rule, depth + 1) for rule in rules]
    copies = 1 + len(shifts) if isinstance(shifts, list) else 1
    return max((deep for deep, _ in inside), default=depth + 1), copies * sum(size for _, size in inside)


def _read_moved_rule(data: Any, placement: RulePlacement) -> CertifiedRule:
    """Read a rule that may be moved, or raise `OffGrid` where it would leave the grid."""
    data = {"kind": data} if isinstance(data, str) else data
    kind = data.get("kind") if isinstance(data, dict) else None
    require(isinstance(kind, str), f"expected a rule, got {shown(data)}")
    kind = str(kind)
    placement.grid.budget.spend(20)
    placement.grid.budget.hold(RULE_BYTES)
    fields = read_fields(kind, data, placement)
    check_conditions(kind, placement.grid, fields)
    if kind in JOINED:
        shifts = fields.pop("shifts", [])
        fields["rules"] = [_read_inner_rule(kind, rule, placement) for rule in fields["rules"]]
        fields["rules"] += _read_copies(data["rules"], shifts, placement)
    return CertifiedRule(kind, fields, data)


def _read_inner_rule(kind: str, data: Any, placement: RulePlacement) -> CertifiedRule:
    try:
        return _read_moved_rule(data, placement)
    except Rejected as bad:
        raise Rejected(*(f"{kind}, rules: {problem}" for problem in bad.args)) from bad


def _read_copies(rules: list[Any], shifts: list[list[int]], placement: RulePlacement) -> Iterator[CertifiedRule]:
    """Yield the rules moved by each shift, except those that would leave the grid."""
    grid, down, right = placement
    for (farther_down, farther_right), rule in product(shifts, rules):
        try:
            yield _read_inner_rule("repeated", rule, RulePlacement(grid, down + farther_down, right + farther_right))
        except OffGrid:
            continue
