"""Rating many puzzles from file to file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Cancellation, Limits
from sudoku_cp.batch.file_run import Callbacks, RecordRun, RunSummary, check_readable, check_workers, input_stamp
from sudoku_cp.batch.journal import journal_path
from sudoku_cp.batch.rows import array_rows
from sudoku_cp.batch.rows.array_rows import rating_schema
from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
from sudoku_cp.batch.rows.row_format import ChunkEntry, RecordChunk, format_error, format_table_line, to_text
from sudoku_cp.batch.rows.run_output import RunOutput, compress, parse_output_name, table_conversion
from sudoku_cp.batch.solve_request import TABLES, FailedRecord, RecordRequest, SolvedChunk
from sudoku_cp.errors import ParseError
from sudoku_cp.formats import Options
from sudoku_cp.grid import Grid
from sudoku_cp.logic.rating.levels import LEVELS, Levels, levels_to_json
from sudoku_cp.logic.rating.ratings import EVERY, SCALES, Ratings, parse_scales, rate
from sudoku_cp.logic.rating.ratings_json import COLUMNS, error_values, ratings_to_json, ratings_to_values, values_to_row
from sudoku_cp.output_files import refuse_inputs
from sudoku_cp.puzzle import puzzle_to_short_json

# The task of a run that rates: rate the puzzles of a chunk, and write the ratings as rows.


FEW = 4
"""Up to this many puzzles are rated in this process: starting others would take longer."""
CHUNK_RECORDS, REMOTE_CHUNK_RECORDS = 8, 100
"""Records sent at a time to a process, and to a cluster: a hard puzzle may take a second."""


@dataclass(frozen=True, kw_only=True)
class RateRequest(RecordRequest):
    """On which ``scales`` every puzzle is rated, with words of these ``levels``; ``ways`` counts the ways forward."""

    scales: tuple[str, ...] = SCALES
    ways: bool = False
    levels: Levels = LEVELS


class _RatedRow(NamedTuple):
    """The record of this number in the run, and its ratings, or else why there are none."""

    number: int
    entry: ChunkEntry
    found: Ratings | None
    message: str

    @property
    def puzzle(self) -> str:
        """The puzzle as a table has it."""
        puzzle = self.entry.record.puzzle
        return to_text(puzzle_to_short_json(puzzle)) if puzzle else ""

    @property
    def values(self) -> list[Any]:
        """The fields of a table."""
        return ratings_to_values(self.found) if self.found else error_values(self.message)


@dataclass(frozen=True)
class RateTask:
    """Rates chunks of records as ``request`` says; see `ChunkTask`."""

    request: RateRequest

    def run(self, chunk: RecordChunk, cancel: Cancellation | None = None) -> SolvedChunk:
        """Return the ratings of a chunk."""
        limits = Limits(self.request.seconds, self.request.nodes, cancel)
        rows = [
            (entry, None if entry.record.puzzle is None else self._rate(entry, limits), entry.record.error)
            for entry in chunk.entries()
        ]
        return self._make_result(chunk, rows)

    def runs_in_thread(self, chunk: RecordChunk) -> bool:  # noqa: ARG002  # part of the protocol
        """Return whether there is too little to do to start processes for it."""
        return self.request.expected_count <= FEW

    def chunk_size(self, chunk: RecordChunk, *, remote: bool) -> int:  # noqa: ARG002  # as above
        """Return how many records of a chunk are sent at a time."""
        return REMOTE_CHUNK_RECORDS if remote else CHUNK_RECORDS

    def result_after_loss(self, chunk: RecordChunk) -> SolvedChunk:
        """Return an error for each record of a chunk that kills every worker."""
        lost = "expected ratings, but every worker that was asked for them ended"
        return self._make_result(
            chunk, [(entry, None, entry.record.error or ParseError(lost, line=entry.record.line)) for entry in chunk.entries()]
        )

    def _rate(self, entry: ChunkEntry, limits: Limits) -> Ratings:
        assert entry.record.puzzle is not None  # noqa: S101  # only those are rated
        return rate(entry.record.puzzle, self.request.scales, ways=self.request.ways, levels=self.request.levels, limits=limits)

    def _make_result(self, chunk: RecordChunk, rows: list[tuple[ChunkEntry, Ratings | None, ParseError | None]]) -> SolvedChunk:
        counts: Counter[str] = Counter()
        failed, told = [], []
        for index, (entry, found, error) in enumerate(rows, chunk.first):
            message = None if found else format_error(error or ValueError("no ratings"))
            counts["error" if found is None else ratings_to_json(found)["status"]] += 1
            failed += [FailedRecord(index, message)] if message is not None else []
            told.append(_RatedRow(index, entry, found, message or ""))
        stopped = sum(found is not None and found.ran_out for _, found, _ in rows)
        return SolvedChunk(self._make_body(told), len(rows), counts, stopped, tuple(failed))

    def _make_body(self, rows: Sequence[_RatedRow]) -> bytes | bytearray:
        if self.request.kind == "parquet":
            return array_rows.ratings_to_arrow([(row.entry.line, [row.puzzle, *row.values]) for row in rows], self.request)
        body = "".join(map(self._format_line, rows)).encode("utf-8", "surrogateescape")
        return compress(body, self.request.compressor)

    def _format_line(self, row: _RatedRow) -> str:
        if self.request.kind == "jsonl":
            fields = ratings_to_json(row.found) if row.found else {"status": "error", "error": row.message}
            return json.dumps({"index": row.number} | fields, ensure_ascii=False) + "\n"
        ours = values_to_row(row.values)
        if self.request.kind == "csv":
            return format_table_line(row.entry, row.puzzle, ours, self.request)
        return "\t".join([str(row.number), *(" ".join(text.split()) for text in ours)]) + "\n"


@checked
def rate_files(
    sources: Iterable[Input | str | Path | IO[bytes]],
    out: str | Path,
    *,
    scales: str | Sequence[str] = EVERY,
    ways: bool = False,
    levels: Levels = LEVELS,
    limits: Limits = UNLIMITED,
    format: str | None = None,  # noqa: A002
    grid: Grid | None = None,
    alphabet: str | None = None,
    rules: Sequence[str | Mapping[str, Any]] = (),
    workers: int | None = None,
    cluster: str | None = None,
    resume: bool = False,
    force: bool = False,
    strict: bool = False,
    callbacks: Callbacks | None = None,
) -> RunSummary:
    """Rate every puzzle of files and streams of bytes, and write the ratings to ``out`` in the order of the input.

    ``scales``, ``ways`` and ``levels`` are as in `rate`, and so are the ``limits``, for each puzzle. The ending of ``out``
    decides what is written: lines, a table (``.parquet`` too), or JSON lines. All else is as in `solve_files`.
    """
    path = Path(out)
    kind, compressor = parse_output_name(path)
    inputs = [Input.of(source) for source in sources]
    how = ReadOptions(format, Options(grid, alphabet, strict), tuple(rules))
    request = RateRequest(
        scales=parse_scales(scales),
        ways=ways,
        levels=levels,
        seconds=limits.seconds,
        nodes=limits.nodes,
        kind=kind,
        compressor=compressor,
    )
    output = RunOutput(path, table_conversion(kind, [one.source for one in inputs], rating_schema))
    check_readable(how)
    check_workers(workers)
    output.check()
    refuse_inputs((*output.files, journal_path(path)), [one.source for one in inputs])
    stamp = input_stamp(inputs, how) | {
        "scales": list(request.scales),
        "ways": ways,
        "levels": levels_to_json(levels),
        "seconds": request.seconds,
        "nodes": request.nodes,
    }
    reader = Reader(inputs, how, callbacks.spell if callbacks else None, keep_rows=kind in TABLES)
    with closing(RateRun(output, reader, request, callbacks, strict=strict)) as run:
        run.prepare(stamp, resume=resume, force=force)
        return run.run(workers, cluster, limits.cancel)


class RateRun(RecordRun[RateRequest]):
    """A run that rates."""

    columns = COLUMNS
    schema = staticmethod(rating_schema)

    def _make_task(self, request: RateRequest) -> RateTask:
        return RateTask(request)
