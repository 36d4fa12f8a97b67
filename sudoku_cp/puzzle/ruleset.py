"""The rules of a puzzle in words, for a player who sees only the drawing."""

from __future__ import annotations

from collections import Counter
from dataclasses import MISSING, fields, replace
from typing import TYPE_CHECKING, Any

from sudoku_cp.cosmetics import Chevron, Clue, certain
from sudoku_cp.grid import Cell
from sudoku_cp.rules import rule_to_json
from sudoku_cp.rules.joined import AllOf, Repeated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from dataclasses import Field

    from sudoku_cp.cosmetics import Drawable
    from sudoku_cp.grid import Grid
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.rules import Rule


def ruleset_of(puzzle: Puzzle) -> str:
    """Return the puzzle's own words for its rules, or else ours, a paragraph a line."""
    return puzzle.ruleset or describe_rules(puzzle.rules, puzzle.grid)


def describe_rules(rules: Iterable[Rule], grid: Grid) -> str:
    """Return a sentence for each kind of rule, and one of the values where they are not as many as a side and from 1.

    A rule tells the details that its drawing does not show, all of them where it has none. Where these differ among rules
    of one kind it names its cells as well.
    """
    longest = max(max(board.rows, board.columns) for board in grid.boards)
    unusual = grid.values != range(1, longest + 1)
    values = [f"The values are {grid.values[0]} to {grid.values[-1]}."] * unusual
    single = [*_singly(rules, grid)]
    untold = [_untold(rule, grid) for rule in single]
    valued = {(rule.kind, _valued(rule, names)) for rule, names in zip(single, untold, strict=True)}
    versions = Counter(kind for kind, _ in valued)
    sentences = (
        _sentence(rule, grid, names | _where(rule) if names and versions[rule.kind] > 1 else names)
        for rule, names in zip(single, untold, strict=True)
    )
    return "\n".join(dict.fromkeys([*values, *sentences]))


def _singly(rules: Iterable[Rule], grid: Grid) -> Iterator[Rule]:
    """Yield the rules, and of those that only join others these others."""
    for rule in rules:
        match rule:
            case AllOf():
                yield from _singly(rule.rules, grid)
            case Repeated():
                yield from _singly(rule.everywhere(grid), grid)
            case _:
                yield rule


def _valued(rule: Rule, names: frozenset[str]) -> frozenset[tuple[str, Any]]:
    return frozenset((name, getattr(rule, name)) for name in names)


def _sentence(rule: Rule, grid: Grid, names: frozenset[str]) -> str:
    """Return the first paragraph of the rule's description in one line, and the fields of these names."""
    sentence = " ".join((type(rule).__doc__ or rule.kind).split("\n\n")[0].split()).replace("`", "")
    written = rule_to_json(rule, grid)
    details = {one.name: written.get(one.name, one.default) for one in fields(rule) if one.name in names}
    said = {name: value for name, value in details.items() if value is not False and value not in ([], (), None)}
    told = "; ".join(f"{name}: {_listed(value)}" for name, value in said.items())
    return f"{sentence} ({told})" if told else sentence


# --- what a drawing shows ---------------------------------------------------------------------------------------


def _untold(rule: Rule, grid: Grid) -> frozenset[str]:
    """Return the names of the fields that the rule's drawing does not show: all of them where it has none."""
    drawn = [*certain(rule.cosmetics(grid))]
    if not drawn:
        return frozenset(field.name for field in fields(rule))
    names = {field.name for field in fields(rule) if field.name not in _where(rule) and _is_hidden(rule, field, grid)}
    repeats = {name for name in _where(rule) if _is_beyond(getattr(rule, name), drawn)}
    beside = {len(getattr(rule, name)) for name in names if isinstance(getattr(rule, name), tuple)}
    told_of = {name for name in _where(rule) if isinstance(cells := getattr(rule, name), tuple) and len(cells) in beside}
    return frozenset(names | repeats | told_of)


def _where(rule: Rule) -> frozenset[str]:
    """Return the names of the fields that hold cells."""
    return frozenset(name for name, field in rule.field_types.items() if field.plain is Cell)


def _is_beyond(cells: object, drawn: Iterable[Drawable]) -> bool:
    """Say whether a list of cells has one more often than any thing that is drawn, so that nobody sees it counted again."""
    if not isinstance(cells, tuple) or not all(isinstance(cell, int) for cell in cells):
        return False
    shown: Counter[int] = Counter()
    for thing in drawn:
        shown |= Counter(thing.cells)
    return any(count > max(1, shown[cell]) for cell, count in Counter(cells).items())


def _is_hidden(rule: Rule, field: Field[Any], grid: Grid) -> bool:
    """Say whether a rule is drawn alike, but for colours, with this field at its default, or without one at another value."""
    value = getattr(rule, field.name)
    if value == field.default:
        return False
    other = replace(rule, **{field.name: _other(value) if field.default is MISSING else field.default})
    return _uncoloured(rule, grid) == _uncoloured(other, grid)


def _uncoloured(rule: Rule, grid: Grid) -> list[Drawable]:
    """Return what is drawn for a rule, in no colour."""
    return [thing if isinstance(thing, Chevron | Clue) else replace(thing, colour="") for thing in certain(rule.cosmetics(grid))]


def _other(value: Any) -> Any:
    """Return a value like this one, each of its numbers one higher."""
    if isinstance(value, tuple):
        return tuple(map(_other, value))
    return value + 1 if isinstance(value, int) else value


def _listed(value: object) -> str:
    """Return a value of JSON as a person would write it."""
    if isinstance(value, list | tuple):
        flat = all(not isinstance(one, list | dict) for one in value)
        return (" " if flat else ", ").join(f"{_listed(one)}" if flat else f"({_listed(one)})" for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_listed(one)}" for name, one in value.items())
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
