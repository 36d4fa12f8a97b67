"""Cages, and other rules that list the sets of values of their cells: values that they need, and what that leaves to a house."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.part_candidates import part_domains, possible_sets
from sudoku_cp.logic.proof_groups import distinct, once_in, sees
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, Statement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import DigitSet, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, PartIndex
    from sudoku_cp.model import Domain

_SIZES = (2, 3, 4)
"""The numbers of values of killer subsets that are looked for."""


class Cage(NamedTuple):
    """Cells that hold one of some sets of values, and the rule part that says so; ``open`` are those not yet filled."""

    part: PartIndex
    cells: CellSet
    open: CellSet
    sets: tuple[Domain, ...]

    def least(self, values: Domain) -> int:
        """Return how many of some values the cells hold at least."""
        return min((values & one).bit_count() for one in self.sets)


def needed_digits(board: CandidateBoard) -> Iterator[Step]:
    """Yield values in every combination of a cage: they leave the cells that see all their places in it."""
    for cage in board.derive(_cages):
        needed = reduce(and_, cage.sets)
        for value in members(needed):
            places = board.places[value] & cage.open
            removed = board.eliminations([(value, board.layout.seen_by_all(places) & ~cage.cells)]) if places else ()
            if removed:
                proof = [ProofGroup(Statement.PART, cage.part)]
                proof += [group for cell, _ in removed for group in sees(board.layout, value, cell, places)]
                pattern = Pattern(sets=tuple(CellsAndValues(cage.cells, one) for one in cage.sets), fins=places)
                yield Step(Technique.NEEDED_DIGIT, 1 << value, cage.cells, removed, (), pattern, distinct(proof))


def killer_subsets(board: CandidateBoard) -> Iterator[Step]:
    """Yield values of a house that cages in it and cells with no other candidates take up: they leave the rest of the house.

    A cage counts for as many cells as it holds of the values in every combination.
    """
    for house in range(board.layout.houses):
        mask = board.layout.groups[house].mask
        cages = [cage for cage in board.derive(_cages) if not cage.cells & ~mask]
        placed = to_mask(value for cell in members(mask & ~board.open) if (value := board.values[cell]) is not None)
        left = [value for value in board.layout.values if not placed >> value & 1]
        for size in _SIZES if cages else ():
            for chosen in combinations(left, min(size, len(left))):
                yield from _killer_subset(board, house, cages, to_mask(chosen))


def _killer_subset(board: CandidateBoard, house: GroupIndex, cages: list[Cage], values: Domain) -> Iterator[Step]:
    """Yield the subset of these values if cages and cells hold as many of them as there are."""
    layout, mask = board.layout, board.layout.groups[house].mask
    used, taken, count = [], 0, 0
    for cage in cages:
        least = 0 if cage.cells & taken else cage.least(values)
        if least:
            used.append(cage)
            taken |= cage.cells
            count += least
    cells = to_mask(cell for cell in members(mask & board.open & ~taken) if not board.candidates[cell] & ~values)
    if not used or count + cells.bit_count() != values.bit_count():
        return
    removed = board.eliminations((value, mask & ~taken & ~cells) for value in members(values))
    if removed:
        proof = [ProofGroup(Statement.PART, cage.part) for cage in used]
        proof += [ProofGroup(Statement.HAS_VALUE, cell) for cell in members(cells)]
        proof += [once_in(layout, value, house) for value in members(values)]
        sets = [CellsAndValues(cage.cells, values) for cage in used]
        sets += [CellsAndValues(1 << cell, board.candidates[cell]) for cell in members(cells)]
        pattern = Pattern((house,), sets=tuple(sets))
        yield Step(Technique.KILLER_SUBSET, values, taken | cells, removed, (), pattern, distinct(proof))


def _cages(board: CandidateBoard) -> list[Cage]:
    """Return the cages with open cells, and the combinations that are left to each."""
    found = []
    for index, part in enumerate(board.layout.parts):
        known = dict(zip(part.cells, part_domains(board, index), strict=True))
        for constraint in part.constraints:
            if isinstance(constraint, DigitSet) and max(constraint.cells) in known:
                cells = to_mask(constraint.cells)
                sets = tuple(possible_sets(constraint, known))
                if sets and cells & board.open:
                    found.append(Cage(index, cells, cells & board.open, sets))
    return found
