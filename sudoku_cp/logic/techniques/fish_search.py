"""The search for fish in plain Python; `compiled_fish` does the same in the same order.

Theory of operation. Sets of bases come in the order of their houses; few endo-fins are allowed, so most partial sets of large
fish are dropped at once. For each full set the covers are searched depth first: the lowest place of the bases that is neither
covered nor a fin is covered by each of its houses in turn, of which later branches do without the earlier, and is a fin in the
last branch. So no set of covers is met twice. A branch ends when more places are left than fins and covers can take, or when
nothing that fish may eliminate sees all its fins.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.techniques.fish_space import MAX_ENDO_FINS, MAX_FINS, Fish, FishKind, Form, bits
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.techniques.fish_space import FishQuery, FishSpace, HouseSet

_FINNED = Form.FINNED | Form.SASHIMI


class _Bases(NamedTuple):
    """A set of bases, their places, those in two of them, and what sees all of these."""

    houses: HouseSet
    places: CellSet
    endo_fins: CellSet
    seen: CellSet


class _Limits(NamedTuple):
    """What covers of a set of bases keep to: ``most[k]`` are the places that are left or fins where k covers are chosen.

    Only houses that hold places of the bases are ``allowed`` as covers; what is not ``within_reach`` of them loses nothing.
    """

    allowed: HouseSet
    within_reach: CellSet
    with_fins: bool
    most: tuple[int, ...]


class _Node(NamedTuple):
    """A branch: houses chosen as covers and ruled out as such, places still to be decided, fins, and what sees all of these."""

    covers: HouseSet
    excluded: HouseSet
    left: CellSet
    fins: CellSet
    seen: CellSet


def find_fish(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish, one for each set of places that lose the value; another if it has fewer places in its bases."""
    best: dict[CellSet, int] = {}
    for bases in _base_sets(space, query):
        tick()
        own: dict[CellSet, HouseSet] = {}
        size = bases.places.bit_count()
        for covers, removed, form in _covered(space, query, bases):
            if form & query.paired:
                own.setdefault(removed, covers)
            if form & query.wanted and size < best.get(removed, size + 1):
                best[removed] = size
                yield Fish(bases.houses, covers, 0)
        for (removed, covers), (other, other_covers) in combinations(own.items(), 2):
            if size < best.get(removed | other, size + 1):
                best[removed | other] = size
                yield Fish(bases.houses, covers, other_covers)


def _base_sets(space: FishSpace, query: FishQuery) -> Iterator[_Bases]:
    """Yield the sets of bases that can be covered, in the order of their houses."""
    endo_fins = MAX_ENDO_FINS if query.forms & _FINNED else 0
    possible = space.possible_bases(query.kind)
    stack = [_Bases(0, 0, 0, space.removable)]
    while stack:
        bases = stack.pop()
        if bases.houses.bit_count() == query.size:
            yield bases
            continue
        children = []
        for house in bits(possible & ~((1 << bases.houses.bit_length()) - 1)):
            child = _with_base(space, bases, house)
            if child.endo_fins.bit_count() <= endo_fins and child.seen and space.possible_covers(query.kind, child.houses):
                children.append(child)
        stack += reversed(children)


def _with_base(space: FishSpace, bases: _Bases, house: int) -> _Bases:
    """Return a set of bases with a further house."""
    mask, seen = space.masks[house], bases.seen
    shared = mask & bases.places & ~bases.endo_fins
    for cell in bits(shared):
        seen &= space.sight[cell]
    return _Bases(bases.houses | 1 << house, bases.places | mask, bases.endo_fins | shared, seen)


def _covered(space: FishSpace, query: FishQuery, bases: _Bases) -> Iterator[tuple[HouseSet, CellSet, Form]]:
    """Yield the covers of a set of bases, what loses the value, and the form."""
    limits = _limits(space, query, bases)
    root = _Node(0, 0, bases.places, bases.endo_fins, bases.seen & limits.within_reach)
    stack = [root] if root.seen and _fits(root, limits) else []
    while stack:
        node = stack.pop()
        if node.covers.bit_count() == query.size:
            yield from _finished(space, query, bases, node)
        else:
            stack += reversed([child for child in _children(space, query.size, node, limits) if _fits(child, limits)])


def _limits(space: FishSpace, query: FishQuery, bases: _Bases) -> _Limits:
    """Return what the covers of a set of bases have to keep to."""
    possible = space.possible_covers(query.kind, bases.houses)
    meeting = [house for house in bits(possible) if space.masks[house] & bases.places]
    taken = sorted(((space.masks[house] & bases.places).bit_count() for house in meeting), reverse=True)
    once = twice = 0
    for house in meeting:
        twice |= once & space.masks[house]
        once |= space.masks[house]
    fins = MAX_FINS if query.forms & _FINNED else 0
    most = tuple(fins + sum(taken[: query.size - number]) for number in range(query.size + 1))
    return _Limits(sum(1 << house for house in meeting), once & ~bases.places | twice, fins > 0, most)


def _fits(node: _Node, limits: _Limits) -> bool:
    """Return whether the covers that are missing can take all places but some fins."""
    return (node.left | node.fins).bit_count() <= limits.most[node.covers.bit_count()]


def _children(space: FishSpace, size: int, node: _Node, limits: _Limits) -> Iterator[_Node]:
    """Yield the branches at the lowest place that is left, or at any house where none is."""
    place, free = node.left & -node.left, limits.allowed & ~node.excluded
    cell = place.bit_length() - 1
    options = free & (space.houses_of[cell] if place else ~node.covers)
    excluded = node.excluded
    if (free | node.covers).bit_count() >= size:
        for house in bits(options):
            yield _Node(node.covers | 1 << house, excluded, node.left & ~space.masks[house], node.fins, node.seen)
            excluded |= 1 << house
    if place and limits.with_fins:
        seen = node.seen if node.fins & place else node.seen & space.sight[cell]
        if seen:
            yield _Node(node.covers, node.excluded | options, node.left ^ place, node.fins | place, seen)


def _finished(space: FishSpace, query: FishQuery, bases: _Bases, node: _Node) -> Iterator[tuple[HouseSet, CellSet, Form]]:
    """Yield the fish of a full set of covers if it is looked for and eliminates anything: what is left are fins."""
    once = twice = 0
    for house in bits(node.covers):
        twice |= once & space.masks[house]
        once |= space.masks[house]
    fins, removed = node.fins | node.left, (once & ~bases.places | twice) & node.seen
    for cell in bits(node.left & ~node.fins):
        removed &= space.sight[cell]
    if removed and space.kind_of(bases.houses, node.covers) is query.kind:
        form = form_of(space, query.kind, bases.houses, fins)
        if form & query.forms:
            yield node.covers, removed, form


def form_of(space: FishSpace, kind: FishKind, bases: HouseSet, fins: CellSet) -> Form:
    """Return the form of a fish; only basic ones are called sashimi."""
    if not fins:
        return Form.PLAIN
    sashimi = kind is FishKind.BASIC and any((space.masks[base] & ~fins).bit_count() <= 1 for base in members(bases))
    return Form.SASHIMI if sashimi else Form.FINNED
