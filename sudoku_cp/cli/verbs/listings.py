"""The verbs that list what there is: ``rules``, ``formats`` and ``backends``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Annotated

import typer

from sudoku_cp.backends import Limits, Solution, new_backend
from sudoku_cp.cli import output
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.output import print_listing
from sudoku_cp.cli.typed_options import no_folder, refuse_contradictions
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.requested_rules import parse_rule_kind
from sudoku_cp.grid import Grid
from sudoku_cp.output_files import write_text
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.queries import solve
from sudoku_cp.questions.answer import YES
from sudoku_cp.questions.listings import backends_to_json, class_summary, example_grid, formats_to_json, rules_to_json
from sudoku_cp.render import svg
from sudoku_cp.rules import RULES, Houses, Rule, rule_to_json


def rules(
    kinds: Annotated[list[str] | None, typer.Argument(metavar="[RULE]...", help="Only these.", show_default=False)] = None,
    *,
    gallery: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Write a page with a picture of each rule instead.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> int:
    """List the rules that a puzzle can have, each with an example as JSON and its names in other tools."""
    refuse_contradictions(no_folder("--gallery", gallery))
    if gallery is not None:
        write_gallery(gallery)
        return YES
    wanted = [parse_rule_kind(name) for name in kinds or []]
    rows = rules_to_json(wanted)
    if as_json:
        print_listing(rows, as_json=True)
    else:
        columns = ("kind", "meaning", "example", "elsewhere")
        print_listing([{name: row[name] for name in columns} for row in rows], least=["elsewhere", "example"])
    return YES


# The gallery of rules: a page with the picture, meaning, JSON and names elsewhere of every rule.


PAGE = "rules.md"
PICTURES = "rules"
CELL = 36
"""Side of a cell in pixels."""
SIDES = (6, 8)
"""Sides of the boards to try."""
ENGINES, NODES = ("native:first", "sat"), 500
"""The engines that look for values, and their node limit: plain cell order finds the most regular grid, if it finds one soon."""

_HEAD = """# Variant rules

This page shows every rule with an example, as JSON for [a puzzle](puzzle-json.md) and as a picture with values that obey
it, and with its names in other programs. `sudoku-cp rules` lists the same; `make docs-pages` writes this page.
"""


def gallery_files() -> Mapping[Path, str]:
    """Return every file of the gallery by its path."""
    families: dict[str, list[type[Rule]]] = {}
    for rule in RULES.values():
        if rule.__module__.startswith("sudoku_cp.rules."):
            families.setdefault(rule.__module__.rpartition(".")[2], []).append(rule)
    page = [_HEAD]
    files = {}
    for family, rules in sorted(families.items()):
        page.append(f"## {family.replace('_', ' ').capitalize()}\n")
        for rule in rules:
            picture = Path(PICTURES) / f"{rule.kind}.svg"
            example = _solved_example(rule)
            files[picture] = svg(example, cell=CELL) + "\n"
            page.append(_entry(rule, example.puzzle.grid, picture))
    return {Path(PAGE): "\n".join(page), **files}


def _solved_example(rule: type[Rule]) -> Position:
    """Return the rule's example with a solution, on the smallest board of `SIDES` that has one."""
    grids = [example_grid(rule, side) for side in SIDES]
    puzzles = [Puzzle(grid, (Houses(), rule.example(grid))) for grid in grids]
    return next((Position.of(puzzle, solution) for puzzle in puzzles if (solution := _solution(puzzle))), Position.of(puzzles[0]))


def _solution(puzzle: Puzzle) -> Solution | None:
    """Return a solution, the same on every machine: the limit is nodes, not seconds, and engines run one after the other."""
    answers = (solve(puzzle, backend=new_backend(engine), limits=Limits(nodes=NODES), solution_limit=1) for engine in ENGINES)
    return next((answer.solution for answer in answers if answer.status != "unknown"), None)


def _entry(rule: type[Rule], grid: Grid, picture: Path) -> str:
    text = json.dumps(rule_to_json(rule.example(grid), grid), ensure_ascii=False)
    names = "; ".join(f"{tool}: {name}" for tool, name in rule.elsewhere.items())
    parts = [f"### {rule.kind}", f"![{rule.kind}]({picture.as_posix()})", class_summary(rule), f"```json\n{text}\n```"]
    defaults = [f"`{one.name}` {json.dumps(one.default)}" for one in fields(rule) if one.default is not MISSING]
    if defaults:
        parts.append(f"Left out: {', '.join(defaults)}.")
    return "\n\n".join(parts + ([f"Elsewhere: {names}."] if names else [])) + "\n"


def write_gallery(folder: str) -> None:
    """Write the page and its pictures into a folder."""
    try:
        for path, content in gallery_files().items():
            target = Path(folder) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            write_text(target, content)
    except OSError as error:
        raise InvalidInput(
            f"--gallery: expected a folder that can be written, got {folder}: {error.strerror or error}"
        ) from error


# The verb ``formats``.


def formats(*, as_json: Json = False) -> int:
    """List the formats in which puzzles can be read and written."""
    print_listing(formats_to_json(), least=["reads", "writes"], as_json=as_json)
    return YES


# The verb ``backends``.


def backends(*, as_json: Json = False) -> int:
    """List the engines that are installed, and those that could be; --json adds what each of the others needs."""
    rows = backends_to_json()
    if as_json:
        print_listing(rows, as_json=True)
        return YES
    installed = [{name: row[name] for name in row if name != "installed"} for row in rows if row["installed"]]
    print_listing(installed, least=["takes"])
    missing = [row["backend"] for row in rows if not row["installed"]]
    # An engine whose kinds are listed need not be named itself.
    if others := [name for name in missing if not any(other.startswith(f"{name}:") for other in missing)]:
        output.print_text(f"not installed: {', '.join(others)} (--json lists what each needs)")
    return YES
