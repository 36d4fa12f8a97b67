"""Rules in a few words, so that a person can tell one from another of its kind: ``r1c1 r1c2, total 5``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

from sudoku_cp.cosmetics import Note
from sudoku_cp.rules.base import Rule, each_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from dataclasses import Field

    from sudoku_cp.grid import Cell, Grid

WHOLE = "whole board"
"""The part of a rule that has no cells or numbers of its own."""
LONGEST = 200
"""Characters of a description; tables of a rule's own may have thousands of entries."""


def describe_rule(rule: Rule, grid: Grid) -> str:
    """Return a rule's kind and its part: ``killer-cage r1c1 r1c2, total 5``."""
    part = describe_part(rule, grid)
    return rule.kind if part == WHOLE else f"{rule.kind} {part}"


def describe_part(rule: Rule, grid: Grid) -> str:
    """Return the cells and numbers that a rule speaks of; the others at their defaults are left out."""
    words = ", ".join(filter(None, (_field(field, getattr(rule, field.name), grid) for field in fields(rule))))
    return _cut(words) or WHOLE


def noted(rule: Rule, cells: Iterable[Cell], grid: Grid) -> Iterator[Note]:
    """Yield a sign in each of the cells, and the rule's words for the legend: for what has no drawing that says as much."""
    for cell in dict.fromkeys(cells):
        yield Note((cell,), describe_rule(rule, grid), "*")


def _field(field: Field[Any], value: Any, grid: Grid) -> str:
    default = field.default if field.default_factory is MISSING else field.default_factory()
    if value in (None, default, ()):
        return ""
    kind = str(field.type).removesuffix(" | None")
    words = _words(kind, value, grid)
    return words if kind == "Cells" or each_of(kind) in {"Cells", "Rule"} else f"{field.name.replace('_', ' ')} {words}"


def _words(kind: str, value: Any, grid: Grid) -> str:
    match kind:
        case "Cell":
            return grid.cell_name(value)
        case "Rule":
            return f"({describe_rule(value, grid)})"
        case "bool":
            return "yes" if value else "no"
    if (each := each_of(kind)) and isinstance(value, Iterable):
        return (" / " if each_of(each) else " ").join(_words(each, one, grid) for one in value)
    return str(value)


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 3]}..."
