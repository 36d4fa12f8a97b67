"""What stands behind ``solve --out``: millions of puzzles from file to file."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp import batch
from sudoku_cp.cli.inputs import Wish, files_of, is_file, neither, rules_told, utf8_text
from sudoku_cp.cli.output import BAD_INPUT, NO, RAN_OUT, YES, remark
from sudoku_cp.cli.progress import Bar
from sudoku_cp.cli.remarks import troubles
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import records_of_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.backends import Limits

_WHOLE = 10
"""Puzzles a second from which on nobody cares for a part of one."""
_WORDS = {"unique": "unique", "multiple": "multiple", "none": "without solution", "solved": "solved", "unknown": "unknown"}


@dataclass(frozen=True)
class Filing:
    """What the options say about the output file and the work on it."""

    out: str | None
    resume: bool
    force: bool
    workers: int | None
    cluster: str | None

    def contradictions(self, others: dict[str, bool]) -> dict[str, bool]:
        """Return what cannot be meant together, and whether it was said; ``others`` are options without a place here."""
        own = {
            "--resume": self.resume,
            "--force": self.force,
            "--workers": self.workers is not None,
            "--cluster": self.cluster is not None,
        }
        alone = {f"{name} with --out FILE, got it alone": said and self.out is None for name, said in own.items()}
        beside = {f"--out FILE without {name}, got both": said and self.out is not None for name, said in others.items()}
        return {
            **alone,
            **beside,
            "only one of --resume and --force, got both": self.resume and self.force,
            "only one of --workers and --cluster, got both": self.workers is not None and self.cluster is not None,
        }


def solve_to_file(
    puzzles: Sequence[str],
    filing: Filing,
    wish: Wish,
    *,
    backend: str,
    solution_limit: int | None,
    several: bool,
    any_number: bool,
    limits: Limits,
    quiet: bool,
) -> int:
    """Answer every puzzle into the file, and return the exit code; ``any_number`` of solutions is fine."""
    inputs = [_input(name) for argument in puzzles for name in files_of(argument)]
    told = troubles(quiet=quiet)
    try:
        with Bar(_size(inputs), quiet=quiet) as bar:
            summary = batch.solve_files(
                inputs,
                str(filing.out),
                backend=backend,
                solution_limit=solution_limit,
                all_solutions=several,
                limits=limits,
                format=wish.format,
                grid=wish.grid(),
                alphabet=wish.alphabet and utf8_text(wish.alphabet),
                rules=rules_told(wish.rules or ""),
                workers=filing.workers,
                cluster=filing.cluster,
                resume=filing.resume,
                force=filing.force,
                strict=wish.strict,
                callbacks=batch.Callbacks(
                    lambda done: bar.show(done.records, done.bytes_read),
                    lambda one: told.add(f"record {one.index}: {one.message}"),
                ),
            )
    except (InvalidInput, KeyboardInterrupt):
        told.end()
        if batch.is_unfinished(str(filing.out)) and not quiet:
            remark(kept_told(str(filing.out)))
        raise
    told.end()
    if not quiet:
        remark(_said(summary))
    return _code(summary, any_number=any_number)


def kept_told(out: str) -> str:
    """Return where the work of an unfinished run is, and what can be done with it."""
    where = batch.partial_output(Path(out)) or out
    return f"sudoku-cp: what was done is kept in {where}: --resume goes on with it, --force begins anew"


def _input(argument: str) -> batch.Input:
    if argument == "-":
        return batch.Input(sys.stdin.buffer, "standard input")
    if is_file(argument):
        return batch.Input(Path(argument), argument)
    for record in records_of_text(utf8_text(argument)):
        if record.error:
            raise neither(argument, record.error)
    return batch.Input(BytesIO(argument.encode("utf-8", "surrogateescape")))


def _size(inputs: Iterable[batch.Input]) -> int | None:
    """Return the bytes of all inputs, packed as they are; None where one has no size."""
    paths = [one.source for one in inputs if isinstance(one.source, Path)]
    return sum(path.stat().st_size for path in paths) if len(paths) == len([*inputs]) else None


def _said(summary: batch.RunSummary) -> str:
    """Return the summary in words: ``49,158 puzzles: 49,158 unique; 0.42 s, 117,000 a second``."""
    if summary.already:
        return f"already finished: {summary.records:,} puzzles"
    statuses = summary.counts
    parts = [f"{statuses[status]:,} {word}" for status, word in _WORDS.items() if statuses[status]]
    parts += [f"{statuses['error']:,} error{'s' * (statuses['error'] > 1)}"] * bool(statuses["error"])
    fresh = summary.records - summary.before
    earlier = f", {summary.before:,} of them done before" * bool(summary.before)
    rate = fresh / max(summary.seconds, 1e-3)
    speed = f"{summary.seconds:.3g} s, {f'{rate:,.0f}' if rate >= _WHOLE else f'{rate:.2g}'} a second"
    return f"{summary.records:,} puzzles: {', '.join(parts)}{earlier}; {speed}"


def _code(summary: batch.RunSummary, *, any_number: bool) -> int:
    statuses = summary.counts
    if statuses["error"]:
        return BAD_INPUT
    if statuses["unknown"] or (any_number and summary.stopped):
        return RAN_OUT
    return NO if statuses["none"] or (statuses["multiple"] and not any_number) else YES
