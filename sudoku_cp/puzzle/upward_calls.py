"""Methods of `Puzzle` and `Position` that higher modules implement: the only imports from a higher layer in this package.

Users expect methods here (`puzzle.solutions()`, the picture in a notebook), but the code behind them is in a higher layer. Each
function imports its module when it is called; the import contracts in pyproject.toml list these imports as the exceptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Grid
    from sudoku_cp.puzzle.position import Position
    from sudoku_cp.puzzle.puzzle import Puzzle
    from sudoku_cp.symbols import Symbols


def puzzle_of_text(text: str, grid: Grid | None, symbols: Symbols | None) -> Puzzle:
    """Return the one puzzle of a text in any format."""
    from sudoku_cp import formats  # noqa: PLC0415

    return formats.puzzle_of_text(text, grid, symbols)


def puzzle_of_rows(rows: Any, grid: Grid | None, symbols: Symbols | None) -> Puzzle:
    """Return the puzzle of rows of cells."""
    from sudoku_cp.formats.matrices import python_rows  # noqa: PLC0415

    return python_rows.puzzle_of_rows(rows, grid, symbols)


def solutions(puzzle: Puzzle, **options: Any) -> Iterator[tuple[int, ...]]:
    """Return `sudoku_cp.solutions` of a puzzle."""
    from sudoku_cp import queries  # noqa: PLC0415

    return queries.solutions(puzzle, **options)


def svg(shown: Puzzle | Position) -> str:
    """Return the picture of a puzzle or a position."""
    from sudoku_cp import render  # noqa: PLC0415

    return render.svg(shown)


def canonical(puzzle: Puzzle) -> Puzzle:
    """Return the canonical form of a puzzle."""
    from sudoku_cp.puzzle.isomorphism import canonical_forms  # noqa: PLC0415

    return canonical_forms.canonical(puzzle)


def automorphism_count(puzzle: Puzzle) -> int:
    """Return the number of symmetries of a puzzle."""
    from sudoku_cp.puzzle.isomorphism import canonical_forms  # noqa: PLC0415

    return canonical_forms.automorphism_count(puzzle)
