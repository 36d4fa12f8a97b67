"""Clues that still hold when values are reversed (v becomes lowest + highest - v): without givens they are never unique."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.rule_symmetries import can_mirror_values
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.grid import Grid
    from sudoku_cp.rules.base import Rule

ALWAYS = frozenset({
    "arithmetic-sequence", "clone", "difference", "dutch-whisper", "equality-cage", "extra-region", "modular-line", "nabner",
    "palindrome", "parity-line", "renban", "whisper",
})  # fmt: skip
PARITY = frozenset({"odd", "even", "odd-even"})
"""Reversible where v and lowest + highest - v have the same parity."""
THIRDS = "entropic-line"
"""Reversible where there are as many low as middle and high values."""


def reversible_families(grid: Grid) -> frozenset[str]:
    """Return the families whose clues all hold for the reversed values of the grid too."""
    values = grid.values
    parity = PARITY if (values[0] + values[-1]) % 2 == 0 else frozenset()
    return ALWAYS | parity | ({THIRDS} if len(values) % 3 == 0 else frozenset())


def never_unique(grid: Grid, rules: tuple[Rule, ...], families: Iterable[str]) -> bool:
    """Return whether each solution of the rules and of any clues of the families is known to have another, its reverse."""
    if not reversible_families(grid).issuperset(families):
        return False
    return rules == CLASSIC or can_mirror_values(Puzzle(grid, rules))
