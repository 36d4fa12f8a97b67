"""Clues case by case: a value of a cell goes where every way to fill the clue with it leaves something else without any.

What it may leave without: a cell that sees cells of the clue, of values; a value, of places in a house; another clue, of ways to
fill it. What all ways to fill a clue have in common needs no case: see `needed_values`.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.clue_fillings import clue_fillings, left_without_partner
from sudoku_cp.logic.part_candidates import cell_proof, part_domains, sight_proof
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step, Technique, distinct, sees
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.clue_fillings import ClueFillings, FillingSet
    from sudoku_cp.logic.layout import CellSet, Layout, PartIndex
    from sudoku_cp.logic.step import Candidate

MOST_ENDS = 2
"""The most things that the ways to fill a clue may leave without, one or the other: of more nobody keeps track."""
_FEW_PLACES = 5
"""Values with more places in a house are not looked at: a clue hardly sees them all."""
_MANY_PARTS = 80
"""On boards with more parts, such as a dot on every border, only those that share a cell are looked at together."""
_SEEN = 2
"""A clue that shares no cell with another has to have so many cells that it sees."""


class _End(NamedTuple):
    """What has nothing left (a cell, a value in a house, a part), and the ways to fill the clue that leave it so."""

    group: ProofGroup
    ways: FillingSet


def clue_and_house(board: CandidateBoard) -> Iterator[Step]:
    """Yield what a clue cannot hold because a cell would have no value left, or a value no place in a house."""
    for own in clue_fillings(board):
        board.tick()
        yield from _refuted(board, own, _ends_of_houses(board, own), Technique.CLUE_AND_HOUSE)


def two_clues(board: CandidateBoard) -> Iterator[Step]:
    """Yield what a clue cannot hold because another clue could not be filled, in this way or (of several) in some."""
    every = {own.part: own for own in clue_fillings(board)}
    for own in every.values():
        board.tick()
        ends = [_End(ProofGroup(ProofStatement.PART, part), ways) for part, ways in _ends_of_clues(board, own, every)]
        if ends:
            yield from _refuted(board, own, [*_ends_of_houses(board, own), *ends], Technique.TWO_CLUES)


# --- what the ways to fill a clue leave without -----------------------------------------------------------------------


def _ends_of_houses(board: CandidateBoard, own: ClueFillings) -> list[_End]:
    """Return the cells and the values of houses that some ways to fill a clue leave without."""
    layout = board.layout
    part = to_mask(layout.parts[own.part].cells)
    seen = layout.seen_by_any(own.cells)
    found = [
        _End(ProofGroup(ProofStatement.HAS_VALUE, cell), ways)
        for cell in members(seen & board.open & ~part)
        if 0 < board.candidates[cell].bit_count() <= (layout.sight[cell] & own.cells).bit_count()
        if (ways := _emptying(layout, own, [(cell, value) for value in members(board.candidates[cell])]))
    ]
    for house, value, places in board.derive(_scarce_places):
        outside = places & ~part
        if outside & ~seen or (not outside and places & (places - 1) == 0):
            continue
        ways = _emptying(layout, own, [(cell, value) for cell in members(outside)]) & ~own.having_in(places, value)
        if ways and not places & part & ~own.cells:
            found.append(_End(ProofGroup(ProofStatement.HAS_PLACE, house, value), ways))
    return found


def _scarce_places(board: CandidateBoard) -> list[tuple[int, int, CellSet]]:
    """Return houses with values that have few places there, and these places."""
    masks = enumerate(board.layout.house_masks)
    found = ((house, value, board.places[value] & mask) for house, mask in masks for value in board.layout.values)
    return [one for one in found if 0 < one[2].bit_count() <= _FEW_PLACES]


def _emptying(layout: Layout, own: ClueFillings, candidates: Iterable[tuple[Cell, int]]) -> FillingSet:
    """Return the ways to fill a clue in which it sees all of some candidates with their values."""
    left = own.every
    for cell, value in candidates:
        left &= own.seen_by(layout, cell, value)
        if not left:
            break
    return left


def _ends_of_clues(
    board: CandidateBoard, own: ClueFillings, every: Mapping[PartIndex, ClueFillings]
) -> Iterator[tuple[PartIndex, FillingSet]]:
    """Yield the clues near one that some ways to fill it leave without any way, and these ways."""
    layout = board.layout
    key = own.part, part_domains(board, own.part)
    for other in _near(layout)[own.part]:
        if other in every:
            ways = left_without_partner(layout, key, (other, part_domains(board, other)))
            if ways:
                yield other, ways


@lru_cache(maxsize=64)
def _near(layout: Layout) -> tuple[tuple[PartIndex, ...], ...]:
    """Return for each part those that share a cell with it, or of which it sees several cells."""
    masks = [to_mask(part.cells) for part in layout.parts]
    reach = [mask if len(masks) > _MANY_PARTS else layout.seen_by_any(mask) for mask in masks]
    return tuple(
        tuple(
            index
            for index, other in enumerate(masks)
            if index != own and (other & masks[own] or (other & reach[own]).bit_count() >= _SEEN)
        )
        for own in range(len(masks))
    )


# --- steps ------------------------------------------------------------------------------------------------------------


def _refuted(board: CandidateBoard, own: ClueFillings, ends: Sequence[_End], technique: Technique) -> Iterator[Step]:
    """Yield the candidates of a clue that go, those that lead to the same ends in one step; each names the fewest ends."""
    failing = reduce(lambda ways, end: ways | end.ways, ends, 0)
    alike: dict[tuple[ProofGroup, ...], list[Candidate]] = {}
    for (cell, value), ways in own.having.items() if failing else ():
        if not ways & ~failing and board.candidates[cell] >> value & 1:
            alike.setdefault(_fewest(ends, ways), []).append((cell, value))
    for chosen, gone in alike.items():
        is_of_clues = any(end.statement is ProofStatement.PART for end in chosen)
        if len(chosen) <= MOST_ENDS and is_of_clues == (technique is Technique.TWO_CLUES):
            yield _step(board, own, tuple(sorted(gone)), chosen, technique)


def _fewest(ends: Sequence[_End], ways: FillingSet) -> tuple[ProofGroup, ...]:
    """Return ends of which each of some ways leads to one: that of the most ways first."""
    chosen = []
    while ways:
        best = max(ends, key=lambda end: (end.ways & ways).bit_count())
        chosen.append(best.group)
        ways &= ~best.ways
    return tuple(chosen)


def _step(
    board: CandidateBoard,
    own: ClueFillings,
    gone: tuple[Candidate, ...],
    ends: tuple[ProofGroup, ...],
    technique: Technique,
) -> Step:
    """Return the step; what the clue makes of its cells is shown for the first of the candidates."""
    first, ways = gone[0][0], own.having[gone[0]]
    proof = [ProofGroup(ProofStatement.PART, own.part), *cell_proof(own.cells), *sight_proof(board, own.cells, own.part)]
    near, shown = 0, to_mask(cell for cell, _ in gone)
    for end in ends:
        cells = _cells_of_end(board, end) & ~own.cells
        proof += [end, *_end_proof(board, own, end, cells)]
        shown |= _met_by(board, own, end, cells)
        near |= cells if end.statement is not ProofStatement.HAS_PLACE else 0
    domains = [CellsAndValues(1 << one, to_mask(own.values_of(one, ways))) for one in members(shown & ~(1 << first))]
    emptied = [CellsAndValues(1 << one, board.candidates[one]) for one in members(near & board.open)]
    bases = tuple(end.subject for end in ends if end.statement is ProofStatement.HAS_PLACE)
    pattern = Pattern(bases, sets=tuple(emptied), domains=tuple(domains), ends=ends)
    return Step(technique, to_mask(value for _, value in gone), shown | near, gone, (), pattern, distinct(proof))


def _cells_of_end(board: CandidateBoard, end: ProofGroup) -> CellSet:
    """Return the open cells of which an end speaks: for a house, the places of its value."""
    match end.statement:
        case ProofStatement.HAS_VALUE:
            return 1 << end.subject
        case ProofStatement.HAS_PLACE:
            return board.places[end.value] & board.layout.groups[end.subject].mask
        case _:
            return to_mask(board.layout.parts[end.subject].cells) & board.open


def _met_by(board: CandidateBoard, own: ClueFillings, end: ProofGroup, cells: CellSet) -> CellSet:
    """Return the cells of a clue that matter to an end: those that see its cells, and those that are among them."""
    seeing = board.layout.seen_by_any(cells) & own.cells if cells else 0
    if end.statement is not ProofStatement.HAS_PLACE:
        return seeing | _cells_of_end(board, end) & own.cells
    holding = to_mask(cell for cell, value in own.having if value == end.value)
    return seeing & holding | _cells_of_end(board, end) & own.cells


def _end_proof(board: CandidateBoard, own: ClueFillings, end: ProofGroup, cells: CellSet) -> Iterator[ProofGroup]:
    """Yield why an end follows: the cells of which it speaks see those of the clue, and the other clue's see each other."""
    layout = board.layout
    if end.statement is ProofStatement.PART:
        both = _cells_of_end(board, end)
        yield from cell_proof(both)
        yield from sight_proof(board, both, end.subject)
    for cell in members(cells):
        for value in members(board.candidates[cell]) if end.statement is not ProofStatement.HAS_PLACE else (end.value,):
            yield from sees(layout, value, cell, own.cells & layout.sight[cell] & board.places[value])


# --- what all ways have in common ---------------------------------------------------------------------------------------


def needed_values(board: CandidateBoard) -> Iterator[Step]:
    """Yield values that leave a cell because every way to fill a clue has them in some cell that it sees."""
    layout = board.layout
    for own in clue_fillings(board):
        part = to_mask(layout.parts[own.part].cells)
        for value in sorted({value for _, value in own.having}):
            places = to_mask(cell for cell, other in own.having if other == value)
            ways = [own.having[cell, value] for cell in members(places)]
            if own.every in ways or reduce(or_, ways) != own.every:
                continue  # a cell that must hold it is for the clue itself to say
            seeing = layout.seen_by_any(places) & board.places[value] & ~part
            lost = to_mask(cell for cell in members(seeing) if own.seen_by(layout, cell, value) == own.every)
            if lost:
                yield _needed(board, own, value, places, lost)


def _needed(board: CandidateBoard, own: ClueFillings, value: int, places: CellSet, lost: CellSet) -> Step:
    layout = board.layout
    proof = [ProofGroup(ProofStatement.PART, own.part), *cell_proof(own.cells), *sight_proof(board, own.cells, own.part)]
    proof += [group for cell in members(lost) for group in sees(layout, value, cell, places & layout.sight[cell])]
    removed = board.eliminations([(value, lost)])
    common = reduce(and_, (layout.sight[cell] for cell in members(lost)))
    domains = tuple(CellsAndValues(1 << cell, board.candidates[cell]) for cell in members(own.cells))
    pattern = Pattern(fins=places & common or places, domains=domains)
    return Step(Technique.NEEDED_DIGIT, 1 << value, own.cells, removed, (), pattern, distinct(proof))
