"""``generate --out``: puzzles by the million into a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sudoku_cp import batch
from sudoku_cp.backends import Limits
from sudoku_cp.batch.manifest import manifest_path
from sudoku_cp.batch.side_outputs import SideOutputs
from sudoku_cp.cli.option_groups import BatchOptions
from sudoku_cp.cli.output import remark
from sudoku_cp.cli.progress_bar import ProgressBar
from sudoku_cp.cli.remarks import shortfall_remarks
from sudoku_cp.cli.run_summary import (
    format_shortfall,
    format_summary,
    format_yield,
    print_resume_hint,
    remarks_of_run,
    shortfalls,
)
from sudoku_cp.generate import GenerateRequest
from sudoku_cp.generate.chunks import ProvedPuzzles
from sudoku_cp.questions.exit_codes import RAN_OUT, YES


def generate_to_file(
    count: int, options: BatchOptions, request: GenerateRequest, extras: SideOutputs, limits: Limits, *, quiet: bool, **run: Any
) -> int:
    """Generate puzzles into the file and return the exit code."""
    out = str(options.out)
    remarks = shortfall_remarks(quiet=quiet)
    with remarks_of_run(remarks, out, quiet=quiet), ProgressBar(count, quiet=quiet) as bar:

        def progress(done: batch.Progress) -> None:
            bar.show(done.records - done.before, done.records, format_yield(done.records, done.tries))

        def add_part(index: int, part: ProvedPuzzles) -> None:
            extras.add(index, part)
            for one in shortfalls(part):
                remarks.add(format_shortfall(one))

        outcome = batch.generate_files(
            count,
            out,
            request=request,
            limits=limits,
            workers=options.workers,
            cluster=options.cluster,
            resume=options.resume,
            force=options.force,
            callbacks=batch.Callbacks(progress, generated=add_part),
            **run,
        )
    _print_summary(out, count, outcome, quiet=quiet)
    return RAN_OUT if outcome.limit_reached or outcome.counts["limited"] else YES


def _print_summary(out: str, count: int, outcome: batch.RunSummary, *, quiet: bool) -> None:
    if outcome.already:
        if not quiet:
            remark(f"already finished: {outcome.records:,} puzzles in {out}")
        return
    if outcome.limit_reached is not None:
        remark(f"sudoku-cp: {outcome.records:,} of {count:,} puzzles were found: {outcome.limit_reached}")
        print_resume_hint(out, quiet=quiet)
    if not quiet and outcome.records:
        earlier = f", {outcome.before:,} of them done before" * bool(outcome.before)
        fresh = outcome.records - outcome.before
        summary = format_summary(fresh, fresh, outcome.seconds) + format_yield(outcome.records, outcome.counts["tries"])
        remark(f"{outcome.records:,} in {out}{earlier}; {summary}; seed and all else in {manifest_path(Path(out))}")
