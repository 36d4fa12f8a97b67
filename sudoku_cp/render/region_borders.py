"""The lines of a grid between its regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from sudoku_cp.grid import Grid, Place

Borders: TypeAlias = frozenset[tuple[int, int, bool]]
"""Where lines are: (row, column, True) at the left of that place, (row, column, False) above it."""


def region_borders(grid: Grid) -> Borders:
    """Return the lines between cells of different regions, and around the whole."""
    region = {cell: number for number, cells in enumerate(grid.regions) for cell in cells}
    at: dict[Place, int] = {place: region.get(cell, -1) for cell, place in enumerate(grid.places)}
    found = set()
    for row, column in at:
        for far in (0, 1):
            if at.get((row, column + far - 1)) != at.get((row, column + far)):
                found.add((row, column + far, True))
            if at.get((row + far - 1, column)) != at.get((row + far, column)):
                found.add((row + far, column, False))
    return frozenset(found)
