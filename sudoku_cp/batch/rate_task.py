"""The task of a run that rates: rate the puzzles of a chunk, and write the ratings as rows."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.batch.rows import arrow_rows
from sudoku_cp.batch.rows.row_format import format_error, format_table_line, to_text
from sudoku_cp.batch.rows.run_output import compress
from sudoku_cp.batch.solve_request import FailedRecord, RecordRequest, SolvedChunk
from sudoku_cp.errors import ParseError
from sudoku_cp.logic.rating.ratings import SCALES, Ratings, rate
from sudoku_cp.logic.rating.ratings_json import error_values, ratings_to_json, ratings_to_values, values_to_row
from sudoku_cp.puzzle import puzzle_to_short_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.batch.rows.record_chunks import ChunkEntry, RecordChunk

FEW = 4
"""Up to this many puzzles are rated in this process: starting others would take longer."""
CHUNK_RECORDS, REMOTE_CHUNK_RECORDS = 8, 100
"""Records sent at a time to a process, and to a cluster: a hard puzzle may take a second."""


@dataclass(frozen=True, kw_only=True)
class RateRequest(RecordRequest):
    """On which ``scales`` every puzzle is rated; ``ways`` counts the ways forward at each step."""

    scales: tuple[str, ...] = SCALES
    ways: bool = False


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
        return rate(entry.record.puzzle, self.request.scales, ways=self.request.ways, limits=limits)

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
            return arrow_rows.ratings_to_arrow([(row.entry.line, [row.puzzle, *row.values]) for row in rows], self.request)
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
