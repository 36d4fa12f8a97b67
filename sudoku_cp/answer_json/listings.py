"""What the registries hold, as JSON: an object for each rule, format and engine."""

from __future__ import annotations

from dataclasses import MISSING, fields
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import backend, known_backends
from sudoku_cp.backends.external import NAMES
from sudoku_cp.errors import BackendFailed, BackendMissing
from sudoku_cp.formats import FORMATS
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.render import thumbnail
from sudoku_cp.rules import RULES, rule_to_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from sudoku_cp.rules import Rule


def rules_to_json(kinds: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return an object for each rule, or for each of these kinds, in alphabetical order."""
    return [
        {
            "kind": kind,
            "meaning": class_summary(rule),
            "fields": {name: str(field) for name, field in rule.field_types.items()},
            "defaults": {field.name: field.default for field in fields(rule) if field.default is not MISSING},
            "gesture": rule.gesture,
            "family": rule.__module__.rpartition(".")[2].replace("_", " "),
            "example": rule_to_json(rule.example(grid), grid),
            "thumbnail": _thumbnail(rule),
            "values": [grid.values[0], grid.values[-1]],
            "elsewhere": dict(rule.elsewhere),
        }
        for kind, rule in sorted(RULES.items())
        if not kinds or kind in kinds
        for grid in [example_grid(rule, 9)]
    ]


def _thumbnail(rule: type[Rule]) -> dict[str, Any] | None:
    """Return the picture of a rule's example on a small board, or on 9x9 where it does not fit that."""
    grids = (example_grid(rule, 4), example_grid(rule, 9))
    grid = next((one for one in grids if not [*rule.example(one).problems(one)]), grids[-1])
    return thumbnail(Puzzle(grid, (rule.example(grid),)))


def formats_to_json() -> list[dict[str, Any]]:
    """Return an object for each format, in the order in which they are tried."""
    return [
        {"format": name, "reads": one.read is not None, "writes": one.write is not None, "summary": one.summary}
        for name, one in FORMATS.items()
    ]


def backends_to_json() -> list[dict[str, Any]]:
    """Return an object for each engine that is known, installed or not, in alphabetical order."""
    return [{"backend": name} | _engine_state(name) for name in sorted({*known_backends(), *NAMES})]


def _engine_state(name: str) -> dict[str, Any]:
    try:
        engine = backend(name)
    except (BackendFailed, BackendMissing) as error:
        return {"installed": False, "takes": [], "summary": str(error)}
    takes = sorted(constraint.__name__ for constraint in engine.takes)
    return {"installed": True, "takes": takes, "summary": class_summary(type(engine))}


def class_summary(described: type) -> str:
    """Return the docstring of a class on one line, without markup."""
    return " ".join(cleandoc(described.__doc__ or "").replace("``", "'").split())


def example_grid(rule: type[Rule], side: int) -> Grid:
    """Return a square board of that side that the rule's example fits."""
    grids = [Grid.square(side), Grid.square(side, values=range(side + 1))]
    return next((grid for grid in grids if not [*rule.example(grid).problems(grid)]), grids[0])
