"""Clues that hold as well once every value v is called lowest + highest - v: without givens they never have one solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.puzzle.identity.structure import structure
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
"""These too where v and lowest + highest - v are both odd or both even."""
THIRDS = "entropic-line"
"""This too where low, middle and high values are as many."""
CELLS = 100
"""On larger boards it takes seconds to see what rules of the whole board say."""


def reversible_families(grid: Grid) -> frozenset[str]:
    """Return the families all clues of which hold as well for the reversed values of the grid."""
    values = grid.values
    parity = PARITY if (values[0] + values[-1]) % 2 == 0 else frozenset()
    return ALWAYS | parity | ({THIRDS} if len(values) % 3 == 0 else frozenset())


def never_unique(grid: Grid, rules: tuple[Rule, ...], families: Iterable[str]) -> bool:
    """Say whether each solution of the rules and of any clues of the families is known to have another, its reverse."""
    if not reversible_families(grid).issuperset(families):
        return False
    if rules == CLASSIC:
        return True
    if len(grid.cells) > CELLS:
        return False
    told = structure(grid, rules)
    return told.mirror == told.said
