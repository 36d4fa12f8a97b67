"""The verb ``rules``."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated

import typer

from sudoku_cp.cli.exit_codes import YES
from sudoku_cp.cli.gallery_boards import example_grid
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.rule_names import parse_rule_kind
from sudoku_cp.cli.text_tables import class_summary, print_listing
from sudoku_cp.rules import RULES, rule_to_json


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

        write_gallery(gallery)
        return YES
    wanted = [parse_rule_kind(name) for name in kinds or []]
    rows = [
        {
            "kind": kind,
            "meaning": class_summary(rule),
            "fields": {field.name: str(field.type) for field in fields(rule)},
            "example": rule_to_json(rule.example(grid), grid),
            "values": [grid.values[0], grid.values[-1]],
            "elsewhere": dict(rule.elsewhere),
        }
        for kind, rule in sorted(RULES.items())
        for grid in [example_grid(rule, 9)]
        if not wanted or kind in wanted
    ]
    if as_json:
        print_listing(rows, as_json=True)
    else:
        columns = ("kind", "meaning", "example", "elsewhere")
        print_listing([{name: row[name] for name in columns} for row in rows], least=["elsewhere", "example"])
    return YES
