"""Walks over alternating links: which nodes follow if one node is true or false, nearest first, and by which chain.

A walk goes level by level: from false nodes over strong links to true ones, from these over weak links to false ones. A node is
met at most once as true and once as false, so that every chain found is a shortest one; it may pass a cell several times.
`breadth_first` walks from many starts side by side: whoever takes the first result gets a shortest chain of all.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from sudoku_cp.logic.links.link_table import ThroughSet
from sudoku_cp.logic.step import CellsAndValues, Link, Pattern, Step, distinct, part_in
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.links.link_table import LinkTable, NodeIndex, NodeSet, StrongReason
    from sudoku_cp.logic.step import Candidate, ProofGroup
    from sudoku_cp.logic.technique import Technique


class Walk:
    """What follows from one node. ``strong_first``: from the node being false; else from its being true.

    ``levels`` are the nodes by their distance; ``met`` those of all even levels, which are like the start, and of all odd ones.
    """

    def __init__(self, table: LinkTable, start: NodeIndex, *, strong_first: bool) -> None:
        """Stand at the start."""
        self.table = table
        self.start = start
        self.strong_first = strong_first
        self.levels: list[NodeSet] = [1 << start]
        self.met: list[NodeSet] = [1 << start, 0]

    @property
    def length(self) -> int:
        """The number of links from the start to the last level."""
        return len(self.levels) - 1

    @property
    def next_is_strong(self) -> bool:
        """Whether the links behind the last level are strong."""
        return self._is_strong(len(self.levels))

    def advance(self) -> NodeSet:
        """Go on by one link, and return the nodes met for the first time as true, or as false: none at the end of the walk."""
        links = self.table.strong if self.next_is_strong else self.table.weak
        new = 0
        for node in members(self.levels[-1]):
            new |= links[node]
        side = len(self.levels) & 1
        new &= ~self.met[side]
        self.met[side] |= new
        self.levels.append(new)
        return new

    def level_of(self, node: NodeIndex, side: int) -> int:
        """Return the level at which a node was met, an even one (``side`` 0, where the start is) or an odd one (1)."""
        return next(level for level in range(side, len(self.levels), 2) if self.levels[level] >> node & 1)

    def chain_to(self, end: NodeIndex, level: int | None = None) -> list[NodeIndex]:
        """Return the nodes of a chain from the start to a node of a level, the last unless another is meant."""
        chain = [end]
        for depth in range(self.length if level is None else level, 0, -1):
            links = self.table.strong if self._is_strong(depth) else self.table.weak
            before = self.levels[depth - 1] & links[chain[-1]]
            chain.append((before & -before).bit_length() - 1)
        return chain[::-1]

    def _is_strong(self, level: int) -> bool:
        """Return whether the links to a level are strong."""
        return bool(level & 1) == self.strong_first


def breadth_first(table: LinkTable, starts: Iterable[NodeIndex], *, strong_first: bool) -> Iterator[tuple[Walk, NodeSet]]:
    """Yield walks from all starts side by side, each time one has gone on by one link, with the nodes that are new on it."""
    walks = [Walk(table, start, strong_first=strong_first) for start in starts]
    while walks:
        going = []
        for walk in walks:
            table.board.tick()
            new = walk.advance()
            if new:
                going.append(walk)
                yield walk, new
        walks = going


def links_along(table: LinkTable, chain: list[NodeIndex], *, strong_first: bool) -> tuple[Link, ...]:
    """Return the links between the nodes of a chain, which alternate."""
    nodes = [table.nodes[number] for number in chain]
    return tuple(Link(start, end, strong_first != bool(place & 1)) for place, (start, end) in enumerate(pairwise(nodes)))


def back_to_start(table: LinkTable, starts: NodeSet, *, strong_first: bool) -> Iterator[Walk]:
    """Yield walks from ``starts`` side by side, each when it has led to the opposite of its start, as each must do."""
    walks = [Walk(table, start, strong_first=strong_first) for start in members(starts)]
    while walks:
        table.board.tick()
        going = []
        for walk in walks:
            if walk.advance() >> walk.start & 1 and walk.length & 1:
                yield walk
            else:
                going.append(walk)
        walks = going


# Steps made of a chain of nodes: its links as words and pictures show them, and the proof groups of all of them.


class Chain:
    """Nodes with alternating links between them, and for each strong link the reasons that are used."""

    def __init__(
        self, table: LinkTable, nodes: list[NodeIndex], *, strong_first: bool, reasons: Sequence[Sequence[StrongReason]] = ()
    ) -> None:
        """Take nodes in order; ``reasons`` are those of the strong links in order, if not the simplest one of each."""
        self.table = table
        self.nodes = nodes
        self.links = links_along(table, nodes, strong_first=strong_first)
        self._strong_first = strong_first
        strong = list(pairwise(nodes))[0 if strong_first else 1 :: 2]
        self.reasons = reasons or [table.reasons_of(*link)[:1] for link in strong]

    @cached_property
    def sets(self) -> list[ThroughSet]:
        """The reasons that are almost locked sets, each once."""
        return list(dict.fromkeys(reason for some in self.reasons for reason in some if isinstance(reason, ThroughSet)))

    @cached_property
    def cells(self) -> CellSet:
        """The cells of the nodes and of the sets between them."""
        return cells_of_nodes(self.table, self.nodes) | union_of(reason.cells for reason in self.sets)

    def proof(self) -> Iterator[ProofGroup]:
        """Yield the groups by which the links hold."""
        for groups in self._proofs():
            yield from groups

    def _proofs(self) -> Iterator[list[ProofGroup]]:
        """Yield the groups by which each link holds."""
        reasons = iter(self.reasons)
        for place, (start, end) in enumerate(pairwise(self.nodes)):
            if self._strong_first == bool(place & 1):
                yield [*self.table.weak_proof(start, end)]
            else:
                yield [group for reason in next(reasons) for group in self.table.strong_proof(start, end, reason)]

    @property
    def named_links(self) -> tuple[Link, ...]:
        """The links, each with the rule part that its proof takes, if any."""
        found = zip(self.links, self._proofs(), strict=True)
        return tuple(link._replace(part=part_in(groups)) for link, groups in found)

    def step(self, technique: Technique, eliminations: tuple[Candidate, ...], proof: Iterable[ProofGroup]) -> Step:
        """Return the step by which this chain, and the groups of ``proof`` besides its own, eliminate candidates."""
        values = union_of(1 << self.table.nodes[node].value for node in self.nodes)
        sets = tuple(CellsAndValues(reason.almost.cells, reason.almost.values) for reason in self.sets)
        pattern = Pattern(links=self.named_links, sets=sets)
        return Step(technique, values, self.cells, eliminations, (), pattern, distinct([*self.proof(), *proof]))


def cells_of_nodes(table: LinkTable, nodes: Iterable[NodeIndex]) -> CellSet:
    """Return the cells of some nodes."""
    return union_of(table.nodes[node].cells for node in nodes)


def union_of(sets: Iterable[int]) -> int:
    """Return the union of sets that are bit masks."""
    union = 0
    for one in sets:
        union |= one
    return union


class BestChains:
    """The smallest chains so far, one for each result: of the fewest cells, then of the fewest links."""

    def __init__(self) -> None:
        """Begin without any."""
        self._sizes: dict[object, tuple[int, int]] = {}

    def improves(self, result: object, chain: Chain) -> bool:
        """Return whether a chain is the smallest so far that has a result, and remember it."""
        size = chain.cells.bit_count(), len(chain.links)
        if size >= self._sizes.get(result, (size[0], size[1] + 1)):
            return False
        self._sizes[result] = size
        return True
