"""Choices read with clues: wherever a value stands in a house, or whatever a cell holds, the same candidate goes.

It goes in each case by sight, or because a clue at that place puts the value where the candidate sees it, or has no room for it.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.clue_fillings import clue_fillings, fillings_of
from sudoku_cp.logic.part_candidates import cell_proof, part_domains, sight_proof
from sudoku_cp.logic.step import ClueCase, Pattern, ProofGroup, ProofStatement, Step, Technique, distinct, sees
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.clue_fillings import ClueFillings, ClueKey
    from sudoku_cp.logic.layout import CellSet, Layout
    from sudoku_cp.logic.step import Candidate

MOST_CASES = 3
"""A choice has so many cases at most."""


class _Effect(NamedTuple):
    """That a value goes from some cells: they see it in ``cells``; without these, they are in the clue, or the case."""

    key: ClueKey | None
    value: int
    cells: CellSet
    gone: CellSet


def value_and_clues(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates that go in every case of a choice, in one of them at least by a clue."""
    by_cell = _clues_by_cell(board)
    for choice, cases in board.derive(_choices) if by_cell else ():
        if any(cell in by_cell for cell, _ in cases):
            effects = [_effects(board, candidate, by_cell.get(candidate[0], ())) for candidate in cases]
            yield from _common(board, choice, cases, effects)


def _clues_by_cell(board: CandidateBoard) -> dict[Cell, list[ClueKey]]:
    """Return the clues that have few ways to fill them, by their cells."""
    found: dict[Cell, list[ClueKey]] = defaultdict(list)
    for own in clue_fillings(board):
        for cell in members(own.cells):
            found[cell].append((own.part, part_domains(board, own.part)))
    return found


def _choices(board: CandidateBoard) -> list[tuple[ProofGroup, tuple[Candidate, ...]]]:
    """Return the cells with few values, and the values with few places in a house, those with the fewest in front."""
    found: list[tuple[ProofGroup, tuple[Candidate, ...]]] = [
        (ProofGroup(ProofStatement.HAS_VALUE, cell), tuple((cell, value) for value in members(board.candidates[cell])))
        for cell in members(board.open)
        if 1 < board.candidates[cell].bit_count() <= MOST_CASES
    ]
    for house, mask in enumerate(board.layout.house_masks):
        for value in board.layout.values:
            places = board.places[value] & mask
            if 1 < places.bit_count() <= MOST_CASES:
                cases = tuple((cell, value) for cell in members(places))
                found.append((ProofGroup(ProofStatement.HAS_PLACE, house, value), cases))
    return sorted(found, key=lambda one: len(one[1]))


def _effects(board: CandidateBoard, candidate: Candidate, clues: Iterable[ClueKey]) -> dict[int, list[_Effect]]:
    """Return what goes if a candidate is true, by value: first what needs no clue."""
    (cell, value), layout = candidate, board.layout
    found: dict[int, list[_Effect]] = defaultdict(list)
    found[value].append(_Effect(None, value, 1 << cell, layout.sight[cell]))
    for other in members(board.candidates[cell] & ~(1 << value)):
        found[other].append(_Effect(None, other, 0, 1 << cell))
    for key in clues:
        for effect in _effects_of_clue(layout, key, candidate):
            found[effect.value].append(effect)
    return found


@lru_cache(maxsize=50_000)
def _effects_of_clue(layout: Layout, key: ClueKey, candidate: Candidate) -> tuple[_Effect, ...]:
    """Return what a clue makes of a candidate of one of its cells."""
    own = fillings_of(layout, *key)
    ways = own.having.get(candidate, 0) if own else 0
    if own is None or not ways:
        return ()
    part, found = to_mask(layout.parts[own.part].cells), []
    for value in sorted({value for _, value in own.having}):
        held = {cell: among & ways for (cell, other), among in own.having.items() if other == value and cell != candidate[0]}
        without = to_mask(cell for cell, among in held.items() if not among)
        if without:
            found.append(_Effect(key, value, 0, without))
        always = [cell for cell, among in held.items() if among == ways]
        cells = to_mask(always[:1] or (cell for cell, among in held.items() if among))
        if cells and reduce(or_, held.values()) == ways:
            found.append(_Effect(key, value, cells, layout.seen_by_all(cells) & ~part))
    return tuple(found)


def _common(
    board: CandidateBoard, choice: ProofGroup, cases: Sequence[Candidate], effects: Sequence[dict[int, list[_Effect]]]
) -> Iterator[Step]:
    """Yield what goes in all cases, a step for each value and for each way in which that follows."""
    for value in effects[0]:
        common = reduce(and_, (reduce(or_, (one.gone for one in own.get(value, ())), 0) for own in effects), board.places[value])
        while common:
            first = common & -common
            chosen = [next(one for one in own[value] if one.gone & first) for own in effects]
            lost = reduce(and_, (one.gone for one in chosen), common)
            common &= ~lost
            if any(one.key for one in chosen):
                yield _step(board, choice, cases, chosen, lost)


def _step(
    board: CandidateBoard, choice: ProofGroup, cases: Sequence[Candidate], chosen: Sequence[_Effect], lost: CellSet
) -> Step:
    proof, value, cells = [choice], chosen[0].value, to_mask(cell for cell, _ in cases)
    for (cell, _), effect in zip(cases, chosen, strict=True):
        proof += _proof(board, cell, effect, lost)
        cells |= effect.cells
    outcomes = [
        ClueCase(candidate, effect.key[0] if effect.key else None, effect.cells)
        for candidate, effect in zip(cases, chosen, strict=True)
    ]
    bases = (choice.subject,) if choice.statement is ProofStatement.HAS_PLACE else ()
    pattern = Pattern(bases, choice=choice, cases=tuple(outcomes))
    gone = tuple((cell, value) for cell in members(lost))
    values = to_mask(value for _, value in (*cases, *gone))
    return Step(Technique.VALUE_AND_CLUES, values, cells, gone, (), pattern, distinct(proof))


def _proof(board: CandidateBoard, cell: Cell, effect: _Effect, lost: CellSet) -> Iterator[ProofGroup]:
    """Yield why cells lose a value in one case."""
    if effect.key is not None:
        own: ClueFillings | None = fillings_of(board.layout, *effect.key)
        cells = own.cells if own else 0
        yield ProofGroup(ProofStatement.PART, effect.key[0])
        yield from cell_proof(cells)
        yield from sight_proof(board, cells, effect.key[0])
    elif not effect.cells:
        yield ProofGroup(ProofStatement.ONE_VALUE, cell)
    for one in members(lost):
        yield from sees(board.layout, effect.value, one, effect.cells)
