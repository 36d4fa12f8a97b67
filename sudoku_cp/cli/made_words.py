"""How runs that make puzzles are told to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudoku_cp.generate import Made
    from sudoku_cp.generate.portions import Proved


def limited(part: Proved) -> list[Made]:
    """Return the puzzles that are less than was asked for."""
    return [made for made, _ in part.each() if made.reason] if len(part) == 1 else []


def missed_told(made: Made) -> str:
    """Say that a puzzle is less than was asked for."""
    return f"puzzle {made.number}: a limit ({made.reason}) came first" + f": {made.missed}" * bool(made.missed)


def yield_told(puzzles: int, tries: int) -> str:
    """Return how many of the puzzles begun came to something, nothing where all did."""
    return f", {puzzles / tries:.3%} of those begun" if tries > puzzles else ""


def ended_told(puzzles: int, tries: int, seconds: float) -> str:
    """Return in words how a run ended: ``20 puzzles; 0.42 s, 48 a second, 12% of those begun``."""
    rate = puzzles / max(seconds, 1e-3)
    speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"  # noqa: PLR2004
    return f"{puzzles:,} puzzle{'s' * (puzzles != 1)}; {seconds:.3g} s, {speed} a second{yield_told(puzzles, tries)}"
