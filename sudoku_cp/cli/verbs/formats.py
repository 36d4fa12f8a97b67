"""The verb ``formats``."""

from __future__ import annotations

from sudoku_cp.cli.exit_codes import YES
from sudoku_cp.cli.options import Json
from sudoku_cp.cli.text_tables import print_listing
from sudoku_cp.formats import FORMATS


def formats(*, as_json: Json = False) -> int:
    """List the formats puzzles are read from and written in."""
    rows = [
        {"format": name, "reads": one.read is not None, "writes": one.write is not None, "summary": one.summary}
        for name, one in FORMATS.items()
    ]
    print_listing(rows, least=["reads", "writes"], as_json=as_json)
    return YES
