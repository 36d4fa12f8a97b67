"""Remarks and summaries of runs that generate puzzles, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate import GeneratedPuzzle

if TYPE_CHECKING:
    from sudoku_cp.generate.chunks import ProvedPuzzles


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
    rate = puzzles / max(seconds, 1e-3)
    speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"  # noqa: PLR2004
    return f"{puzzles:,} puzzle{'s' * (puzzles != 1)}; {seconds:.3g} s, {speed} a second{format_yield(puzzles, tries)}"
