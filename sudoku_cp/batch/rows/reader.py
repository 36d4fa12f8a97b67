"""Reading files and streams as chunks of records, in order; the records are those of `formats.read_records`.

Files of one board a line, and tables with a header, are read in blocks: what is plain in a block stays an array, the lines
around it are parsed one by one. All other formats are read record by record.
"""

from __future__ import annotations

import io
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from sudoku_cp.batch.rows.line_blocks import BLOCK_BYTES, ByteSource, ByteSourceFile, LineBlock, are_solved, line_blocks
from sudoku_cp.batch.rows.line_parsers import BoardLineParser, LineParser, TableLineParser
from sudoku_cp.batch.rows.record_chunks import BoardArray, ChunkEntry, InputPosition, RecordChunk, RecordList
from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats import Options, Record, read_records, recognise_format
from sudoku_cp.formats.base import HEAD, peek_head
from sudoku_cp.formats.faulty_options import FaultyOptions
from sudoku_cp.formats.line_fronts import find_front
from sudoku_cp.formats.registry import format_named
from sudoku_cp.formats.text_files import explain_read_error, iter_lines, open_bytes, plain_text, read_errors
from sudoku_cp.generate.added_rules import with_added_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

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
        first = source.read(BLOCK_BYTES)
        source.unread(first)
        if source.failure and not first.strip():
            raise source.failure
        text = io.TextIOWrapper(io.BytesIO(first), encoding="utf-8-sig", errors="surrogateescape")
        start = plain_text(text.read(HEAD))
        options = self._how.options
        chosen = format_named(self._how.format) if self._how.format else None
        found = recognise_format(start, chosen, options, one.name)
        head, _ = peek_head(iter_lines(start, None, text))
        by_lines = found.name in _LINE_PARSERS and find_front(start) is None
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
