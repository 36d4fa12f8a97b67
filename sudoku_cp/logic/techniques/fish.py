"""Fish of every size and kind, as `fish_search` defines them: a table of their finders, and the steps of what is found."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.compile_cache import can_compile
from sudoku_cp.logic.house_totals import needing_groups
from sudoku_cp.logic.removable_places import BarrenSearches, values_to_search
from sudoku_cp.logic.step import Pattern, ProofGroup, ProofStatement, Step, Technique, distinct, once_in, sees, united
from sudoku_cp.logic.techniques.fish_search import (
    NO_FORM,
    FishKind,
    FishQuery,
    Form,
    bits,
    find_plain_fish,
    find_plainly,
    has_plain_lines,
    space_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import GroupIndex
    from sudoku_cp.logic.techniques.fish_search import Fish, FishSpace, HouseSet


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
_MODULE = "sudoku_cp.logic.techniques.compiled_fish"
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
        from sudoku_cp.logic.techniques.compiled_fish import find_compiled  # noqa: PLC0415  # imports Numba: half a second

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


# Cage X-wings: all places of a value in a cage that needs it and in another house or cage lie in two houses or cages.


_barren_cages = BarrenSearches()


def cage_x_wings(board: CandidateBoard) -> Iterator[Step]:
    """Yield mutant X-wings without fins that have a cage among their bases: the value leaves the rest of both covers."""
    for value in board.searched_values:
        space = space_of(board, value)
        yield from _barren_cages.steps_of((board.layout, space.houses, space.masks), partial(_x_wings_in, board, value, space))


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
