"""Locked candidates: all places of a value in one house lie in another, or few cells where box and line cross have few values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.proof_groups import once_in
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.subsets import bounded_unions, narrow_cells
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import BoxLineCrossing, CellSet, GroupIndex
    from sudoku_cp.model import Domain


def pointing(board: CandidateBoard) -> Iterator[Step]:
    """Yield values whose places in a box all lie in another group, which has further places."""
    houses = board.layout.houses_of_kind(HouseKind.BOX)
    return _locked_values(board, Technique.POINTING, houses)


def claiming(board: CandidateBoard) -> Iterator[Step]:
    """Yield values whose places in a house that is no box all lie in another group, which has further places."""
    houses = board.layout.houses_of_kind(HouseKind.ROW, HouseKind.COLUMN, HouseKind.EXTRA)
    return _locked_values(board, Technique.CLAIMING, houses)


def locked_pairs(board: CandidateBoard) -> Iterator[Step]:
    """Yield two cells of both a box and a line with two values."""
    return _locked_subsets(board, Technique.LOCKED_PAIR, 2)


def locked_triples(board: CandidateBoard) -> Iterator[Step]:
    """Yield three cells of both a box and a line with three values."""
    return _locked_subsets(board, Technique.LOCKED_TRIPLE, 3)


def _locked_values(board: CandidateBoard, technique: Technique, houses: list[GroupIndex]) -> Iterator[Step]:
    layout = board.layout
    searched = [(house, layout.groups[house].mask, layout.overlaps[house]) for house in houses]
    for value in board.searched_values:
        everywhere = board.places[value]
        for house, mask, overlaps in searched:
            places = everywhere & mask
            if not places & (places - 1):
                continue
            for group, cells, outside in overlaps:
                if not places & ~cells and everywhere & outside:
                    removed = board.eliminations([(value, outside)])
                    proof = (ProofGroup(ProofStatement.HAS_PLACE, house, value), once_in(layout, value, group))
                    yield Step(technique, 1 << value, places, removed, (), Pattern((house,), (group,)), proof)


def _locked_subsets(board: CandidateBoard, technique: Technique, size: int) -> Iterator[Step]:
    narrow = narrow_cells(board, size)
    for crossing in board.layout.crossings if narrow.bit_count() >= size else ():
        own = crossing.mask & narrow
        if own.bit_count() >= size:
            for cells, values in bounded_unions([(1 << cell, board.candidates[cell]) for cell in members(own)], size):
                yield from _locked_subset(board, technique, crossing, cells, values)


def _locked_subset(
    board: CandidateBoard, technique: Technique, crossing: BoxLineCrossing, cells: CellSet, values: Domain
) -> Iterator[Step]:
    """Yield what two or three cells with as many values remove from their box and line, if they remove anything."""
    layout, houses = board.layout, (crossing.box, crossing.line)
    rest = (layout.groups[crossing.box].mask | layout.groups[crossing.line].mask) & ~cells
    removed = board.eliminations((value, rest) for value in members(values))
    if not removed:
        return
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
    proof += [once_in(layout, value, house) for value in members(values) for house in houses]
    yield Step(technique, values, cells, removed, (), Pattern(houses, sets=(CellsAndValues(cells, values),)), tuple(proof))
