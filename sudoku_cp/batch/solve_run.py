"""Solving millions of puzzles from file to file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
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
from sudoku_cp.batch.rows.run_output import RunOutput, parse_output_name, table_conversion
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
    request = SolveRequest(
        backend=backend,
        solution_limit=solution_limit,
        all_solutions=all_solutions and kind == "jsonl",
        seconds=limits.seconds,
        nodes=limits.nodes,
        kind=kind,
        compressor=compressor,
    )
    output = RunOutput(path, table_conversion(kind, [one.source for one in inputs], answer_schema))
    _check(how, request, workers)
    output.check()
    refuse_inputs((*output.files, journal_path(path)), [one.source for one in inputs])
    stamp = _make_stamp(inputs, how, request)
    reader = Reader(inputs, how, callbacks.spell if callbacks else None, keep_rows=kind in TABLES)
    with closing(SolveRun(output, reader, request, callbacks, strict=strict)) as run:
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


class SolveRun(RecordRun[SolveRequest]):
    """A run that solves."""

    def _make_task(self, request: SolveRequest) -> SolveTask:
        return SolveTask(request)
