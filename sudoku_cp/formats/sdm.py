"""Collections (.sdm): 81 digits a line, ``0`` for blanks. Any lines of boards are read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats import puzzle_lines
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.board_text.nine_by_nine import format_rows, require_nine
from sudoku_cp.formats.encoder import Encoder

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def puzzle_to_line(puzzle: Puzzle) -> str:
    """Return the digits."""
    require_nine("sdm", puzzle)
    return "".join(format_rows(puzzle, "0")) + "\n"


FORMAT = Format(
    "sdm",
    "collections: 81 digits a line, 0 for blanks",
    (".sdm",),
    lambda _head: False,
    puzzle_lines.read,
    partial(Encoder, puzzle_to_line),
)
