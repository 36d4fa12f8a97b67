"""``solve --out``: millions of puzzles from file to file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path

from sudoku_cp import batch
from sudoku_cp.backends import Limits
from sudoku_cp.cli.exit_codes import BAD_INPUT, NO, RAN_OUT, YES
from sudoku_cp.cli.inputs import expand_folder, is_file, parse_rules, unreadable_argument_error, utf8_text
from sudoku_cp.cli.option_groups import BatchOptions, InputOptions
from sudoku_cp.cli.output import remark
from sudoku_cp.cli.progress_bar import ProgressBar
from sudoku_cp.cli.remarks import trouble_remarks
from sudoku_cp.cli.run_summary import format_speed, remarks_of_run
from sudoku_cp.formats import records_of_text

_WORDS = {"unique": "unique", "multiple": "multiple", "none": "without solution", "solved": "solved", "unknown": "unknown"}


def solve_to_file(
    puzzles: Sequence[str],
    batch_options: BatchOptions,
    input_options: InputOptions,
    *,
    backend: str,
    limit: int | None,
    several: bool,
    any_number: bool,
    limits: Limits,
    quiet: bool,
) -> int:
    """Answer every puzzle into the file and return the exit code; ``any_number`` of solutions is fine."""
    inputs = [_batch_input(name) for argument in puzzles for name in expand_folder(argument)]
    remarks = trouble_remarks(quiet=quiet)
    out = str(batch_options.out)
    with remarks_of_run(remarks, out, quiet=quiet), ProgressBar(_total_bytes(inputs), quiet=quiet) as bar:
        summary = batch.solve_files(
            inputs,
            out,
            backend=backend,
            solution_limit=limit,
            all_solutions=several,
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
        remark(_format_summary(summary))
    return _exit_code(summary, any_number=any_number)


def _batch_input(argument: str) -> batch.Input:
    if argument == "-":
        return batch.Input(sys.stdin.buffer, "standard input")
    if is_file(argument):
        return batch.Input(Path(argument), argument)
    for record in records_of_text(utf8_text(argument)):
        if record.error:
            raise unreadable_argument_error(argument, record.error)
    return batch.Input(BytesIO(argument.encode("utf-8", "surrogateescape")))


def _total_bytes(inputs: Iterable[batch.Input]) -> int | None:
    """Return the size of all inputs in bytes, compressed ones as they are; None where one has no size."""
    paths = [one.source for one in inputs if isinstance(one.source, Path)]
    return sum(path.stat().st_size for path in paths) if len(paths) == len([*inputs]) else None


def _format_summary(summary: batch.RunSummary) -> str:
    """Return the summary: ``49,158 puzzles: 49,158 unique; 0.42 s, 117,000 a second``."""
    if summary.already:
        return f"already finished: {summary.records:,} puzzles"
    statuses = summary.counts
    parts = [f"{statuses[status]:,} {word}" for status, word in _WORDS.items() if statuses[status]]
    parts += [f"{statuses['error']:,} error{'s' * (statuses['error'] > 1)}"] * bool(statuses["error"])
    fresh = summary.records - summary.before
    earlier = f", {summary.before:,} of them done before" * bool(summary.before)
    return f"{summary.records:,} puzzles: {', '.join(parts)}{earlier}; {format_speed(fresh, summary.seconds)}"


def _exit_code(summary: batch.RunSummary, *, any_number: bool) -> int:
    statuses = summary.counts
    if statuses["error"]:
        return BAD_INPUT
    if statuses["unknown"] or (any_number and summary.stopped):
        return RAN_OUT
    return NO if statuses["none"] or (statuses["multiple"] and not any_number) else YES
