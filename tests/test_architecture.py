"""docs/architecture.md is true: its floors are those that are enforced, and the files that it names exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
CELL = r"(?<!\\)\|"
"""The separator of table cells; ``\\|`` is a bar inside a cell."""


def rows(heading: str) -> list[list[str]]:
    """Return the cells of each table whose first column has this heading."""
    found, inside = [], False
    for line in PAGE.splitlines():
        cells = [cell.strip() for cell in re.split(CELL, line)[1:-1]]
        inside = bool(cells) and (inside or cells[0] == heading)
        if inside and cells[0] != heading and not set(line) <= set("|-: "):
            found.append(cells)
    return found


def names(cell: str) -> list[str]:
    """Return each name between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def test_the_floors_are_those_that_are_enforced() -> None:
    """The table of layers agrees with the linter's configuration, from the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    assert [names(cells[1])[: layer.count("|") + 1] for cells, layer in zip(rows("layer"), layers, strict=True)] == [
        layer.split(" | ") for layer in layers
    ]


def test_the_files_that_are_named_exist() -> None:
    """Every name in the tables of files and pieces is a module or a package."""
    modules = [path.with_suffix("").as_posix() for end in ("py", "js") for path in (ROOT / "sudoku_cp").rglob(f"*.{end}")]
    modules += [path.parent.as_posix() for path in (ROOT / "sudoku_cp").rglob("__init__.py")]
    named = [name for heading in ("file", "piece") for cells in rows(heading) for name in names(cells[0])]
    assert len(named) > 60
    assert [name for name in named if not any(module.endswith(f"/{name}") for module in modules)] == []
