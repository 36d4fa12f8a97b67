"""The gallery of rules: a page with every rule's picture, meaning, JSON and names elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp.backends import Limits
from sudoku_cp.cli.examples import at_home
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.queries import solve
from sudoku_cp.render import svg
from sudoku_cp.rules import RULES, Houses, rule_to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sudoku_cp.grid import Grid
    from sudoku_cp.rules import Rule

PAGE = "rules.md"
PICTURES = "rules"
CELL = 36
"""Pixels of a cell's side."""

_HEAD = """# Every rule

Each rule with an example, as JSON for [a puzzle](puzzle-json.md) and as a picture with values that obey it, and the names
other tools give it.
`sudoku-cp rules` lists the same; this page is written by `make docs`.
"""


def gallery(words: Callable[[type[Rule]], str]) -> Mapping[Path, str]:
    """Return every file of the gallery by its path; ``words`` tells a rule's meaning."""
    families: dict[str, list[type[Rule]]] = {}
    for rule in RULES.values():
        if rule.__module__.startswith("sudoku_cp.rules."):
            families.setdefault(rule.__module__.rpartition(".")[2], []).append(rule)
    page = [_HEAD]
    files = {}
    for family, rules in families.items():
        page.append(f"## {family.capitalize()}\n")
        for rule in sorted(rules, key=lambda one: one.kind):
            grid = at_home(rule, 6)
            example = rule.example(grid)
            picture = Path(PICTURES) / f"{rule.kind}.svg"
            files[picture] = svg(_solved(Puzzle(grid, (Houses(), example))), cell=CELL) + "\n"
            page.append(_entry(rule, words(rule), example, grid, picture))
    return {Path(PAGE): "\n".join(page), **files}


def _solved(puzzle: Puzzle) -> Puzzle | Position:
    """Return the puzzle with its first solution in plain order of the cells, the same on every machine, if it has one."""
    found = solve(puzzle, backend="native:first", limits=Limits(nodes=5000), limit=1).solution
    return Position.of(puzzle, found) if found else puzzle


def _entry(rule: type[Rule], meaning: str, example: Rule, grid: Grid, picture: Path) -> str:
    told = json.dumps(rule_to_json(example, grid), ensure_ascii=False)
    names = "; ".join(f"{tool}: {name}" for tool, name in rule.elsewhere.items())
    parts = [f"### {rule.kind}", f"![{rule.kind}]({picture.as_posix()})", meaning, f"```json\n{told}\n```"]
    return "\n\n".join(parts + [f"Elsewhere: {names}."] * bool(names)) + "\n"


def write_gallery(folder: str, words: Callable[[type[Rule]], str]) -> None:
    """Write the page and its pictures into a folder."""
    try:
        for path, content in gallery(words).items():
            target = Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(
            f"--gallery: expected a folder that can be written, got {folder}: {error.strerror or error}"
        ) from error
