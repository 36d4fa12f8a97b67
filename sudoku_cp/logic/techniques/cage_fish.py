"""Cage X-wings: all places of a value in a cage that needs it and in another house or cage lie in two houses or cages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.logic.removable_places import BarrenSearches
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques.fish import fish_step
from sudoku_cp.logic.techniques.fish_space import bits, space_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Step
    from sudoku_cp.logic.techniques.fish_space import FishSpace, HouseSet

_barren = BarrenSearches()


def cage_x_wings(board: CandidateBoard) -> Iterator[Step]:
    """Yield mutant X-wings without fins that have a cage among their bases: the value leaves the rest of both covers."""
    for value in board.searched_values:
        space = space_of(board, value)
        yield from _barren.steps_of((board.layout, space.houses, space.masks), partial(_x_wings_in, board, value, space))


def _x_wings_in(board: CandidateBoard, value: int, space: FishSpace) -> Iterator[Step]:
    for bases in _bases(space):
        board.tick()
        for covers in _covers(space, bases):
            step = fish_step(board, Technique.CAGE_X_WING, value, space, bases, covers)
            if step.eliminations:
                yield step


def _bases(space: FishSpace) -> Iterator[HouseSet]:
    """Yield a cage and another house or cage that share no place, each two once."""
    for cage, house in enumerate(space.houses):
        if house >= space.layout.houses:
            for other in range(cage):
                if not space.masks[cage] & space.masks[other]:
                    yield 1 << cage | 1 << other


def _covers(space: FishSpace, bases: HouseSet) -> Iterator[HouseSet]:
    """Yield two other houses or cages that hold all places of the bases, neither of them alone."""
    first, second = bits(bases)
    places = space.masks[first] | space.masks[second]
    start = (places & -places).bit_length() - 1
    for cover in bits(space.houses_of[start] & ~bases):
        left = places & ~space.masks[cover]
        if left:
            for other in bits(space.houses_of[(left & -left).bit_length() - 1] & ~bases):
                if not left & ~space.masks[other]:
                    yield 1 << cover | 1 << other
