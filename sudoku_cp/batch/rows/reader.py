"""Reading files and streams as chunks of records, in order; the records are those of `formats.read_records`.

Files of one board a line, and tables with a header, are read in blocks: what is plain in a block stays an array, the lines
around it are parsed one by one. All other formats are read record by record.
"""

from __future__ import annotations

import io
import re
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol
from zlib import crc32

import numpy as np

from sudoku_cp.batch.rows.row_format import BoardArray, ChunkEntry, InputPosition, RecordChunk, RecordList
from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats import Options, Record, csv_tables, format_named, puzzle_lines, read_records, recognise_format, table_rows
from sudoku_cp.formats.base import HEAD, LONGEST_LINE, FaultyOptions, peek_head
from sudoku_cp.formats.jigsaws import is_solution
from sudoku_cp.formats.stated_rules import names_in
from sudoku_cp.formats.text_files import LONGEST, explain_read_error, iter_lines, open_bytes, plain_text, read_errors
from sudoku_cp.generate.requested_rules import with_added_rules
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import BLANKS, Symbols, alphabet, numerals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray


# Parsers of texts of one puzzle a line: plain boards of one size as one array, with no object for any line; and all others.
#
# Rule of this file: `parse_boards` says the same as `parse_records`, or returns None.


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


FIRST_BYTES = 1 << 20
"""Bytes of an input by which its format is recognised."""
PART_BYTES = (1 << 15, 1 << 11)
"""A block that is not plain as a whole is tried in parts of this many bytes, then in smaller ones; the rest is parsed by line."""
_LINE_PARSERS: dict[str, Callable[[Sequence[str], Options], LineParser]] = {"line": BoardLineParser, "csv": TableLineParser}
LIST_RECORDS = 1000
"""Records of other formats in a chunk, at most."""


@dataclass(frozen=True)
class Input:
    """A file or a stream of bytes, and its name in error messages."""

    source: str | Path | IO[bytes]
    name: str = ""

    @staticmethod
    def of(source: Input | str | Path | IO[bytes]) -> Input:
        """Return a source as an input; an input is returned as it is."""
        if isinstance(source, Input):
            return source
        return Input(source, str(source) if isinstance(source, str | Path) else "")


@dataclass(frozen=True)
class ReadOptions:
    """How to read the inputs: ``format`` (None: recognise it), ``options`` of plain texts, ``rules`` to add to each puzzle."""

    format: str | None = None
    options: Options = field(default_factory=Options)
    rules: tuple[Any, ...] = ()


class Reader:
    """Reads ``inputs`` one after the other."""

    def __init__(
        self, inputs: Sequence[Input], how: ReadOptions, spell: Callable[[str], str] | None = None, *, keep_rows: bool
    ) -> None:
        """Read nothing yet; ``keep_rows`` keeps the lines of tables with their puzzles. Errors name options as ``spell`` does."""
        self._inputs, self._spell = inputs, spell
        self._how = how
        self._keep_rows = keep_rows
        self._file: Any = None
        self._bytes_before = 0
        self._line = 1
        self._faults: FaultyOptions | None = None
        self.header = ""
        self.delimiter = ","

    @property
    def bytes_read(self) -> int:
        """The bytes read so far, compressed as they are."""
        try:
            return self._bytes_before + (self._file.tell() if self._file else 0)
        except (OSError, ValueError):
            return self._bytes_before

    def chunks(self) -> Iterator[RecordChunk]:
        """Yield all records, numbered through."""
        number = 0
        for index, one in enumerate(self._inputs):
            for chunk in self._read_input(index, one):
                yield replace(chunk, first=number)
                number += len(chunk)

    def _read_input(self, index: int, one: Input) -> Iterator[RecordChunk]:
        """Yield one input's chunks; an error of the input as a whole becomes its last record."""
        empty = True
        self._faults = _faulty_options(one, self._how)
        try:
            with ExitStack() as stack:
                source = ByteSource(stack.enter_context(self._open(one, stack)))
                for chunk in self._read_source(index, one, source):
                    empty = False
                    yield chunk
                if source.failure:
                    raise source.failure
            if empty:
                raise ParseError("expected at least one puzzle, got none")
        except InvalidInput as error:
            yield RecordList((ChunkEntry(self._completed(_error_record(one, error))),))
        except read_errors() as error:
            yield RecordList((ChunkEntry(_error_record(one, ParseError(explain_read_error(error)))),))

    def _open(self, one: Input, stack: ExitStack) -> Any:
        self._bytes_before, self._file = self.bytes_read, None
        if not isinstance(one.source, str | Path):
            self._file = one.source
            return open_bytes(one.source)
        if "\0" in str(one.source):
            return open_bytes(one.source)  # which says what is wrong with such a name
        self._file = stack.enter_context(Path(one.source).open("rb"))  # noqa: SIM115  # the stack closes it
        stack.callback(self._count_bytes)
        return open_bytes(self._file, Path(one.source).suffix)

    def _count_bytes(self) -> None:
        self._bytes_before, self._file = self.bytes_read, None

    def _read_source(self, index: int, one: Input, source: ByteSource) -> Iterator[RecordChunk]:
        first = source.read(FIRST_BYTES)
        source.unread(first)
        if source.failure and not first.strip():
            raise source.failure
        text = io.TextIOWrapper(io.BytesIO(first), encoding="utf-8-sig", errors="surrogateescape")
        start = plain_text(text.read(HEAD))
        options = self._how.options
        chosen = format_named(self._how.format) if self._how.format else None
        found, front = recognise_format(start, chosen, options, one.name)
        head, _ = peek_head(iter_lines(start, None, text))
        by_lines = found.name in _LINE_PARSERS and front is None
        parser = _LINE_PARSERS[found.name](head, options) if by_lines else None
        self._set_header(index, parser)
        if parser:
            yield from self._read_lines(index, one, source, parser)
            return
        stream = io.TextIOWrapper(io.BufferedReader(ByteSourceFile(source)), encoding="utf-8-sig", errors="surrogateescape")
        records = read_records(
            stream,
            format=found.name,
            grid=options.grid,
            alphabet=options.alphabet,
            strict=options.strict,
            name=one.name,
        )
        yield from (replace(chunk, position=InputPosition(index)) for chunk in self._collect_records(records))
        source.failure = None  # the reader of records has reported it

    def _set_header(self, index: int, parser: LineParser | None) -> None:
        """Take the header of the first input; if rows are kept, all inputs must have the same."""
        header = parser.header if parser else ""
        if self._keep_rows and index and header != self.header:
            raise ParseError(f"expected the columns of the first input, {self.header!r:.80}; got {header!r:.80}")
        self.header, self.delimiter = header, parser.delimiter if parser else ","

    def _collect_records(self, records: Iterable[Record]) -> Iterator[RecordChunk]:
        held: list[ChunkEntry] = []
        for record in records:
            held.append(ChunkEntry(self._completed(record)))
            if len(held) == LIST_RECORDS:
                yield RecordList(tuple(held))
                held = []
        if held:
            yield RecordList(tuple(held))

    # --- blocks of lines ----------------------------------------------------------------------------------------

    def _read_lines(self, index: int, one: Input, source: ByteSource, parser: LineParser) -> Iterator[RecordChunk]:
        self._line = 1
        for block in line_blocks(source):
            position = InputPosition(index, block.offset, block.crc)
            for kind, same in groupby(self._split_block(one, block, parser), _chunk_kind):
                first, *others = same
                chunk = first.concatenate(others) if others else first  # type: ignore[arg-type]  # all of one kind
                if kind is not None and len(chunk):
                    yield replace(chunk, position=position)
        if source.failure and not isinstance(source.failure, InvalidInput):
            source.failure = ParseError(explain_read_error(source.failure), line=self._line)

    def _split_block(self, one: Input, block: LineBlock, parser: LineParser) -> Iterator[RecordChunk]:
        """Yield a block's plain parts and the records of its other lines, in order, as earlier lines may affect later ones."""
        top = _end_of_lines(block.text, parser.header_line - self._line + 1)
        stack = [(text, level) for text, level in ((block.text[top:], 0), (block.text[:top], len(PART_BYTES))) if text]
        while stack:
            text, level = stack.pop()
            boards = None if self._how.rules else parser.parse_boards(text, self._line)
            if boards is not None:
                self._line += len(boards) * boards.lines
                yield boards if self._keep_rows else replace(boards, rows=b"")
            elif level < len(PART_BYTES):
                stack += [(part, level + 1) for part in reversed(list(_split_text(text, PART_BYTES[level])))]
            else:
                rows = plain_text(text[:-1].decode("utf-8", "surrogateescape")).split("\n")
                yield RecordList(tuple(self._parse_entries(one, rows, parser)))
                self._line += len(rows)

    def _parse_entries(self, one: Input, rows: Sequence[str], parser: LineParser) -> Iterator[ChunkEntry]:
        for record in parser.parse_records(enumerate(rows, self._line)):
            named = record if record.error is None else replace(record, error=record.error.at(source=one.name))
            kept = self._keep_rows and parser.header
            yield ChunkEntry(self._completed(named), parser.table_row(rows[record.line - self._line]) if kept else "")

    def _completed(self, record: Record) -> Record:
        """Return a record with the rules asked for, or with its error in the words of whoever reads it."""
        found = with_added_rules(record, self._how.rules) if self._how.rules else record
        if record.error is not None and self._faults:
            found = self._faults.name_in(record)
        if found.error is None or self._spell is None:
            return found
        return replace(found, error=found.error.spelled(self._spell))


def _faulty_options(one: Input, how: ReadOptions) -> FaultyOptions | None:
    """Return what names the options at fault in the errors of an input, None if it can only be read once."""
    path = one.source
    if not isinstance(path, str | Path):
        return None

    def read(options: Options) -> Iterator[Record]:
        return read_records(Path(path), format=how.format, grid=options.grid, alphabet=options.alphabet)

    return FaultyOptions(how.options, read)


def _end_of_lines(text: bytes, number: int) -> int:
    """Return where the first ``number`` lines end, 0 for none."""
    end = 0
    for _ in range(number):
        end = text.find(b"\n", end) + 1 or len(text)
    return end


def _split_text(text: bytes, size: int) -> Iterator[bytes]:
    """Yield whole lines of about ``size`` bytes; a board and its solution below it stay together."""
    start = 0
    while start < len(text):
        stop = text.find(b"\n", min(start + size, len(text) - 1)) + 1
        after = text.find(b"\n", stop) + 1
        if after and are_solved(text[text.rfind(b"\n", 0, stop - 1) + 1 : stop], text[stop:after]):
            stop = after
        yield text[start:stop]
        start = stop


def _chunk_kind(chunk: RecordChunk) -> object:
    """Return a key that is equal for neighbours that can be merged into one chunk, None for an empty one."""
    return (chunk.grid, chunk.lines) if isinstance(chunk, BoardArray) else len(chunk) > 0 or None


def _error_record(one: Input, error: InvalidInput) -> Record:
    found = error if isinstance(error, ParseError) else ParseError(error.problems)
    return Record(None, found.at(source=one.name), found.line or 1)


# Streams of bytes cut into blocks of whole lines: about a megabyte each, and the same however the bytes arrive.


BLOCK_BYTES = 1 << 20
"""Bytes of a block, its last line aside."""
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class LineBlock:
    """Whole lines, each ending in one line feed; ``offset`` and ``crc`` are those of all bytes up to the end of the block."""

    text: bytes
    offset: int
    crc: int


class ByteSource:
    """A stream that returns as many bytes as asked for, takes bytes back, and holds its failure until its bytes are used up."""

    def __init__(self, stream: Any) -> None:
        """Read from ``stream``, which has ``read1``."""
        self._stream = stream
        self._unread = memoryview(b"")
        self.failure: Exception | None = None

    def read(self, size: int) -> bytes:
        """Return ``size`` bytes, fewer only at the end or before a failure."""
        parts: list[bytes | memoryview] = [self._unread[:size]]
        self._unread = self._unread[size:]
        missing = size - len(parts[0])
        try:
            while missing > 0 and self.failure is None and (part := self._stream.read1(missing)):
                parts.append(part)
                missing -= len(part)
        except read_errors() as error:
            self.failure = error
        return b"".join(parts)

    def unread(self, data: bytes) -> None:
        """Take bytes back, to be read again."""
        self._unread = memoryview(b"".join((data, self._unread)))


class ByteSourceFile(io.RawIOBase):
    """The rest of a `ByteSource` as a file, which raises its failure where the bytes end."""

    def __init__(self, source: ByteSource) -> None:
        """Read from ``source``."""
        self._source = source

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer; raises the failure at which the bytes end."""
        data = self._source.read(len(buffer))
        if not data and self._source.failure:
            raise self._source.failure
        buffer[: len(data)] = data
        return len(data)


def line_blocks(source: ByteSource) -> Iterator[LineBlock]:
    """Yield the lines; a line in which the stream breaks off is left out, with the reason in ``source.failure``."""
    rest, offset, crc, wanted = b"", 0, 0, BLOCK_BYTES
    while True:
        text = rest + source.read(wanted - len(rest))
        ended = len(text) < wanted
        cut = len(text) if ended and source.failure is None else last_cut(text)
        if not cut and not ended and wanted < LONGEST:
            rest, wanted = text, wanted + BLOCK_BYTES
            continue
        if cut:
            lines, first = text[:cut], not offset
            offset, crc = offset + cut, crc32(lines, crc)
            yield LineBlock(_normalize_line_ends(lines, first=first), offset, crc)
        elif not ended:
            source.failure = ParseError(f"expected lines of at most {LONGEST} characters, got a longer one")
        if ended or not cut:
            return
        rest, wanted = text[cut:], BLOCK_BYTES


def last_cut(text: bytes) -> int:
    """Return where the last whole line but one ends, or a line earlier: a board and its solution below it stay together.

    A carriage return at the very end may be half of a line end.
    """
    mark = b"\n" if b"\n" in text else b"\r"
    last = text.rfind(mark, 0, -1) + 1
    second = text.rfind(mark, 0, max(0, last - 1)) + 1
    if not second:
        return last
    third = text.rfind(mark, 0, second - 1) + 1
    return third if third and are_solved(text[third:second], text[second:last]) else second


def are_solved(above: bytes, below: bytes) -> bool:
    """Return whether a line is the solution of the board on the line above."""
    cells, full = (line[:LONGEST_LINE].decode("latin-1").split(None, 1) for line in (above, below))
    return bool(cells and full) and is_solution(cells[0], full[0])


def _normalize_line_ends(text: bytes, *, first: bool) -> bytes:
    if first:
        text = text.removeprefix(_BOM).removeprefix(_BOM)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text if text.endswith(b"\n") or not text else text + b"\n"
