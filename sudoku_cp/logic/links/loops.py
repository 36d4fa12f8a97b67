"""Continuous loops: distinct nodes p = q - r = s - ... - p, strong and weak links in turn, so just one node of each link holds.

Theory of operation. For each strong link p = q and each weak neighbour r of q a walk goes breadth first from r, never to p or q,
until it meets the weak neighbours of p. It yields every shortest way to each of them that meets no node twice, up to a limit: one
shortest loop for each start would miss most, and the first of equal ways would depend on the order of nodes. All walks go on side
by side, so that short loops come first. A loop is found from each of its strong links, and yielded once. Links that no loop can
contain are left out before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.chain_steps import union_of
from sudoku_cp.logic.links.link_reasons import ThroughSet
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.links.consequences import Consequences
    from sudoku_cp.logic.links.link_table import LinkTable, NodeSet
    from sudoku_cp.logic.links.set_links import NodeIndex

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
