"""Almost locked sets: n cells of a house with n + 1 values. All on a board, and their exits, are found when first wanted.

A step changes few houses, so those found last in each house are kept for the next position.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.step import ChainNode
from sudoku_cp.model import Domain, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout


_PAIR = 2
_ALL_SUBSETS, _WIDEST = 9, 6
"""In houses of up to 9 cells all sets are found; in larger ones, which have too many, those of up to 6 cells."""


class AlmostLockedSet:
    """Open cells of ``house`` with one value more than there are cells; of several houses that hold them all, the first.

    ``places`` are the cells of the set that may hold each of its ``values``; ``sight``, for each value, the cells that see all
    these, whatever they may hold, and ``scope`` the cells that do so for some value; ``nodes``, that each value is in one of its
    places.
    """

    __slots__ = ("cells", "house", "nodes", "places", "scope", "sight", "values")

    def __init__(self, board: CandidateBoard, cells: CellSet, values: Domain, house: GroupIndex) -> None:
        """Take the cells and all values that are candidates in them."""
        self.cells = cells
        self.values = values
        self.house = house
        self.places: dict[int, CellSet] = {value: board.places[value] & cells for value in members(values)}
        self.nodes = tuple(ChainNode(value, own) for value, own in self.places.items())
        self.sight: dict[int, CellSet] = {value: _seen_by_all(board.layout, own) for value, own in self.places.items()}
        self.scope: CellSet = reduce(or_, self.sight.values())


@lru_cache(maxsize=20_000)
def _seen_by_all(layout: Layout, cells: CellSet) -> CellSet:
    """Return the cells that see every one of some cells; many sets have the same places of a value."""
    return layout.seen_by_all(cells)


def almost_locked_sets(board: CandidateBoard) -> list[AlmostLockedSet]:
    """Return every almost locked set of the board, single cells of two values included, each once."""
    return board.derive(_find_all)


def _find_all(board: CandidateBoard) -> list[AlmostLockedSet]:
    layout, known = board.layout, _found_last(board.layout)
    found: dict[CellSet, AlmostLockedSet] = {}
    for house in range(layout.houses):
        domains = tuple([board.candidates[cell] for cell in layout.groups[house].cells])
        if house not in known or known[house][0] != domains:
            known[house] = domains, _sets_of_house(board, house, *known.get(house, ((), [])))
        for one in known[house][1]:
            found.setdefault(one.cells, one)
    return list(found.values())


@lru_cache(maxsize=8)
def _found_last(_: Layout) -> dict[GroupIndex, tuple[tuple[Domain, ...], list[AlmostLockedSet]]]:
    """Return the sets that were found last in each house of a layout, with the candidates of its cells."""
    return {}


def _sets_of_house(
    board: CandidateBoard, house: GroupIndex, domains: tuple[Domain, ...], known: list[AlmostLockedSet]
) -> list[AlmostLockedSet]:
    """Return the sets of a house; those ``known``, found when its cells had other ``domains``, are kept where they still hold."""
    group = board.layout.groups[house]
    before = zip(group.cells, domains, strict=False)
    changed = to_mask(cell for cell, domain in before if domain != board.candidates[cell])
    kept = {one.cells: one for one in known if not one.cells & changed}
    return [
        kept.get(cells) or AlmostLockedSet(board, cells, values, house)
        for cells, values in _subsets(board, group.mask & board.open)
        if values.bit_count() == cells.bit_count() + 1
    ]


def _subsets(board: CandidateBoard, mask: CellSet) -> Iterator[tuple[CellSet, Domain]]:
    """Yield every set of some cells of a house with its values; of many cells only sets that are small, and hold few values."""
    known, pool = [(0, 0)], members(mask)
    for cell in pool:
        board.tick()
        more = [(cells | 1 << cell, values | board.candidates[cell]) for cells, values in known]
        if len(pool) > _ALL_SUBSETS:
            more = [one for one in more if one[0].bit_count() <= _WIDEST and one[1].bit_count() <= _WIDEST + 1]
        yield from more
        known += more


# --- exits: what a set leaves to a cell outside -------------------------------------------------------------------------


class Exit(NamedTuple):
    """A ``cell`` to which a set leaves only a ``value``, and which of the set's nodes it links with that, by place."""

    places: tuple[int, ...]
    value: int
    cell: Cell


def exits_of_sets(board: CandidateBoard, sets: list[AlmostLockedSet]) -> dict[AlmostLockedSet, tuple[Exit, ...]]:
    """Return the exits of each set of two or more cells.

    They depend on what the cells may hold that see some value of the set: where none of these has changed since a layout was
    last asked, they are known.
    """
    memory = _exits_found_last(board.layout)
    candidates, known = memory[0] if memory else (board.candidates, {})
    changed = to_mask(cell for cell, domain in enumerate(candidates) if domain != board.candidates[cell])
    wide = to_mask(cell for cell in members(board.open) if board.candidates[cell].bit_count() > _PAIR)
    found = {}
    for almost in sets:
        if almost.cells & (almost.cells - 1):
            exits = known.get(almost)
            if exits is None or almost.scope & changed:
                exits = tuple(_exits(board, almost, wide))
            found[almost] = exits
    memory[:] = [(board.candidates.copy(), found)]
    return found


@lru_cache(maxsize=8)
def _exits_found_last(_: Layout) -> list[tuple[list[Domain], dict[AlmostLockedSet, tuple[Exit, ...]]]]:
    """Return the candidates of all cells of the board last asked about, and what was found there: alone in a list, or nothing."""
    return []


def _exits(board: CandidateBoard, almost: AlmostLockedSet, wide: CellSet) -> Iterator[Exit]:
    """Yield the one value that a cell is left with that sees all places in the set of each of its other candidates.

    Only ``wide`` cells, of three candidates or more, are looked at: what a pair is left with follows by simpler links.
    """
    for cell in members(_exit_cells(board, almost, wide)):
        domain = board.candidates[cell]
        taken = to_mask(value for value, sight in almost.sight.items() if sight >> cell & 1) & domain
        left = domain & ~taken
        places = tuple(place for place, node in enumerate(almost.nodes) if not taken >> node.value & 1)
        yield Exit(places, left.bit_length() - 1, cell)


def _exit_cells(board: CandidateBoard, almost: AlmostLockedSet, wide: CellSet) -> CellSet:
    """Return the wide cells outside a set that see all places in it of each of their candidates, or of all but one."""
    foreign = (places for value, places in enumerate(board.places) if not almost.values >> value & 1)
    unseen = (board.places[value] & ~sight for value, sight in almost.sight.items())
    once = twice = 0
    for cells in (*foreign, *unseen):
        twice |= once & cells
        once |= cells
    return wide & ~almost.cells & once & ~twice
