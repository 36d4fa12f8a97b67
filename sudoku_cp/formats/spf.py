"""Rows ``xxx|xxx|xxx`` with borders ``---+---+---`` (.spf). Any grid is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.formats import grids
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.boards import require_nine, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.puzzle import Puzzle

_BORDER = "---+---+---"


def write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield the rows of each puzzle, an empty line after them."""
    for puzzle in puzzles:
        require_nine("spf", puzzle)
        rows = rows_of(puzzle, wall="|")
        yield "\n".join([*rows[:3], _BORDER, *rows[3:6], _BORDER, *rows[6:], "", ""])


FORMAT = Format("spf", "rows xxx|xxx|xxx with borders ---+---+---", (".spf",), lambda _head: False, grids.read, write)
