"""The puzzle, read anew from its JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .files import read_json
from .grid import Grid, read_grid
from .report import Bad, LimitReached, Tick, is_number, need
from .rules import MOST, Rule, measure, read_rule

if TYPE_CHECKING:
    from collections.abc import Callable

_TEXTS = ("title", "author", "source", "ruleset")
_FIELDS = {"format", "version", "grid", "rules", "givens", "candidates", "symbols", *_TEXTS}


@dataclass
class Puzzle(Grid):
    """A grid with rules, givens, and the values that are still allowed in some cells."""

    rules: list[Rule] = field(default_factory=list)
    givens: dict[int, int] = field(default_factory=dict)
    candidates: dict[int, set[int]] = field(default_factory=dict)


RULES = 100_000
"""So many rules are read, all copies of repeated ones counted."""


def read_puzzle(data: bytes, tick: Tick = lambda: None) -> Puzzle:
    """Return the puzzle told by our JSON, or raise everything that is wrong with it."""
    told = read_json("puzzle.json", data)
    need(isinstance(told, dict), "puzzle.json: expected an object")
    problems = [f"puzzle.json: {key!r:.80} is no field of a certified puzzle" for key in sorted(told.keys() - _FIELDS)]

    def read(path: str, parse: Callable[[Any], Any], data: Any) -> Any:
        tick()
        try:
            return parse(data)
        except Bad as bad:
            problems.extend(f"puzzle.json: {path}: {problem}" for problem in bad.args)
            return None

    format_, version = told.get("format", "sudoku-cp puzzle"), told.get("version", 1)
    right = format_ == "sudoku-cp puzzle" and is_number(version) and version == 1
    problems += [] if right else ["puzzle.json: expected a puzzle of version 1"]
    problems += [f"puzzle.json: {key}: expected a text" for key in _TEXTS if not isinstance(told.get(key, ""), str)]
    grid = read("grid", read_grid, told.get("grid"))
    if grid is None:
        raise Bad(*problems)
    rules = told.get("rules", ["houses"])
    if not isinstance(rules, list):
        problems.append("puzzle.json: rules: expected a list of rules")
        rules = []
    sizes = [size for _, size in map(measure, rules) if size <= MOST]  # a larger one is refused where it is read
    if sum(sizes) > RULES:
        raise LimitReached(f"puzzle.json: more than {RULES:,} rules, copies counted")
    rules = [read(f"rules[{number}]", lambda one: read_rule(one, grid), one) for number, one in enumerate(rules)]
    givens = read("givens", lambda told: _by_cell(grid, told, grid.value), told.get("givens", {}))
    values = read("candidates", lambda told: _by_cell(grid, told, lambda some: _values(grid, some)), told.get("candidates", {}))
    if "symbols" in told:
        read("symbols", lambda told: _check_symbols(grid, told), told["symbols"])
    if problems:
        raise Bad(*problems)
    return Puzzle(**vars(grid), rules=rules, givens=givens, candidates=values)


def _by_cell(grid: Grid, told: Any, read: Callable[[Any], Any]) -> dict[int, Any]:
    """Return an object of cells with the cells themselves instead of their names."""
    need(isinstance(told, dict), f"expected an object of cells, got {told!r:.80}")
    found = {grid.cell(name): read(data) for name, data in told.items()}
    need(len(found) == len(told), "a cell is named twice")
    return found


def _values(grid: Grid, told: Any) -> set[int]:
    need(isinstance(told, list) and told, f"expected the candidates of a cell as a list of values, got {told!r:.80}")
    return set(map(grid.value, told))


def _check_symbols(grid: Grid, told: Any) -> None:
    """Raise what is wrong with signs for the values; they are for people alone."""
    lowest, count = grid.values[0], len(grid.values)
    if isinstance(told, str):
        if told in {"digits", "letters", "hex"}:
            return
        need(len(told) == count, f"expected the name of an alphabet, or {count} signs, got {told!r:.80}")
        told = {"signs": told}
    need(isinstance(told, dict) and not told.keys() - {"signs", "first"}, f"expected signs and the first, got {told!r:.80}")
    signs, first = told.get("signs"), told.get("first", lowest)
    need(isinstance(signs, str) and signs, f"expected signs as a text, got {signs!r:.80}")
    need(is_number(first), f"expected the first value as a whole number, got {first!r:.80}")
    need(len(set(signs)) == len(signs) and "." not in signs, f"expected different signs, and no '.', got {signs!r:.80}")
    need(all(sign.isprintable() and sign != " " for sign in signs), f"expected visible signs, got {signs!r:.80}")
    need(first <= lowest and lowest + count <= first + len(signs), f"expected a sign for every value, got {signs!r:.80}")
