"""Hidden and naked singles."""

from __future__ import annotations

from sudoku_cp.logic.rating.kernel.grid import BOX, KINDS, RatedGrid, lowest_of, report_placement
from sudoku_cp.logic.rating.kernel.techniques import HIDDEN_SINGLE, LAST_VALUE, NAKED_SINGLE


def is_single(mask: int) -> bool:
    """Return whether a set has one member."""
    return mask != 0 and mask & (mask - 1) == 0


def find_hidden_single(grid: RatedGrid) -> bool:
    """Look for the only place of a digit in a house; all houses with one open cell come first."""
    for alone in (True, False):
        for kind in KINDS:
            for house in range(grid.houses.shape[1]):
                if (grid.open_cells[kind, house] == 1) != alone:
                    continue
                for digit in range(grid.houses.shape[1]):
                    places = grid.places[kind, house, digit]
                    if is_single(places):
                        cell = grid.houses[kind, house, lowest_of(places)]
                        if alone:
                            return report_placement(grid, 10, LAST_VALUE, cell, digit)
                        return report_placement(grid, 12 if kind == BOX else 15, HIDDEN_SINGLE, cell, digit)
    return False


def find_naked_single(grid: RatedGrid) -> bool:
    """Look for a cell with one candidate."""
    for cell in range(len(grid.candidates)):
        if is_single(grid.candidates[cell]):
            return report_placement(grid, 23, NAKED_SINGLE, cell, lowest_of(grid.candidates[cell]))
    return False
