"""Files and streams to pieces of work, in order, with the meaning that `formats.read_records` gives them.

Files of a board a line, and tables with a header, are read in blocks: what is plain in a block stays an array, the lines
around it are read one by one. All other formats are read record by record.
"""

from __future__ import annotations

import io
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from sudoku_cp.batch.rows.line_blocks import BLOCK, Block, Bytes, Handed, blocks
from sudoku_cp.batch.rows.line_parsers import BoardLines, Lines, TableLines
from sudoku_cp.batch.rows.record_chunks import Boards, Entry, Piece, Place, Records
from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats import Options, Record, read_records, recognised
from sudoku_cp.formats.base import HEAD, peeked
from sudoku_cp.formats.registry import format_named
from sudoku_cp.formats.sources import explained, failures, lines_of, unpacked
from sudoku_cp.rules import rule_from_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

LEVELS = (1 << 15, 1 << 11)
"""A block that is not plain as a whole is tried in parts of so many bytes, then in smaller ones; those left are read by line."""
_LINES: dict[str, Callable[[Sequence[str], Options], Lines]] = {"line": BoardLines, "csv": TableLines}
GATHERED = 1000
"""Records of other formats in a piece, at most."""


@dataclass(frozen=True)
class Input:
    """A file or a stream of bytes, and what errors call it."""

    source: str | Path | IO[bytes]
    name: str = ""

    @staticmethod
    def of(source: Input | str | Path | IO[bytes]) -> Input:
        """Return the input for a source, which may be one already."""
        if isinstance(source, Input):
            return source
        return Input(source, str(source) if isinstance(source, str | Path) else "")


@dataclass(frozen=True)
class Reading:
    """How the inputs are to be read: their format (None: recognised), the shape and alphabet of plain texts, added rules."""

    format: str | None = None
    options: Options = field(default_factory=Options)
    rules: tuple[Any, ...] = ()


class Reader:
    """Reads inputs one after the other, and knows how far it is."""

    def __init__(self, inputs: Sequence[Input], reading: Reading, *, keep: bool) -> None:
        """Read nothing yet; ``keep`` asks for the lines of tables beside their puzzles."""
        self._inputs = inputs
        self._reading = reading
        self._keep = keep
        self._file: Any = None
        self._before = 0
        self._line = 1
        self.header = ""
        self.delimiter = ","

    @property
    def position(self) -> int:
        """The bytes read so far, packed as they are."""
        try:
            return self._before + (self._file.tell() if self._file else 0)
        except (OSError, ValueError):
            return self._before

    def pieces(self) -> Iterator[Piece]:
        """Yield all records, numbered."""
        number = 0
        for index, one in enumerate(self._inputs):
            for piece in self._read(index, one):
                yield replace(piece, first=number)
                number += len(piece)

    def _read(self, index: int, one: Input) -> Iterator[Piece]:
        """Yield one input's pieces; what is wrong with the whole of it is a record's error, the last."""
        empty = True
        try:
            with ExitStack() as stack:
                source = Bytes(stack.enter_context(self._opened(one, stack)))
                for piece in self._pieces(index, one, source):
                    empty = False
                    yield piece
                if source.failure:
                    raise source.failure
            if empty:
                raise ParseError("expected at least one puzzle, got none")
        except InvalidInput as error:
            yield _failed(one, error)
        except failures() as error:
            yield _failed(one, ParseError(explained(error)))

    def _opened(self, one: Input, stack: ExitStack) -> Any:
        self._before, self._file = self.position, None
        if not isinstance(one.source, str | Path):
            self._file = one.source
            return unpacked(one.source)
        if "\0" in str(one.source):
            return unpacked(one.source)  # which says what is wrong with such a name
        self._file = stack.enter_context(Path(one.source).open("rb"))  # noqa: SIM115  # the stack closes it
        stack.callback(self._closed)
        return unpacked(self._file, Path(one.source).suffix)

    def _closed(self) -> None:
        self._before, self._file = self.position, None

    def _pieces(self, index: int, one: Input, source: Bytes) -> Iterator[Piece]:
        first = source.take(BLOCK)
        source.put_back(first)
        if source.failure and not first.strip():
            raise source.failure
        text = io.TextIOWrapper(io.BytesIO(first), encoding="utf-8-sig", errors="surrogateescape")
        start = text.read(HEAD)
        options = self._reading.options
        chosen = format_named(self._reading.format) if self._reading.format else None
        found = recognised(start, chosen, options, one.name)
        head, _ = peeked(lines_of(start, None, text))
        lines = _LINES[found.name](head, options) if found.name in _LINES else None
        self._take_header(index, lines)
        if lines:
            yield from self._of_lines(index, one, source, lines)
            return
        stream = io.TextIOWrapper(io.BufferedReader(Handed(source)), encoding="utf-8-sig", errors="surrogateescape")
        records = read_records(
            stream,
            format=found.name,
            grid=options.grid,
            alphabet=options.alphabet,
            strict=options.strict,
            name=one.name,
        )
        yield from (replace(piece, place=Place(index)) for piece in self._gathered(records))
        source.failure = None  # the reader of records has told it

    def _take_header(self, index: int, lines: Lines | None) -> None:
        """Keep the columns of the first input; others cannot stand below them."""
        header = lines.header if lines else ""
        if self._keep and index and header != self.header:
            raise ParseError(f"expected the columns of the first input, {self.header!r:.80}; got {header!r:.80}")
        self.header, self.delimiter = header, lines.delimiter if lines else ","

    def _gathered(self, records: Iterable[Record]) -> Iterator[Piece]:
        held: list[Entry] = []
        for record in records:
            held.append(Entry(self._with_rules(record)))
            if len(held) == GATHERED:
                yield Records(tuple(held))
                held = []
        if held:
            yield Records(tuple(held))

    # --- blocks of lines ----------------------------------------------------------------------------------------

    def _of_lines(self, index: int, one: Input, source: Bytes, lines: Lines) -> Iterator[Piece]:
        self._line = 1
        for block in blocks(source):
            place = Place(index, block.offset, block.crc)
            for kind, same in groupby(self._segments(one, block, lines), _kind):
                first, *others = same
                piece = first.joined(others) if others else first  # type: ignore[arg-type]  # all of one kind
                if kind is not None and len(piece):
                    yield replace(piece, place=place)
        if source.failure and not isinstance(source.failure, InvalidInput):
            source.failure = ParseError(explained(source.failure), line=self._line)

    def _segments(self, one: Input, block: Block, lines: Lines) -> Iterator[Piece]:
        """Yield a block's plain parts and the records of its others, in order: what is read settles what follows."""
        top = _lines_end(block.text, lines.top - self._line + 1)
        waiting = [(text, level) for text, level in ((block.text[top:], 0), (block.text[:top], len(LEVELS))) if text]
        while waiting:
            text, level = waiting.pop()
            plain = None if self._reading.rules else lines.plain(text, self._line)
            if plain is not None:
                self._line += len(plain)
                yield plain if self._keep else replace(plain, kept=b"")
            elif level < len(LEVELS):
                waiting += [(part, level + 1) for part in reversed(list(_parts(text, LEVELS[level])))]
            else:
                rows = text[:-1].decode("utf-8", "surrogateescape").split("\n")
                yield Records(tuple(self._entries(one, rows, lines)))
                self._line += len(rows)

    def _entries(self, one: Input, rows: Sequence[str], lines: Lines) -> Iterator[Entry]:
        for record in lines.records(enumerate(rows, self._line)):
            told = record if record.error is None else replace(record, error=record.error.at(source=one.name))
            yield Entry(self._with_rules(told), rows[record.line - self._line] if self._keep and lines.header else "")

    def _with_rules(self, record: Record) -> Record:
        """Add the rules asked for; where they do not fit the puzzle, that is the record's error."""
        if record.puzzle is None or not self._reading.rules:
            return record
        try:
            rules = (rule_from_json(rule, record.puzzle.grid) for rule in self._reading.rules)
            return replace(record, puzzle=replace(record.puzzle, rules=(*record.puzzle.rules, *rules)))
        except InvalidInput as error:
            return replace(record, puzzle=None, error=ParseError(error.problems, line=record.line))


def _lines_end(text: bytes, number: int) -> int:
    """Return where the first so many lines end, 0 for none of them."""
    end = 0
    for _ in range(number):
        end = text.find(b"\n", end) + 1 or len(text)
    return end


def _parts(text: bytes, size: int) -> Iterator[bytes]:
    """Yield whole lines of about ``size`` bytes."""
    start = 0
    while start < len(text):
        stop = text.find(b"\n", min(start + size, len(text) - 1)) + 1
        yield text[start:stop]
        start = stop


def _kind(piece: Piece) -> object:
    return piece.grid if isinstance(piece, Boards) else len(piece) > 0 or None


def _failed(one: Input, error: InvalidInput) -> Records:
    found = error if isinstance(error, ParseError) else ParseError(error.problems)
    return Records((Entry(Record(None, found.at(source=one.name), found.line or 1)),))
