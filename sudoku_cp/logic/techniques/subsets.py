"""Subsets: as many cells of a house as values, the cells having no others (naked) or the values having no others (hidden)."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING

from sudoku_cp.logic.proof_groups import distinct, once_in, sees
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex
    from sudoku_cp.model import Domain

_NAKED = {2: Technique.NAKED_PAIR, 3: Technique.NAKED_TRIPLE, 4: Technique.NAKED_QUAD}
_REMEMBERED = 10_000
"""States of a house whose subsets are remembered."""
_HIDDEN = {2: Technique.HIDDEN_PAIR, 3: Technique.HIDDEN_TRIPLE, 4: Technique.HIDDEN_QUAD}


def naked_pairs(board: CandidateBoard) -> Iterator[Step]:
    """Yield two cells of a group with two values."""
    return _naked_subsets(board, 2)


def naked_triples(board: CandidateBoard) -> Iterator[Step]:
    """Yield three cells of a group with three values."""
    return _naked_subsets(board, 3)


def naked_quads(board: CandidateBoard) -> Iterator[Step]:
    """Yield four cells of a group with four values."""
    return _naked_subsets(board, 4)


def hidden_pairs(board: CandidateBoard) -> Iterator[Step]:
    """Yield two values with two places in a house."""
    return _hidden_subsets(board, 2)


def hidden_triples(board: CandidateBoard) -> Iterator[Step]:
    """Yield three values with three places in a house."""
    return _hidden_subsets(board, 3)


def hidden_quads(board: CandidateBoard) -> Iterator[Step]:
    """Yield four values with four places in a house."""
    return _hidden_subsets(board, 4)


def bounded_unions(sets: Sequence[tuple[int, int]], size: int, bound: int | None = None, start: int = 0) -> list[tuple[int, int]]:
    """Return keys and contents, united, for each choice of ``size`` sets whose contents, with ``start``, have ``bound`` members.

    A set is a key (one bit) and its contents (bits). Cells with their candidates give naked subsets, values with their places
    hidden ones: there the bound is the size.
    """
    limit = size if bound is None else bound
    partial: list[list[tuple[int, int]]] = [[(0, start)], *([] for _ in range(size))]
    for key, content in sets:
        for count in range(size, 0, -1):
            partial[count] += [
                (keys | key, union | content) for keys, union in partial[count - 1] if (union | content).bit_count() <= limit
            ]
    return [found for found in partial[size] if found[1].bit_count() == limit]


def narrow_cells(board: CandidateBoard, size: int) -> CellSet:
    """Return the open cells with so many candidates or fewer."""
    masks = board.derive(_cells_by_width)
    return masks[min(size, len(masks) - 1)]


def _cells_by_width(board: CandidateBoard) -> list[CellSet]:
    """Return for each number the open cells with so many candidates or fewer."""
    masks = [0] * (len(board.layout.values) + 1)
    for cell in members(board.open):
        masks[board.candidates[cell].bit_count()] |= 1 << cell
    return list(accumulate(masks, or_))


def _naked_subsets(board: CandidateBoard, size: int) -> Iterator[Step]:
    """Yield each with what it removes from its group, then with all that sees the whole subset if that is more."""
    places, narrow = board.places, narrow_cells(board, size)
    for index, group in enumerate(board.layout.groups):
        own = group.mask & narrow
        if own.bit_count() < size:
            continue
        for cells, values in _naked_sets(own, group.cells, board.layout.readers[index](board.candidates), size):
            seeing = board.layout.seen_by_all(cells)
            if not any(places[value] & seeing for value in members(values)):
                continue
            inside = _naked_subset(board, index, cells, values, group.mask & ~cells)
            if inside.eliminations:
                yield inside
            wider = _naked_subset(board, index, cells, values, seeing)
            if wider.eliminations != inside.eliminations:
                yield wider


@lru_cache(maxsize=_REMEMBERED)
def _naked_sets(own: CellSet, cells: tuple[Cell, ...], domains: tuple[Domain, ...], size: int) -> list[tuple[CellSet, Domain]]:
    """Return the naked subsets among the ``own`` of a group's cells; they are remembered, as a step changes few groups."""
    sets = sorted((1 << cell, domain) for cell, domain in zip(cells, domains, strict=True) if own >> cell & 1)
    return bounded_unions(sets, size)


def _naked_subset(board: CandidateBoard, group: GroupIndex, cells: CellSet, values: Domain, rest: CellSet) -> Step:
    layout = board.layout
    removed = board.eliminations((value, rest) for value in members(values))
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
    proof += [once_in(layout, value, group) for value in members(values)]
    for cell, value in removed:
        if not layout.groups[group].mask >> cell & 1:
            proof += sees(layout, value, cell, cells & board.places[value])
    pattern = Pattern((group,), sets=(CellsAndValues(cells, values),))
    return Step(_NAKED[cells.bit_count()], values, cells, removed, (), pattern, distinct(proof))


def _hidden_subsets(board: CandidateBoard, size: int) -> Iterator[Step]:
    layout = board.layout
    for house in range(layout.houses):
        if layout.groups[house].mask & board.open:
            for values, cells in _hidden_sets(layout.groups[house].cells, layout.readers[house](board.candidates), size):
                removed = tuple((cell, value) for cell in members(cells) for value in members(board.candidates[cell] & ~values))
                if removed:
                    yield _hidden_subset(house, cells, values, removed)


@lru_cache(maxsize=_REMEMBERED)
def _hidden_sets(cells: tuple[Cell, ...], domains: tuple[Domain, ...], size: int) -> list[tuple[Domain, CellSet]]:
    """Return the hidden subsets of a house that has other values too; they are remembered, as a step changes few houses."""
    places = _places_in(cells, domains)
    few = [found for found in places if found[1].bit_count() <= size]
    return bounded_unions(few, size) if len(places) > size <= len(few) else []


@lru_cache(maxsize=_REMEMBERED)
def _places_in(cells: tuple[Cell, ...], domains: tuple[Domain, ...]) -> list[tuple[Domain, CellSet]]:
    """Return the values that have places among cells, each as a bit, with these."""
    places: dict[Domain, CellSet] = {}
    for cell, domain in zip(cells, domains, strict=True):
        left = domain
        while left:
            bit = left & -left
            places[bit] = places.get(bit, 0) | 1 << cell
            left ^= bit
    return sorted(places.items())


def _hidden_subset(house: GroupIndex, cells: CellSet, values: Domain, removed: tuple[tuple[int, int], ...]) -> Step:
    proof = [ProofGroup(ProofStatement.HAS_PLACE, house, value) for value in members(values)]
    proof += [ProofGroup(ProofStatement.ONE_VALUE, cell) for cell in members(cells)]
    pattern = Pattern((house,), sets=(CellsAndValues(cells, values),))
    return Step(_HIDDEN[cells.bit_count()], values, cells, removed, (), pattern, tuple(proof))
