"""Short descriptions of rules, which distinguish each from others of its kind: ``r1c1 r1c2, total 5``."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

from sudoku_cp.cosmetics import Note
from sudoku_cp.grid import Cell
from sudoku_cp.rules.base import Rule
from sudoku_cp.rules.wording import title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from dataclasses import Field

    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.base import FieldType

WHOLE = "whole board"
"""The description of a rule that has no cells or numbers of its own."""
LONGEST = 200
"""The most characters of a description; a rule's own tables may have thousands of entries."""


def describe_rule(rule: Rule, grid: Grid, longest: int | None = LONGEST) -> str:
    """Return a rule's kind and its part: ``killer-cage r1c1 r1c2, total 5``."""
    part = describe_part(rule, grid, longest)
    return rule.kind if part == WHOLE else f"{rule.kind} {part}"


def describe_part(rule: Rule, grid: Grid, longest: int | None = LONGEST) -> str:
    """Return the cells and numbers of a rule, except those at their defaults; in full if ``longest`` is None."""
    words = ", ".join(filter(None, (_field(field, rule, grid) for field in fields(rule))))
    return (words if longest is None or len(words) <= longest else f"{words[: longest - 3]}...") or WHOLE


def describe_numbers(rule: Rule, grid: Grid) -> str:
    """Return the fields of a rule that hold neither cells nor rules, except those at their defaults: ``total 5``."""
    plain = (field for field in fields(rule) if rule.field_types[field.name].plain not in (Cell, Rule))
    return ", ".join(filter(None, (_field(field, rule, grid) for field in plain)))


def notes_for(rule: Rule, cells: Iterable[Cell], grid: Grid) -> Iterator[Note]:
    """Yield a sign in each of the cells, with the rule's description for the legend: for rules that a drawing cannot show."""
    for cell in dict.fromkeys(cells):
        yield Note((cell,), note_text(rule, grid), "*")


def note_text(rule: Rule, grid: Grid, longest: int | None = LONGEST) -> str:
    """Return a rule as legends have it: its title and its part."""
    return f"{title_of(rule.kind)} {describe_part(rule, grid, longest)}"


def _field(field: Field[Any], rule: Rule, grid: Grid) -> str:
    value, field_type = getattr(rule, field.name), rule.field_types[field.name]
    default = field.default if field.default_factory is MISSING else field.default_factory()
    if value in (None, default, ()):
        return ""
    words = _words(field_type, value, grid)
    listed = field_type.depth > 0 and field_type.plain in (Cell, Rule)
    return words if listed and field == fields(rule)[0] else f"{field.name.replace('_', ' ')} {words}"


def _words(field_type: FieldType, value: Any, grid: Grid) -> str:
    if field_type.depth:
        between = " / " if field_type.depth > 1 else " "
        return between.join(_words(field_type.each, one, grid) for one in value)
    if field_type.plain is Cell:
        return grid.cell_name(value)
    if field_type.plain is Rule:
        return f"({describe_rule(value, grid, None)})"
    return ("no", "yes")[value] if field_type.plain is bool else str(value)
