"""Parsers of texts of one puzzle a line: plain boards of one size as one array, with no object for any line; and all others.

Rule of this file: `parse_boards` says the same as `parse_records`, or returns None.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sudoku_cp.batch.rows.record_chunks import BoardArray
from sudoku_cp.formats import Options, Record, csv_tables, puzzle_lines, table_rows
from sudoku_cp.formats.base import LONGEST_LINE
from sudoku_cp.formats.stated_rules import names_in
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

    ``header`` names the columns of a table, in line number ``header_line`` (0 if no line does); ``delimiter`` separates fields.
    """

    header: str
    delimiter: str
    header_line: int

    def parse_boards(self, text: bytes, line: int) -> BoardArray | None:
        """Return the boards of a text that holds nothing else, None for any other; ``line`` is the number of its first line."""

    def parse_records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines, as the format reads them."""

    def table_row(self, line: str) -> str:
        """Return a line as a row below ``header``."""


class BoardLineParser:
    """Parser of the format ``line``."""

    header = ""
    delimiter = ","
    header_line = 0

    def __init__(self, head: Sequence[str], options: Options) -> None:
        """Learn the alphabets from ``head``, the first lines."""
        self._reading = puzzle_lines.survey_head(list(head), options)

    def parse_boards(self, text: bytes, line: int) -> BoardArray | None:
        """Return the boards of lines that all have the length of the first."""
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
        if not _are_plain(boards):
            return None
        solved = _solved_rows(boards)
        if not solved.any() and not (self._reading.solved and (boards > 0).all(axis=1).any()):
            return BoardArray(grid, boards, boards[:0], line=line)
        in_turn = solved[1::2].all() and 2 * solved.sum() == len(boards)
        return BoardArray(grid, boards[::2], boards[1::2], line=line, lines=2) if in_turn else None

    def parse_records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines."""
        return puzzle_lines.iter_records(numbered, self._reading)

    def table_row(self, line: str) -> str:
        """Return the line as it is: there is no table."""
        return line


class TableLineParser:
    """Parser of the format ``csv``, with a header or without one."""

    def __init__(self, head: Sequence[str], options: Options) -> None:
        """Find the layout, and learn the alphabets, in ``head``, the first lines."""
        self._reading = csv_tables.survey_head(list(head), options)
        layout = self._reading.layout
        self._between_blanks = layout.delimiter == table_rows.WHITE_SPACE
        self.delimiter = "," if self._between_blanks else layout.delimiter
        as_it_is = layout.header and not self._between_blanks
        self.header = head[layout.header - 1].strip("\ufeff") if as_it_is else layout.header_text() if layout.names else ""
        self.header_line = layout.header
        self._columns = {name: column for name, column in layout.columns.items() if name in {"puzzle", "solution"}}
        self._stating = [column for name, column in layout.columns.items() if name in {"rules", "type"}]
        self._simple = (
            bool(layout.names) and '"' not in self.header and not layout.rivals and _NOT_SIMPLE.isdisjoint(layout.columns)
        )
        self._first_row = self._reading.first_row if layout.unread else self.header_line

    def parse_boards(self, text: bytes, line: int) -> BoardArray | None:
        """Return the boards, with their stated solutions, of lines without quotes, comments and odd fields."""
        if not self._simple or line <= self._first_row or b'"' in text or text.startswith(b"#") or b"\n#" in text:
            return None
        width = self._reading.layout.width
        rows = self._split_rows(text, width)
        if {len(row) for row in rows} != {width} or not _is_printable(text):
            return None
        if any(names_in(stated.decode()) for column in self._stating for stated in {row[column] for row in rows}):
            return None
        columns = {name: [row[column] for row in rows] for name, column in self._columns.items()}
        cells = len(columns["puzzle"][0])
        grid = _plain_grid(cells, self._reading.options, self._reading.known)
        if grid is None or any(len(field) != cells for fields in columns.values() for field in fields):
            return None
        fields = (b"".join(columns.get(name, ())).translate(_value_table(grid)) for name in ("puzzle", "solution"))
        boards, stated = (np.frombuffer(field, np.uint8).reshape(-1, cells) for field in fields)
        if not (_are_plain(boards) and _are_full(stated)):
            return None
        kept = b"\n".join(map(b",".join, rows)) + b"\n" if self._between_blanks else text
        return BoardArray(grid, boards, stated, kept, line=line)

    def _split_rows(self, text: bytes, width: int) -> list[list[bytes]]:
        """Return the fields of lines without quotes; none if some would have to be quoted in a table."""
        lines = text[:-1].split(b"\n")
        if self._between_blanks:
            return [] if _NEEDS_QUOTES.search(text) else [row.rstrip().split(None, width - 1) for row in lines]
        return [row.split(self.delimiter.encode()) for row in lines]

    def parse_records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines."""
        return csv_tables.iter_records(numbered, self._reading)

    def table_row(self, line: str) -> str:
        """Return a line as a row of CSV below the header."""
        if not self._between_blanks:
            return line
        fields = table_rows.split_fields(line, table_rows.WHITE_SPACE, self._reading.layout.width)
        return table_rows.format_row(fields).removesuffix("\n")


_NOT_SIMPLE = frozenset({"signs", "regions", "progress"})
"""Columns that make more of a row than a board and its solution."""
_NEEDS_QUOTES = re.compile(rb"[,'=@]|(?<![^ \t\n])[+-]")
"""What a field between blanks cannot have in a table as it is."""


def _is_printable(text: bytes) -> bool:
    """Return whether the bytes are printable ASCII in lines that are not too long."""
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
    """Return whether boards (N, cells) hold values and blanks alone, and each by itself would be read as numerals."""
    if boards.max() >= _LINE_END:
        return False
    if boards.shape[1] <= _DIGITS**2:
        return True
    digits, signs = ((boards > 0) & (boards <= _DIGITS)).any(axis=1), boards.any(axis=1)
    return bool((digits | ~signs).all())


def _solved_rows(boards: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which boards (N, cells) solve the one before, as `jigsaws.is_solution` judges one."""
    found = np.zeros(len(boards), np.bool_)
    below = np.flatnonzero((boards[1:] > 0).all(axis=1)) + 1
    side = square_side(boards.shape[1])
    if side and len(below):
        above, full = boards[below - 1], boards[below]
        agree = ((above == 0) | (above == full)).all(axis=1) & (above == 0).any(axis=1)
        rows = full.reshape(-1, side, side)
        each_once = [(np.diff(np.sort(rows, axis=axis), axis=axis) > 0).all(axis=(1, 2)) for axis in (1, 2)]
        found[below] = agree & each_once[0] & each_once[1]
    return found


def _are_full(boards: NDArray[np.uint8]) -> bool:
    """Return whether boards (N, cells) hold a value in every cell; so do no boards."""
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
