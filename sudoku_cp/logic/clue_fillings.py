"""All ways to fill the cells of a rule part, where they are few: what people list of a short cage, a dot, a thermometer.

The ways are numbered, and a set of them is the bits of one integer: those with a value in a cell, those that leave a house
without a place. So what each of hundreds of ways does to a cell, a house or another clue takes a few operations for all of them.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.part_candidates import constraint_domains, count_ways, filling_layers, order_of, part_domains
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, Layout, PartIndex
    from sudoku_cp.logic.part_candidates import PartDomains, State
    from sudoku_cp.logic.step import Candidate


FillingSet: TypeAlias = int
"""Fillings of a part as bits."""
MOST_FILLINGS = 240
"""A part with more fillings has none listed."""
MOST_OPEN = 7
"""Nor has one with more open cells: nobody lists what a whole row can hold."""
MOST_STATES = 500
"""A search with more states after a cell is given up."""


class ClueFillings(NamedTuple):
    """The fillings of a part: ``every`` one, and those ``having`` a value in a cell; cells that see each other differ.

    ``cells`` are those that have several values; what the others rule out by sight is no news.
    """

    part: PartIndex
    cells: CellSet
    every: FillingSet
    having: Mapping[Candidate, FillingSet]

    def seen_by(self, layout: Layout, cell: Cell, value: int) -> FillingSet:
        """Return the fillings with a value in some cell that another cell sees, so that this one cannot hold it."""
        seeing = layout.sight[cell] & self.cells
        return reduce(or_, (self.having.get((one, value), 0) for one in members(seeing)), 0)

    def having_in(self, cells: CellSet, value: int) -> FillingSet:
        """Return the fillings with a value in one of some cells."""
        return reduce(or_, (self.having.get((one, value), 0) for one in members(cells & self.cells)), 0)

    def values_of(self, cell: Cell, among: FillingSet) -> Iterable[int]:
        """Yield the values of a cell in some of the fillings."""
        return (value for (own, value), ways in self.having.items() if own == cell and ways & among)


def clue_fillings(board: CandidateBoard) -> list[ClueFillings]:
    """Return the fillings of each part of which they are few, those with the fewest in front."""
    return board.derive(_all_fillings)


def _all_fillings(board: CandidateBoard) -> list[ClueFillings]:
    found = []
    for part in range(len(board.layout.parts)):
        domains = part_domains(board, part)
        if any(domain & (domain - 1) for domain in domains):
            board.tick()
            own = fillings_of(board.layout, part, domains)
            if own is not None:
                found.append(own)
    return sorted(found, key=lambda own: own.every)


@lru_cache(maxsize=20_000)
def fillings_of(layout: Layout, part: PartIndex, domains: PartDomains) -> ClueFillings | None:
    """Return the fillings of a part by values of these domains; None if there are too many, or none at all."""
    own = layout.parts[part]
    opened = {cell for cell, domain in zip(own.cells, domains, strict=True) if domain & (domain - 1)}
    if len(opened) > MOST_OPEN:
        return None
    mask = to_mask(own.cells)
    sight = {cell: layout.sight[cell] & mask for cell in own.cells}
    layers = filling_layers(own.constraints, constraint_domains(layout, part, domains), sight, most=MOST_STATES)
    if layers is None or not 0 < count_ways(layers) <= MOST_FILLINGS:
        return None
    order = order_of(own.constraints)
    ways = dict.fromkeys(_ways(layers, [cell in opened for cell in order]))
    having: dict[Candidate, FillingSet] = defaultdict(int)
    for number, way in enumerate(ways):
        for cell, value in zip([cell for cell in order if cell in opened], way, strict=True):
            having[cell, value] |= 1 << number
    return ClueFillings(part, to_mask(opened), (1 << len(ways)) - 1, dict(having))


def _ways(layers: Sequence[Mapping[State, list[tuple[State, int]]]], kept: Sequence[bool]) -> list[tuple[int, ...]]:
    """Return the values along each way through the layers, those of the layers that are kept."""
    tails: dict[State, list[tuple[int, ...]]] = {state: [()] for state in layers[-1]}
    for layer, is_kept in zip(reversed(layers), reversed(kept), strict=True):
        longer: dict[State, list[tuple[int, ...]]] = defaultdict(list)
        for state, own in tails.items():
            for earlier, value in layer[state]:
                longer[earlier] += [(value, *tail) for tail in own] if is_kept else own
        tails = longer
    return [way for own in tails.values() for way in own]


ClueKey: TypeAlias = "tuple[PartIndex, PartDomains]"
"""A part, and what its cells may hold."""


@lru_cache(maxsize=50_000)
def left_without_partner(layout: Layout, one: ClueKey, other: ClueKey) -> FillingSet:
    """Return the fillings of one part with which no filling of the other agrees: in the cells of both, and by sight."""
    own, partner = fillings_of(layout, *one), fillings_of(layout, *other)
    if own is None or partner is None:
        return 0
    agreeing: dict[Cell, list[tuple[FillingSet, FillingSet]]] = defaultdict(list)
    for (cell, value), ways in own.having.items():
        agreeing[cell].append((ways, _partners(layout, own, partner, cell, value)))
    # The partners of a filling are those of all its values: cell by cell, fillings with the same partners left stay together.
    left: dict[FillingSet, FillingSet] = {partner.every: own.every}
    for choices in agreeing.values():
        if all(partners == partner.every for _, partners in choices):
            continue
        after: dict[FillingSet, FillingSet] = defaultdict(int)
        for known, among in left.items():
            for ways, partners in choices:
                if among & ways:
                    after[known & partners] |= among & ways
        left = after
    return left.get(0, 0)


def _partners(layout: Layout, own: ClueFillings, partner: ClueFillings, cell: Cell, value: int) -> FillingSet:
    """Return the fillings of another part that agree with a value of a cell."""
    if partner.cells >> cell & 1:
        return partner.having.get((cell, value), 0)
    return partner.every & ~partner.having_in(layout.sight[cell] & ~own.cells, value)
