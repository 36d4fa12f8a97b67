"""X-wing, swordfish and jellyfish."""

from __future__ import annotations

from sudoku_cp.logic.rating.kernel.grid import COLUMN, ROW, RatedGrid, fill, lowest_of, next_subset, report, size_of
from sudoku_cp.logic.rating.kernel.techniques import JELLYFISH, SWORDFISH, X_WING

RATINGS = (0, 0, 32, 38, 52)
NAMES = (0, 0, X_WING, SWORDFISH, JELLYFISH)
"""By the number of lines."""


def covers_of(grid: RatedGrid, kind: int, bases: int, digit: int) -> int:
    """Return the crossing lines in which these have all their places of a digit.

    0 if a line has less than two places, or they need more crossing lines than they are.
    """
    union, size = 0, size_of(bases)
    while bases:
        places = grid.places[kind, lowest_of(bases), digit]
        if size_of(places) < 2:
            return 0
        union |= places
        bases &= bases - 1
    return union if size_of(union) == size else 0


def remove_from_covers(grid: RatedGrid, cover: int, bases: int, covers: int, digit: int) -> bool:
    """Note that lines of kind ``cover`` keep a digit only where they cross the bases; return whether they had it elsewhere."""
    some = False
    fill(grid.removed, 0)
    while covers:
        line = lowest_of(covers)
        places = grid.places[cover, line, digit] & ~bases
        while places:
            grid.removed[grid.houses[cover, line, lowest_of(places)]] = 1 << digit
            some = True
            places &= places - 1
        covers &= covers - 1
    return some


def find_fish(grid: RatedGrid, size: int) -> bool:
    """Look for a fish without fins, columns as bases first."""
    n = grid.houses.shape[1]
    for kind, cover in ((COLUMN, ROW), (ROW, COLUMN)):
        bases = (1 << size) - 1
        while bases < 1 << n:
            for digit in range(n):
                covers = covers_of(grid, kind, bases, digit)
                if covers and remove_from_covers(grid, cover, bases, covers, digit):
                    return report(grid, RATINGS[size], NAMES[size])
            bases = next_subset(bases)
    return False
