"""Continuous loops: distinct nodes p = q - r = s - ... - p, strong and weak links in turn, so that just one node of each link holds.

Theory of operation. For each strong link p = q and each weak neighbour r of q a walk goes breadth first from r, away from p and q,
to the weak neighbours of p. It yields every shortest way to each of them that meets no node twice, up to a limit: one shortest
loop for each start would miss most, and the first of equal ways would depend on the order of nodes. A loop is found from each of
its strong links; it is yielded once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.links.link_table import LinkTable, NodeIndex, NodeSet

WAYS = 24
"""The most equally short ways from one node to another that are looked at."""


def continuous_loops_of(table: LinkTable) -> Iterator[tuple[NodeIndex, ...]]:
    """Yield loops, each once, as nodes in order; the link from the first to the second is strong, that from the last back weak."""
    found = set()
    for p, q in _strong_links(table):
        table.board.tick()
        banned = 1 << p | 1 << q
        for r in members(table.weak[q] & ~banned):
            levels = _levels(table, r, banned, table.weak[p] & ~banned)
            for way in _ways(table, levels, table.weak[p] & ~banned):
                loop = _turned((p, q, *way))
                if loop not in found:
                    found.add(loop)
                    yield loop


def _strong_links(table: LinkTable) -> Iterator[tuple[NodeIndex, NodeIndex]]:
    return ((start, end) for start, links in enumerate(table.strong) for end in members(links & (-2 << start)))


def _levels(table: LinkTable, start: NodeIndex, banned: NodeSet, targets: NodeSet) -> list[NodeSet]:
    """Return the nodes that follow first after 0, 1, 2... links if ``start`` is false, until all targets, or no more, are true."""
    levels = [1 << start]
    met = [banned | 1 << start, banned]
    while levels[-1] and (targets or not len(levels) & 1):
        side = len(levels) & 1
        links = table.strong if side else table.weak
        new = 0
        for node in members(levels[-1]):
            new |= links[node]
        new &= ~met[side]
        met[side] |= new
        levels.append(new)
        if side:
            targets &= ~new
    return levels


def _ways(table: LinkTable, levels: list[NodeSet], targets: NodeSet) -> Iterator[tuple[NodeIndex, ...]]:
    """Yield ways from the first level to each target, of different nodes, a link to the next level at each."""
    for depth in range(1, len(levels), 2):
        for target in members(levels[depth] & targets):
            yield from _ways_back(table, levels, (target,), depth)


def _ways_back(
    table: LinkTable, levels: list[NodeSet], end: tuple[NodeIndex, ...], depth: int
) -> Iterator[tuple[NodeIndex, ...]]:
    """Yield ways from the first level to the ``end``, which is met at ``depth``."""
    waiting, left = [end], WAYS
    while waiting and left:
        way = waiting.pop()
        level = depth + 1 - len(way)
        if not level:
            left -= 1
            yield way
            continue
        links = table.strong if level & 1 else table.weak
        before = members(levels[level - 1] & links[way[0]])
        waiting += [(node, *way) for node in reversed(before) if node not in way]


def _turned(loop: tuple[NodeIndex, ...]) -> tuple[NodeIndex, ...]:
    """Return a loop from its lowest node, along the strong link at that: the same for all ways to go round it."""
    first = loop.index(min(loop))
    if first & 1:  # its strong link leads back to the node before
        loop = loop[::-1]
        first = len(loop) - 1 - first
    return loop[first:] + loop[:first]
