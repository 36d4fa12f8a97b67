"""One record and its answer as a line of text, a row of a table or an object of JSON; and how many of them an output holds."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, replace
from itertools import count, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import Record
from sudoku_cp.formats.table_rows import format_row, join_fields, split_fields
from sudoku_cp.formats.text_files import open_bytes, read_errors
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json, solution_to_short_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from sudoku_cp.batch.solve_request import RecordRequest, SolveRequest
    from sudoku_cp.grid import Grid
    from sudoku_cp.queries import Answer


# Chunks of records, as the reader sends them to the workers: plain boards as one array of bytes, or any records as a list.
#
# Chunks can be pickled, because a worker may be another process or another machine.


class InputPosition(NamedTuple):
    """Where a block of the input ends: number of the source, bytes of it that were read (decompressed), and their CRC-32."""

    source: int = 0
    offset: int = 0
    crc: int = 0


START = InputPosition()


class ChunkEntry(NamedTuple):
    """A record and its line of a table, empty unless the columns of the input are kept."""

    record: Record
    line: str = ""


@dataclass(frozen=True, eq=False)
class BoardArray:
    """Plain boards of one plain grid in numerals, the first of them record number ``first``, in line ``line``.

    Each has ``lines`` lines. ``values`` (N, cells) holds 0 for blanks; ``stated`` (N or 0, cells) the stated solutions, if any;
    ``rows`` the lines of the table that the boards were read from, each with its line end, if they are kept.
    """

    grid: Grid
    values: NDArray[np.uint8]
    stated: NDArray[np.uint8]
    rows: bytes = b""
    line: int = 1
    first: int = 0
    position: InputPosition = START
    lines: int = 1

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.values)

    def slices(self, spans: Iterable[tuple[int, int]]) -> Iterator[BoardArray]:
        """Yield the records of each span (start, stop)."""
        lines = self.rows.splitlines(keepends=True)
        for start, stop in spans:
            yield replace(
                self,
                values=self.values[start:stop],
                stated=self.stated[start:stop],
                rows=b"".join(lines[start:stop]),
                line=self.line + start * self.lines,
                first=self.first + start,
            )

    def concatenate(self, others: Sequence[BoardArray]) -> BoardArray:
        """Return one chunk with those that follow it."""
        every = (self, *others)
        values, stated = np.concatenate([one.values for one in every]), np.concatenate([one.stated for one in every])
        return replace(self, values=values, stated=stated, rows=b"".join(one.rows for one in every))

    def entries(self) -> Iterator[ChunkEntry]:
        """Yield the boards as records."""
        rows = self.rows.decode().split("\n") if self.rows else [""] * len(self)
        stated = map(tuple, self.stated.tolist()) if len(self.stated) else repeat(None)
        for line, board, solution, row in zip(count(self.line, self.lines), self.values.tolist(), stated, rows, strict=False):
            givens = {cell: value for cell, value in enumerate(board) if value}
            yield ChunkEntry(Record(Puzzle(self.grid, givens=givens, solution=solution), None, line), row)


@dataclass(frozen=True)
class RecordList:
    """Records of any kind, the first of them number ``first``."""

    held: tuple[ChunkEntry, ...]
    first: int = 0
    position: InputPosition = START

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.held)

    def slices(self, spans: Iterable[tuple[int, int]]) -> Iterator[RecordList]:
        """Yield the records of each span (start, stop)."""
        return (replace(self, held=self.held[start:stop], first=self.first + start) for start, stop in spans)

    def concatenate(self, others: Sequence[RecordList]) -> RecordList:
        """Return one chunk with those that follow it."""
        return replace(self, held=tuple(entry for one in (self, *others) for entry in one.held))

    def entries(self) -> Iterator[ChunkEntry]:
        """Yield the records."""
        return iter(self.held)


RecordChunk: TypeAlias = BoardArray | RecordList


COLUMNS = ("status", "count", "answer", "engine", "reason")
"""The columns that follow each puzzle in a table."""


class AnswerRow(NamedTuple):
    """What a table says about a record."""

    puzzle: str
    status: str
    number: int | None
    answer: str | None
    engine: str | None
    reason: str | None


def format_header(request: RecordRequest, columns: Sequence[str] = COLUMNS) -> str:
    """Return the header of a table: the columns of the input, if they are kept, and ours."""
    if not request.header:
        return f"puzzle,{','.join(columns)}\n"
    return request.delimiter.join([request.header, *answer_columns(input_columns(request), columns)]) + "\n"


def input_columns(request: RecordRequest) -> list[str]:
    """Return the names of the input's columns."""
    return _fields_or_none(request.header, request.delimiter) or []


def answer_columns(before: Sequence[str], columns: Sequence[str] = COLUMNS) -> list[str]:
    """Return the names of our columns, numbered if a column before them has the name: ``status_2``."""
    taken = {name.strip().lower() for name in before}
    return [
        name if name not in taken else next(f"{name}_{n}" for n in range(2, 99) if f"{name}_{n}" not in taken) for name in columns
    ]


def format_error(error: Exception) -> str:
    """Return the message of an error."""
    return _escape_bytes(str(error))


def make_answer_row(entry: ChunkEntry, answer: Answer | None) -> AnswerRow:
    """Return the row of a record; without an answer it is about the record's error."""
    puzzle = entry.record.puzzle
    if puzzle is None or answer is None:
        return AnswerRow("", "error", None, None, None, format_error(entry.record.error or ValueError("no answer")))
    return AnswerRow(
        to_text(puzzle_to_short_json(puzzle)),
        answer.status,
        answer.count,
        to_text(solution_to_short_json(puzzle, answer.solution)) if answer.solution else None,
        answer.backend,
        answer.reason,
    )


def to_text(value: str | dict[str, Any]) -> str:
    """Return a text as it is, and an object of JSON as a line."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def format_text_line(index: int, entry: ChunkEntry, answer: Answer | None) -> str:
    """Return the number, the status, and the first solution or the error, separated by tabs."""
    row = make_answer_row(entry, answer)
    last = row.reason if row.status == "error" else row.answer
    return "\t".join([str(index), row.status, *([" ".join(last.split())] if last else [])]) + "\n"


def format_csv_line(entry: ChunkEntry, answer: Answer | None, request: SolveRequest) -> str:
    """Return a row of CSV, after the fields of the record's own line if these are kept."""
    row = make_answer_row(entry, answer)
    return format_table_line(entry, row.puzzle, ["" if value is None else str(value) for value in row[1:]], request)


def format_table_line(entry: ChunkEntry, puzzle: str, ours: Sequence[str], request: RecordRequest) -> str:
    """Return a row of CSV: the fields of the record's own line, if these are kept, else the puzzle; and ``ours``."""
    if not request.header:
        return format_row([puzzle, *ours])
    kept, fields = parse_input_fields(entry.line, request), _fields_or_none(entry.line, request.delimiter)
    own = entry.line if kept == fields else join_fields(kept, request.delimiter).removesuffix("\n")
    return own + request.delimiter + format_row(ours, request.delimiter)


def _fields_or_none(line: str, delimiter: str) -> list[str] | None:
    """Return the fields of a line, None if its quotes do not match."""
    try:
        return split_fields(line, delimiter)
    except csv.Error:
        return None


def parse_input_fields(line: str, request: RecordRequest) -> list[str]:
    """Return the fields of a line of the input, exactly as many as its header has names, so that ours stay in their columns.

    Surplus fields are joined to the last one, missing ones are empty.
    """
    width = len(input_columns(request)) or 1
    fields = _fields_or_none(line, request.delimiter)
    kept = [line] if fields is None else fields
    if len(kept) > width:
        kept = [*kept[: width - 1], request.delimiter.join(kept[width - 1 :])]
    return [*map(_escape_bytes, kept), *[""] * (width - len(kept))]


def _escape_bytes(text: str) -> str:
    """Return a text with bytes that were not UTF-8 as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def format_json_line(index: int, entry: ChunkEntry, answer: Answer | None, request: SolveRequest) -> str:
    """Return the object of a record; ``solutions`` holds the first one, or all that were found if several are asked for."""
    puzzle = entry.record.puzzle
    if puzzle is None or answer is None:
        fields: dict[str, Any] = {"index": index, "status": "error", "error": make_answer_row(entry, answer).reason}
        return json.dumps(fields, ensure_ascii=False) + "\n"
    shown = answer.solutions if request.all_solutions else answer.solutions[:1]
    fields = {
        "index": index,
        "puzzle": puzzle_to_short_json(puzzle),
        "status": answer.status,
        "solutions": [solution_to_short_json(puzzle, solution) for solution in shown],
        "count": answer.count,
        "exact": answer.exact,
        "backend": answer.backend,
    }
    if answer.reason:
        fields["reason"] = answer.reason
    if answer.stated:
        fields["stated_solution"] = answer.stated
    return json.dumps(fields, ensure_ascii=False) + "\n"


# --- outputs that are whole ----------------------------------------------------------------------------------------

_LINE_STARTS = {"text": b"%d\t", "jsonl": b'{"index": %d, '}
"""How the line of each record starts."""


def count_lines(output: Path, kind: str, header: str) -> int | None:
    """Return how many whole lines of records an output of lines holds, None if it holds anything else.

    A table begins with ``header``; elsewhere the lines are numbered.
    """
    try:
        with open_bytes(output) as lines:
            return _count_lines(lines, kind, header)
    except InvalidInput:
        return None
    except read_errors():
        return None


def _count_lines(lines: Iterable[bytes], kind: str, header: str) -> int | None:
    start = _LINE_STARTS.get(kind, b"")
    numbered = enumerate(lines)
    if kind == "csv":
        if next(numbered, (0, b""))[1] != header.encode():
            return None
        numbered = enumerate(line for _, line in numbered)
    number = 0
    for index, line in numbered:
        if not (line.endswith(b"\n") and line.startswith(start % index if start else b"")):
            return None
        number = index + 1
    return number
