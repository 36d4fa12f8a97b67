"""Strong links through almost locked sets: between any two of a set's values, and to what it leaves to a cell outside.

A board has hundreds of sets with a dozen links each, few of which any chain takes; so their reasons are made only when asked for.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from sudoku_cp.logic.links.link_reasons import ThroughSet
from sudoku_cp.model import members

if TYPE_CHECKING:
    from typing import TypeAlias

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet

    NodeIndex: TypeAlias = int


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


def exit_cells(board: CandidateBoard, almost: AlmostLockedSet) -> CellSet:
    """Return the cells outside a set with two or more of its values that see all places of each of these in it."""
    cells, once, twice = board.open & ~almost.cells, 0, 0
    for value, sight in almost.sight.items():
        places = board.places[value]
        cells &= sight | ~places
        twice |= once & places
        once |= places
    return cells & twice
