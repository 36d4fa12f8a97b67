"""Singles, locked candidates and subsets in implied houses, such as the hidden windows of a windoku."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.implied_houses import implied_houses
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step, Technique, distinct, once_in
from sudoku_cp.logic.techniques.basic import bounded_unions
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.implied_houses import ImpliedHouse
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain

_SIZES = (2, 3)
"""The subsets that are looked for."""


def implied_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield values that have a single place left in an implied house."""
    for house in implied_houses(board.layout):
        for value in _missing(board, house):
            places = board.places[value] & house.mask
            if places and not places & (places - 1):
                placed = ((places.bit_length() - 1, value),)
                yield _step(Technique.IMPLIED_SINGLE, house, 1 << value, places, house.has_place(board, value), placed=placed)


def implied_locked_candidates(board: CandidateBoard) -> Iterator[Step]:
    """Yield values that leave an implied house in which they stand, or whose places there or in a house lie in the other one."""
    layout = board.layout
    for house in implied_houses(layout):
        missing = set(_missing(board, house))
        for value in board.searched_values:
            places = board.places[value] & house.mask
            if value not in missing:
                gone = board.eliminations([(value, places)])
                if gone:
                    held = to_mask(cell for cell in members(house.mask & ~board.open) if board.values[cell] == value)
                    yield _step(Technique.IMPLIED_LOCKED, house, 1 << value, held, house.once(board, value), gone)
            elif places & (places - 1):
                yield from _locked(board, house, value, places)


def _locked(board: CandidateBoard, house: ImpliedHouse, value: int, places: CellSet) -> Iterator[Step]:
    """Yield what goes because all places in an implied house lie in a group, or all those of a house in the implied one."""
    layout = board.layout
    for group in layout.groups_over(places):
        mask = layout.groups[group].mask
        gone = board.eliminations([(value, mask & ~house.mask)])
        if gone:
            proof = [*house.has_place(board, value), once_in(layout, value, group)]
            yield _step(Technique.IMPLIED_LOCKED, house, 1 << value, places, proof, gone, shared=group)
    for other, mask in enumerate(layout.house_masks):
        own = board.places[value] & mask
        if own & (own - 1) and not own & ~house.mask and places & ~mask:
            proof = [ProofGroup(ProofStatement.HAS_PLACE, other, value), *house.once(board, value)]
            yield _step(
                Technique.IMPLIED_LOCKED,
                house,
                1 << value,
                own,
                proof,
                board.eliminations([(value, places & ~mask)]),
                shared=other,
            )


def implied_subsets(board: CandidateBoard) -> Iterator[Step]:
    """Yield naked and hidden pairs and triples in implied houses."""
    for house in implied_houses(board.layout):
        opened = house.mask & board.open
        missing = _missing(board, house)
        for size in _SIZES:
            sets = [(1 << cell, board.candidates[cell]) for cell in members(opened)]
            for cells, values in bounded_unions(sets, size):
                gone = board.eliminations((value, opened & ~cells) for value in members(values))
                if gone:
                    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
                    proof += [group for value in members(values) for group in house.once(board, value)]
                    yield _step(Technique.IMPLIED_SUBSET, house, values, cells, proof, gone)
            for values, cells in bounded_unions([(1 << value, board.places[value] & house.mask) for value in missing], size):
                others = [value for value in board.layout.values if not values >> value & 1]
                gone = board.eliminations((value, cells) for value in others)
                if gone and cells.bit_count() == size:
                    proof = [group for value in members(values) for group in house.has_place(board, value)]
                    proof += [ProofGroup(ProofStatement.ONE_VALUE, cell) for cell in members(cells)]
                    yield _step(Technique.IMPLIED_SUBSET, house, values, cells, proof, gone)


def _missing(board: CandidateBoard, house: ImpliedHouse) -> list[int]:
    """Return the values that do not stand in an implied house yet."""
    placed = {board.values[cell] for cell in members(house.mask & ~board.open)}
    return [value for value in board.layout.grid.values if value not in placed]


def _step(
    technique: Technique,
    house: ImpliedHouse,
    values: Domain,
    cells: CellSet,
    proof: Iterable[ProofGroup],
    gone: tuple[Candidate, ...] = (),
    *,
    placed: tuple[Candidate, ...] = (),
    shared: int | None = None,
) -> Step:
    """Return a step; the house that it ``shares`` places with is the last of those shown."""
    sets = (CellsAndValues(house.mask, values),)
    choice = None if shared is None else ProofGroup(ProofStatement.ONCE, shared, values.bit_length() - 1)
    pattern = Pattern(house.plus, house.minus, sets=sets, choice=choice)
    return Step(technique, values, cells, gone, placed, pattern, distinct(proof))
