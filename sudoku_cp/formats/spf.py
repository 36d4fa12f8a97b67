"""Rows ``xxx|xxx|xxx`` with borders ``---+---+---`` (.spf). Any grid is read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats import grids
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.boards import require_nine, rows_of
from sudoku_cp.formats.pages import Page

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_BORDER = "---+---+---"


def text_of(puzzle: Puzzle) -> str:
    """Return the rows, an empty line after them."""
    require_nine("spf", puzzle)
    rows = rows_of(puzzle, wall="|")
    return "\n".join([*rows[:3], _BORDER, *rows[3:6], _BORDER, *rows[6:], "", ""])


FORMAT = Format(
    "spf", "rows xxx|xxx|xxx with borders ---+---+---", (".spf",), lambda _head: False, grids.read, partial(Page, text_of)
)
