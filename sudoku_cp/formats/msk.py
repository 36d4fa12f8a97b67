"""Nine plain rows of nine digits (.msk and .sol). Any grid is read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats import grids
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.boards import require_nine, rows_of
from sudoku_cp.formats.pages import Page

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def text_of(puzzle: Puzzle) -> str:
    """Return the rows, an empty line after them."""
    require_nine("msk", puzzle)
    return "\n".join([*rows_of(puzzle), "", ""])


FORMAT = Format(
    "msk", "nine plain rows of nine digits", (".msk", ".sol"), lambda _head: False, grids.read, partial(Page, text_of)
)
