"""What stands behind ``generate --out``: puzzles by the million into a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_cp import batch
from sudoku_cp.batch.manifest import manifest_path
from sudoku_cp.cli.batching import kept_told
from sudoku_cp.cli.made_words import ended_told, limited, missed_told, yield_told
from sudoku_cp.cli.output import RAN_OUT, YES, remark
from sudoku_cp.cli.progress import Bar
from sudoku_cp.cli.remarks import missed
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from sudoku_cp.backends import Limits
    from sudoku_cp.batch.side_outputs import SideOutputs
    from sudoku_cp.cli.batching import Filing
    from sudoku_cp.generate import Wishes
    from sudoku_cp.generate.portions import Proved


def make_to_file(
    count: int, filing: Filing, wishes: Wishes, extras: SideOutputs, limits: Limits, *, quiet: bool, **run: Any
) -> int:
    """Make puzzles into the file, and return the exit code."""
    out = str(filing.out)
    less = missed(quiet=quiet)
    with Bar(count, quiet=quiet) as bar:

        def progress(done: batch.Progress) -> None:
            bar.show(done.records - done.before, done.records, yield_told(done.records, done.tries))

        def made(index: int, part: Proved) -> None:
            extras.add(index, part)
            for one in limited(part):
                less.add(missed_told(one))

        try:
            outcome = batch.generate_files(
                count,
                out,
                wishes=wishes,
                limits=limits,
                workers=filing.workers,
                cluster=filing.cluster,
                resume=filing.resume,
                force=filing.force,
                callbacks=batch.Callbacks(progress, generated=made),
                **run,
            )
        except (InvalidInput, KeyboardInterrupt):
            less.end()
            _say_how_to_go_on(out, quiet=quiet)
            raise
    less.end()
    _say(out, count, outcome, quiet=quiet)
    return RAN_OUT if outcome.limit_reached or outcome.counts["limited"] else YES


def _say_how_to_go_on(out: str, *, quiet: bool) -> None:
    if batch.is_unfinished(out) and not quiet:
        remark(kept_told(out))


def _say(out: str, count: int, outcome: batch.RunSummary, *, quiet: bool) -> None:
    if outcome.already:
        if not quiet:
            remark(f"already finished: {outcome.records:,} puzzles in {out}")
        return
    if outcome.limit_reached is not None:
        remark(f"sudoku-cp: {outcome.records:,} of {count:,} puzzles were found: {outcome.limit_reached}")
        _say_how_to_go_on(out, quiet=quiet)
    if not quiet and outcome.records:
        earlier = f", {outcome.before:,} of them done before" * bool(outcome.before)
        fresh = outcome.records - outcome.before
        told = ended_told(fresh, fresh, outcome.seconds) + yield_told(outcome.records, outcome.counts["tries"])
        remark(f"{outcome.records:,} in {out}{earlier}; {told}; seed and all else in {manifest_path(Path(out))}")
