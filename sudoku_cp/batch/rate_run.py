"""Rating many puzzles from file to file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.batch.execution.journal import journal_path
from sudoku_cp.batch.file_run import Callbacks, RunSummary, check_workers
from sudoku_cp.batch.rate_task import RateRequest, RateTask
from sudoku_cp.batch.record_run import RecordRun, check_readable, input_stamp
from sudoku_cp.batch.rows.arrow_rows import rating_schema
from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
from sudoku_cp.batch.rows.run_output import RunOutput, parse_output_name, table_conversion
from sudoku_cp.batch.solve_request import TABLES
from sudoku_cp.formats import Options
from sudoku_cp.grid import Grid
from sudoku_cp.logic.rating.ratings import EVERY, parse_scales
from sudoku_cp.logic.rating.ratings_json import COLUMNS
from sudoku_cp.output_files import refuse_inputs


@checked
def rate_files(
    sources: Iterable[Input | str | Path | IO[bytes]],
    out: str | Path,
    *,
    scales: str | Sequence[str] = EVERY,
    ways: bool = False,
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

    ``scales`` and ``ways`` are as in `rate`, and so are the ``limits``, for each puzzle. The ending of ``out`` decides what is
    written: lines, a table (``.parquet`` too), or JSON lines. All else is as in `solve_files`.
    """
    path = Path(out)
    kind, compressor = parse_output_name(path)
    inputs = [Input.of(source) for source in sources]
    how = ReadOptions(format, Options(grid, alphabet, strict), tuple(rules))
    request = RateRequest(
        scales=parse_scales(scales), ways=ways, seconds=limits.seconds, nodes=limits.nodes, kind=kind, compressor=compressor
    )
    output = RunOutput(path, table_conversion(kind, [one.source for one in inputs], rating_schema))
    check_readable(how)
    check_workers(workers)
    output.check()
    refuse_inputs((*output.files, journal_path(path)), [one.source for one in inputs])
    stamp = input_stamp(inputs, how) | {
        "scales": list(request.scales),
        "ways": ways,
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
