"""Set equivalence: as many houses on one side as on the other hold each value equally often, and what they share cancels.

So cells that one side counts more often hold the same values as those that the other does. Two ways to choose the sides:
neighbouring rows (or columns) against irregular regions, the law of leftovers; and two rows and two columns against the boxes at
their crossings, as in the ring around the centre box, which holds the same values as the corner squares (Phistomefel).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.proof_groups import distinct, once_in
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout
    from sudoku_cp.model import Domain

_LONGEST_RUN = 4
_MOST_CELLS = 12
"""Leftovers of more cells are not looked at."""


class HouseSide(NamedTuple):
    """Houses, and the cells that they count more often than the other side does: once, and twice more."""

    houses: tuple[GroupIndex, ...]
    cells: CellSet
    twice: CellSet


def leftovers(board: CandidateBoard) -> Iterator[Step]:
    """Yield what the law of leftovers eliminates: regions against neighbouring rows or columns, regions not all alike."""
    for sides in _leftover_sides(board.layout):
        yield from _equal_sets(board, Technique.LEFTOVERS, sides)


def set_equivalences(board: CandidateBoard) -> Iterator[Step]:
    """Yield what two rows and two columns against the four boxes where they cross eliminate."""
    for sides in _ring_sides(board.layout):
        yield from _equal_sets(board, Technique.SET_EQUIVALENCE, sides)


# --- sides ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _leftover_sides(layout: Layout) -> tuple[tuple[HouseSide, HouseSide], ...]:
    boxes = layout.houses_of_kind(HouseKind.BOX)
    found = []
    for kind in (HouseKind.ROW, HouseKind.COLUMN):
        lines = layout.houses_of_kind(kind)
        shared = {(layout.groups[line].mask & layout.groups[box].mask).bit_count() for line in lines for box in boxes} - {0}
        if len(shared) <= 1:
            continue  # regular boxes: locked candidates and fish
        for size in range(1, _LONGEST_RUN + 1):
            for first in range(len(lines) - size + 1):
                run = tuple(lines[first : first + size])
                near = [box for box in boxes if layout.groups[box].mask & _union(layout, run)]
                found += [_sides(layout, run, chosen) for chosen in combinations(near, size)]
    usable = [sides for sides in found if 0 < sides[0].cells.bit_count() <= _MOST_CELLS]
    return tuple(sorted(usable, key=lambda sides: sides[0].cells.bit_count()))


@lru_cache(maxsize=64)
def _ring_sides(layout: Layout) -> tuple[tuple[HouseSide, HouseSide], ...]:
    found = []
    rows, columns = layout.houses_of_kind(HouseKind.ROW), layout.houses_of_kind(HouseKind.COLUMN)
    boxes = layout.houses_of_kind(HouseKind.BOX)
    for two_rows in combinations(rows, 2):
        across = [box for box in boxes if layout.groups[box].mask & _union(layout, two_rows)]
        for two_columns in combinations(columns, 2):
            chosen = tuple(box for box in across if layout.groups[box].mask & _union(layout, two_columns))
            if len(chosen) == len(two_rows) + len(two_columns):
                found.append(_sides(layout, (*two_rows, *two_columns), chosen))
    return tuple(found)


def _union(layout: Layout, houses: Iterable[GroupIndex]) -> CellSet:
    union = 0
    for house in houses:
        union |= layout.groups[house].mask
    return union


def _sides(layout: Layout, one: tuple[GroupIndex, ...], other: tuple[GroupIndex, ...]) -> tuple[HouseSide, HouseSide]:
    """Return both sides with the cells that each counts more often."""
    more: dict[int, CellSet] = {1: 0, 2: 0, -1: 0, -2: 0, 0: 0}
    for cell in members(_union(layout, (*one, *other))):
        counts = [sum(layout.groups[house].mask >> cell & 1 for house in side) for side in (one, other)]
        more[max(-2, min(2, counts[0] - counts[1]))] |= 1 << cell
    return HouseSide(one, more[1] | more[2], more[2]), HouseSide(other, more[-1] | more[-2], more[-2])


# --- steps ------------------------------------------------------------------------------------------------------------


def _equal_sets(board: CandidateBoard, technique: Technique, sides: tuple[HouseSide, HouseSide]) -> Iterator[Step]:
    """Yield what goes on either side because the other cannot hold more of a value than stand there already."""
    values, removed, proof, cells = 0, [], [], sides[0].cells | sides[1].cells
    for side, other in (sides, sides[::-1]):
        for value in board.searched_values:
            if not board.places[value] & side.cells:
                continue
            covers = _covers(board, other, value, _filled(board, side, value) - _filled(board, other, value))
            if covers is not None:
                values |= 1 << value
                removed.append((value, side.cells))
                proof += [once_in(board.layout, value, house) for house in side.houses]
                proof += _places(board, value, other.houses)
                proof += [once_in(board.layout, value, group) for group in covers]
    if removed:
        gone = board.eliminations(removed)
        pattern = Pattern(sides[0].houses, sides[1].houses, sets=(_held(board, sides[0]), _held(board, sides[1])))
        yield Step(technique, values, cells, gone, (), pattern, distinct(proof))


def _filled(board: CandidateBoard, side: HouseSide, value: int) -> int:
    """Return how often the filled cells of a side count for a value."""
    return sum(1 + (side.twice >> cell & 1) for cell in members(side.cells & ~board.open) if board.values[cell] == value)


def _covers(board: CandidateBoard, side: HouseSide, value: int, most: int) -> tuple[GroupIndex, ...] | None:
    """Return groups that hold all places of a value on a side and together count for ``most`` at most; None if there are none.

    A value stands at most once in a group, and then counts twice if it may stand in a cell that does.
    """
    layout, twice = board.layout, board.places[value] & side.twice
    waiting: list[tuple[CellSet, int, tuple[GroupIndex, ...]]] = [(board.places[value] & side.cells, most, ())]
    while waiting:
        left, budget, chosen = waiting.pop()
        if budget >= 0 and not left:
            return chosen
        if budget > 0:
            first = (left & -left).bit_length() - 1
            for group in layout.houses_of[first] or layout.groups_of[first]:
                mask = layout.groups[group].mask
                waiting.append((left & ~mask, budget - (2 if twice & left & mask else 1), (*chosen, group)))
    return None


def _places(board: CandidateBoard, value: int, houses: Iterable[GroupIndex]) -> Iterator[ProofGroup]:
    """Yield that a value has a place in those houses in which it does not stand yet."""
    for house in houses:
        if all(board.values[cell] != value for cell in board.layout.groups[house].cells):
            yield ProofGroup(ProofStatement.HAS_PLACE, house, value)


def _held(board: CandidateBoard, side: HouseSide) -> CellsAndValues:
    """Return the cells of a side and the values that they may hold, those of filled cells too."""
    held: Domain = board.values_in(side.cells)
    for cell in members(side.cells & ~board.open):
        held |= 1 << (board.values[cell] or 0)
    return CellsAndValues(side.cells, held)
