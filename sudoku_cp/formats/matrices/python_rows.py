"""Puzzles from rows that are Python objects: lists, tuples, strings, NumPy arrays, data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from operator import index
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats.base import Options
from sudoku_cp.formats.matrices.boards import Matrix, puzzle_from_board
from sudoku_cp.formats.matrices.brackets import EMPTY, Scalar
from sudoku_cp.grid import MAX_SIDE
from sudoku_cp.symbols import ascii_forms

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.symbols import Symbols

_MOST = MAX_SIDE**2
_MISSING = frozenset({"NAType", "NaTType", "MaskedConstant"})
"""Types of what stands for no value in pandas and NumPy."""


def puzzle_of_rows(rows: Any, grid: Grid | None = None, symbols: Symbols | None = None) -> Puzzle:
    """Return the puzzle of `Puzzle.of_rows`, or raise `InvalidInput` with the row and column of whatever is wrong."""
    lists = [_items(row) for row in _items(rows, "a list of rows, an array or a data frame")]
    flat = bool(lists) and all(len(row) == 1 and not isinstance(row[0], str) for row in lists) and len(lists) > 1
    cells = [[_cell(value, row, column) for column, value in enumerate(items, 1)] for row, items in enumerate(lists, 1)]
    if flat:
        cells = [[row[0] for row in cells]]
    try:
        return puzzle_from_board(Matrix("", cells, 1, flat=flat), Options(grid, symbols.signs if symbols else None))
    except ParseError as error:
        raise InvalidInput(_with_row(error)) from error


def _items(data: Any, expected: str = "") -> list[Any]:
    """Return the items of a sequence, the rows of an array or a data frame; one value is a row by itself."""
    for method in ("to_numpy", "tolist"):
        if hasattr(data, method) and not isinstance(data, type):
            data = getattr(data, method)()
    if isinstance(data, str) and not expected:
        return list(data)
    if isinstance(data, Iterable) and not isinstance(data, str | bytes | Mapping):
        found = list(islice(data, _MOST + 1))
        if len(found) > _MOST:
            raise InvalidInput(f"Puzzle.of_rows, rows: expected at most {_MOST} items, got more")
        return found
    if expected:
        raise InvalidInput(f"Puzzle.of_rows, rows: expected {expected}, got {data!r:.60}")
    return [data]


def _cell(value: Any, row: int, column: int) -> Scalar:
    """Return the text of a cell: whole numbers as digits, ``.`` for None, NaN and other missing values."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        return Scalar(row, column, ascii_forms(value).strip() or EMPTY, quoted=True)
    if value is None or type(value).__name__ in _MISSING or (isinstance(value, float) and value != value):  # noqa: PLR0124
        return Scalar(row, column, EMPTY)
    try:
        whole = index(value) if not isinstance(value, bool) else None
    except TypeError:
        whole = int(value) if isinstance(value, float) and value.is_integer() else None
    return Scalar(row, column, repr(value) if whole is None else str(whole))


def _with_row(error: ParseError) -> list[str]:
    """Return the problems with their rows and columns, which the reader of texts calls lines."""
    place = f"row {error.line}, column {error.column}: " if error.line and error.column else ""
    problems = [problem.replace("line ", "row ", 1) if problem.startswith("line ") else problem for problem in error.problems]
    return [f"Puzzle.of_rows: {place}{problems[0]}", *problems[1:]]
