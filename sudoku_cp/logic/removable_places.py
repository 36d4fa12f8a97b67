"""The places that a value may lose by reasoning about this value alone: no way to place it in all houses is known to use them.

Whatever fish, conjugate pairs and colours eliminate follows from two facts: the value has one place in each house, and in each
cage that needs it; and cells that see each other do not both hold it. A place that is part of a template (Wirz; places that fill
every such house and cage, none seeing another) agrees with both, so none of these techniques eliminates it. On hard puzzles most
values have only such places, and are not searched for patterns at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING

from sudoku_cp.logic.house_totals import needing_groups
from sudoku_cp.model import members
from sudoku_cp.time_limits import tick, ticking

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout
    from sudoku_cp.logic.step import Step


_MOST_BRANCHES = 2_000
"""Branches taken for one set of places; of those that are left then, nothing is known."""


def removable_places(board: CandidateBoard, value: int) -> CellSet:
    """Return the places of a value for which no template is known; all of them, if there is none at all."""
    with ticking(board.tick):
        return _without_template(board.layout, value, board.places[value], tuple(needing_groups(board, value)))


def values_to_search(board: CandidateBoard) -> list[int]:
    """Return those of the searched values that may lose a place by reasoning about them alone."""
    return [value for value in board.searched_values if removable_places(board, value)]


@lru_cache(maxsize=10_000)
def _without_template(layout: Layout, value: int, places: CellSet, cages: tuple[GroupIndex, ...]) -> CellSet:
    """Return the places for which no template is known; sets that occurred on a path are remembered, as most steps keep them.

    The templates of the value that were found last, on whatever board, are tried first: most outlive a step.
    """
    filled = [*range(layout.houses), *cages]
    houses = [mask for index in filled if (mask := layout.groups[index].mask) & places]
    latest = _latest_templates(layout)
    templates = [left for template in latest[value] if all(map((left := template & places).__and__, houses))]
    unknown, branches = places & ~reduce(or_, templates, 0), 0
    for cell in members(unknown):
        if unknown >> cell & 1 and branches < _MOST_BRANCHES:
            template, taken = _find_template(layout, places, houses, cell, unknown)
            branches += taken
            if template:
                templates.append(template)
                unknown &= ~template
    latest[value] = templates
    return unknown


@lru_cache(maxsize=64)
def _latest_templates(_layout: Layout) -> defaultdict[int, list[CellSet]]:
    """Return the templates of each value that were found last on a layout: none at first."""
    return defaultdict(list)


def _find_template(
    layout: Layout, places: CellSet, houses: list[CellSet], first: Cell, preferred: CellSet
) -> tuple[CellSet, int]:
    """Return a template with a cell, and cells in no house that agree with it; 0 if there is none; and the branches taken.

    Depth first: the house with the fewest places that are left is filled next, with a ``preferred`` place if there is one.
    """
    stack, branches = [(places, houses, first)], 0
    while stack and branches < _MOST_BRANCHES:
        tick()
        left, waiting, cell = stack.pop()
        branches += 1
        left &= ~layout.sight[cell]
        waiting = [mask for mask in waiting if not mask >> cell & 1]
        if not waiting:
            return left, branches
        tightest = min([mask & left for mask in waiting], key=int.bit_count)
        for some in (tightest & ~preferred, tightest & preferred):
            stack += [(left, waiting, place) for place in members(some)]
    return 0, branches


# A memory of searches that found nothing: on a path, a step leaves most of what the techniques look at as it was.


_MOST = 10_000
"""Searches remembered; one more, and all are forgotten."""


class BarrenSearches:
    """Searches known to find nothing, each by all that it depends on: layout, cells, candidates and what is looked for."""

    def __init__(self) -> None:
        """Begin with no search known."""
        self._searches: set[Hashable] = set()

    def __contains__(self, search: Hashable) -> bool:
        """Return whether a search is known to find nothing."""
        return search in self._searches

    def add(self, search: Hashable) -> None:
        """Remember a search that found nothing to its end."""
        if len(self._searches) >= _MOST:
            self._searches.clear()
        self._searches.add(search)

    def steps_of(self, search: Hashable, find: Callable[[], Iterable[Step]]) -> Iterator[Step]:
        """Yield the steps that a search finds, unless it is known to find none; remember it if it finds none to its end."""
        if search in self:
            return
        found = False
        for step in find():
            found = True
            yield step
        if not found:
            self.add(search)
