"""Unique rectangles: four open cells that would have two solutions if nothing but two values were left in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.deadly_rectangles import open_rectangles
from sudoku_cp.logic.proof_groups import distinct, once_in
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.subsets import bounded_unions
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.deadly_rectangles import OpenRectangle
    from sudoku_cp.logic.layout import CellSet, GroupIndex

_TWO, _THREE = 2, 3
_WIDEST = 7
"""Other cells of a naked subset with the roof: in 9x9 there are no more."""


def unique_rectangles_1(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with a single roof cell, which both values leave."""
    for found in open_rectangles(board):
        if found.roof.bit_count() == 1:
            yield from _steps(board, Technique.UNIQUE_RECTANGLE_1, found, [(value, found.roof) for value in members(found.pair)])


def unique_rectangles_2(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with two roof cells in a line and one extra value in them: one of them has it."""
    for found in open_rectangles(board):
        if _has_straight_roof(found):
            yield from _extra_value(board, Technique.UNIQUE_RECTANGLE_2, found)


def unique_rectangles_3(board: CandidateBoard) -> Iterator[Step]:
    """Yield those whose extra values in two roof cells of a group make a naked subset with other cells of it."""
    for found in open_rectangles(board):
        if _has_straight_roof(found):
            for group in board.layout.groups_over(found.roof):
                yield from _roof_subsets(board, found, group)


def unique_rectangles_4(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with two roof cells in a house in which one of the values has no other place: the other one leaves them."""
    for found in open_rectangles(board):
        if not _has_straight_roof(found):
            continue
        for house in board.layout.groups_over(found.roof):
            for value in members(found.pair) if house < board.layout.houses else ():
                if not board.places[value] & board.layout.groups[house].mask & ~found.roof:
                    other = (found.pair & ~(1 << value)).bit_length() - 1
                    proof = [ProofGroup(ProofStatement.HAS_PLACE, house, value)]
                    yield from _steps(board, Technique.UNIQUE_RECTANGLE_4, found, [(other, found.roof)], (house,), proof)


def unique_rectangles_5(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with two opposite roof cells, or three, and one extra value in them: one of them has it."""
    for found in open_rectangles(board):
        if found.roof.bit_count() == _THREE or found.rectangle.is_diagonal(found.roof):
            yield from _extra_value(board, Technique.UNIQUE_RECTANGLE_5, found)


def unique_rectangles_6(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with two opposite roof cells, and a value with no other place in their rows and columns: it leaves them."""
    for found in open_rectangles(board):
        if found.rectangle.is_diagonal(found.roof):
            for value in members(found.pair):
                if not _places_outside(board, found, value, found.rectangle.lines):
                    proof = [ProofGroup(ProofStatement.HAS_PLACE, line, value) for line in found.rectangle.lines]
                    removed = [(value, found.roof)]
                    yield from _steps(board, Technique.UNIQUE_RECTANGLE_6, found, removed, found.rectangle.lines, proof)


def hidden_rectangles(board: CandidateBoard) -> Iterator[Step]:
    """Yield those with a value that has no other place in row and column of a corner: the other value leaves that corner.

    The corner opposite is the whole floor, or both are.
    """
    for found in open_rectangles(board):
        if found.floor.bit_count() != 1 and not found.rectangle.is_diagonal(found.floor):
            continue
        for index, corner in enumerate(found.rectangle.corners):
            if not found.floor >> found.rectangle.corners[3 - index] & 1:
                continue
            lines = found.rectangle.lines_of(index)
            for value in members(found.pair):
                if not _places_outside(board, found, value, lines):
                    other = (found.pair & ~(1 << value)).bit_length() - 1
                    proof = [ProofGroup(ProofStatement.HAS_PLACE, line, value) for line in lines]
                    yield from _steps(board, Technique.HIDDEN_RECTANGLE, found, [(other, 1 << corner)], lines, proof)


def _has_straight_roof(found: OpenRectangle) -> bool:
    return found.roof.bit_count() == _TWO and not found.rectangle.is_diagonal(found.roof)


def _places_outside(board: CandidateBoard, found: OpenRectangle, value: int, lines: Iterable[GroupIndex]) -> CellSet:
    """Return the places of a value in lines of the rectangle, outside the rectangle."""
    union = 0
    for line in lines:
        union |= board.layout.groups[line].mask
    return board.places[value] & union & ~found.rectangle.mask


def _extra_value(board: CandidateBoard, technique: Technique, found: OpenRectangle) -> Iterator[Step]:
    """Yield the step if the roof has one extra value: that leaves what sees the whole roof."""
    extras = board.values_in(found.roof) & ~found.pair
    if extras.bit_count() == 1:
        seeing = board.layout.seen_by_all(found.roof) & ~found.rectangle.mask
        yield from _steps(board, technique, found, [(extras.bit_length() - 1, seeing)])


def _roof_subsets(board: CandidateBoard, found: OpenRectangle, group: GroupIndex) -> Iterator[Step]:
    """Yield what the extra values and other cells of a group remove there, then what they remove wherever all cells meet."""
    candidates, groups = board.candidates, board.layout.groups
    extras = board.values_in(found.roof) & ~found.pair
    pool = members(groups[group].mask & board.open & ~found.rectangle.mask)
    sets = [(1 << cell, candidates[cell]) for cell in pool if not candidates[cell] & found.pair]
    for size in range(max(1, extras.bit_count() - 1), min(len(sets), _WIDEST) + 1):
        for cells, values in bounded_unions(sets, size, size + 1, extras):
            whole = cells | found.roof
            everywhere = 0
            for index in board.layout.groups_over(whole):
                everywhere |= groups[index].mask
            for rest in {groups[group].mask: 0, everywhere: 0}:
                yield from _roof_subset(board, found, CellsAndValues(cells, values), group, rest & ~whole)


def _roof_subset(
    board: CandidateBoard, found: OpenRectangle, subset: CellsAndValues, group: GroupIndex, rest: CellSet
) -> Iterator[Step]:
    removed = [(value, rest) for value in members(subset.values)]
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(subset.cells)]
    proof += [once_in(board.layout, value, group) for value in members(subset.values)]
    yield from _steps(board, Technique.UNIQUE_RECTANGLE_3, found, removed, (group,), proof, subset)


def _steps(
    board: CandidateBoard,
    technique: Technique,
    found: OpenRectangle,
    removed: Iterable[tuple[int, CellSet]],
    bases: tuple[GroupIndex, ...] = (),
    proof: Iterable[ProofGroup] = (),
    subset: CellsAndValues | None = None,
) -> Iterator[Step]:
    """Yield the step if it has an effect. Its proof names what is used besides uniqueness."""
    eliminations = board.eliminations(removed)
    if eliminations:
        sets = (CellsAndValues(found.rectangle.mask, found.pair), *((subset,) if subset else ()))
        cells = found.rectangle.mask | (subset.cells if subset else 0)
        values = found.pair | (subset.values if subset else to_mask(value for _, value in eliminations))
        full_proof = distinct([*(ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(found.rectangle.mask)), *proof])
        yield Step(technique, values, cells, eliminations, (), Pattern(bases, fins=found.roof, sets=sets), full_proof)
