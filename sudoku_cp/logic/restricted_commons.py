"""Restricted commons: values that two almost locked sets cannot both hold, since all places of one see all places of the other.

What the values of a set rule out on the board is kept in one integer, its *reach*: for each value v the places of v that see all
places of v in the set, shifted by v times the number of cells. What two sets rule out together is then one intersection.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet, almost_locked_sets
from sudoku_cp.logic.links.consequences import grouped_consequences
from sudoku_cp.logic.links.link_table import grouped_links
from sudoku_cp.model import Domain, members, to_mask

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet

Reach: TypeAlias = int
"""A cell set for each value, in fields of as many bits as there are cells."""
SetNumbers: TypeAlias = int
"""Numbers of almost locked sets, as bits."""


class RestrictedCommons:
    """The almost locked sets of a board, small ones first, with what links them.

    - ``reaches``: the reach of each set.
    - ``ends``: the sets at the ends of chains, as bits: those that rule out some candidate that chains can refute at all.
    - ``partners``: for each set and each of its values the sets with which it has that value as restricted common. None of
      them contains the other, or has that value in a cell of both, as no cell sees itself.
    """

    def __init__(self, board: CandidateBoard) -> None:
        """Find the almost locked sets, and their restricted commons."""
        self.sets: list[AlmostLockedSet] = sorted(almost_locked_sets(board), key=lambda one: one.cells.bit_count())
        self._width = len(board.values)
        self._whole = (1 << self._width) - 1
        self.reaches: list[Reach] = [self._reach(board, one) for one in self.sets]
        self.highest = max(board.layout.values, default=0)
        self._board = board
        self._fields: dict[Domain, Reach] = {}

    @cached_property
    def ends(self) -> SetNumbers:
        """The sets at the ends of chains."""
        nodes = grouped_links(self._board).nodes
        refuted = 0
        for number in members(grouped_consequences(self._board).refuted):
            value, cells = nodes[number]
            refuted |= cells << value * self._width
        return to_mask(number for number, reach in enumerate(self.reaches) if reach & refuted)

    @cached_property
    def partners(self) -> list[dict[int, SetNumbers]]:
        """The sets with which each set has each of its values as restricted common."""
        partners: list[dict[int, SetNumbers]] = [{} for _ in self.sets]
        for value in self._board.layout.values:
            self._link(value, partners)
        return partners

    @cached_property
    def manifold(self) -> list[SetNumbers]:
        """The sets with which each set has several restricted commons."""
        found = []
        for partners in self.partners:
            once = twice = 0
            for numbers in partners.values():
                twice |= once & numbers
                once |= numbers
            found.append(twice)
        return found

    def field(self, values: Domain) -> Reach:
        """Return the reach that holds all cells for each of ``values``."""
        known = self._fields.get(values)
        if known is None:
            known = self._fields[values] = self.spread(self._whole, values)
        return known

    def spread(self, cells: CellSet, values: Domain) -> Reach:
        """Return the reach that holds these cells for each of ``values``."""
        return sum(cells << value * self._width for value in members(values))

    def cells_by_value(self, reach: Reach) -> list[tuple[int, CellSet]]:
        """Return the values of a reach that has cells for them, with these cells."""
        found, value = [], 0
        while reach:
            if reach & self._whole:
                found.append((value, reach & self._whole))
            reach >>= self._width
            value += 1
        return found

    def between(self, one: int, other: int) -> Domain:
        """Return the restricted commons of two sets."""
        return to_mask(value for value, partners in self.partners[one].items() if partners >> other & 1)

    def _reach(self, board: CandidateBoard, one: AlmostLockedSet) -> Reach:
        return sum((sight & board.places[value]) << value * self._width for value, sight in one.sight.items())

    def _link(self, value: int, found: list[dict[int, SetNumbers]]) -> None:
        """Note the partners by a value in ``found``. Sets with the same places of it have the same ones."""
        by_places: defaultdict[CellSet, SetNumbers] = defaultdict(int)
        seen: dict[CellSet, CellSet] = {}
        for number, one in enumerate(self.sets):
            if one.values >> value & 1:
                by_places[one.places[value]] |= 1 << number
                seen[one.places[value]] = one.sight[value]
        partners = dict.fromkeys(by_places, 0)
        for places, numbers in by_places.items():
            self._board.tick()
            unseen = ~seen[places]
            for other in by_places:
                if not other & unseen:
                    partners[other] |= numbers
        for places, numbers in by_places.items():
            for number in members(numbers):
                found[number][value] = partners[places]


def restricted_commons(board: CandidateBoard) -> RestrictedCommons:
    """Return the restricted commons of a board, found once a position."""
    return board.derive(RestrictedCommons)
