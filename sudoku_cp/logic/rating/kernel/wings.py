"""XY-wing and XYZ-wing."""

from __future__ import annotations

from sudoku_cp.logic.rating.kernel.grid import RatedGrid, fill, report, size_of
from sudoku_cp.logic.rating.kernel.techniques import XY_WING, XYZ_WING


def is_wing(pivot: int, first: int, second: int, size: int) -> bool:
    """Return whether the candidates of three cells make a wing; the pivot has ``size``, the others two each."""
    common = pivot & first & second
    return (
        size_of(pivot & ~first) == 1
        and first != second
        and size_of(pivot | first | second) == 3
        and size_of(common) == (1 if size == 3 else 0)
    )


def remove_wing(grid: RatedGrid, pivot: int, first: int, second: int, size: int) -> bool:
    """Note what a wing eliminates: its common digit from what sees both ends, and the pivot if that has it."""
    digit = grid.candidates[first] & grid.candidates[second]
    gone = 0
    fill(grid.removed, 0)
    for cell in grid.peers[first]:
        if cell not in (pivot, second) and grid.sees[cell, second] and (size == 2 or grid.sees[cell, pivot]):
            grid.removed[cell] = grid.candidates[cell] & digit
            gone |= grid.removed[cell]
    return gone != 0


def find_wing(grid: RatedGrid, size: int) -> bool:
    """Look for an XY-wing (the pivot has 2 candidates) or an XYZ-wing (3)."""
    for pivot in range(len(grid.candidates)):
        own = grid.candidates[pivot]
        if size_of(own) != size:
            continue
        for first in grid.peers[pivot]:
            if size_of(grid.candidates[first]) != 2 or size_of(own & ~grid.candidates[first]) != 1:
                continue
            for second in grid.peers[pivot]:
                if size_of(grid.candidates[second]) != 2:
                    continue
                if not is_wing(own, grid.candidates[first], grid.candidates[second], size):
                    continue
                if remove_wing(grid, pivot, first, second, size):
                    return report(grid, 42 if size == 2 else 44, XY_WING if size == 2 else XYZ_WING)
    return False
