"""The boards on which rules are shown: the usual one, or one with an extra value for the few rules that need it."""

from __future__ import annotations

from sudoku_cp.grid import Grid
from sudoku_cp.rules import Rule


def example_grid(rule: type[Rule], side: int) -> Grid:
    """Return a square board of that side that the rule's example fits."""
    grids = [Grid.square(side), Grid.square(side, values=range(side + 1))]
    return next((grid for grid in grids if not [*rule.example(grid).problems(grid)]), grids[0])
