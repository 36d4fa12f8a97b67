"""Lines that are nothing but boards of one size, read as one array without an object for any line; and all others.

Rule of this file: `plain` says the same as `records` or says nothing.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sudoku_cp.batch.rows.record_chunks import Boards
from sudoku_cp.formats import lines, tables
from sudoku_cp.formats.base import LONGEST_LINE
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import side_of
from sudoku_cp.symbols import BLANKS, alphabet, numerals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.formats import Options, Record
    from sudoku_cp.symbols import Symbols

_END, _ELSE = 254, 255
_DIGITS = 9


class Lines(Protocol):
    """What is known of a file of lines, and two ways to read them.

    ``header`` is that of a table, in line ``top``, and ``delimiter`` separates its fields.
    """

    header: str
    delimiter: str
    top: int

    def plain(self, text: bytes, line: int) -> Boards | None:
        """Return the boards of a text that is nothing else, its first line number ``line``; None for any other text."""
        ...

    def records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines as the format reads them."""
        ...


class BoardLines:
    """Lines of the format ``line``."""

    header = ""
    delimiter = ","
    top = 0

    def __init__(self, head: Sequence[str], options: Options) -> None:
        """Learn the alphabets from the first lines."""
        self._reading = lines.survey(list(head), options)

    def plain(self, text: bytes, line: int) -> Boards | None:
        """Return the boards of a text of lines that are all of the length of the first."""
        cells = text.find(b"\n")
        if cells < lines.LEAST or len(text) % (cells + 1):
            return None
        grid = _grid_of(cells, self._reading.options, self._reading.known)
        if grid is None:
            return None
        values = np.frombuffer(text.translate(_table(grid)), np.uint8).reshape(-1, cells + 1)
        if not (values[:, -1] == _END).all():
            return None
        boards = np.ascontiguousarray(values[:, :-1])
        return Boards(grid, boards, boards[:0], line=line) if _is_plain(boards) else None

    def records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines."""
        return lines.records_of(numbered, self._reading)


class TableLines:
    """Lines of the format ``csv``, below a header or without one."""

    def __init__(self, head: Sequence[str], options: Options) -> None:
        """Find the header, and learn the alphabets from the first lines."""
        self._reading = tables.survey(list(head), options)
        named = bool(self._reading.header.columns)
        self.delimiter = self._reading.header.delimiter
        self.header = head[self._reading.first - 1].strip("\ufeff") if named else ""
        self.top = self._reading.first if named else 0
        self._columns = {name: column for name, column in self._reading.header.columns.items() if name in {"puzzle", "solution"}}
        self._width = self.header.count(self.delimiter) + 1
        self._simple = named and '"' not in self.header and "signs" not in self._reading.header.columns

    def plain(self, text: bytes, line: int) -> Boards | None:
        """Return the boards of lines without quotes, comments and odd fields, with their stated solutions."""
        if not self._simple or line <= self._reading.first or b'"' in text or text.startswith(b"#") or b"\n#" in text:
            return None
        rows = [row.split(self.delimiter.encode()) for row in text[:-1].split(b"\n")]
        if {len(row) for row in rows} != {self._width} or not _is_text(text):
            return None
        told = {name: [row[column] for row in rows] for name, column in self._columns.items()}
        cells = len(told["puzzle"][0])
        grid = _grid_of(cells, self._reading.options, self._reading.known)
        if grid is None or any(len(field) != cells for fields in told.values() for field in fields):
            return None
        fields = (b"".join(told.get(name, ())).translate(_table(grid)) for name in ("puzzle", "solution"))
        boards, stated = (np.frombuffer(field, np.uint8).reshape(-1, cells) for field in fields)
        return Boards(grid, boards, stated, text, line=line) if _is_plain(boards) and _is_full(stated) else None

    def records(self, numbered: Iterable[tuple[int, str]]) -> Iterator[Record]:
        """Yield the records of numbered lines."""
        return tables.records_of(numbered, self._reading)


def _is_text(text: bytes) -> bool:
    """Say whether the bytes are printable ASCII of lines that are not too long: nothing in them needs a closer look."""
    return text.isascii() and not text.translate(None, _PRINTABLE) and max(map(len, text.split(b"\n"))) <= LONGEST_LINE


_PRINTABLE = bytes([9, 10, *range(32, 127)])


def _grid_of(cells: int, options: Options, known: dict[int, Symbols]) -> Grid | None:
    """Return the grid of boards of so many cells, None where it is not plain or not known to be written in numerals."""
    side = side_of(cells)
    grid = options.grid or (Grid.square(side) if side else None)
    if grid is None or len(grid.cells) != cells or not grid.is_plain:
        return None
    symbols = alphabet(options.alphabet, grid.values) if options.alphabet else known.get(len(grid.values))
    return grid if symbols == numerals(grid.values) else None


def _is_plain(boards: NDArray[np.uint8]) -> bool:
    """Say whether boards (N, cells) hold nothing odd, and whether each would be taken for numerals by itself."""
    if boards.max() >= _END:
        return False
    if boards.shape[1] <= _DIGITS**2:
        return True
    digits, signs = ((boards > 0) & (boards <= _DIGITS)).any(axis=1), boards.any(axis=1)
    return bool((digits | ~signs).all())


def _is_full(boards: NDArray[np.uint8]) -> bool:
    """Say whether boards (N, cells), perhaps none, hold a value in every cell."""
    return bool(boards.all() and (not len(boards) or boards.max() < _END))


@lru_cache(maxsize=64)
def _table(grid: Grid) -> bytes:
    """Return the value of every byte: 0 for blanks, `_END` for a line's end, `_ELSE` for what needs a closer look.

    So does a space, which may be a blank or stand before a title.
    """
    told, symbols = bytearray([_ELSE] * 256), numerals(grid.values)
    for blank in BLANKS.strip():
        told[ord(blank)] = 0
    for code in range(33, 127):
        value = symbols.parse(chr(code))
        if value:
            told[code] = value
    told[ord("\n")] = _END
    return bytes(told)


def fields_of(line: str, delimiter: str) -> list[str] | None:
    """Return the fields of a line, None where its quotes are in disorder."""
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return None
