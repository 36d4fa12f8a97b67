"""Collections (.sdm): 81 digits a line, ``0`` for blanks. Any lines of boards are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.formats import lines
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.boards import require_nine, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.puzzle import Puzzle


def write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield a line for each puzzle."""
    for puzzle in puzzles:
        require_nine("sdm", puzzle)
        yield "".join(rows_of(puzzle, "0")) + "\n"


FORMAT = Format("sdm", "collections: 81 digits a line, 0 for blanks", (".sdm",), lambda _head: False, lines.read, write)
