"""Common sight: a cell that sees all places of a value in a house, perhaps for several reasons (knights, kings, diagonals)."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.logic.proof_groups import distinct, sees
from sudoku_cp.logic.step import Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout

_FEW = 3
"""Houses with so few places of a value come first: they are the easier ones to see."""


def common_sights(board: CandidateBoard) -> Iterator[Step]:
    """Yield values that leave cells which see all their places in a house, at least one through more groups than one.

    Where one group holds all the places the value is locked in it: that is another technique. Few places come first.
    """
    layout = board.layout
    houses = _seen_by_several_groups(layout)
    for least, most in ((1, _FEW), (_FEW + 1, len(board.values))):
        for value in board.searched_values if houses else ():
            for house in houses:
                places = board.places[value] & layout.groups[house].mask
                if least <= places.bit_count() <= most:
                    yield from _common_sight(board, value, house, places)


@lru_cache(maxsize=64)
def _seen_by_several_groups(layout: Layout) -> tuple[GroupIndex, ...]:
    """Return the houses of which some cell outside sees two cells that are in no group with it; plain grids have none."""
    return tuple(house for house in range(layout.houses) if any(_pairs_seen(layout, layout.groups[house].cells)))


def _pairs_seen(layout: Layout, house: tuple[Cell, ...]) -> Iterator[CellSet]:
    """Yield for each two cells of a house those outside that see both, but not in one group."""
    own = to_mask(house)
    for pair in combinations(house, 2):
        together = own
        for group in layout.groups_over(to_mask(pair)):
            together |= layout.groups[group].mask
        yield layout.seen_by_all(to_mask(pair)) & ~together


def _common_sight(board: CandidateBoard, value: int, house: GroupIndex, places: CellSet) -> Iterator[Step]:
    """Yield the step that removes a value from what sees all its places in a house, if there is any."""
    layout = board.layout
    outside, beyond = _seeing_all(layout, house, places)
    if beyond & board.places[value]:
        seeing = outside & board.places[value]
        removed = board.eliminations([(value, seeing)])
        proof = [ProofGroup(ProofStatement.HAS_PLACE, house, value)]
        proof += [group for cell in members(seeing) for group in sees(layout, value, cell, places)]
        yield Step(Technique.COMMON_SIGHT, 1 << value, places, removed, (), Pattern((house,)), distinct(proof))


@lru_cache(maxsize=20_000)
def _seeing_all(layout: Layout, house: GroupIndex, places: CellSet) -> tuple[CellSet, CellSet]:
    """Return the cells outside a house that see all of some places in it, and those of them that share no group with all."""
    outside = layout.seen_by_all(places) & ~layout.groups[house].mask
    together = 0
    for group in layout.groups_over(places):
        together |= layout.groups[group].mask
    return outside, outside & ~together
