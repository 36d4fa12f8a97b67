"""Tables whose cells or rows stand in columns of their own, as boards of a line: what names or numbers them is taken off.

A table of one board may have names above its columns and numbers before its rows. A table of many boards may have a column for
each cell (81, and 81 more for the solution) or for each row, behind a number or a name.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from sudoku_cp.formats.base import LONGEST_LINE
from sudoku_cp.formats.table_rows import join_fields, split_fields
from sudoku_cp.symbols import BLANKS, DIGITS, NULLS, UPPERCASE

_TakeOff: TypeAlias = Callable[[Iterable[str]], Iterator[str]]

_DELIMITERS = ",;\t"
_LEAST, _MOST = 4, 36
_SIDE, _CELLS = 9, 81
_SAMPLE = 50
_SIGNS = frozenset(DIGITS + BLANKS + ".")
_COUNTED = re.compile(r"[A-Za-z_. ]*(\d+)")
_ROW_NAME = re.compile(r"(?:r|row|line|zeile|ligne|fila|riga)[ _.]?(\d+)", re.IGNORECASE)
_NAMES_BEFORE = frozenset({"", "id", "index", "nr", "no", "number", "name", "title", "puzzle_id", "puzzleid", "unnamed: 0"})
"""Names of a column before those of cells that is none of them."""
_CELL_NAME = re.compile(r"[Rr](?:ow)?[ _]?(\d+)[ _]?[Cc](?:ol)?[ _]?(\d+)")


def _split(line: str, delimiter: str) -> list[str]:
    try:
        return [field.strip() for field in split_fields(line.rstrip("\r"), delimiter)]
    except csv.Error:
        return []


# --- one board --------------------------------------------------------------------------------------------------


def find_numbered_rows(head: str) -> _TakeOff | None:
    """Find one board with names above its columns, and numbers or letters in order before its rows."""
    lines = [(at, line) for at, line in enumerate(head.split("\n")) if line.strip()]
    side = len(lines) - 1
    if not _LEAST <= side <= _MOST or any(len(line) > LONGEST_LINE for _, line in lines):
        return None
    for delimiter in _DELIMITERS:
        header, *rows = (_split(line, delimiter) for _, line in lines)
        if {*map(len, rows)} == {side + 1} and _are_labels([row[0] for row in rows]) and _are_names(header, side):
            return partial(_without_numbers, lines[0][0], delimiter)
    return None


def _are_labels(words: Sequence[str]) -> bool:
    """Return whether words count the rows: from 0, from 1 or from A."""
    counts = [[*map(str, range(first, first + len(words)))] for first in (0, 1)]
    return [*words] in (*counts, [*UPPERCASE[: len(words)]])


def _are_names(header: Sequence[str], side: int) -> bool:
    """Return whether a first line names so many columns: letters in order, or words with numbers in order."""
    corner, names = header[:-side], header[-side:]
    if len(corner) > 1 or (corner and corner[0] in DIGITS and corner[0]) or len(names) < side:
        return False
    numbers = [int(found[1]) for name in names if (found := _COUNTED.fullmatch(name)) and not name.isdecimal()]
    in_order = len(numbers) == side and numbers == [*range(numbers[0], numbers[0] + side)]
    return in_order or "".join(names).upper() == UPPERCASE[:side]


def _without_numbers(header: int, delimiter: str, lines: Iterable[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        if at == header or not line.strip():
            yield ""
        else:
            yield join_fields(_split(line, delimiter)[1:], delimiter).removesuffix("\n")


# --- many boards ------------------------------------------------------------------------------------------------


class _BoardColumns(NamedTuple):
    """The delimiter of a table, its fields in a row, those before the boards, and the number of boards; rows of their own."""

    delimiter: str
    width: int
    before: int
    boards: int
    rows: bool

    def join(self, fields: Sequence[str]) -> list[str] | None:
        """Return the fields before the boards and each board in one word; None if the fields are none."""
        cells = fields[self.before :]
        if len(fields) != self.width or not all(map(self.is_part, cells)):
            return None
        each = len(cells) // self.boards
        parts = [_cell(field) if not self.rows else field for field in cells]
        return [*fields[: self.before], *("".join(parts[at : at + each]) for at in range(0, len(parts), each))]

    def is_part(self, field: str) -> bool:
        """Return whether a field may be a cell, or a row."""
        if self.rows:
            return len(field) == _SIDE and _SIGNS.issuperset(field)
        return _cell(field) in _SIGNS


def _cell(field: str) -> str:
    """Return the sign of a cell: ``.`` for what programs write for no value."""
    return "." if not field or field.lower() in NULLS else field.removesuffix(".0")


def find_board_columns(head: str) -> _TakeOff | None:
    """Find a table with a column for each cell or row of 9x9 boards, with others before them or several boards in a row."""
    lines = [*islice((line for line in head.split("\n") if line.strip() and len(line) <= LONGEST_LINE), _SAMPLE)]
    for delimiter in _DELIMITERS:
        if not lines or lines[0].count(delimiter) < _SIDE:
            continue
        rows = [_split(line, delimiter) for line in lines]
        found = _columns_of(delimiter, len(rows[0]))
        good = [row for row in rows if found and found.join(row)]
        if not found or len(rows) == 1 or 2 * len(good) < len(rows):
            continue
        named = rows[0] not in good
        if _names_in_order(rows[0], found) if named else _is_clear(good, found):
            return partial(_join_boards, found, rows[0] if named else [])
    return None


def _columns_of(delimiter: str, width: int) -> _BoardColumns | None:
    """Return what a row of so many fields may be."""
    before = 1 if width in {_CELLS + 1, 2 * _CELLS + 1, _SIDE + 1} else 0
    if width == _SIDE + 1:
        return _BoardColumns(delimiter, width, before, 1, rows=True)
    boards = (width - before) // _CELLS
    return _BoardColumns(delimiter, width, before, boards, rows=False) if width in {82, 162, 163} else None


def _is_clear(rows: Sequence[Sequence[str]], found: _BoardColumns) -> bool:
    """Return whether the first field cannot be a cell, so that a board is in the others."""
    return not found.before or not all(found.is_part(row[0]) for row in rows)


def _names_in_order(header: Sequence[str], found: _BoardColumns) -> bool:
    """Return whether the names of columns are no cells and name rows, or cells row by row if they have places."""
    names = header[found.before :]
    if found.before and not found.rows and header[0].lower() not in _NAMES_BEFORE:
        return False
    if found.rows:
        numbers = [int(one[1]) for name in names if (one := _ROW_NAME.fullmatch(name))]
        return len(numbers) == _SIDE and numbers == [*range(numbers[0], numbers[0] + _SIDE)]
    places = [(int(one[1]), int(one[2])) for name in names[:_CELLS] if (one := _CELL_NAME.fullmatch(name))]
    return all(any(map(str.isalpha, name)) for name in names) and places == sorted(places)


def _join_boards(found: _BoardColumns, header: Sequence[str], lines: Iterable[str]) -> Iterator[str]:
    """Yield each row as a row of boards of a line, and nothing for the header; rows in which something is wrong as they are."""
    for line in lines:
        fields = _split(line, found.delimiter) if len(line) <= LONGEST_LINE else []
        joined = found.join(fields)
        if joined:
            yield join_fields(joined, found.delimiter).removesuffix("\n")
        else:
            yield "" if header and fields == header else line
