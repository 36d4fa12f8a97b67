"""The verb ``formats``."""

from __future__ import annotations

from sudoku_cp.cli.options import Json
from sudoku_cp.cli.output import print_listing
from sudoku_cp.questions.answer import YES
from sudoku_cp.questions.listings import formats_to_json


def formats(*, as_json: Json = False) -> int:
    """List the formats in which puzzles can be read and written."""
    print_listing(formats_to_json(), least=["reads", "writes"], as_json=as_json)
    return YES
