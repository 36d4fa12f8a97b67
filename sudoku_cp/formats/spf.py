"""Rows ``xxx|xxx|xxx`` with borders ``---+---+---`` (.spf). Any grid is read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats import drawn_grids
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.board_text.nine_by_nine import format_rows, require_nine
from sudoku_cp.formats.encoder import Encoder

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_BORDER = "---+---+---"


def puzzle_to_text(puzzle: Puzzle) -> str:
    """Return the rows, an empty line after them."""
    require_nine("spf", puzzle)
    rows = format_rows(puzzle, wall="|")
    return "\n".join([*rows[:3], _BORDER, *rows[3:6], _BORDER, *rows[6:], "", ""])


FORMAT = Format(
    "spf",
    "rows xxx|xxx|xxx with borders ---+---+---",
    (".spf",),
    lambda _head: False,
    drawn_grids.read,
    partial(Encoder, puzzle_to_text),
)
