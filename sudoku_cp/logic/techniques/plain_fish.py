"""Basic fish without fins, found at once: in as many rows as columns, or the reverse, lie all places of a value."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.logic.techniques.fish_space import Fish, bits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.techniques.fish_space import FishSpace, HouseSet


def has_plain_lines(space: FishSpace) -> bool:
    """Return whether each place lies in one row and one column, as on a single board."""
    return all(
        sum(space.masks[line].bit_count() for line in bits(lines)) == space.places.bit_count()
        for lines in (space.rows, space.columns)
    )


def find_plain_fish(space: FishSpace, size: int) -> Iterator[Fish]:
    """Yield basic fish without fins as `fish_search.find_fish` does, where each place lies in one row and one column."""
    best: dict[CellSet, int] = {}
    for lines, across in ((space.rows, space.columns), (space.columns, space.rows)):
        for bases, covers in _covered_lines(space, size, lines, across):
            places, covered = _places(space, bases), _places(space, covers)
            removed = covered & ~places
            if removed and places.bit_count() < best.get(removed, places.bit_count() + 1):
                best[removed] = places.bit_count()
                yield Fish(bases, covers, 0)


def _covered_lines(space: FishSpace, size: int, lines: HouseSet, across: HouseSet) -> Iterator[tuple[HouseSet, HouseSet]]:
    """Yield sets of lines that meet as many lines across, and these."""
    crossed = []
    for line in bits(lines):
        met = sum(1 << other for other in bits(across) if space.masks[line] & space.masks[other])
        if met.bit_count() <= size:
            crossed.append((1 << line, met))
    for chosen in combinations(crossed, size):
        covers = 0
        for _, met in chosen:
            covers |= met
        if covers.bit_count() == size:
            yield sum(line for line, _ in chosen), covers


def _places(space: FishSpace, houses: HouseSet) -> CellSet:
    """Return the places in some of the houses."""
    union = 0
    for house in bits(houses):
        union |= space.masks[house]
    return union
