"""The verb ``rules``."""

from __future__ import annotations

from typing import Annotated

import typer

from sudoku_cp.answer_json.listings import rules_to_json
from sudoku_cp.cli.option_groups import no_folder, refuse_contradictions
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.text_tables import print_listing
from sudoku_cp.generate.rule_names import parse_rule_kind
from sudoku_cp.questions.exit_codes import YES


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
        from sudoku_cp.cli.gallery import write_gallery  # noqa: PLC0415  # only the gallery needs pictures

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
