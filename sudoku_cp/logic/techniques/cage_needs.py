"""What the combinations of cages need and take up: in the cells that see them, and among all cages of a house."""

from __future__ import annotations

from functools import partial, reduce
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING

from sudoku_cp.logic.house_totals import cages, left_cages
from sudoku_cp.logic.removable_places import BarrenSearches
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step, distinct, once_in, sees
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.house_totals import CageSets
    from sudoku_cp.logic.layout import GroupIndex
    from sudoku_cp.model import Domain

_SIZES = (2, 3, 4)
"""The numbers of values of killer subsets that are looked for."""
_barren = BarrenSearches()


def needed_digits(board: CandidateBoard) -> Iterator[Step]:
    """Yield values in every combination of a cage: they leave the cells that see all their places in it.

    Cages that are written come first, then cells of which the totals of houses leave the sum.
    """
    for find in (cages, left_cages):
        for cage in find(board):
            for value in members(reduce(and_, cage.sets)):
                places = board.places[value] & cage.open
                removed = board.eliminations([(value, board.layout.seen_by_all(places) & ~cage.cells)]) if places else ()
                if removed:
                    seen = [group for cell, _ in removed for group in sees(board.layout, value, cell, places)]
                    sets = tuple(CellsAndValues(cage.cells, one) for one in cage.sets)
                    pattern = Pattern(cage.houses, fins=places, sets=sets, total=cage.total)
                    proof = distinct([*cage.prove(), *seen])
                    yield Step(Technique.NEEDED_DIGIT, 1 << value, cage.cells, removed, (), pattern, proof)


def killer_subsets(board: CandidateBoard) -> Iterator[Step]:
    """Yield values of a house that cages in it and cells with no other candidates take up: they leave the rest of the house.

    A cage counts for as many cells as it holds of the values in every combination. Cells of which the totals of houses leave the
    sum are cages too; of those that overlap, written ones and then smaller ones count.
    """
    layout = board.layout
    every = [*cages(board), *left_cages(board)]
    for house in range(layout.houses if every else 0):
        board.tick()
        mask = layout.groups[house].mask
        inside = [cage for cage in every if not cage.cells & ~mask]
        own = [layout.readers[house](entries) for entries in (board.values, board.candidates)]
        key = layout, house, *own, tuple([(cage.cells, cage.sets) for cage in inside])
        if inside:
            yield from _barren.steps_of(key, partial(_killer_subsets, board, house, inside))


def _killer_subsets(board: CandidateBoard, house: GroupIndex, inside: list[CageSets]) -> Iterator[Step]:
    """Yield the killer subsets of a house with those of its cages."""
    mask = board.layout.groups[house].mask
    placed = to_mask(value for cell in members(mask & ~board.open) if (value := board.values[cell]) is not None)
    left = [value for value in board.layout.values if not placed >> value & 1]
    for size in _SIZES:
        for chosen in combinations(left, size):
            yield from _killer_subset(board, house, inside, to_mask(chosen))


def _killer_subset(board: CandidateBoard, house: GroupIndex, inside: list[CageSets], values: Domain) -> Iterator[Step]:
    """Yield the subset of these values if cages and cells hold as many of them as there are."""
    layout, mask = board.layout, board.layout.groups[house].mask
    used, taken, count = [], 0, 0
    for cage in inside:
        least = 0 if cage.cells & taken else cage.least(values)
        if least:
            used.append(cage)
            taken |= cage.cells
            count += least
    if not used:
        return
    cells = to_mask(cell for cell in members(mask & board.open & ~taken) if not board.candidates[cell] & ~values)
    if count + cells.bit_count() != values.bit_count():
        return
    removed = board.eliminations((value, mask & ~taken & ~cells) for value in members(values))
    if removed:
        proof = [group for cage in used for group in cage.prove()]
        proof += [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
        proof += [once_in(layout, value, house) for value in members(values)]
        sets = [CellsAndValues(cage.cells, values) for cage in used]
        sets += [CellsAndValues(1 << cell, board.candidates[cell]) for cell in members(cells)]
        pattern = Pattern((house,), sets=tuple(sets))
        yield Step(Technique.KILLER_SUBSET, values, taken | cells, removed, (), pattern, distinct(proof))
