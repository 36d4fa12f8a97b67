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
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.logic.links.link_table import LinkTable, NodeIndex, NodeSet

WAYS = 100
"""The most equally short ways from one node to another that are looked at."""


def continuous_loops_of(table: LinkTable) -> Iterator[tuple[NodeIndex, ...]]:
    """Yield loops, each once, as nodes in order: the link between the first two is strong, that from the last back weak."""
    found = set()
    links = _links_of_loops(table)
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


def _links_of_loops(table: LinkTable) -> _Links:
    """Return the links whose two ends lead to each other both ways round.

    Nodes being true, and nodes being false (``size`` bits higher), are the vertices of a graph of implications. A link lies on a
    closed walk of alternating links if one end being true and the other being false are in one strongly connected component.
    """
    size = len(table.nodes)
    strong, weak = [0] * size, [0] * size
    for component in _components(table):
        true, false = component & ((1 << size) - 1), component >> size
        for node in members(true):
            weak[node] = table.weak[node] & false
        for node in members(false):
            strong[node] = table.strong[node] & true
    return _Links(strong, weak)


def _components(table: LinkTable) -> Iterator[int]:
    """Yield the strongly connected components of the implications (Kosaraju): of each vertex the weak or strong links lead on."""
    size = len(table.nodes)
    following = [*(links << size for links in table.weak), *table.strong]
    leading = [*(links << size for links in table.strong), *table.weak]
    left = (1 << 2 * size) - 1
    for vertex in reversed(_postorder(following, table.board.tick)):
        table.board.tick()
        if left >> vertex & 1:
            component, new = 0, 1 << vertex
            while new:
                table.board.tick()
                component |= new
                new = union_of(leading[one] for one in members(new)) & left & ~component
            left &= ~component
            if component & (component - 1):
                yield component


def _postorder(following: list[int], tick: Callable[[], object]) -> list[int]:
    """Return the vertices in the order in which a search depth first leaves them; ``tick`` may raise to give up."""
    order = []
    unseen = (1 << len(following)) - 1
    while unseen:
        path = [(unseen & -unseen).bit_length() - 1]
        unseen &= unseen - 1
        while path:
            tick()
            after = following[path[-1]] & unseen
            if after:
                path.append((after & -after).bit_length() - 1)
                unseen &= ~(after & -after)
            else:
                order.append(path.pop())
    return order


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
