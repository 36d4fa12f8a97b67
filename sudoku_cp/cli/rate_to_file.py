"""``rate --out``: many puzzles, rated from file to file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sudoku_cp import batch
from sudoku_cp.backends import Limits
from sudoku_cp.cli.option_groups import BatchOptions
from sudoku_cp.cli.record_files import answer_to_file
from sudoku_cp.questions.exit_codes import BAD_INPUT, NO, RAN_OUT, YES
from sudoku_cp.questions.options import Reading

_WORDS = {"ok": "rated", "multiple": "with several solutions", "none": "without solution", "unknown": "not solved in time"}


def rate_to_file(
    puzzles: Sequence[str],
    batch_options: BatchOptions,
    input_options: Reading,
    *,
    scales: Sequence[str],
    ways: bool,
    limits: Limits,
    quiet: bool,
) -> int:
    """Rate every puzzle into the file and return the exit code."""
    rate = partial(batch.rate_files, scales=scales, ways=ways, limits=limits)
    summary = answer_to_file(puzzles, batch_options, input_options, rate, _WORDS, quiet=quiet)
    return _exit_code(summary)


def _exit_code(summary: batch.RunSummary) -> int:
    statuses = summary.counts
    if statuses["error"]:
        return BAD_INPUT
    if summary.stopped:
        return RAN_OUT
    return NO if statuses["none"] or statuses["multiple"] else YES
