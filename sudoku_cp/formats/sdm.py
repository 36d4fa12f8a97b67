"""Collections (.sdm): 81 digits a line, ``0`` for blanks. Any lines of boards are read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats import lines
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.boards import require_nine, rows_of
from sudoku_cp.formats.pages import Page

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def line_of(puzzle: Puzzle) -> str:
    """Return the digits."""
    require_nine("sdm", puzzle)
    return "".join(rows_of(puzzle, "0")) + "\n"


FORMAT = Format(
    "sdm", "collections: 81 digits a line, 0 for blanks", (".sdm",), lambda _head: False, lines.read, partial(Page, line_of)
)
