"""Patterns of givens as text: the given cells, drawn like a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle.puzzle import draw_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.grid import Cell, Grid

BLANK = "0.-_"
MARKS = "#*"
"""Signs of a given cell, besides letters and digits."""
RULER = frozenset("-+|=")
"""A line of these characters with a + in it separates boxes and stands for no cells."""

MAX_LENGTH = 100_000
"""Longer texts are refused: no board is so large."""


def parse_pattern(text: str, grid: Grid) -> tuple[Cell, ...]:
    """Return the cells that a pattern gives; its rows may be in one line or in many.

    ``0 . - _`` stand for blank cells; ``# *``, letters and other digits for given ones. White space and ``|`` are ignored.
    Raises `InvalidInput` with everything that is wrong.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidInput(f"expected a pattern of {len(grid.cells)} cells for {grid}, got more than {MAX_LENGTH:,} characters")
    lines = [line for line in text.splitlines() if not ("+" in line and RULER.issuperset(line.replace(" ", "")))]
    signs = [(sign, row, column) for row, line in enumerate(lines, 1) for column, sign in enumerate(line, 1)]
    signs = [sign for sign in signs if not (sign[0].isspace() or sign[0] == "|")]
    problems = [
        f"expected one of {' '.join(BLANK)} or one of {' '.join(MARKS)}, a letter or a digit, got {sign!r}"
        f" (line {row}, column {column} of the pattern)"
        for sign, row, column in signs
        if not (sign in BLANK + MARKS or sign.isalnum())
    ]
    if len(signs) != len(grid.cells):
        problems.append(f"expected a pattern of {len(grid.cells)} cells for {grid}, got {len(signs)}")
    if problems:
        raise InvalidInput(problems)
    return tuple(cell for cell, (sign, _, _) in enumerate(signs) if sign not in BLANK)


def pattern_text(grid: Grid, cells: Iterable[Cell]) -> str:
    """Return the pattern drawn, a row a line: ``#`` for given cells, ``.`` for blank ones."""
    return draw_rows(grid, dict.fromkeys(cells, "#"))
