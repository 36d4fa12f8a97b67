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
        for across, down in (((row, column), (row, column - 1)), ((row, column + 1), (row, column))):
            if at.get(across) != at.get(down):
                found.add((*across, True))
        for below, above in (((row, column), (row - 1, column)), ((row + 1, column), (row, column))):
            if at.get(below) != at.get(above):
                found.add((*below, False))
    return frozenset(found)
