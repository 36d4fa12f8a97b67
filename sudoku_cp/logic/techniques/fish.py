"""Fish of every size and kind, as `fish_space` defines them: a table of their finders, and the steps of what is found."""

from __future__ import annotations

import sys
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.native.kernel import bits as words_as_sets
from sudoku_cp.compile_cache import CachedModule, can_compile
from sudoku_cp.logic.house_totals import needing_groups
from sudoku_cp.logic.kernel_variants import kernel_variant
from sudoku_cp.logic.removable_places import BarrenSearches, values_to_search
from sudoku_cp.logic.step import Pattern, ProofGroup, ProofStatement, Step, distinct, once_in, sees, united
from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.techniques import fish_kernel, set_table
from sudoku_cp.logic.techniques.fish_search import Code, SpaceSets, find_plain_fish, find_plainly, has_plain_lines, search_fish
from sudoku_cp.logic.techniques.fish_space import NO_FORM, FishKind, FishQuery, Form, bits, space_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import GroupIndex, Layout
    from sudoku_cp.logic.techniques.fish_space import Fish, FishSpace, HouseSet


_ALL = Form.PLAIN | Form.FINNED | Form.SASHIMI
_WITH_FINS = Form.FINNED | Form.SASHIMI
_FAMILIES: dict[str, tuple[FishKind, Form, Form]] = {
    "030": (FishKind.BASIC, Form.PLAIN, NO_FORM),
    "031": (FishKind.BASIC, Form.FINNED, _ALL),
    "032": (FishKind.BASIC, Form.SASHIMI, _ALL),
    "033": (FishKind.FRANKEN, Form.PLAIN, NO_FORM),
    "034": (FishKind.FRANKEN, _WITH_FINS, _WITH_FINS),
    "035": (FishKind.MUTANT, Form.PLAIN, NO_FORM),
    "036": (FishKind.MUTANT, _WITH_FINS, _WITH_FINS),
}
"""Kind, forms and paired forms by the first figures of the code; the last is the size less two.

Siamese fish, unions of two on the same bases, are listed among those with fins; basic ones of all forms are paired.
"""
_MODULE = "sudoku_cp.logic.techniques.fish"
MOST_HOUSES = 64
"""Sets of houses are words in compiled code."""
SMALL = 3
"""The size of basic fish that Python finds, on a board, in a tenth of the time in which code is loaded."""
_barren = BarrenSearches()
FISH: tuple[Technique, ...] = tuple(technique for technique in Technique if technique.code[:3] in _FAMILIES)


def fish_query(technique: Technique) -> FishQuery:
    """Return what to look for."""
    kind, wanted, paired = _FAMILIES[technique.code[:3]]
    return FishQuery(int(technique.code[3]) + 2, kind, wanted, paired)


def fish_finder(technique: Technique) -> Callable[[CandidateBoard], Iterator[Step]]:
    """Return the generator of the steps of one technique among `FISH`."""
    return partial(find_fish_steps, technique=technique, query=fish_query(technique))


def find_fish(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish, one for each set of places that lose the value; another if it has fewer places in its bases."""
    if query.kind is FishKind.BASIC and query.forms is Form.PLAIN and has_plain_lines(space):
        return find_plain_fish(space, query.size)
    if len(space.houses) <= MOST_HOUSES and can_compile() and _is_worthwhile(query):
        return find_compiled(space, query, tick)
    return find_plainly(space, query, tick)


def _is_worthwhile(query: FishQuery) -> bool:
    """Return whether a search is worth loading code for; once that is done, all use it."""
    return _MODULE in sys.modules or query.kind > FishKind.BASIC or query.size > SMALL


def find_fish_steps(board: CandidateBoard, technique: Technique, query: FishQuery) -> Iterator[Step]:
    """Yield the fish of each searched value."""
    if board.layout.houses < 2 * query.size:  # bases and covers are different houses
        return
    for value in values_to_search(board):
        key = board.layout, board.places[value], tuple(needing_groups(board, value)), query
        if key in _barren:
            continue
        step, space = None, space_of(board, value)
        for fish in find_fish(space, query, board.tick):
            step = fish_step(board, technique, value, space, fish.bases, fish.covers)
            if fish.other_covers:
                step = united(technique, step, fish_step(board, technique, value, space, fish.bases, fish.other_covers))
            yield step
        if step is None:
            _barren.add(key)


def fish_step(
    board: CandidateBoard, technique: Technique, value: int, space: FishSpace, bases: HouseSet, covers: HouseSet
) -> Step:
    """Return the step of a set of bases and one of covers."""
    layout = board.layout
    places, endo_fins = _once_and_twice(space, bases)
    covered, cannibals = _once_and_twice(space, covers)
    fins = places & ~covered | endo_fins
    found = board.eliminations([(value, (covered & ~places | cannibals) & layout.seen_by_all(fins))])
    base_houses, cover_houses = (tuple(space.houses[house] for house in bits(houses)) for houses in (bases, covers))
    proof = [group for house in base_houses for group in _has_place(board, house, value)]
    proof += [once_in(layout, value, house) for house in cover_houses]
    proof += [group for cell, _ in found for group in sees(layout, value, cell, fins)]
    pattern = Pattern(base_houses, cover_houses, fins)
    return Step(technique, 1 << value, places, found, (), pattern, distinct(proof))


def _has_place(board: CandidateBoard, house: GroupIndex, value: int) -> tuple[ProofGroup, ...]:
    """Return the reason why a value has a place in a house, or in a cage that needs it."""
    if house < board.layout.houses:
        return (ProofGroup(ProofStatement.HAS_PLACE, house, value),)
    return tuple(needing_groups(board, value)[house].prove())


def _once_and_twice(space: FishSpace, houses: HouseSet) -> tuple[int, int]:
    """Return the places in some of the houses, and those in two or more."""
    once = twice = 0
    for house in bits(houses):
        twice |= once & space.masks[house]
        once |= space.masks[house]
    return once, twice


# The search for fish in compiled code, where sets are words of 64 bits: of places, as many as it takes; of houses, one.


WORD = 64


def mix(mixed: Any, word: Any) -> Any:
    """Return a hash of sets, and of one more."""
    mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ mixed >> np.uint64(29)


_WORDS = {
    "NONE": words_as_sets.NONE,
    "ONE": words_as_sets.ONE,
    "WORD": WORD,
    "as_number": np.int64,
    "as_set": np.uint64,
    "largest": words_as_sets.largest,
    "mix": mix,
    "set_of": words_as_sets.bit,
    "size_of": words_as_sets.size_of,
    "smallest": words_as_sets.smallest,
}
"""What takes the place of the operations on integers."""
_TABLE = kernel_variant(set_table, _WORDS)
_KERNEL = CachedModule.of_functions(
    "fish",
    (words_as_sets, _TABLE, kernel_variant(fish_kernel, _WORDS | {"find_slot": _TABLE.find_slot}), sys.modules[__name__]),
    ("advance", "move_slots"),
    "the search for fish",
    duration="about 20 seconds",
    inline=True,
)
_ADVANCE, _MOVE = (partial(_KERNEL.call, name) for name in ("advance", "move_slots"))
_COMPILED = Code(_ADVANCE, _MOVE, np.uint64, np.int64, budget=50_000, slots=1024)


def find_compiled(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish as `find_plainly` does."""
    return search_fish(space, query, _packed_sets(space), _COMPILED, tick)


@lru_cache(maxsize=64)
def _packed_sets(space: FishSpace) -> SpaceSets:
    """Return the places of each house, those that each place sees, the houses of each place, and the removable ones.

    They are kept for the other techniques of a board, which search the same spaces.
    """
    places = list(bits(space.places))
    holding, seeing = _relations(space.layout)
    holding = holding[np.ix_(space.houses, places)]
    removable = np.array([[space.removable >> cell & 1 for cell in places]], np.bool_)
    sights = _packed(seeing[np.ix_(places, places)])
    return SpaceSets(_packed(holding), sights, _packed(holding.T)[:, 0].copy(), _packed(removable)[0])


@lru_cache(maxsize=16)
def _relations(layout: Layout) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which group holds which cell, and which cell sees which."""
    cells = range(len(layout.domains))
    holding = np.array([[group.mask >> cell & 1 for cell in cells] for group in layout.groups], np.bool_)
    seeing = np.array([[layout.sight[cell] >> other & 1 for other in cells] for cell in cells], np.bool_)
    return holding, seeing


def _packed(rows: NDArray[Any]) -> NDArray[np.uint64]:
    """Return rows of truth values as rows of words; the first value is the lowest bit."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // WORD) * WORD), np.bool_)
    padded[:, : rows.shape[1]] = rows
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
