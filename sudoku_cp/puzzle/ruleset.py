"""The rules of a puzzle in words, for a player who sees only the drawing."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from sudoku_cp.cosmetics import certain
from sudoku_cp.rules import rule_to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.grid import Grid
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.rules import Rule


def ruleset_of(puzzle: Puzzle) -> str:
    """Return the puzzle's own words for its rules, or else ours, a paragraph a line."""
    return puzzle.ruleset or describe_rules(puzzle.rules, puzzle.grid)


def describe_rules(rules: Iterable[Rule], grid: Grid) -> str:
    """Return a sentence for each kind of rule, and one of the values where they are not as many as a side and from 1.

    A rule that is not drawn tells its details as well.
    """
    longest = max(max(board.rows, board.columns) for board in grid.boards)
    unusual = grid.values != range(1, longest + 1)
    values = [f"The values are {grid.values[0]} to {grid.values[-1]}."] * unusual
    return "\n".join(dict.fromkeys([*values, *(_sentence(rule, grid) for rule in rules)]))


def _sentence(rule: Rule, grid: Grid) -> str:
    """Return the first paragraph of the rule's description in one line, and what no drawing says."""
    sentence = " ".join((type(rule).__doc__ or rule.kind).split("\n\n")[0].split()).replace("`", "")
    details: dict[str, Any] = {}
    if not any(True for _ in certain(rule.cosmetics(grid))):
        defaults = {one.name: one.default for one in fields(rule) if isinstance(one.default, int | tuple)}
        details = {name: list(told) if isinstance(told, tuple) else told for name, told in defaults.items()}
        details |= rule_to_json(rule, grid)
    told = "; ".join(
        f"{name}: {_listed(value)}" for name, value in details.items() if name != "kind" and value not in ([], False)
    )
    return f"{sentence} ({told})" if told else sentence


def _listed(value: object) -> str:
    """Return a value of JSON as a person would write it."""
    if isinstance(value, list):
        flat = all(not isinstance(one, list | dict) for one in value)
        return (" " if flat else ", ").join(f"{_listed(one)}" if flat else f"({_listed(one)})" for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_listed(one)}" for name, one in value.items())
    return str(value)
