"""Helpers for formats that only know plain 9x9 boards of digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.encoder import require_plain

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

SIDE = 9


def require_nine(name: str, puzzle: Puzzle) -> None:
    """Refuse all but plain 9x9 puzzles."""
    require_plain(name, puzzle)
    if len(puzzle.grid.cells) != SIDE**2:
        raise Unsupported(f"expected a 9x9 puzzle for the format {name!r}, got {puzzle.grid}")


def format_rows(puzzle: Puzzle, blank: str = ".", wall: str = "") -> list[str]:
    """Return the rows as digits, with a wall between boxes."""
    signs = [str(puzzle.givens.get(cell, blank)) for cell in puzzle.grid.cells]
    rows = ("".join(signs[start : start + SIDE]) for start in range(0, len(signs), SIDE))
    return [wall.join((row[:3], row[3:6], row[6:])) for row in rows]


def format_bands(name: str, puzzle: Puzzle, border: str) -> str:
    """Return the rows ``xxx|xxx|xxx`` with a border between bands and an empty line after them; refuse what is not plain 9x9."""
    require_nine(name, puzzle)
    rows = format_rows(puzzle, wall="|")
    return "\n".join([*rows[:3], border, *rows[3:6], border, *rows[6:], "", ""])
