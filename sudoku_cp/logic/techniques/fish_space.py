"""What a search for fish is given: the houses in which a value is open, and which fish are looked for.

A fish is a set of base houses and as many cover houses, none in both. Its fins are the places in bases that no cover holds, and
those in two bases (endo-fins, covered or not). If no fin holds the value, each cover does so in a base; so what sees all fins
and lies in a cover outside the bases, or in two covers (a cannibal), loses the value. A cage that needs the value, in every
combination left to it, is as good as a house; fish with one are mutants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.house_totals import needing_groups
from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.removable_places import removable_places

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout

HouseSet: TypeAlias = int
"""A set of the houses of a `FishSpace` as bits: their places in its list."""
MAX_FINS = 5
MAX_ENDO_FINS = 2


class FishKind(IntEnum):
    """Which houses make a fish: rows against columns, or with boxes among either, or any."""

    BASIC = 0
    FRANKEN = 1
    MUTANT = 2


class Form(IntFlag):
    """Whether a fish has fins, and whether some base of a basic one keeps at most one place without them."""

    PLAIN = 1
    FINNED = 2
    SASHIMI = 4


NO_FORM = Form(0)


@dataclass(frozen=True)
class FishQuery:
    """The fish to find: ``wanted`` forms alone, and the unions of any two of the ``paired`` forms on the same bases."""

    size: int
    kind: FishKind
    wanted: Form
    paired: Form = NO_FORM

    @property
    def forms(self) -> Form:
        """All forms that a search has to find."""
        return self.wanted | self.paired


class Fish(NamedTuple):
    """Bases and covers of a fish; ``other_covers`` are those of the second where it is the union of two, else 0."""

    bases: HouseSet
    covers: HouseSet
    other_covers: HouseSet


@dataclass(frozen=True, eq=False)
class FishSpace:
    """The places of a value, and those that fish may eliminate; of each house with places its index and these; houses by kind."""

    places: CellSet
    removable: CellSet
    layout: Layout
    houses: tuple[GroupIndex, ...]
    masks: tuple[CellSet, ...]
    rows: HouseSet
    columns: HouseSet
    boxes: HouseSet

    @property
    def sight(self) -> tuple[CellSet, ...]:
        """The cells that each cell sees."""
        return self.layout.sight

    @cached_property
    def all_houses(self) -> HouseSet:
        """Every house."""
        return (1 << len(self.houses)) - 1

    @cached_property
    def houses_of(self) -> dict[int, HouseSet]:
        """The houses of each place."""
        found: dict[int, HouseSet] = {}
        for house, mask in enumerate(self.masks):
            for cell in bits(mask):
                found[cell] = found.get(cell, 0) | 1 << house
        return found

    def kind_of(self, bases: HouseSet, covers: HouseSet) -> FishKind:
        """Return the kind of a fish: the first whose houses suffice."""
        both = bases | covers
        if both & ~(self.rows | self.columns | self.boxes):
            return FishKind.MUTANT
        for one, other in ((self.rows, self.columns), (self.columns, self.rows)):
            if not bases & other and not covers & one:
                return FishKind.FRANKEN if both & self.boxes else FishKind.BASIC
        return FishKind.MUTANT

    def possible_bases(self, kind: FishKind) -> HouseSet:
        """Return the houses that may be bases of fish of a kind."""
        return (self.rows | self.columns, self.rows | self.columns | self.boxes, self.all_houses)[kind]

    def possible_covers(self, kind: FishKind, bases: HouseSet) -> HouseSet:
        """Return the houses that may cover bases in fish of a kind; none, if the bases do not suit it."""
        if kind is FishKind.MUTANT:
            return self.all_houses & ~bases
        if bases & self.rows and bases & self.columns:
            return 0
        lines = self.columns if bases & self.rows else self.rows if bases & self.columns else self.rows | self.columns
        return (lines | (self.boxes if kind is FishKind.FRANKEN else 0)) & ~bases


def space_of(board: CandidateBoard, value: int) -> FishSpace:
    """Return the space of a value, made once until the board changes."""
    spaces = board.derive(_empty)
    if value not in spaces:
        spaces[value] = _make_space(board, value)
    return spaces[value]


def _empty(_board: CandidateBoard) -> dict[int, FishSpace]:
    """Return the spaces of a board that are known at first: none."""
    return {}


def _make_space(board: CandidateBoard, value: int) -> FishSpace:
    layout, places = board.layout, board.places[value]
    needing = needing_groups(board, value)
    houses = tuple(house for house in (*range(layout.houses), *needing) if layout.groups[house].mask & places)
    kinds = dict.fromkeys(HouseKind, 0)
    for index, house in enumerate(houses):
        kinds[layout.groups[house].kind or HouseKind.EXTRA] |= 1 << index
    masks = tuple(layout.groups[house].mask & places for house in houses)
    lines_and_boxes = (kinds[kind] for kind in (HouseKind.ROW, HouseKind.COLUMN, HouseKind.BOX))
    return FishSpace(places, removable_places(board, value), layout, houses, masks, *lines_and_boxes)


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
