"""``rate --out``: many puzzles, rated from file to file."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku_cp import batch
from sudoku_cp.backends import Limits
from sudoku_cp.cli.batch_inputs import batch_inputs, total_bytes
from sudoku_cp.cli.exit_codes import BAD_INPUT, NO, RAN_OUT, YES
from sudoku_cp.cli.inputs import parse_rules, utf8_text
from sudoku_cp.cli.option_groups import BatchOptions, InputOptions
from sudoku_cp.cli.output import remark
from sudoku_cp.cli.progress_bar import ProgressBar
from sudoku_cp.cli.remarks import trouble_remarks
from sudoku_cp.cli.run_summary import format_run, remarks_of_run

_WORDS = {"ok": "rated", "multiple": "with several solutions", "none": "without solution", "unknown": "not solved in time"}


def rate_to_file(
    puzzles: Sequence[str],
    batch_options: BatchOptions,
    input_options: InputOptions,
    *,
    scales: Sequence[str],
    ways: bool,
    limits: Limits,
    quiet: bool,
) -> int:
    """Rate every puzzle into the file and return the exit code."""
    inputs = batch_inputs(puzzles)
    remarks = trouble_remarks(quiet=quiet)
    out = str(batch_options.out)
    with remarks_of_run(remarks, out, quiet=quiet), ProgressBar(total_bytes(inputs), quiet=quiet) as bar:
        summary = batch.rate_files(
            inputs,
            out,
            scales=scales,
            ways=ways,
            limits=limits,
            format=input_options.format,
            grid=input_options.grid(),
            alphabet=input_options.alphabet and utf8_text(input_options.alphabet),
            rules=parse_rules(input_options.rules or ""),
            workers=batch_options.workers,
            cluster=batch_options.cluster,
            resume=batch_options.resume,
            force=batch_options.force,
            strict=input_options.strict,
            callbacks=batch.Callbacks(
                lambda done: bar.show(done.records, done.bytes_read),
                lambda one: remarks.add(f"record {one.index}: {one.message}"),
            ),
        )
    if not quiet:
        remark(format_run(summary, _WORDS))
    return _exit_code(summary)


def _exit_code(summary: batch.RunSummary) -> int:
    statuses = summary.counts
    if statuses["error"]:
        return BAD_INPUT
    if summary.stopped:
        return RAN_OUT
    return NO if statuses["none"] or statuses["multiple"] else YES
