"""Parsers of texts of one puzzle a line: plain boards of one size as one array, with no object for any line; and all others.

Rule of this file: `parse_boards` says the same as `parse_records`, or returns None.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sudoku_cp.batch.rows.record_chunks import BoardArray
from sudoku_cp.formats import Options, Record, csv_tables, puzzle_lines
from sudoku_cp.formats.base import LONGEST_LINE
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import BLANKS, Symbols, alphabet, numerals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray


_LINE_END, _OTHER = 254, 255
_DIGITS = 9


class LineParser(Protocol):
    """Two ways to parse the lines of a file.

    ``header`` is that of a table, in line number ``header_line`` (0 without one), and ``delimiter`` separates its fields.
    """

    header: str
    delimiter: str
    header_line: int

    def parse_boards(self, text: bytes, line: int) -> BoardArray | None:
        """Return the boards of a text that holds nothing else, None for any other; ``line`` is the number of its first line."""

    def parse_records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines, as the format reads them."""


class BoardLineParser:
    """Parser of the format ``line``."""

    header = ""
    delimiter = ","
    header_line = 0

    def __init__(self, head: Sequence[str], options: Options) -> None:
        """Learn the alphabets from ``head``, the first lines."""
        self._reading = puzzle_lines.survey_head(list(head), options)

    def parse_boards(self, text: bytes, line: int) -> BoardArray | None:
        """Return the boards of lines that are all as long as the first."""
        cells = text.find(b"\n")
        if cells < puzzle_lines.LEAST or len(text) % (cells + 1):
            return None
        grid = _plain_grid(cells, self._reading.options, self._reading.known)
        if grid is None:
            return None
        values = np.frombuffer(text.translate(_value_table(grid)), np.uint8).reshape(-1, cells + 1)
        if not (values[:, -1] == _LINE_END).all():
            return None
        boards = np.ascontiguousarray(values[:, :-1])
        return BoardArray(grid, boards, boards[:0], line=line) if _are_plain(boards) else None

    def parse_records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines."""
        return puzzle_lines.iter_records(numbered, self._reading)


class TableLineParser:
    """Parser of the format ``csv``, with a header or without one."""

    def __init__(self, head: Sequence[str], options: Options) -> None:
        """Find the header, and learn the alphabets, in ``head``, the first lines."""
        self._reading = csv_tables.survey_head(list(head), options)
        named = bool(self._reading.header.columns)
        self.delimiter = self._reading.header.delimiter
        self.header = head[self._reading.first - 1].strip("\ufeff") if named else ""
        self.header_line = self._reading.first if named else 0
        self._columns = {name: column for name, column in self._reading.header.columns.items() if name in {"puzzle", "solution"}}
        self._width = self.header.count(self.delimiter) + 1
        self._simple = named and '"' not in self.header and "signs" not in self._reading.header.columns

    def parse_boards(self, text: bytes, line: int) -> BoardArray | None:
        """Return the boards, with their stated solutions, of lines without quotes, comments and odd fields."""
        if not self._simple or line <= self._reading.first or b'"' in text or text.startswith(b"#") or b"\n#" in text:
            return None
        rows = [row.split(self.delimiter.encode()) for row in text[:-1].split(b"\n")]
        if {len(row) for row in rows} != {self._width} or not _is_printable(text):
            return None
        columns = {name: [row[column] for row in rows] for name, column in self._columns.items()}
        cells = len(columns["puzzle"][0])
        grid = _plain_grid(cells, self._reading.options, self._reading.known)
        if grid is None or any(len(field) != cells for fields in columns.values() for field in fields):
            return None
        fields = (b"".join(columns.get(name, ())).translate(_value_table(grid)) for name in ("puzzle", "solution"))
        boards, stated = (np.frombuffer(field, np.uint8).reshape(-1, cells) for field in fields)
        return BoardArray(grid, boards, stated, text, line=line) if _are_plain(boards) and _are_full(stated) else None

    def parse_records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines."""
        return csv_tables.iter_records(numbered, self._reading)


def _is_printable(text: bytes) -> bool:
    """Say whether the bytes are printable ASCII in lines that are not too long."""
    return text.isascii() and not text.translate(None, _PRINTABLE_BYTES) and max(map(len, text.split(b"\n"))) <= LONGEST_LINE


_PRINTABLE_BYTES = bytes([9, 10, *range(32, 127)])


def _plain_grid(cells: int, options: Options, known: dict[int, Symbols]) -> Grid | None:
    """Return the grid of boards with this many cells, None if it is not plain or not known to be written in numerals."""
    side = square_side(cells)
    grid = options.grid or (Grid.square(side) if side else None)
    if grid is None or len(grid.cells) != cells or not grid.is_plain:
        return None
    symbols = alphabet(options.alphabet, grid.values) if options.alphabet else known.get(len(grid.values))
    return grid if symbols == numerals(grid.values) else None


def _are_plain(boards: NDArray[np.uint8]) -> bool:
    """Say whether boards (N, cells) hold values and blanks alone, and each by itself would be read as numerals."""
    if boards.max() >= _LINE_END:
        return False
    if boards.shape[1] <= _DIGITS**2:
        return True
    digits, signs = ((boards > 0) & (boards <= _DIGITS)).any(axis=1), boards.any(axis=1)
    return bool((digits | ~signs).all())


def _are_full(boards: NDArray[np.uint8]) -> bool:
    """Say whether boards (N, cells) hold a value in every cell; so do no boards."""
    return bool(boards.all() and (not len(boards) or boards.max() < _LINE_END))


@lru_cache(maxsize=64)
def _value_table(grid: Grid) -> bytes:
    """Return the value of every byte: 0 for blanks, `_LINE_END` for a line's end, `_OTHER` for all that is not plain.

    That includes a space, which may be a blank or stand before a title.
    """
    values, symbols = bytearray([_OTHER] * 256), numerals(grid.values)
    for blank in BLANKS.strip():
        values[ord(blank)] = 0
    for code in range(33, 127):
        value = symbols.parse(chr(code))
        if value:
            values[code] = value
    values[ord("\n")] = _LINE_END
    return bytes(values)


def split_fields(line: str, delimiter: str) -> list[str] | None:
    """Return the fields of a line, None if its quotes do not match."""
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return None
