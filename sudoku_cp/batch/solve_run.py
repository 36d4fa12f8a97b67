"""Solving millions of puzzles from file to file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

from sudoku_cp import __version__
from sudoku_cp.arguments import checked
from sudoku_cp.backends import MANY, UNLIMITED, Limits
from sudoku_cp.backends import backend as engine_named
from sudoku_cp.batch.execution.journal import journal_path
from sudoku_cp.batch.file_run import Callbacks, FileRun, RunSummary, check_workers
from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
from sudoku_cp.batch.rows.record_chunks import InputPosition, RecordChunk
from sudoku_cp.batch.rows.row_format import count_answers, format_header
from sudoku_cp.batch.rows.run_output import RunOutput, answer_conversion, compress, parse_output_name
from sudoku_cp.batch.solve_request import TABLES, FailedRecord, SolvedChunk, SolveRequest
from sudoku_cp.batch.solve_task import SolveTask, solve_chunk
from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats import Options
from sudoku_cp.formats.registry import format_named
from sudoku_cp.grid import Grid
from sudoku_cp.output_files import refuse_inputs

_HEAD_BYTES = 1 << 16
"""Bytes of a file by which it is recognised when a run is resumed."""


@checked
def solve_files(
    sources: Iterable[Input | str | Path | IO[bytes]],
    out: str | Path,
    *,
    backend: str = "auto",
    solution_limit: int | None = 2,
    all_solutions: bool = False,
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
    """Solve every puzzle of files and streams of bytes, and write the answers to ``out`` in the order of the input.

    The ending of ``out`` decides what is written. ``solution_limit`` is the number of solutions to look for (None: all); with
    ``all_solutions`` JSON lines list all that were found. ``limits`` are for each puzzle; a cancellation ends the run. ``rules``
    (as JSON) are added to each puzzle. ``workers`` is by default the number of cores; ``cluster`` is the address of a Dask
    scheduler, or ``local:4``.

    ``resume`` continues a run that has not ended; ``force`` starts over and replaces an existing output. ``strict`` turns
    warnings into errors and ends at the first record that fails. Raises `InvalidInput` if the output cannot be written or belongs
    to another run, and `LimitReached` when cancelled; the run can then be resumed.
    """
    path = Path(out)
    kind, compressor = parse_output_name(path)
    inputs = [Input.of(source) for source in sources]
    how = ReadOptions(format, Options(grid, alphabet, strict), tuple(rules))
    all_solutions = all_solutions and kind == "jsonl"
    request = SolveRequest(backend, solution_limit, all_solutions, limits.seconds, limits.nodes, kind=kind, compressor=compressor)
    output = RunOutput(path, answer_conversion(kind, [one.source for one in inputs]))
    _check(how, request, workers)
    output.check()
    refuse_inputs((*output.files, journal_path(path)), [one.source for one in inputs])
    stamp = _make_stamp(inputs, how, request)
    with closing(SolveRun(output, Reader(inputs, how, keep_rows=kind in TABLES), request, callbacks, strict=strict)) as run:
        run.prepare(stamp, resume=resume, force=force)
        return run.run(workers, cluster, limits.cancel)


def _check(how: ReadOptions, request: SolveRequest, workers: int | None) -> None:
    """Refuse at once what would only fail later."""
    if request.backend != "auto":
        engine_named(request.backend)
    if how.format and format_named(how.format).read is None:
        raise Unsupported(f"expected a format that can be read, got {how.format!r}, which is only written")
    if request.solution_limit is not None and request.solution_limit < 1:
        raise InvalidInput(f"expected a limit of 1 solution or more, got {request.solution_limit!r}")
    check_workers(workers)


def _make_stamp(inputs: Sequence[Input], how: ReadOptions, request: SolveRequest) -> dict[str, Any]:
    """Return what must be the same for a run to be resumed, as plain data."""
    return {
        "version": __version__,
        "input": [_fingerprint(one) for one in inputs],
        "backend": request.backend,
        "limit": request.solution_limit,
        "several": request.all_solutions,
        "seconds": request.seconds,
        "nodes": request.nodes,
        "format": how.format,
        "grid": repr(how.options.grid) if how.options.grid else None,
        "alphabet": how.options.alphabet,
        "rules": list(how.rules),
    }


def _fingerprint(one: Input) -> str | None:
    """Return a file's size and the hash of its head; None for streams, whose bytes are compared, and for what cannot be read."""
    if not isinstance(one.source, str | Path) or not Path(one.source).is_file():
        return None
    with suppress(OSError), Path(one.source).open("rb") as file:
        head = hashlib.sha256(file.read(_HEAD_BYTES)).hexdigest()[:16]
        return f"{Path(one.source).stat().st_size} bytes, {head}"
    return None


class SolveRun(FileRun[RecordChunk, SolvedChunk]):
    """A run that solves."""

    def __init__(
        self, output: RunOutput, reader: Reader, request: SolveRequest, callbacks: Callbacks | None, *, strict: bool
    ) -> None:
        """Lock the journal of ``output``. ``reader`` reads the puzzles; ``strict`` ends at the first record that fails."""
        super().__init__(output, callbacks or Callbacks())
        self._reader, self._request, self._strict = reader, request, strict
        self._chunks: Iterator[RecordChunk] = iter(())

    def _records_if_whole(self) -> int | None:
        """Return how many records the input has, if the output holds the answers to as many."""
        records = sum(map(len, self._reader.chunks()))
        return records if count_answers(self._output.output.path, self._add_header(self._request)) == records else None

    def _begin(self) -> SolveTask:
        """Read the first chunks, which say whether there are many puzzles, and what the header of a table is."""
        chunks = self._reader.chunks()
        ahead: list[RecordChunk] = []
        while sum(map(len, ahead)) < MANY and (chunk := next(chunks, None)):
            ahead.append(chunk)
        self._request = replace(self._add_header(self._request), expected_count=sum(map(len, ahead)))
        if self._request.kind == "csv":
            self._output.header = compress(format_header(self._request).encode(), self._request.compressor)
        self._chunks = chain(ahead, chunks)
        return SolveTask(self._request)

    def _add_header(self, request: SolveRequest) -> SolveRequest:
        """Return the request with the header of the input, if its columns are kept."""
        header = self._reader.header if request.kind in TABLES else ""
        return replace(request, header=header, delimiter=self._reader.delimiter if header else ",")

    def _rounds(self) -> Iterator[Iterator[RecordChunk]]:
        yield self._remaining_chunks()

    def _remaining_chunks(self) -> Iterator[RecordChunk]:
        """Yield what follows the checkpoint, after a check that this is the same input."""
        checkpoint = self._output.checkpoint
        done = checkpoint.records
        reached: InputPosition | None = checkpoint.position if done == 0 else None
        for chunk in self._chunks:
            end = chunk.first + len(chunk)
            if chunk.first < done <= end:
                reached = chunk.position
                _check_same_input(reached, checkpoint.position)
            if chunk.first >= done:
                yield chunk
            elif end > done:
                yield from chunk.slices([(done - chunk.first, len(chunk))])
        if reached is None:
            _check_same_input(None, checkpoint.position)

    def _accept(self, chunk: RecordChunk, result: SolvedChunk) -> None:
        if self._strict and result.failed:
            self._stop_at(chunk, result.failed[0])
        self._output.write(result.body)
        for failed in result.failed:
            self._callbacks.failed(failed)
        self._output.advance(result.records, chunk.position, result.counts, result.stopped)

    def _stop_at(self, chunk: RecordChunk, failed: FailedRecord) -> None:
        """Write what comes before a failed record, and end; a resumed run begins before its chunk."""
        for part in chunk.slices([(0, failed.index - chunk.first)]):
            if len(part):
                self._output.write(solve_chunk(part, self._request).body)
        raise InvalidInput(f"{failed.message}; stopped there, with {failed.index} answers written")

    def _bytes_read(self) -> int:
        return self._reader.bytes_read


def _check_same_input(position: InputPosition | None, known: InputPosition) -> None:
    if position != known:
        raise InvalidInput("expected the input of the unfinished run, got another one")
