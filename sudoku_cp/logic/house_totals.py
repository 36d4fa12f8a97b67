"""Totals of houses: what is left of the total of some houses when cages with known sums are taken away.

Of neighbouring houses, all cages inside and those that lie mostly inside are taken away. The total of what is left is known: the
sum of the cells that no such cage holds, less that of the cells of these cages that stick out.
"""

from __future__ import annotations

from functools import lru_cache, partial, reduce
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.layout import CellSet, GroupIndex, HouseKind, Layout, PartIndex
from sudoku_cp.logic.part_candidates import cell_proof, part_domains, possible_sets, sight_proof
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import Constraint, DigitSet, Domain, Linear, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard


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


# Cages as techniques see them: cells that differ, and the sets of values that they may hold together.
#
# Those of rule parts that list sets (a cage with a total, a renban); and cells of one group whose sum the totals of houses
# give.


_MOST_CELLS = 5
"""Sums of more cells that houses leave have too many combinations to be of use."""


class CageSets(NamedTuple):
    """Cells that hold one of some sets of values, and what yields the proof of that; ``open`` are those not yet filled.

    ``houses`` and ``total`` are those of the sum that leaves the cells, if no rule part speaks of them.
    """

    prove: Callable[[], Iterator[ProofGroup]]
    cells: CellSet
    open: CellSet
    sets: tuple[Domain, ...]
    houses: tuple[GroupIndex, ...] = ()
    total: int | None = None

    def least(self, values: Domain) -> int:
        """Return how many of some values the cells hold at least."""
        least = values.bit_count()
        for one in self.sets:
            least = min(least, (values & one).bit_count())
            if not least:
                break
        return least


def cages(board: CandidateBoard) -> list[CageSets]:
    """Return the cages of rule parts that have open cells, with the combinations that are left to each."""
    return board.derive(_written_cages)


def left_cages(board: CandidateBoard) -> list[CageSets]:
    """Return those that the totals of houses leave."""
    return board.derive(_left_cages)


def needing_groups(board: CandidateBoard, value: int) -> dict[GroupIndex, CageSets]:
    """Return the groups that are no houses and in which a value must have a place: cages that need it, by their groups."""
    return board.derive(_needs).get(value, {})


def _needs(board: CandidateBoard) -> dict[int, dict[GroupIndex, CageSets]]:
    layout = board.layout
    groups = {group.mask: index for index, group in enumerate(layout.groups) if index >= layout.houses}
    found: dict[int, dict[GroupIndex, CageSets]] = {}
    for cage in cages(board):
        filled = to_mask(value for cell in members(cage.cells & ~board.open) if (value := board.values[cell]) is not None)
        for value in members(reduce(and_, cage.sets) & ~filled if cage.cells in groups else 0):
            found.setdefault(value, {})[groups[cage.cells]] = cage
    return found


def _written_cages(board: CandidateBoard) -> list[CageSets]:
    found = []
    for index, part in enumerate(board.layout.parts):
        known = dict(zip(part.cells, part_domains(board, index), strict=True))
        for constraint in part.constraints:
            if isinstance(constraint, DigitSet) and max(constraint.cells) in known:
                cells = to_mask(constraint.cells)
                sets = tuple(possible_sets(constraint, known))
                if sets and cells & board.open:
                    prove = partial(_prove_written, index, cells & board.open)
                    found.append(CageSets(prove, cells, cells & board.open, sets))
    return found


def _prove_written(part: PartIndex, cells: CellSet) -> Iterator[ProofGroup]:
    yield ProofGroup(ProofStatement.PART, part)
    yield from cell_proof(cells)


def _left_cages(board: CandidateBoard) -> list[CageSets]:
    known = {cage.open for cage in cages(board)}
    found = []
    for one in house_totals(board):
        cells = one.inside | one.outside
        if (one.inside and one.outside) or not 1 < one.size <= _MOST_CELLS or cells in known:
            continue
        known.add(cells)
        if next(board.layout.groups_over(cells), None) is not None:
            cage = _left_cage(board, one)
            if cage.sets:
                found.append(cage)
    return found


def _left_cage(board: CandidateBoard, found: HouseTotal) -> CageSets:
    """Return the cage that the cells inside some houses make (innies), or those that stick out of them (outies)."""
    cells, total = (found.inside, found.total) if found.inside else (found.outside, -found.total)
    values = board.values_in(cells)
    known = _sets_with_total(board.layout.values, found.size, total)
    sets = tuple(one for one in known if not one & ~values)
    return CageSets(partial(_prove_left, board, found, cells), cells, cells, sets, found.houses, total)


def _prove_left(board: CandidateBoard, found: HouseTotal, cells: CellSet) -> Iterator[ProofGroup]:
    yield from total_proof(board, found)
    yield from cell_proof(cells)
    yield from sight_proof(board, cells)


@lru_cache(maxsize=1024)
def _sets_with_total(values: tuple[int, ...], size: int, total: int) -> tuple[Domain, ...]:
    return tuple(to_mask(chosen) for chosen in combinations(values, size) if sum(chosen) == total)
