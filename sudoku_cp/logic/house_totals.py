"""Totals of houses: what is left of the total of some houses when cages with known sums are taken away.

Of neighbouring houses, all cages inside and those that lie mostly inside are taken away. The total of what is left is known: the
sum of the cells that no such cage holds, less that of the cells of these cages that stick out.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import DigitSet, Linear, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex
    from sudoku_cp.model import Constraint

_MOST_HOUSES = 4
"""Unions of more houses are not looked at."""
_MOST_UNIONS = 400
"""Of larger numbers of unions of boxes only so many are looked at."""
_KINDS = (HouseKind.ROW, HouseKind.COLUMN, HouseKind.BOX, HouseKind.EXTRA)


class PartSum(NamedTuple):
    """Cells whose values add up to a total, and the rule part that fixes it."""

    part: PartIndex
    cells: CellSet
    total: int


class HouseTotal(NamedTuple):
    """The open cells ``inside`` some houses add up to ``total`` and the sum of those ``outside``, which stick out of cages."""

    houses: tuple[GroupIndex, ...]
    sums: tuple[PartSum, ...]
    inside: CellSet
    outside: CellSet
    total: int

    @property
    def size(self) -> int:
        """The number of open cells that it is about."""
        return self.inside.bit_count() + self.outside.bit_count()


def house_totals(board: CandidateBoard) -> list[HouseTotal]:
    """Return what the known sums leave of each union of neighbouring houses, where open cells are left, few cells first.

    That depends on the filled cells alone: until a cell is filled, those that were found last on a layout are known.
    """
    memory, values = _found_last(board.layout), tuple(board.values)
    if values not in memory:
        found = _find_all(board)
        memory.clear()
        memory[values] = found
    return memory[values]


@lru_cache(maxsize=8)
def _found_last(_: Layout) -> dict[tuple[int | None, ...], list[HouseTotal]]:
    """Return the totals that were found last on a layout, by the values of all cells."""
    return {}


def total_proof(board: CandidateBoard, found: HouseTotal) -> Iterator[ProofGroup]:
    """Yield what proves a total: the houses are full, and the sums hold."""
    layout = board.layout
    union = 0
    for house in found.houses:
        mask = layout.groups[house].mask
        union |= mask
        placed = {board.values[cell] for cell in members(mask & ~board.open)}
        for value in layout.grid.values:
            if value not in placed:
                yield ProofGroup(ProofStatement.HAS_PLACE, house, value)
    for cell in members((union | found.outside) & board.open):
        yield ProofGroup(ProofStatement.ONE_VALUE, cell)
    for cell in members(found.outside):
        yield ProofGroup(ProofStatement.HAS_VALUE, cell)
    for one in found.sums:
        yield ProofGroup(ProofStatement.PART, one.part)


@lru_cache(maxsize=64)
def part_sums(layout: Layout) -> tuple[PartSum, ...]:
    """Return the sums that single constraints of rule parts state."""
    found = []
    for index, part in enumerate(layout.parts):
        for constraint in part.constraints:
            total = _total_of(constraint)
            if total is not None and max(cells := _cells(constraint)) < len(layout.domains):
                found.append(PartSum(index, to_mask(cells), total))
    return tuple(found)


def _cells(constraint: Constraint) -> tuple[int, ...]:
    return tuple(cell for cell, _ in constraint.terms) if isinstance(constraint, Linear) else constraint.cells  # type: ignore[union-attr]


def _total_of(constraint: Constraint) -> int | None:
    """Return the sum that a constraint gives its cells; None if it gives none."""
    match constraint:
        case DigitSet(_, sets):
            totals = {sum(members(one)) for one in sets}
            return totals.pop() if len(totals) == 1 else None
        case Linear(terms, "==", total):
            cells, factors = zip(*terms, strict=True)
            if len(set(factors)) == 1 and len(set(cells)) == len(cells) and total % factors[0] == 0:
                return int(total // factors[0])
    return None


@lru_cache(maxsize=64)
def _unions(layout: Layout) -> tuple[tuple[GroupIndex, ...], ...]:
    """Return runs of neighbouring rows, or columns, and boxes that sums connect; single houses first."""
    sums = part_sums(layout)
    if not sums:
        return ()
    found: list[tuple[GroupIndex, ...]] = []
    for kind in _KINDS:
        houses = layout.houses_of_kind(kind)
        if kind in {HouseKind.ROW, HouseKind.COLUMN}:
            found += [
                tuple(houses[first : first + size])
                for size in range(1, _MOST_HOUSES + 1)
                for first in range(len(houses) - size + 1)
            ]
        else:
            found += _connected(layout, houses, sums)
    return tuple(sorted([union for union in found if _is_disjoint(layout, union)], key=len))


def _is_disjoint(layout: Layout, houses: tuple[GroupIndex, ...]) -> bool:
    return not any(layout.groups[one].mask & layout.groups[other].mask for one, other in combinations(houses, 2))


def _connected(layout: Layout, houses: list[GroupIndex], sums: tuple[PartSum, ...]) -> list[tuple[GroupIndex, ...]]:
    """Return single houses, and sets of up to four that sums which lie in several connect."""
    near = {
        house: {
            other
            for other in houses
            for one in sums
            if one.cells & layout.groups[house].mask and one.cells & layout.groups[other].mask
        }
        for house in houses
    }
    level = {frozenset({house}) for house in houses}
    found = list(level)
    for _ in range(_MOST_HOUSES - 1):
        level = {union | {other} for union in level for house in union for other in near[house] - union}
        if len(level) > _MOST_UNIONS:
            break
        found += level
    return [tuple(sorted(union)) for union in found]


def _find_all(board: CandidateBoard) -> list[HouseTotal]:
    found: dict[tuple[CellSet, CellSet], HouseTotal] = {}
    for houses in _unions(board.layout):
        board.tick()
        one = _left_over(board, houses)
        if one.sums and one.size:
            found.setdefault((one.inside, one.outside), one)
    return sorted(found.values(), key=lambda one: one.size)


@lru_cache(maxsize=10_000)
def _sums_near(layout: Layout, houses: tuple[GroupIndex, ...]) -> tuple[CellSet, tuple[PartSum, ...]]:
    """Return the cells of some houses, and the sums that have cells there, those that stick out least in front."""
    union = 0
    for house in houses:
        union |= layout.groups[house].mask
    near = [one for one in part_sums(layout) if one.cells & union]
    return union, tuple(sorted(near, key=lambda one: (one.cells & ~union).bit_count()))


def _left_over(board: CandidateBoard, houses: tuple[GroupIndex, ...]) -> HouseTotal:
    """Take away the sums inside, then those of whose open cells more are inside than outside; no two that overlap."""
    layout, opened = board.layout, board.open
    covered, outside, used = 0, 0, []
    total = len(houses) * sum(layout.grid.values)
    union, near = _sums_near(layout, houses)
    for one in near:
        inside, beyond = one.cells & union, one.cells & ~union
        if one.cells & covered or (beyond and (inside & opened).bit_count() <= (beyond & opened).bit_count()):
            continue
        used.append(one)
        covered |= one.cells
        outside |= beyond
        total -= one.total
    left = union & ~covered
    total -= sum(board.values[cell] or 0 for cell in members(left & ~opened))
    total += sum(board.values[cell] or 0 for cell in members(outside & ~opened))
    return HouseTotal(houses, tuple(used), left & opened, outside & opened, total)
