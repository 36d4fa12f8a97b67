"""Strong links through almost locked sets: between any two of a set's values, and to what it leaves to a cell outside.

A board has hundreds of sets with a dozen links each, few of which any chain takes; so their reasons are made only when asked for.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.link_reasons import ThroughSet
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, Layout
    from sudoku_cp.model import Domain

    NodeIndex: TypeAlias = int

PAIR = 2


class SetLinks:
    """The sets of a board by number, and the links that they make.

    - ``linked``: lists of nodes that a set links to each other; ``through``: for each node the sets that link it so, as bits.
    - ``exits``: for each link to an exit cell the numbers of the sets that make it, with that cell.
    """

    def __init__(self, sets: list[AlmostLockedSet]) -> None:
        """Begin without links."""
        self.sets = sets
        self.linked: list[list[NodeIndex]] = []
        self.through: defaultdict[NodeIndex, int] = defaultdict(int)
        self.exits: defaultdict[tuple[NodeIndex, NodeIndex], list[tuple[int, Cell]]] = defaultdict(list)

    def reasons(self, start: NodeIndex, end: NodeIndex) -> list[ThroughSet]:
        """Return the sets that link two nodes, in the order of their numbers."""
        found: list[tuple[int, Cell | None]] = [
            *((number, None) for number in members(self.through.get(start, 0) & self.through.get(end, 0))),
            *self.exits.get((min(start, end), max(start, end)), ()),
        ]
        return [ThroughSet(self.sets[number], cell) for number, cell in sorted(found, key=lambda one: one[0])]


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
    memory = _found_last(board.layout)
    candidates, known = memory[0] if memory else (board.candidates, {})
    changed = to_mask(cell for cell, domain in enumerate(candidates) if domain != board.candidates[cell])
    wide = to_mask(cell for cell in members(board.open) if board.candidates[cell].bit_count() > PAIR)
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
def _found_last(_: Layout) -> list[tuple[list[Domain], dict[AlmostLockedSet, tuple[Exit, ...]]]]:
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
