"""Implied houses: what houses leave of others, and so holds each value once, such as the five hidden windows of a windoku.

If some houses count each of certain cells once more often than others do, and no other cell more or less often, and there is one
house more on that side, then each value stands once in these cells. Found houses lead to further ones.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.step import ProofGroup, ProofStatement, once_in
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout

_MOST_HOUSES = 4
"""So many houses are taken together, at most."""
_MOST_CHOICES = 600
"""Of more choices only neighbouring houses are looked at."""
_MOST_FOUND = 40
_ROUNDS = 2
"""Houses found in the first round are taken from others in the second."""


class ImpliedHouse(NamedTuple):
    """The cells that the houses of ``plus`` count once more than those of ``minus``, of which there is one less."""

    mask: CellSet
    plus: tuple[GroupIndex, ...]
    minus: tuple[GroupIndex, ...]

    def has_place(self, board: CandidateBoard, value: int) -> Iterator[ProofGroup]:
        """Yield why a value that does not stand in it yet has a place in it."""
        yield from (ProofGroup(ProofStatement.HAS_PLACE, house, value) for house in _without(board, self.plus, value))
        yield from (once_in(board.layout, value, house) for house in _without(board, self.minus, value))

    def once(self, board: CandidateBoard, value: int) -> Iterator[ProofGroup]:
        """Yield why a value stands in it at most once."""
        yield from (once_in(board.layout, value, house) for house in _without(board, self.plus, value))
        yield from (ProofGroup(ProofStatement.HAS_PLACE, house, value) for house in _without(board, self.minus, value))


def _without(board: CandidateBoard, houses: Sequence[GroupIndex], value: int) -> Iterator[GroupIndex]:
    """Yield the houses in which a value does not stand yet."""
    return (house for house in houses if all(board.values[cell] != value for cell in board.layout.groups[house].cells))


@lru_cache(maxsize=64)
def implied_houses(layout: Layout) -> tuple[ImpliedHouse, ...]:
    """Return the implied houses of a layout, those by the fewest houses in front; none on plain boards."""
    if not _has_irregular_houses(layout):
        return ()
    known = {mask: ImpliedHouse(mask, (house,), ()) for house, mask in reversed([*enumerate(layout.house_masks)])}
    own = len(known)
    for _ in range(_ROUNDS):
        for found in _left_over(layout, tuple(known.values())):
            known.setdefault(found.mask, found)
            if len(known) >= own + _MOST_FOUND:
                break
    implied = [house for house in known.values() if house.minus]
    return tuple(sorted(implied, key=lambda house: (len(house.plus), house.plus)))


def _has_irregular_houses(layout: Layout) -> bool:
    """Return whether there are diagonals, windows or the like, or boxes that share different numbers of cells with lines."""
    if layout.houses_of_kind(HouseKind.EXTRA):
        return True
    boxes, lines = layout.houses_of_kind(HouseKind.BOX), layout.houses_of_kind(HouseKind.ROW, HouseKind.COLUMN)
    masks = layout.house_masks
    shared = {
        (layout.groups[line].kind, (masks[box] & masks[line]).bit_count())
        for box in boxes
        for line in lines
        if masks[box] & masks[line]
    }
    return len(shared) > len({kind for kind, _ in shared})


def _left_over(layout: Layout, known: Sequence[ImpliedHouse]) -> Iterator[ImpliedHouse]:
    """Yield what disjoint houses of a kind leave when known ones inside them, one less, are taken away."""
    size = len(layout.grid.values)
    for kind in (HouseKind.ROW, HouseKind.COLUMN, HouseKind.BOX):
        for chosen in ticked(_choices(layout, layout.houses_of_kind(kind)), every=1):
            union = 0
            for house in chosen:
                union |= layout.house_masks[house]
            if union.bit_count() != size * len(chosen):
                continue
            inside = [one for one in known if not one.mask & ~union and not {*one.plus} & {*chosen}]
            for taken in combinations(inside, len(chosen) - 1) if len(inside) < size + len(chosen) else ():
                left = union
                for one in taken:
                    left = left & ~one.mask if not one.mask & ~left else 0
                if left:
                    plus = Counter([*chosen, *(house for one in taken for house in one.minus)])
                    plus.subtract([house for one in taken for house in one.plus])
                    if max(map(abs, plus.values())) == 1:
                        sides = (tuple(sorted(house for house in plus if plus[house] == sign)) for sign in (1, -1))
                        yield ImpliedHouse(left, *sides)


def _choices(layout: Layout, houses: Sequence[GroupIndex]) -> list[tuple[GroupIndex, ...]]:
    """Return the houses of a kind, two to `_MOST_HOUSES` together; neighbours alone where that is too many."""
    sizes = range(2, min(_MOST_HOUSES, len(houses) - 1) + 1)
    if len(houses) <= len(layout.grid.values):
        found = [chosen for size in sizes for chosen in combinations(houses, size)]
        if len(found) <= _MOST_CHOICES:
            return found
    return [tuple(houses[first : first + size]) for size in sizes for first in range(len(houses) - size + 1)]
