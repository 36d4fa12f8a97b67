"""Cages as techniques see them: cells that differ, and the sets of values that they may hold together.

Those of rule parts that list sets (a cage with a total, a renban); and cells of one group whose sum the totals of houses give.
"""

from __future__ import annotations

from functools import lru_cache, partial, reduce
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.house_totals import house_totals, total_proof
from sudoku_cp.logic.part_candidates import cell_proof, part_domains, possible_sets, sight_proof
from sudoku_cp.logic.step import ProofGroup, ProofStatement
from sudoku_cp.model import DigitSet, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.house_totals import HouseTotal
    from sudoku_cp.logic.layout import CellSet, GroupIndex, PartIndex
    from sudoku_cp.model import Domain

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
