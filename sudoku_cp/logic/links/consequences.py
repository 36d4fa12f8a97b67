"""All that follows from a node by links, however many of them: what chains can show at all, known before any chain is walked.

Theory of operation. A false node makes its strong neighbours true, and these make their weak neighbours false: so false nodes
lead to false ones. `_close` gathers for each all that it leads to, in one search depth first that joins the nodes of a cycle to
one component, and takes over what finished components lead to. Links are symmetric: if p leads to q, not q leads to not p. So a
node that leads to a node being true and to the same being false leads to its own opposite, and whatever the end of a chain
eliminates does: a technique whose steps are chains has none where no candidate is ``refuted``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.links.link_table import candidate_links, grouped_links
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.links.link_table import LinkTable, NodeSet


class Consequences:
    """What follows from the nodes of a table.

    - ``false_if_false``: for each node those that are false if it is false.
    - ``cycles``: sets of several nodes each of which, if false, makes the others false.
    - ``false_if_true``: for each candidate the nodes that are false if it is true.
    - ``refuted``: the candidates that, if true, lead to their own falsity; ``proved``: those that, if false, lead to their truth.
    - ``near_refuted``: the candidates that a refuted one excludes, among which are both ends of each chain that shows something.
    """

    def __init__(self, table: LinkTable) -> None:
        """Follow all links of a table."""
        self._linked = to_mask(node for node, ends in enumerate(table.strong) if ends)
        self.false_if_false, self.cycles = _close(_false_after_false(table), self._linked, table.board.tick)
        candidates = members(table.candidates)
        self.false_if_true = {node: self._with_consequences(table.weak[node]) for node in candidates}
        self.refuted: NodeSet = to_mask(node for node, false in self.false_if_true.items() if false >> node & 1)
        self.proved: NodeSet = to_mask(
            node for node in candidates if table.strong[node] & (self.false_if_false[node] | 1 << node)
        )
        self.near_refuted: NodeSet = 0
        for node in members(self.refuted):
            self.near_refuted |= table.weak[node] & table.candidates

    def _with_consequences(self, false: NodeSet) -> NodeSet:
        """Return nodes that are false, and those false because of them."""
        waiting = false & self._linked
        while waiting:
            lowest = waiting & -waiting
            further = self.false_if_false[lowest.bit_length() - 1]
            false |= further
            waiting &= ~(further | lowest)
        return false


def candidate_consequences(board: CandidateBoard) -> Consequences:
    """Return what follows by links between single candidates, found once a position."""
    return board.derive(_of_candidates)


def grouped_consequences(board: CandidateBoard) -> Consequences:
    """Return what follows by links through groups and almost locked sets too, found once a position."""
    return board.derive(_of_groups)


def _of_candidates(board: CandidateBoard) -> Consequences:
    return Consequences(candidate_links(board))


def _of_groups(board: CandidateBoard) -> Consequences:
    return Consequences(grouped_links(board))


def _false_after_false(table: LinkTable) -> list[NodeSet]:
    """Return for each node those that are false if it is, by a strong link and a weak one."""
    weak, found = table.weak, [0] * len(table.nodes)
    for start, end in (*table.reasons, *table.set_links.exits):
        found[start] |= weak[end]
        found[end] |= weak[start]
    for own in table.set_links.linked:  # all to each other: what the nodes before and behind each make false
        for nodes in (own, own[::-1]):
            false = 0
            for node in nodes:
                found[node] |= false
                false |= weak[node]
    return found


class _StrongComponent:
    """Nodes on the path of a search that lead to each other, what they lead to, and what of that has not been followed yet."""

    __slots__ = ("nodes", "reached", "waiting")

    def __init__(self, nodes: NodeSet, reached: NodeSet, waiting: NodeSet) -> None:
        """Begin with one node."""
        self.nodes, self.reached, self.waiting = nodes, reached, waiting

    def take_over(self, reached: NodeSet, finished: NodeSet) -> None:
        """Add what nodes lead to; ``finished`` are those of them that need not be followed again."""
        self.reached |= reached
        self.waiting &= ~finished

    def join(self, other: _StrongComponent) -> None:
        """Take in another component."""
        self.nodes |= other.nodes
        self.reached |= other.reached
        self.waiting = (self.waiting | other.waiting) & ~self.nodes


def _close(following: list[NodeSet], starts: NodeSet, tick: Callable[[], object]) -> tuple[list[NodeSet], list[NodeSet]]:
    """Return for each node all that it leads to, and the cycles; from nodes other than ``starts`` nothing follows."""
    closed, cycles = list(following), []
    unseen, finished = starts, 0
    path: list[_StrongComponent] = []
    while path or unseen:
        waiting = path[-1].waiting if path else unseen
        lowest = waiting & -waiting
        node = lowest.bit_length() - 1
        if not waiting:
            done = path.pop()
            finished |= done.nodes
            for one in members(done.nodes):
                closed[one] = done.reached
            if done.nodes & (done.nodes - 1):
                cycles.append(done.nodes)
        elif lowest & finished:
            path[-1].take_over(closed[node], closed[node] | lowest)
        elif lowest & unseen:
            tick()
            unseen ^= lowest
            path.append(_StrongComponent(lowest, following[node], following[node] & starts & ~lowest))
        else:
            while not path[-1].nodes & lowest:
                last = path.pop()
                path[-1].join(last)
    return closed, cycles
