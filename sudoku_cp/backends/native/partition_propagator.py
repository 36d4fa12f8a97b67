"""The readable tier's propagator of regions to be found, and how all narrow; the rules of `readable_search` hold here, too.

Sets of cells are bits, as sets of values are: bit p for the cell at place p of the constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from sudoku_cp.grid import Cell
from sudoku_cp.model import Domain, Partition, members, to_mask

# What the propagators of the readable tier share: the domains that they narrow.


Domains: TypeAlias = list[Domain]
Propagator: TypeAlias = Callable[[Domains, list[Cell]], bool]


def narrow(cell: Cell, kept: Domain, domains: Domains, changed: list[Cell]) -> bool:
    """Keep only the values in ``kept``; return False when none is left."""
    before = domains[cell]
    after = before & kept
    if after != before:
        domains[cell] = after
        changed.append(cell)
    return after != 0


def partition_propagator(constraint: Partition) -> Propagator:
    """Return a propagator that keeps regions numbered in order, of the right size, connected, and without repeated values."""
    cells, labels, size, first = constraint.cells, constraint.labels, constraint.size, constraint.first
    if len(cells) % size or first < 0:
        return lambda _live, _changed: False
    region = _Region(cells, labels, [to_mask(others) for others in constraint.beside], size)
    numbers = range(first, first + len(cells) // size)

    def propagate(live: Domains, changed: list[Cell]) -> bool:
        return _number(labels, numbers, live, changed) and all(region.fit(1 << number, live, changed) for number in numbers)

    return propagate


def _number(labels: Sequence[Cell], numbers: range, domains: Domains, changed: list[Cell]) -> bool:
    """Number the regions in the order of their first cells: each label but the first follows the one before it."""
    allowed, whole = 1 << numbers[0], to_mask(numbers)
    for label in labels:
        if not narrow(label, allowed, domains, changed):
            return False
        allowed |= domains[label] << 1 & whole
    for number in numbers[1:]:
        sure = next((place for place, label in enumerate(labels) if domains[label] == 1 << number), 0)
        before = [label for label in labels[:sure] if domains[label] >> number - 1 & 1]
        if sure and (not before or (len(before) == 1 and not narrow(before[0], 1 << number - 1, domains, changed))):
            return False
    return True


class _Region:
    """What must hold of each region; it is told apart from others by its label, a set of one value."""

    def __init__(self, cells: Sequence[Cell], labels: Sequence[Cell], near: Sequence[int], size: int) -> None:
        """Keep the cells, their labels, for each cell the places beside it, and the size of a region."""
        self._cells, self._labels, self._near, self._size = cells, labels, near, size

    def fit(self, label: Domain, domains: Domains, changed: list[Cell]) -> bool:
        """Rule out the label where the region cannot be, and values that it cannot have; put both in where they must be."""
        possible = to_mask(place for place, cell in enumerate(self._labels) if domains[cell] & label)
        sure = to_mask(place for place, cell in enumerate(self._labels) if domains[cell] == label)
        kept = self._reachable(sure, possible) if sure else self._large_areas(possible, domains)
        if sure.bit_count() == self._size:
            kept &= sure
        if sure & ~kept or kept.bit_count() < self._size or sure.bit_count() > self._size:
            return False
        if not self._label(possible & ~kept, ~label, domains, changed):
            return False
        if kept.bit_count() == self._size:
            sure = kept
            if not self._label(sure, label, domains, changed):
                return False
        return self._fit_values(label, sure, kept, domains, changed)

    def _label(self, places: int, labels: Domain, domains: Domains, changed: list[Cell]) -> bool:
        return all(narrow(self._labels[place], labels, domains, changed) for place in members(places))

    def _fit_values(self, label: Domain, sure: int, kept: int, domains: Domains, changed: list[Cell]) -> bool:
        """Keep values different; put in those that have one place left, where the region needs as many as it can have."""
        taken = 0
        for place in members(sure):
            value = domains[self._cells[place]]
            if not value & (value - 1):
                if value & taken:
                    return False
                taken |= value
        for place in members(kept):
            value = domains[self._cells[place]]
            if value & (value - 1) == 0:
                if value & taken and not sure >> place & 1 and not narrow(self._labels[place], ~label, domains, changed):
                    return False
            elif sure >> place & 1 and not narrow(self._cells[place], ~taken, domains, changed):
                return False
        once = twice = 0
        for place in members(kept):
            twice |= once & domains[self._cells[place]]
            once |= domains[self._cells[place]]
        if once.bit_count() > self._size:
            return True
        hidden = once & ~twice
        single = [place for place in members(kept) if domains[self._cells[place]] & hidden]
        return (
            once.bit_count() == self._size
            and self._label(to_mask(single), label, domains, changed)
            and all(self._put(self._cells[place], hidden, domains, changed) for place in single)
        )

    @staticmethod
    def _put(cell: Cell, hidden: Domain, domains: Domains, changed: list[Cell]) -> bool:
        """Put the only one of some hidden values into a cell; return False if it would have to hold several."""
        own = domains[cell] & hidden
        return not own & (own - 1) and narrow(cell, own, domains, changed)

    # --- connection -----------------------------------------------------------------------------------------------

    def _reachable(self, sure: int, possible: int) -> int:
        """Return the cells that every cell that is in can reach over as many others as are missing."""
        found, missing = possible, self._size - sure.bit_count()
        for place in members(sure):
            found &= self._within(1 << place, sure, possible, missing)
        return found

    def _within(self, start: int, free: int, possible: int, steps: int) -> int:
        """Return the possible cells that so many steps reach; steps onto ``free`` cells do not count."""
        reached = start
        while True:
            while edge := self._beside(reached) & free & ~reached:
                reached |= edge
            edge = self._beside(reached) & possible & ~reached
            if not edge or steps <= 0:
                return reached
            reached |= edge
            steps -= 1

    def _large_areas(self, possible: int, domains: Domains) -> int:
        """Return the connected possible cells that are enough for a region, and have enough values."""
        found = 0
        while possible:
            area = self._within(possible & -possible, possible, possible, 0)
            possible &= ~area
            values = _union(domains[self._cells[place]] for place in members(area))
            if min(area.bit_count(), values.bit_count()) >= self._size:
                found |= area
        return found

    def _beside(self, places: int) -> int:
        return _union(self._near[place] for place in members(places))


def _union(sets: Iterable[int]) -> int:
    union = 0
    for one in sets:
        union |= one
    return union
