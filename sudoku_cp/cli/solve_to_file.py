"""``solve --out``: millions of puzzles from file to file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sudoku_cp import batch
from sudoku_cp.batch.solve_request import ENGINE_ERRED as ERRED
from sudoku_cp.cli.option_groups import BatchOptions
from sudoku_cp.cli.record_files import answer_to_file
from sudoku_cp.questions.exit_codes import BAD_INPUT, ENGINE_ERRED, NO, RAN_OUT, YES
from sudoku_cp.questions.solve import SolveQuestion

_WORDS = {"unique": "unique", "multiple": "multiple", "none": "without solution", "solved": "solved", "unknown": "unknown"}


def solve_to_file(puzzles: Sequence[str], batch_options: BatchOptions, question: SolveQuestion, *, quiet: bool) -> int:
    """Answer every puzzle into the file and return the exit code."""
    solve = partial(
        batch.solve_files,
        backend=question.backend,
        solution_limit=question.wanted,
        all_solutions=question.all or question.limit is not None,
        limits=question.limits(),
    )
    summary = answer_to_file(puzzles, batch_options, question, solve, _WORDS, quiet=quiet)
    return _exit_code(summary, any_number=question.takes_any_number)


def _exit_code(summary: batch.RunSummary, *, any_number: bool) -> int:
    statuses = summary.counts
    if statuses[ERRED]:
        return ENGINE_ERRED
    if statuses["error"]:
        return BAD_INPUT
    if statuses["unknown"] or (any_number and summary.stopped):
        return RAN_OUT
    return NO if statuses["none"] or (statuses["multiple"] and not any_number) else YES
