"""Continuous loops: distinct nodes p = q - r = s - ... - p, strong and weak links in turn, so just one node of each link holds.

Theory of operation. For each strong link p = q and each weak neighbour r of q a walk goes breadth first from r, never to p or q,
until it meets the weak neighbours of p. It yields every shortest way to each of them that meets no node twice, up to a limit: one
shortest loop for each start would miss most, and the first of equal ways would depend on the order of nodes. All walks go on side
by side, so that short loops come first. A loop is found from each of its strong links, and yielded once. Links that no loop can
contain are left out before.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.link_table import ThroughSet
from sudoku_cp.logic.links.walks import cells_of_nodes, union_of
from sudoku_cp.logic.step import sees
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.links.consequences import Consequences
    from sudoku_cp.logic.links.link_table import LinkTable, NodeIndex, NodeSet, StrongReason
    from sudoku_cp.logic.links.walks import Chain
    from sudoku_cp.logic.step import Candidate, ProofGroup


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
