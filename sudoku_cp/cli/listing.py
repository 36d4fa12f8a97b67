"""Listings of registries: a JSON object or a row of a table for each entry."""

from __future__ import annotations

import json
from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

from sudoku_cp.cli import output
from sudoku_cp.cli.text_tables import print_table


def print_listing(rows: Sequence[dict[str, Any]], *, least: Sequence[str] = (), as_json: bool = False) -> None:
    """Print an object or a row for each; of a table too wide the columns of ``least`` are left out first."""
    if as_json:
        for row in rows:
            output.print_json(row)
    else:
        print_table([{name: _format_cell(value) for name, value in row.items()} for row in rows], least=least, lines=True)


def class_summary(described: type) -> str:
    """Return the docstring of a class on one line, without markup."""
    return " ".join(cleandoc(described.__doc__ or "").replace("``", "'").split())


def _format_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, dict) and all(isinstance(one, str) for one in value.values()) and "kind" not in value:
        return "\n".join(f"{name}: {one}" for name, one in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
