"""Remarks and summaries of runs of many puzzles, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp import batch
from sudoku_cp.cli.output import remark
from sudoku_cp.cli.remarks import Remarks
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from sudoku_cp.generate import GeneratedPuzzle
    from sudoku_cp.generate.chunks import ProvedPuzzles


def format_speed(puzzles: int, seconds: float) -> str:
    """Return the seconds and the rate, whose decimals are shown below ten: ``0.42 s, 48 a second``."""
    rate = puzzles / max(seconds, 1e-3)
    return f"{seconds:.3g} s, {f'{rate:,.0f}' if rate >= 10 else f'{rate:.2g}'} a second"  # noqa: PLR2004


# --- from file to file ------------------------------------------------------------------------------------------


@contextmanager
def remarks_of_run(remarks: Remarks, out: str, *, quiet: bool) -> Iterator[None]:
    """End the remarks with the block; if a run breaks off in it, print how to resume it."""
    try:
        yield
    except (InvalidInput, KeyboardInterrupt):
        remarks.end()
        print_resume_hint(out, quiet=quiet)
        raise
    remarks.end()


def print_resume_hint(out: str, *, quiet: bool) -> None:
    """Print where the work of an unfinished run is kept, and which options resume or discard it."""
    if batch.is_unfinished(out) and not quiet:
        where = batch.partial_output(Path(out)) or out
        remark(f"sudoku-cp: what was done is kept in {where}: --resume goes on with it, --force begins anew")


def format_run(summary: batch.RunSummary, words: Mapping[str, str]) -> str:
    """Return the summary, with words for each status: ``49,158 puzzles: 49,158 unique; 0.42 s, 117,000 a second``."""
    if summary.already:
        return f"already finished: {summary.records:,} puzzles"
    statuses = summary.counts
    parts = [f"{statuses[status]:,} {word}" for status, word in words.items() if statuses[status]]
    parts += [f"{statuses['error']:,} error{'s' * (statuses['error'] > 1)}"] * bool(statuses["error"])
    fresh = summary.records - summary.before
    earlier = f", {summary.before:,} of them done before" * bool(summary.before)
    return f"{summary.records:,} puzzles: {', '.join(parts)}{earlier}; {format_speed(fresh, summary.seconds)}"


# --- generated puzzles ------------------------------------------------------------------------------------------


def shortfalls(part: ProvedPuzzles) -> list[GeneratedPuzzle]:
    """Return the puzzles that miss a part of the request, as a limit came first."""
    return [made for made, _ in part.each() if made.reason] if len(part) == 1 else []


def format_shortfall(made: GeneratedPuzzle) -> str:
    """Return in words what a puzzle misses."""
    return f"puzzle {made.number}: a limit ({made.reason}) came first" + f": {made.missed}" * bool(made.missed)


def format_yield(puzzles: int, tries: int) -> str:
    """Return the share of tries that became puzzles, nothing where all did."""
    return f", {puzzles / tries:.3%} of those begun" if tries > puzzles else ""


def format_summary(puzzles: int, tries: int, seconds: float) -> str:
    """Return the summary of a run: ``20 puzzles; 0.42 s, 48 a second, 12% of those begun``."""
    return f"{puzzles:,} puzzle{'s' * (puzzles != 1)}; {format_speed(puzzles, seconds)}{format_yield(puzzles, tries)}"
