"""What a fish is; the search for fish in a space, by `fish_kernel`; and a short way for basic ones without fins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.logic.house_totals import needing_groups
from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.removable_places import removable_places
from sudoku_cp.logic.techniques.fish_kernel import BASES_TOP, OWN, TABLE, TOLD, FishArrays, advance, move_slots

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout


# What a search for fish is given: the houses in which a value is open, and which fish are looked for.
#
# A fish is a set of base houses and as many cover houses, none in both. Its fins are the places in bases that no cover holds,
# and those in two bases (endo-fins, covered or not). If no fin holds the value, each cover does so in a base; so what sees all
# fins and lies in a cover outside the bases, or in two covers (a cannibal), loses the value. A cage that needs the value, in
# every combination left to it, is as good as a house; fish with one are mutants.


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


QUERY_ROWS = 64
"""What fits at first into arrays that grow."""


class SpaceSets(NamedTuple):
    """A space as sets in rows of words: see `FishArrays`."""

    masks: NDArray[Any]
    sights: NDArray[Any]
    houses_of: NDArray[Any]
    removable: NDArray[Any]


class Code(NamedTuple):
    """The functions of the kernel, compiled or not, and the types of sets and numbers in their arrays.

    ``budget`` is the number of branches between two ticks, some milliseconds; ``slots`` are those of the hash table at first, of
    which at least as many stay free as are used.
    """

    advance: Callable[[FishArrays, int], bool]
    move_slots: Callable[[NDArray[Any], NDArray[Any]], None]
    sets: Any
    numbers: Any
    budget: int
    slots: int


_PLAIN = Code(advance, move_slots, object, object, budget=1000, slots=64)


def find_plainly(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish, one for each set of places that lose the value; another if it has fewer places in its bases.

    The kernel runs as plain Python, where a set of any size is one word.
    """
    cells = range(len(space.sight))
    houses_of = [space.houses_of.get(cell, 0) for cell in cells]
    masks, sights = (np.array(rows, object)[:, None] for rows in (space.masks, space.sight))
    sets = SpaceSets(masks, sights, np.array(houses_of, object), np.array([space.removable], object))
    return search_fish(space, query, sets, _PLAIN, tick)


def search_fish(space: FishSpace, query: FishQuery, sets: SpaceSets, code: Code, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish as `find_plainly` does, found by one of the codes."""
    arrays = _make_arrays(space, query, sets, code)
    more = True
    while more:
        tick()
        arrays = _with_room(arrays, code)
        more = code.advance(arrays, code.budget)
        found = arrays.told[: arrays.state[TOLD]].tolist()
        arrays.state[TOLD] = 0
        for bases, covers, other_covers in found:
            yield Fish(bases, covers, other_covers)


def _make_arrays(space: FishSpace, query: FishQuery, sets: SpaceSets, code: Code) -> FishArrays:
    """Return the arrays of a search, with the empty set of bases on the stack."""

    def empty(*shape: int) -> NDArray[Any]:
        return np.zeros(shape, code.sets)

    words = len(sets.removable)
    fins = (MAX_FINS, MAX_ENDO_FINS) if query.forms & ~Form.PLAIN else (0, 0)
    branches = (query.size + MAX_FINS + 1) * (len(space.houses) + 1)  # each cover and fin of a path leaves houses and a fin open
    base_stack = empty(query.size * len(space.houses) + 1, 1 + 3 * words)
    base_stack[0, 1 + 2 * words :] = sets.removable
    state = np.zeros(8, code.numbers)
    state[BASES_TOP] = 1
    return FishArrays(
        masks=sets.masks,
        sights=sets.sights,
        houses_of=sets.houses_of,
        kinds=np.array([space.rows, space.columns, space.boxes, space.all_houses], code.sets),
        query=np.array([query.size, int(query.kind), int(query.wanted), int(query.paired), *fins], code.numbers),
        state=state,
        base_stack=base_stack,
        cover_stack=empty(branches, 2 + 3 * words),
        bases=empty(1 + 3 * words),
        node=empty(2 + 3 * words),
        allowed=empty(1),
        most=np.zeros(query.size + 1, code.numbers),
        own=empty(QUERY_ROWS, words),
        own_covers=empty(QUERY_ROWS),
        table=empty(code.slots, words + 2),
        told=empty(QUERY_ROWS, 3),
        scratch=empty(3, words),
    )


def _with_room(arrays: FishArrays, code: Code) -> FishArrays:
    """Return the arrays with more room where one is full."""
    if arrays.state[OWN] == len(arrays.own):
        own, own_covers = (np.concatenate([rows, np.zeros_like(rows)]) for rows in (arrays.own, arrays.own_covers))
        arrays = arrays._replace(own=own, own_covers=own_covers)
    if 2 * arrays.state[TABLE] >= len(arrays.table):
        larger = np.zeros((4 * len(arrays.table), arrays.table.shape[1]), code.sets)
        code.move_slots(arrays.table, larger)
        arrays = arrays._replace(table=larger)
    return arrays


# Basic fish without fins, found at once: in as many rows as columns, or the reverse, lie all places of a value.


def has_plain_lines(space: FishSpace) -> bool:
    """Return whether each place lies in one row and one column, as on a single board."""
    return all(
        sum(space.masks[line].bit_count() for line in bits(lines)) == space.places.bit_count()
        for lines in (space.rows, space.columns)
    )


def find_plain_fish(space: FishSpace, size: int) -> Iterator[Fish]:
    """Yield basic fish without fins as `find_plainly` does, where each place lies in one row and one column."""
    best: dict[CellSet, int] = {}
    for lines, across in ((space.rows, space.columns), (space.columns, space.rows)):
        for bases, covers in _covered_lines(space, size, lines, across):
            places, covered = _places(space, bases), _places(space, covers)
            removed = covered & ~places
            if removed and places.bit_count() < best.get(removed, places.bit_count() + 1):
                best[removed] = places.bit_count()
                yield Fish(bases, covers, 0)


def _covered_lines(space: FishSpace, size: int, lines: HouseSet, across: HouseSet) -> Iterator[tuple[HouseSet, HouseSet]]:
    """Yield sets of lines that meet as many lines across, and these."""
    crossed = []
    for line in bits(lines):
        met = sum(1 << other for other in bits(across) if space.masks[line] & space.masks[other])
        if met.bit_count() <= size:
            crossed.append((1 << line, met))
    for chosen in combinations(crossed, size):
        covers = 0
        for _, met in chosen:
            covers |= met
        if covers.bit_count() == size:
            yield sum(line for line, _ in chosen), covers


def _places(space: FishSpace, houses: HouseSet) -> CellSet:
    """Return the places in some of the houses."""
    union = 0
    for house in bits(houses):
        union |= space.masks[house]
    return union
