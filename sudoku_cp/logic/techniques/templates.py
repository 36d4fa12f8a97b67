"""Templates: all ways to place a value in every house at once, of those that agree with the templates of the other values."""

from __future__ import annotations

from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING

from sudoku_cp.logic.proof_groups import distinct, once_in
from sudoku_cp.logic.step import Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.model import Domain

_MOST = 50_000
"""A value with more templates is left alone: a blank 9x9 grid has 46,656."""
_MOST_STEPS = 400_000
"""Cells tried in the search for all templates, before the values still to come are left alone."""


def template_sets(board: CandidateBoard) -> Iterator[Step]:
    """Yield for each value the cells that hold it in all of its templates."""
    found = board.derive(_Templates)
    for value in board.searched_values:
        cells = found.in_all(value) & board.places[value]
        if cells:
            placements = tuple((cell, value) for cell in members(cells))
            yield Step(Technique.TEMPLATE_SET, 1 << value, cells, (), placements, Pattern(), found.proof(value))


def template_deletes(board: CandidateBoard) -> Iterator[Step]:
    """Yield for each value the candidates that are in none of its templates; cells in no house are in none anyway."""
    found = board.derive(_Templates)
    in_houses = reduce(or_, (group.mask for group in board.layout.groups[: board.layout.houses]), 0)
    for value in board.searched_values:
        cells = board.places[value] & in_houses & ~found.in_any(value)
        if cells:
            removed = board.eliminations([(value, cells)])
            yield Step(Technique.TEMPLATE_DELETE, 1 << value, cells, removed, (), Pattern(), found.proof(value))


class _Templates:
    """The templates of each value, without those that meet a cell which another value holds in all of its own.

    Values with none, as on a wrong board, or too many to list, have no say.
    """

    def __init__(self, board: CandidateBoard) -> None:
        """List the templates, and drop from them until nothing changes."""
        self._board = board
        self._open: dict[int, list[CellSet]] = {}
        self._in_all: dict[int, CellSet] = {}
        self._causes: dict[int, Domain] = {}
        steps = _MOST_STEPS
        for value in sorted(board.layout.values, key=lambda value: board.places[value].bit_count()):
            templates, steps = _list_templates(board, value, steps) if board.places[value] else ([], steps)
            if templates:
                self._open[value], self._in_all[value] = templates, reduce(and_, templates)
                self._causes[value] = 1 << value
        changed = True
        while changed:
            changed = False
            for value in list(self._open):
                changed |= self._drop(value)

    def in_all(self, value: int) -> CellSet:
        """Return the open cells that hold a value in all of its templates."""
        return self._in_all.get(value, 0)

    def in_any(self, value: int) -> CellSet:
        """Return the open cells that hold a value in some of its templates; all if these are unknown."""
        return reduce(or_, self._open.get(value, [-1]))

    def proof(self, value: int) -> tuple[ProofGroup, ...]:
        """Return the groups that make the templates of a value, and of the values for which some of them were dropped."""
        board, causes = self._board, self._causes[value]
        proof = [group for cause in members(causes) for group in _template_proof(board, cause)]
        if causes != 1 << value:
            fixed = reduce(or_, (self.in_all(cause) for cause in members(causes)))
            proof += [ProofGroup(ProofStatement.ONE_VALUE, cell) for cell in members(fixed)]
        return distinct(proof)

    def _drop(self, value: int) -> bool:
        """Drop the templates of a value that meet cells of others; return whether there were any."""
        before = left = self._open[value]
        for other, taken in self._in_all.items():
            if other != value and taken:
                fewer = [template for template in left if not template & taken]
                if len(fewer) < len(left):
                    self._causes[value] |= self._causes[other]
                left = fewer
        if not left:  # a board without solution
            del self._open[value], self._in_all[value]
        elif len(left) < len(before):
            self._open[value], self._in_all[value] = left, reduce(and_, left)
        return len(left) < len(before)


def _list_templates(board: CandidateBoard, value: int, steps: int) -> tuple[list[CellSet], int]:
    """Return the sets of places that fill every house still without the value, and the steps left; none if there are too many."""
    layout, places = board.layout, board.places[value]
    filled = to_mask(cell for cell, own in enumerate(board.values) if own == value)
    houses = [group.mask for group in layout.groups[: layout.houses] if not group.mask & filled]
    houses.sort(key=lambda mask: (mask & places).bit_count())
    found: list[CellSet] = []
    stack = [(0, places, 0)]
    while stack and len(found) <= _MOST and steps > 0:
        board.tick()
        chosen, left, depth = stack.pop()
        while depth < len(houses) and houses[depth] & chosen:
            depth += 1
        if depth == len(houses):
            found.append(chosen)
            continue
        for cell in members(houses[depth] & left):
            steps -= 1
            stack.append((chosen | 1 << cell, left & ~(layout.sight[cell] | 1 << cell), depth + 1))
    return ([] if stack else found), steps


def _template_proof(board: CandidateBoard, value: int) -> Iterable[ProofGroup]:
    """Yield the reasons why a value stands once in each house, and at most once in each other group."""
    layout = board.layout
    for index, group in enumerate(layout.groups):
        places = group.mask & board.places[value]
        if places and index < layout.houses:
            yield ProofGroup(ProofStatement.HAS_PLACE, index, value)
        if places & (places - 1):
            yield once_in(layout, value, index)
