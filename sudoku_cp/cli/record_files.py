"""Runs of the command line that answer records from file to file: what those that solve and those that rate share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from sudoku_cp import batch
from sudoku_cp.cli.batch_inputs import batch_inputs, total_bytes
from sudoku_cp.cli.option_groups import BatchOptions
from sudoku_cp.cli.output import remark
from sudoku_cp.cli.progress_bar import ProgressBar
from sudoku_cp.cli.remarks import trouble_remarks
from sudoku_cp.cli.run_summary import format_run, remarks_of_run
from sudoku_cp.cli.typed_names import spell_options
from sudoku_cp.generate.added_rules import parse_added_rules
from sudoku_cp.questions.options import Reading


def answer_to_file(
    puzzles: Sequence[str],
    batch_options: BatchOptions,
    input_options: Reading,
    answer_files: Callable[..., batch.RunSummary],
    words: Mapping[str, str],
    *,
    quiet: bool,
) -> batch.RunSummary:
    """Answer every puzzle into the file of ``--out``, and return the summary, which is printed with ``words`` for each status.

    ``answer_files`` is `batch.solve_files` or `batch.rate_files` with its own options; it gets those that both have.
    """
    inputs = batch_inputs(puzzles)
    remarks = trouble_remarks(quiet=quiet)
    out = str(batch_options.out)
    with remarks_of_run(remarks, out, quiet=quiet), ProgressBar(total_bytes(inputs), quiet=quiet) as bar:
        summary = answer_files(
            inputs,
            out,
            format=input_options.format,
            grid=input_options.grid(),
            alphabet=input_options.alphabet,
            rules=parse_added_rules(input_options.rules),
            workers=batch_options.workers,
            cluster=batch_options.cluster,
            resume=batch_options.resume,
            force=batch_options.force,
            strict=input_options.strict,
            callbacks=batch.Callbacks(
                lambda done: bar.show(done.records, done.bytes_read),
                lambda one: remarks.add(f"record {one.index}: {one.message}"),
                spell=partial(spell_options, names=input_options.names),
            ),
        )
    if not quiet:
        remark(format_run(summary, words))
    return summary
