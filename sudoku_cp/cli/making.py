"""What stands behind ``generate --out``: puzzles by the million into a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_cp import batch
from sudoku_cp.batch.manifest import manifest_of
from sudoku_cp.cli.batching import kept_told
from sudoku_cp.cli.made_words import ended_told, limited, missed_told, yield_told
from sudoku_cp.cli.output import RAN_OUT, YES, remark
from sudoku_cp.cli.progress import Bar
from sudoku_cp.cli.remarks import missed
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from sudoku_cp.backends import Limits
    from sudoku_cp.batch.generate_run import Progress
    from sudoku_cp.batch.side_outputs import Extras
    from sudoku_cp.cli.batching import Filing
    from sudoku_cp.generate import Wishes
    from sudoku_cp.generate.portions import Proved


def make_to_file(count: int, filing: Filing, wishes: Wishes, extras: Extras, limits: Limits, *, quiet: bool, **run: Any) -> int:
    """Make puzzles into the file, and return the exit code."""
    out = str(filing.out)
    less = missed(quiet=quiet)
    with Bar(count, quiet=quiet) as bar:

        def progress(done: Progress) -> None:
            bar.show(done.puzzles - done.before, done.puzzles, yield_told(done.puzzles, done.tries))

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
                listening=batch.Listening(progress, made),
                **run,
            )
        except (InvalidInput, KeyboardInterrupt):
            less.end()
            _say_how_to_go_on(out, quiet=quiet)
            raise
    less.end()
    _say(out, count, outcome, quiet=quiet)
    return RAN_OUT if outcome.cut or outcome.counts["limited"] else YES


def _say_how_to_go_on(out: str, *, quiet: bool) -> None:
    if batch.is_unfinished(out) and not quiet:
        remark(kept_told(out))


def _say(out: str, count: int, outcome: batch.Outcome, *, quiet: bool) -> None:
    if outcome.already:
        if not quiet:
            remark(f"already finished: {outcome.puzzles:,} puzzles in {out}")
        return
    if outcome.cut is not None:
        remark(f"sudoku-cp: {outcome.puzzles:,} of {count:,} puzzles were found: {outcome.cut}")
        _say_how_to_go_on(out, quiet=quiet)
    if not quiet and outcome.puzzles:
        earlier = f", {outcome.before:,} of them done before" * bool(outcome.before)
        fresh = outcome.puzzles - outcome.before
        told = ended_told(fresh, fresh, outcome.seconds) + yield_told(outcome.puzzles, outcome.counts["tries"])
        remark(f"{outcome.puzzles:,} in {out}{earlier}; {told}; seed and all else in {manifest_of(Path(out))}")
