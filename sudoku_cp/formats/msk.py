"""Nine plain rows of nine digits (.msk and .sol). Any grid is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.formats import grids
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.boards import require_nine, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.puzzle import Puzzle


def write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield the rows of each puzzle, an empty line after them."""
    for puzzle in puzzles:
        require_nine("msk", puzzle)
        yield "\n".join([*rows_of(puzzle), "", ""])


FORMAT = Format("msk", "nine plain rows of nine digits", (".msk", ".sol"), lambda _head: False, grids.read, write)
