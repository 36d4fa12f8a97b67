"""Walks over links, the steps of chains, and continuous loops.

A loop has distinct nodes p = q - r = s - ... - p, strong and weak links in turn, so just one node of each link holds.

Theory of operation. For each strong link p = q and each weak neighbour r of q a walk goes breadth first from r, never to p or q,
until it meets the weak neighbours of p. It yields every shortest way to each of them that meets no node twice, up to a limit: one
shortest loop for each start would miss most, and the first of equal ways would depend on the order of nodes. All walks go on side
by side, so that short loops come first. A loop is found from each of its strong links, and yielded once. Links that no loop can
contain are left out before.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice, pairwise, product
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.link_table import ThroughSet
from sudoku_cp.logic.step import CellsAndValues, Link, Pattern, Step, distinct, part_in, sees
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.links.consequences import Consequences
    from sudoku_cp.logic.links.link_table import LinkTable, NodeIndex, NodeSet, StrongReason
    from sudoku_cp.logic.step import Candidate, ProofGroup, Technique


# Walks over alternating links: which nodes follow if one node is true or false, nearest first, and by which chain.
#
# A walk goes level by level: from false nodes over strong links to true ones, from these over weak links to false ones. A node
# is met at most once as true and once as false, so that every chain found is a shortest one; it may pass a cell several times.
# `breadth_first` walks from many starts side by side: its first result is a shortest chain of all.


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
        pattern = Pattern(links=self.named_links, sets=tuple(map(self._named_set, self.sets)))
        return Step(technique, values, self.cells, eliminations, (), pattern, distinct([*self.proof(), *proof]))

    def _named_set(self, reason: ThroughSet) -> CellsAndValues:
        """Return the almost locked set that a link goes through, with its exit cell if the two together are one."""
        values = reason.almost.values
        if reason.exit_cell is not None:
            values |= self.table.board.candidates[reason.exit_cell]
        is_one = values.bit_count() == reason.cells.bit_count() + 1
        return CellsAndValues(reason.cells, values) if is_one else CellsAndValues(reason.almost.cells, reason.almost.values)


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


WAYS = 100
"""The most equally short ways from one node to another that are looked at."""


def continuous_loops_of(table: LinkTable, cycles: list[NodeSet]) -> Iterator[tuple[NodeIndex, ...]]:
    """Yield loops, each once, as nodes in order: the link between the first two is strong, that from the last back weak.

    ``cycles`` are those of the `Consequences` of the table.
    """
    found = set()
    links = _links_of_loops(table, cycles)
    searches = [
        _loops_by_length(links, p, q, r) for p, q in _strong_links(links) for r in members(links.weak[q] & ~(1 << p | 1 << q))
    ]
    while searches:
        going = []
        for search in searches:
            table.board.tick()
            loops = next(search, None)
            if loops is not None:
                going.append(search)
                for loop in map(_turned, loops):
                    if loop not in found:
                        found.add(loop)
                        yield loop
        searches = going


def _strong_links(links: _Links) -> Iterator[tuple[NodeIndex, NodeIndex]]:
    return ((start, end) for start, ends in enumerate(links.strong) for end in members(ends & (-2 << start)))


# --- which links can be part of a loop ------------------------------------------------------------------------------


class _Links(NamedTuple):
    """Links as in a table."""

    strong: list[NodeSet]
    weak: list[NodeSet]


def _links_of_loops(table: LinkTable, cycles: list[NodeSet]) -> _Links:
    """Return the links of closed walks: between them lie nodes that, being false, lead to each other, those of one cycle."""
    strong, weak = [0] * len(table.nodes), [0] * len(table.nodes)
    for cycle in cycles:
        for start in members(cycle):
            for end in members(table.strong[start]):
                if table.weak[end] & cycle:
                    strong[start] |= 1 << end
                    weak[end] = table.weak[end] & cycle
    return _Links(strong, weak)


def cycles_with_effect(table: LinkTable, consequences: Consequences) -> list[NodeSet]:
    """Return the cycles whose loops may eliminate something, as known before any loop is walked.

    Whatever a loop removes is refuted, unless a set removes it together with its exit cell. So a weak link removes something only
    if a refuted candidate excludes both of its nodes.
    """
    if consequences.refuted and table.set_links.linked:
        return consequences.cycles  # whichever set removes a refuted candidate
    links = _links_of_loops(table, consequences.cycles)
    nodes = 0
    for start, end in _effective_exits(table):
        nodes |= (links.strong[start] >> end & 1) << start | (links.strong[end] >> start & 1) << end
    for candidate in members(consequences.refuted):
        excluded = table.weak[candidate]
        for node in members(excluded):
            nodes |= links.weak[node] & excluded
    return [cycle for cycle in consequences.cycles if cycle & nodes]


def _effective_exits(table: LinkTable) -> Iterator[tuple[NodeIndex, NodeIndex]]:
    """Yield the links from a set to its exit cell where the two together remove something."""
    board, links = table.board, table.set_links
    for (start, end), ways in links.exits.items():
        nodes = table.nodes[start], table.nodes[end]
        reasons = (ThroughSet(links.sets[number], cell) for number, cell in ways)
        if any(cells & board.places[value] for reason in reasons for value, cells in reason.removed(board, *nodes)):
            yield start, end


# --- the ways round ---------------------------------------------------------------------------------------------------


def _loops_by_length(links: _Links, p: NodeIndex, q: NodeIndex, r: NodeIndex) -> Iterator[list[tuple[NodeIndex, ...]]]:
    """Yield the loops p = q - r = ... - p of 4, 6, 8... nodes, until each weak neighbour of p that r leads to has ended some."""
    banned = 1 << p | 1 << q
    targets = links.weak[p] & ~banned
    levels = [1 << r]
    met = [banned | 1 << r, banned]
    while levels[-1] and (targets or not len(levels) & 1):
        side = len(levels) & 1
        ends = links.strong if side else links.weak
        new = union_of(ends[node] for node in members(levels[-1])) & ~met[side]
        met[side] |= new
        levels.append(new)
        if side:
            yield [(p, q, *way) for last in members(new & targets) for way in _ways_back(links, levels, last)]
            targets &= ~new


def _ways_back(links: _Links, levels: list[NodeSet], last: NodeIndex) -> Iterator[tuple[NodeIndex, ...]]:
    """Yield ways from the first of the levels to a node of the last that meet no node twice, up to a limit."""
    waiting: list[tuple[NodeIndex, ...]] = [(last,)]
    left = WAYS
    while waiting and left:
        way = waiting.pop()
        level = len(levels) - len(way)
        if not level:
            left -= 1
            yield way
            continue
        ends = links.strong if level & 1 else links.weak
        before = members(levels[level - 1] & ends[way[0]])
        waiting += [(node, *way) for node in reversed(before) if node not in way]


def _turned(loop: tuple[NodeIndex, ...]) -> tuple[NodeIndex, ...]:
    """Return a loop from its lowest node, along the strong link at that: the same for all ways to go round it."""
    first = loop.index(min(loop))
    if first & 1:  # its strong link leads back to the node before
        loop = loop[::-1]
        first = len(loop) - 1 - first
    return loop[first:] + loop[:first]


# What continuous loops eliminate: just one node of each of their links holds.
#
# Candidates are bits here, bit ``value * cells + cell``, so that what a loop removes is one number, quickly joined and
# compared.


if TYPE_CHECKING:
    CandidateSet: TypeAlias = int

COMBINATIONS = 64
"""The most ways to choose the sets of a loop's strong links that are looked at."""


class _WeakEffect(NamedTuple):
    """What a weak link removes: ``places`` of a value that see both nodes (``shift`` to its bits), or others ``in_cell``."""

    in_cell: CandidateSet
    places: CellSet
    shift: int


class _StrongEffect(NamedTuple):
    """What a strong link removes for some of its reasons, and the cells of the sets among these."""

    removed: CandidateSet
    reasons: tuple[StrongReason, ...]
    cells: CellSet


class LoopInstance(NamedTuple):
    """A loop with the reasons chosen for its strong links, what it removes, and its cells, those of the sets among them."""

    nodes: tuple[NodeIndex, ...]
    reasons: list[tuple[StrongReason, ...]]
    removed: CandidateSet
    cells: CellSet

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of cells and of links."""
        return self.cells.bit_count(), len(self.nodes)


class LoopEffects:
    """What the links of loops remove, remembered for the next loop that has the same link."""

    def __init__(self, table: LinkTable) -> None:
        """Begin with no link known."""
        self.table = table
        self._size = len(table.board.values)
        self._places: dict[ThroughSet, list[tuple[int, CellSet]]] = {}
        self._exclusions: dict[tuple[Cell, int, CellSet], tuple[ProofGroup, ...]] = {}
        self._weak: dict[tuple[NodeIndex, NodeIndex], _WeakEffect] = {}
        self._strong: dict[tuple[NodeIndex, NodeIndex], list[_StrongEffect]] = {}

    def instances(self, loop: tuple[NodeIndex, ...]) -> Iterator[LoopInstance]:
        """Yield a loop for each choice of the sets that its strong links go through, and for all of them; none without effect.

        Weak links between cells remove nothing from the cells of the loop's nodes.
        """
        weak = [self._weak_effect(*link) for link in zip(loop[1::2], (*loop[2::2], loop[0]), strict=True)]
        strong = [self._strong_effects(*link) for link in zip(loop[::2], loop[1::2], strict=True)]
        cells = cells_of_nodes(self.table, loop)
        always = union_of(effect.in_cell | (effect.places & ~cells) << effect.shift for effect in weak)
        if not always and all(len(effects) == 1 and not effects[0].removed for effects in strong):
            return
        for choice in islice(product(*strong), COMBINATIONS):
            removed = always
            own = cells
            for effect in choice:
                removed |= effect.removed
                own |= effect.cells
            if removed:
                yield LoopInstance(loop, [effect.reasons for effect in choice], removed, own)

    def eliminations(self, instance: LoopInstance) -> tuple[Candidate, ...]:
        """Return the candidates that a loop removes."""
        return tuple(sorted((bit % self._size, bit // self._size) for bit in members(instance.removed)))

    def proof(self, chain: Chain, eliminations: tuple[Candidate, ...]) -> Iterator[ProofGroup]:
        """Yield the groups by which each eliminated candidate excludes the nodes of a link, or its value's places in a set."""
        nodes, board = [self.table.nodes[number] for number in chain.nodes], self.table.board
        places = [(start.value, start.cells | end.cells) for start, end in zip(nodes[1::2], nodes[2::2], strict=True)]
        for reason in chain.sets:  # an eliminated candidate of another cell is of a value that all the others of the set exclude
            places += self._places_of(reason)
        for cell, value in eliminations:
            unseen = ~board.layout.sight[cell]
            for other, seen in places:
                if other == value and not seen & unseen:
                    yield from self._exclusion(cell, value, seen)
                    break

    def _places_of(self, reason: ThroughSet) -> list[tuple[int, CellSet]]:
        """Return the values of a set with the cells of it, and of its exit, that may hold them."""
        known = self._places.get(reason)
        if known is None:
            known = [(value, reason.places(self.table.board, value)) for value in members(reason.almost.values)]
            self._places[reason] = known
        return known

    def _exclusion(self, cell: Cell, value: int, seen: CellSet) -> tuple[ProofGroup, ...]:
        """Return the groups by which a candidate excludes its value from cells that it sees."""
        known = self._exclusions.get((cell, value, seen))
        if known is None:
            known = self._exclusions[cell, value, seen] = tuple(sees(self.table.board.layout, value, cell, seen))
        return known

    def _weak_effect(self, start: NodeIndex, end: NodeIndex) -> _WeakEffect:
        """Return what goes because one of two nodes holds that exclude each other."""
        known = self._weak.get((start, end))
        if known is None:
            table, board = self.table, self.table.board
            (value, cells), (other, others) = table.nodes[start], table.nodes[end]
            if table.part_of(start, end) is not None:
                known = _WeakEffect(0, 0, 0)
            elif value == other:
                known = _WeakEffect(0, board.places[value] & board.layout.seen_by_all(cells | others), value * self._size)
            else:
                rest = board.candidates[cells.bit_length() - 1] & ~(1 << value | 1 << other)
                known = _WeakEffect(union_of(cells << value * self._size for value in members(rest)), 0, 0)
            self._weak[start, end] = known
        return known

    def _strong_effects(self, start: NodeIndex, end: NodeIndex) -> list[_StrongEffect]:
        """Return what goes by all sets that make a strong link, and by each of its reasons, of those that remove the same one."""
        known = self._strong.get((start, end))
        if known is None:
            by_removed: dict[CandidateSet, StrongReason] = {}
            for reason in self.table.reasons_of(start, end):
                by_removed.setdefault(self._removed_by(reason, start, end), reason)
            reasons = [reason for removed, reason in by_removed.items() if removed] or list(by_removed.values())
            known = [_StrongEffect(union_of(by_removed), tuple(reasons), _cells_of(reasons))]
            if len(by_removed) > 1:
                single = {removed: reason for removed, reason in by_removed.items() if removed != known[0].removed}
                known += [_StrongEffect(removed, (reason,), _cells_of([reason])) for removed, reason in single.items()]
            self._strong[start, end] = known
        return known

    def _removed_by(self, reason: StrongReason, start: NodeIndex, end: NodeIndex) -> CandidateSet:
        """Return what goes because just one of two nodes holds that a set links: the set's other values have their places."""
        if not isinstance(reason, ThroughSet):
            return 0
        board, nodes = self.table.board, self.table.nodes
        removed = reason.removed(board, nodes[start], nodes[end])
        return union_of((cells & board.places[value]) << value * self._size for value, cells in removed)


def _cells_of(reasons: list[StrongReason]) -> CellSet:
    return union_of(reason.cells for reason in reasons if isinstance(reason, ThroughSet))
