"""Formats of single programs for plain 9x9 puzzles: ``sdm``, ``msk`` and ``spf``. Any lines or grids are read as these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.formats import drawn_grids, puzzle_lines
from sudoku_cp.formats.base import Format, write_each
from sudoku_cp.formats.board_text.line_classifier import format_bands, format_rows, require_nine

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def _puzzle_to_sdm(puzzle: Puzzle) -> str:
    """Return the digits, ``0`` for blanks."""
    require_nine("sdm", puzzle)
    return "".join(format_rows(puzzle, "0")) + "\n"


def _puzzle_to_msk(puzzle: Puzzle) -> str:
    """Return the rows, an empty line after them."""
    require_nine("msk", puzzle)
    return "\n".join([*format_rows(puzzle), "", ""])


def _puzzle_to_spf(puzzle: Puzzle) -> str:
    """Return the rows ``xxx|xxx|xxx`` with borders, an empty line after them."""
    return format_bands("spf", puzzle, "---+---+---")


SDM = Format(
    "sdm",
    "collections: 81 digits a line, 0 for blanks",
    (".sdm",),
    lambda _head: False,
    puzzle_lines.read,
    write_each(_puzzle_to_sdm),
)

MSK = Format(
    "msk",
    "nine plain rows of nine digits",
    (".msk", ".sol"),
    lambda _head: False,
    drawn_grids.read,
    write_each(_puzzle_to_msk),
)

SPF = Format(
    "spf",
    "rows xxx|xxx|xxx with borders ---+---+---",
    (".spf",),
    lambda _head: False,
    drawn_grids.read,
    write_each(_puzzle_to_spf),
)
