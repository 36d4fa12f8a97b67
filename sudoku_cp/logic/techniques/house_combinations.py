"""House combinations: the cages of a house, whole or in part, and its other cells share out its values: not all sets fit."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.cage_sets import cages, left_cages
from sudoku_cp.logic.part_candidates import cell_proof
from sudoku_cp.logic.proof_groups import distinct
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.logic.cage_sets import CageSets
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex
    from sudoku_cp.model import Domain

_MOST_SETS = 400
"""A cage with more ways to fill its cells in a house is taken for single cells."""
_MOST_VALUES = 10
"""In larger houses the ways to share out the values are too many."""


class _Share(NamedTuple):
    """Open cells of a house, the sets of values that they may get, and the cage that they are of, if of any."""

    cells: CellSet
    sets: tuple[Domain, ...]
    cage: CageSets | None


def house_combinations(board: CandidateBoard) -> Iterator[Step]:
    """Yield what the cells of a cage cannot hold because what it would take leaves the rest of a house without a way to share."""
    if not cages(board) and not left_cages(board):
        return
    for house in range(board.layout.houses):
        mask = board.layout.groups[house].mask
        if len(board.layout.groups[house].cells) > _MOST_VALUES or not mask & board.open:
            continue
        board.tick()
        shares = _shares(board, mask)
        if any(share.cage for share in shares):
            yield from _shared_out(board, house, shares)


def _shares(board: CandidateBoard, mask: CellSet) -> list[_Share]:
    """Return the parts in which cages divide a house, those with the fewest sets first; the cells in no cage singly."""
    found, free = [], mask & board.open
    own = [_share(board, cage, mask) for find in (cages, left_cages) for cage in find(board) if cage.open & mask]
    for share in sorted(own, key=lambda share: len(share.sets)):
        if not share.cells & ~free and 0 < len(share.sets) <= _MOST_SETS:
            found.append(share)
            free &= ~share.cells
    return found + [
        _Share(1 << cell, tuple(1 << value for value in members(board.candidates[cell])), None) for cell in members(free)
    ]


def _share(board: CandidateBoard, cage: CageSets, mask: CellSet) -> _Share:
    """Return the cells of a cage in a house, and the sets that leave its cells outside their values."""
    inside, outside = cage.open & mask, cage.open & ~mask
    filled = to_mask(value for cell in members(cage.cells & ~board.open) if (value := board.values[cell]) is not None)
    here, there = board.values_in(inside), board.values_in(outside)
    return _Share(inside, _sets_inside(cage.sets, filled, inside.bit_count(), here, there), cage)


@lru_cache(maxsize=20_000)
def _sets_inside(sets: tuple[Domain, ...], filled: Domain, size: int, here: Domain, there: Domain) -> tuple[Domain, ...]:
    """Return the parts of so many values of some sets that may stand ``here`` while the rest is ``filled`` in, or ``there``."""
    found = {
        to_mask(chosen)
        for one in sets
        if not filled & ~one
        for chosen in combinations(members(one & ~filled & here), size)
        if not one & ~filled & ~to_mask(chosen) & ~there
    }
    return tuple(sorted(found))


def _shared_out(board: CandidateBoard, house: GroupIndex, shares: Sequence[_Share]) -> Iterator[Step]:
    """Yield what is in no way to share out the values that the house has left."""
    mask = board.layout.groups[house].mask
    placed = to_mask(value for cell in members(mask & ~board.open) if (value := board.values[cell]) is not None)
    left = _sets_that_fit(tuple([share.sets for share in shares]), to_mask(board.layout.grid.values) & ~placed)
    removed = []
    for share, sets in zip(shares, left, strict=True):
        union = 0
        for one in sets:
            union |= one
        removed += [(cell, value) for cell in members(share.cells) for value in members(board.candidates[cell] & ~union)]
    if removed:
        used = [(share, sets) for share, sets in zip(shares, left, strict=True) if share.cage]
        proof = [group for share, _ in used if share.cage for group in share.cage.prove()]
        proof += [
            ProofGroup(ProofStatement.HAS_PLACE, house, value) for value in board.layout.grid.values if not placed >> value & 1
        ]
        cells = mask & board.open
        for share, _ in used:
            cells |= share.cage.open if share.cage else 0
        proof += cell_proof(cells)
        pattern = Pattern((house,), sets=tuple(CellsAndValues(share.cells, one) for share, sets in used for one in sorted(sets)))
        values = to_mask(value for _, value in removed)
        yield Step(Technique.HOUSE_COMBINATIONS, values, mask & board.open, tuple(sorted(removed)), (), pattern, distinct(proof))


@lru_cache(maxsize=2_000)
def _sets_that_fit(shares: tuple[tuple[Domain, ...], ...], whole: Domain) -> list[set[Domain]]:
    """Return of each share the sets with which all of them, one of each, make up a whole without overlapping."""
    layers: list[set[Domain]] = [{0}]
    for sets in shares:
        layers.append({used | one for used in layers[-1] for one in sets if not used & one})
    alive = layers[-1] & {whole}
    found: list[set[Domain]] = []
    for sets, before in zip(reversed(shares), reversed(layers[:-1]), strict=True):
        ways = [(used, one) for used in before for one in sets if not used & one and used | one in alive]
        found.append({one for _, one in ways})
        alive = {used for used, _ in ways}
    return found[::-1]
