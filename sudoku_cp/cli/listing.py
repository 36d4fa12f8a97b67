"""The verbs that tell what there is: ``rules``, ``formats``, ``backends``."""

from __future__ import annotations

import json
from dataclasses import fields
from inspect import cleandoc
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_cp.backends import backend, known
from sudoku_cp.backends.external import NAMES
from sudoku_cp.cli import output
from sudoku_cp.cli.examples import at_home
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.rule_names import rule_kind
from sudoku_cp.cli.tables import say_table
from sudoku_cp.errors import BackendMissing
from sudoku_cp.formats import FORMATS
from sudoku_cp.rules import RULES, rule_to_json

if TYPE_CHECKING:
    from collections.abc import Sequence


def rules(
    kinds: Annotated[list[str] | None, typer.Argument(metavar="[RULE]...", help="Only these.", show_default=False)] = None,
    *,
    gallery: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Write a page with a picture of each rule instead.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> int:
    """List the rules a puzzle can have, each with an example as JSON and its names in other tools."""
    if gallery is not None:
        from sudoku_cp.cli.gallery import write_gallery  # noqa: PLC0415  # only the gallery needs pictures

        write_gallery(gallery, words_of)
        return output.YES
    kinds = [rule_kind(name) for name in kinds or []]
    told = [
        {
            "kind": kind,
            "meaning": words_of(rule),
            "fields": {field.name: str(field.type) for field in fields(rule)},
            "example": rule_to_json(rule.example(grid), grid),
            "values": [grid.values[0], grid.values[-1]],
            "elsewhere": dict(rule.elsewhere),
        }
        for kind, rule in sorted(RULES.items())
        for grid in [at_home(rule, 9)]
        if not kinds or kind in kinds
    ]
    if as_json:
        return _list(told, as_json=True)
    shown = [{name: row[name] for name in ("kind", "meaning", "example", "elsewhere")} for row in told]
    return _list(shown, least=["elsewhere", "example"])


def formats(*, as_json: Json = False) -> int:
    """List the formats puzzles are read from and written in."""
    told = [
        {"format": name, "reads": one.read is not None, "writes": one.write is not None, "summary": one.summary}
        for name, one in FORMATS.items()
    ]
    return _list(told, least=["reads", "writes"], as_json=as_json)


def backends(*, as_json: Json = False) -> int:
    """List the engines that are installed, and name those that could be; --json tells of each whether it is."""
    told = [{"backend": name} | _state(name) for name in sorted({*known(), *NAMES})]
    if as_json:
        return _list(told, as_json=True)
    code = _list([{name: row[name] for name in row if name != "installed"} for row in told if row["installed"]], least=["takes"])
    missing = [row["backend"] for row in told if not row["installed"]]
    # Where the kinds of an engine are named, its own name says no more.
    if others := [name for name in missing if not any(other.startswith(f"{name}:") for other in missing)]:
        output.say(f"not installed: {', '.join(others)} (--json says what each needs)")
    return code


def _state(name: str) -> dict[str, Any]:
    try:
        engine = backend(name)
    except BackendMissing as error:
        return {"installed": False, "takes": [], "summary": str(error)}
    takes = sorted(constraint.__name__ for constraint in engine.takes)
    return {"installed": True, "takes": takes, "summary": words_of(type(engine))}


def words_of(described: type) -> str:
    """Return a class's docstring for people who never saw its source."""
    return " ".join(cleandoc(described.__doc__ or "").replace("``", "'").split())


def _list(told: Sequence[dict[str, Any]], *, least: Sequence[str] = (), as_json: bool = False) -> int:
    """Print an object or a row for each; of a table too wide the columns of ``least`` are left out first."""
    if as_json:
        for row in told:
            output.say_json(row)
    else:
        say_table([{name: _cell(value) for name, value in row.items()} for row in told], least=least, lines=True)
    return output.YES


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, dict) and all(isinstance(one, str) for one in value.values()) and "kind" not in value:
        return "\n".join(f"{name}: {one}" for name, one in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
