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
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sudoku_cp.logic.house_totals import needing_groups
from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.removable_places import removable_places

if TYPE_CHECKING:
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout


# The memory of `compiled_fish`: arrays, and what stands where in them.


class FishArrays(NamedTuple):
    """The arrays of a search.

    - ``masks`` (houses, words) and ``sights`` (places, words): sets of places; ``houses_of`` (places,): sets of houses.
    - ``kinds``: the rows, columns, boxes and all houses, as sets.
    - ``query``: see `SIZE` and those behind it; ``state``: see `BASES_TOP` and those behind it.
    - ``base_stack``: branches of houses; their places, those in two of them, what sees these. ``cover_stack``: branches of houses
      chosen and houses ruled out; places left, fins, what sees these. ``bases`` and ``node`` are the branch in hand of each.
    - ``facts`` of the bases in hand: the covers allowed, then the most places that may be left or fins when 0, 1, 2, ... covers
      are chosen.
    - ``own`` and ``own_covers``: what the fish of the bases in hand remove, each set once.
    - ``table``: a hash table of all sets removed: words, the fewest places in bases so far (0: nobody was told), and the number
      of the set of bases that met it last (0: a free slot).
    - ``told`` (fish, 3): bases, covers, and the covers of the second of a pair.
    - ``scratch`` (3, words): sets for the moment.
    """

    masks: Any
    sights: Any
    houses_of: Any
    kinds: Any
    query: Any
    state: Any
    base_stack: Any
    cover_stack: Any
    bases: Any
    node: Any
    facts: Any
    own: Any
    own_covers: Any
    table: Any
    told: Any
    scratch: Any


SIZE, KIND, WANTED, PAIRED, FINS, ENDO_FINS = range(6)
"""Fields of a query."""
BASES_TOP, COVERS_TOP, OWN, ONE_OF_PAIR, OTHER_OF_PAIR, TABLE, TOLD, BASE_SETS = range(8)
"""Fields of the state: how high both stacks are, numbers of rows used, the next pair, and how many sets of bases were begun."""
PLAIN, FINNED, SASHIMI = 1, 2, 4
BASIC, FRANKEN, MUTANT = 0, 1, 2
ROWS, COLUMNS, BOXES, HOUSES = range(4)
REMOVED, ONCE, FINS_OF = range(3)
"""Rows of the scratch."""
WORD = 64


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
