"""All that follows from a node by links, however many of them: what chains can show at all, known before any chain is walked.

Theory of operation. A false node makes its strong neighbours true, and these make their weak neighbours false: so false nodes
lead to false ones. `_close` gathers for each all that it leads to, in one search depth first that joins the nodes of a cycle to
one component, and takes over what finished components lead to. Links are symmetric: if p leads to q, not q leads to not p. So a
node that leads to a node being true and to the same being false leads to its own opposite, and whatever the end of a chain
eliminates does: a technique whose steps are chains has none where no candidate is ``refuted``.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.link_table import candidate_links, grouped_links, part_links, part_with_cells
from sudoku_cp.logic.step import ChainNode, Link, ProofGroup, ProofStatement, once_in, part_in
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, PartIndex
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


# What one candidate forces, all of it together: the net of facts that follow by cells and houses, each with its reason.
#
# A literal says of a candidate that it is true, or that it is false. From a true one follow by a cell or a group that others
# are false; from false ones, where a cell or a house keeps a single candidate, that this is true; and what the links of rule
# parts say. Facts are found breadth first, so that reasons are short.


class ImpliedLiteral(NamedTuple):
    """A candidate, said to be true or false."""

    cell: Cell
    value: int
    is_true: bool


class Reason(NamedTuple):
    """The proof groups that force a literal, or a contradiction, and the literals from which they do so."""

    groups: tuple[ProofGroup, ...]
    literals: tuple[ImpliedLiteral, ...]


class Net:
    """All that follows if a candidate is true: ``true`` and ``false`` cells by value, and the ``contradiction`` if any."""

    def __init__(self, board: CandidateBoard, start: ImpliedLiteral) -> None:
        """Follow what a true literal forces, until nothing is new or there is a contradiction."""
        self._board = board
        self._by_parts = board.derive(_implied_by_parts)
        self.true: list[CellSet] = [0] * len(board.places)
        self.false: list[CellSet] = [0] * len(board.places)
        self.reasons: dict[ImpliedLiteral, Reason | None] = {start: None}
        self.contradiction: Reason | None = None
        self._queue = [start]
        self.true[start.value] |= 1 << start.cell
        self._follow_all()

    def _follow_all(self) -> None:
        for literal in self._queue:
            if self.contradiction is not None:
                break
            if literal.is_true:
                self._follow_true(literal)
            else:
                self._follow_false(literal)
            for implied, part in self._by_parts.get(literal, ()):
                self._follow_part(literal, implied, part)

    def _follow_true(self, literal: ImpliedLiteral) -> None:
        """Make the other candidates of the cell false, and the value's other places in the groups of the cell."""
        board, (cell, value, _) = self._board, literal
        for other in members(board.candidates[cell] & ~(1 << value)):
            self._make_false(other, 1 << cell, Reason((ProofGroup(ProofStatement.ONE_VALUE, cell),), (literal,)))
        for group in board.layout.groups_of[cell]:
            cells = board.places[value] & board.layout.groups[group].mask & ~(1 << cell) & ~self.false[value]
            if cells:
                self._make_false(value, cells, Reason((once_in(board.layout, value, group),), (literal,)))

    def _make_false(self, value: int, cells: CellSet, reason: Reason) -> None:
        for cell in members(cells & self.true[value]):
            self.contradiction = Reason(reason.groups, (*reason.literals, ImpliedLiteral(cell, value, is_true=True)))
        for cell in members(cells & ~self.false[value] & ~self.true[value]):
            self._add(ImpliedLiteral(cell, value, is_true=False), reason)
        self.false[value] |= cells

    def _follow_false(self, literal: ImpliedLiteral) -> None:
        """Look for what is left in the cell, and of the value in the houses of the cell."""
        board, (cell, value, _) = self._board, literal
        if self._tells(cell):
            claims = [ImpliedLiteral(cell, other, is_true=True) for other in members(board.candidates[cell])]
            self._conclude(ProofGroup(ProofStatement.HAS_VALUE, cell), claims)
        for house in board.layout.houses_of[cell]:
            places = board.places[value] & board.layout.groups[house].mask
            left = places & ~self.false[value]
            if not left & (left - 1) and not left & self.true[value]:
                claims = [ImpliedLiteral(place, value, is_true=True) for place in members(places)]
                self._conclude(ProofGroup(ProofStatement.HAS_PLACE, house, value), claims)

    def _tells(self, cell: Cell) -> bool:
        """Return whether a cell brings news: no candidate is left, or only one that is not yet known to be true."""
        left = [value for value in members(self._board.candidates[cell]) if not self.false[value] >> cell & 1]
        return not left or (len(left) == 1 and not self.true[left[0]] >> cell & 1)

    def _conclude(self, group: ProofGroup, claims: list[ImpliedLiteral]) -> None:
        """Conclude from a group that one of the claims is true: the only one left, or a contradiction if none is."""
        left = [one for one in claims if not self.false[one.value] >> one.cell & 1]
        reason = Reason((group,), tuple(one._replace(is_true=False) for one in claims if one not in left))
        if not left:
            self.contradiction = reason
        else:
            self.true[left[0].value] |= 1 << left[0].cell
            self._add(left[0], reason)

    def _follow_part(self, literal: ImpliedLiteral, implied: ImpliedLiteral, part: PartIndex) -> None:
        """Add what a rule part implies."""
        if implied in self.reasons:
            return
        cell, value, is_true = implied
        reason = Reason(tuple(part_with_cells(self._board, part)), (literal,))
        if not is_true:
            self._make_false(value, 1 << cell, reason)
        elif self.false[value] >> cell & 1:
            self.contradiction = Reason(reason.groups, (literal, implied._replace(is_true=False)))
        else:
            self.true[value] |= 1 << cell
            self._add(implied, reason)

    def _add(self, literal: ImpliedLiteral, reason: Reason) -> None:
        if literal not in self.reasons:
            self.reasons[literal] = reason
            self._queue.append(literal)

    def explain(self, last: Reason) -> Iterator[tuple[ImpliedLiteral | None, Reason]]:
        """Yield the literals with their reasons on which a reason rests, the last first: that has no literal."""
        yield None, last
        waiting, seen = list(last.literals), set(last.literals)
        for literal in waiting:
            reason = self.reasons[literal]
            if reason is not None:
                yield literal, reason
                waiting += [one for one in reason.literals if one not in seen]
                seen.update(reason.literals)


def _implied_by_parts(board: CandidateBoard) -> dict[ImpliedLiteral, list[tuple[ImpliedLiteral, PartIndex]]]:
    """Return what each literal implies by a rule part alone, with that part."""
    found: dict[ImpliedLiteral, list[tuple[ImpliedLiteral, PartIndex]]] = defaultdict(list)
    for part in range(len(board.layout.parts)):
        board.tick()
        for start, end, strong in part_links(board, part):
            for one, other in ((start, end), (end, start)):
                found[ImpliedLiteral(*one, is_true=not strong)].append((ImpliedLiteral(*other, is_true=strong), part))
    return found


def links_of(literal: ImpliedLiteral, reason: Reason) -> Iterator[Link]:
    """Yield the links that lead to a literal: strong ones to what is true."""
    for before in reason.literals:
        start, end = ChainNode(before.value, 1 << before.cell), ChainNode(literal.value, 1 << literal.cell)
        yield Link(start, end, literal.is_true, part_in(reason.groups))
