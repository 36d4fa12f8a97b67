"""Solving millions of puzzles from file to file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends import backend as engine_named
from sudoku_cp.batch.execution.journal import journal_path
from sudoku_cp.batch.file_run import Callbacks, RunSummary, check_workers
from sudoku_cp.batch.record_run import RecordRun, check_readable, input_stamp
from sudoku_cp.batch.rows.arrow_rows import answer_schema
from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
from sudoku_cp.batch.rows.row_format import count_answers, format_header
from sudoku_cp.batch.rows.run_output import RunOutput, compress, parse_output_name, table_conversion
from sudoku_cp.batch.solve_request import TABLES, SolveRequest
from sudoku_cp.batch.solve_task import SolveTask
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import Options
from sudoku_cp.grid import Grid
from sudoku_cp.output_files import refuse_inputs


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
    output = RunOutput(path, table_conversion(kind, [one.source for one in inputs], answer_schema))
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
    check_readable(how)
    if request.solution_limit is not None and request.solution_limit < 1:
        raise InvalidInput(f"expected a limit of 1 solution or more, got {request.solution_limit!r}")
    check_workers(workers)


def _make_stamp(inputs: Sequence[Input], how: ReadOptions, request: SolveRequest) -> dict[str, Any]:
    """Return what must be the same for a run to be resumed, as plain data."""
    return input_stamp(inputs, how) | {
        "backend": request.backend,
        "limit": request.solution_limit,
        "several": request.all_solutions,
        "seconds": request.seconds,
        "nodes": request.nodes,
    }


class SolveRun(RecordRun):
    """A run that solves."""

    def __init__(
        self, output: RunOutput, reader: Reader, request: SolveRequest, callbacks: Callbacks | None, *, strict: bool
    ) -> None:
        """Lock the journal of ``output``. ``reader`` reads the puzzles; ``strict`` ends at the first record that fails."""
        super().__init__(output, reader, callbacks, strict=strict)
        self._request = request

    def _make_task(self, expected_count: int) -> SolveTask:
        request = replace(self._with_header(), expected_count=expected_count)
        if request.kind == "csv":
            self._output.header = compress(format_header(request).encode(), request.compressor)
        return SolveTask(request)

    def _count_records(self, output: Path) -> int | None:
        return count_answers(output, self._with_header())

    def _with_header(self) -> SolveRequest:
        """Return the request with the header of the input, if its columns are kept."""
        header = self._reader.header if self._request.kind in TABLES else ""
        return replace(self._request, header=header, delimiter=self._reader.delimiter if header else ",")
