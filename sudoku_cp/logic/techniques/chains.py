"""Chains: of two nodes at the ends of a chain that starts and ends with a strong link, at least one is true.

X-chains are of one value, XY-chains go through cells of two candidates; AICs may do both, and grouped ones pass groups of
candidates and almost locked sets. Chains may pass a cell several times: only their ends matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.links.chain_steps import BestChains, Chain
from sudoku_cp.logic.links.consequences import candidate_consequences, grouped_consequences
from sudoku_cp.logic.links.link_table import bivalue_links, candidate_links, grouped_links, value_links
from sudoku_cp.logic.links.set_links import PAIR
from sudoku_cp.logic.links.walks import breadth_first
from sudoku_cp.logic.proof_groups import distinct, once, sees
from sudoku_cp.logic.step import ChainNode, Link, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, Layout
    from sudoku_cp.logic.links.link_table import LinkTable, NodeSet
    from sudoku_cp.logic.links.set_links import NodeIndex
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain


def x_chains(board: CandidateBoard) -> Iterator[Step]:
    """Yield chains of one value: it leaves the cells that see both ends."""
    ends = candidate_consequences(board).near_refuted
    for value in board.searched_values if ends else ():
        yield from _chains(value_links(board)[value], ends, Technique.X_CHAIN)


def xy_chains(board: CandidateBoard) -> Iterator[Step]:
    """Yield chains through cells of two candidates that start and end with the same value: it leaves what sees both ends."""
    return _chains(bivalue_links(board), candidate_consequences(board).near_refuted, Technique.XY_CHAIN, same_value=True)


def alternating_chains(board: CandidateBoard) -> Iterator[Step]:
    """Yield chains of single candidates."""
    return _chains(candidate_links(board), candidate_consequences(board).near_refuted, Technique.AIC)


def grouped_chains(board: CandidateBoard) -> Iterator[Step]:
    """Yield chains between single candidates that may pass groups of them and almost locked sets."""
    return _chains(grouped_links(board), grouped_consequences(board).near_refuted, Technique.GROUPED_AIC)


def _chains(table: LinkTable, ends: NodeSet, technique: Technique, *, same_value: bool = False) -> Iterator[Step]:
    """Yield what chains between any two of some candidates eliminate, short chains first."""
    best = BestChains()
    ends &= table.candidates
    for walk, new in breadth_first(table, members(ends), strong_first=True):
        if walk.next_is_strong:
            continue
        for end in members(new & ends & (-2 << walk.start)):  # each pair of ends once
            found = _removed(table, walk.start, end, same_value=same_value)
            if not any(cells for _, cells in found):
                continue
            chain = Chain(table, walk.chain_to(end), strong_first=True)
            eliminations = table.board.eliminations(found)
            if best.improves(eliminations, chain):
                yield chain.step(technique, eliminations, _proof_of_ends(table, walk.start, end, eliminations))


def _removed(table: LinkTable, start: NodeIndex, end: NodeIndex, *, same_value: bool) -> list[tuple[int, CellSet]]:
    """Return what goes because one of two candidates is true.

    Of one value: the places that see both. Of two values in cells that see each other: each value goes from the other's cell.
    """
    (value, cells), (other, others), places = table.nodes[start], table.nodes[end], table.board.places
    seen = table.board.layout.sight[cells.bit_length() - 1]
    if value == other:
        return [(value, places[value] & seen & table.board.layout.sight[others.bit_length() - 1])]
    if not same_value and seen & others:
        return [(value, places[value] & others), (other, places[other] & cells)]
    return []


def _proof_of_ends(
    table: LinkTable, start: NodeIndex, end: NodeIndex, eliminations: tuple[Candidate, ...]
) -> Iterator[ProofGroup]:
    """Yield the groups by which an eliminated candidate excludes both ends."""
    for cell, value in eliminations:
        for node in (table.nodes[start], table.nodes[end]):
            if node.cells == 1 << cell:
                yield ProofGroup(ProofStatement.ONE_VALUE, cell)
            else:
                yield from sees(table.board.layout, value, cell, node.cells)


# --- remote pairs ---------------------------------------------------------------------------------------------------


def remote_pairs(board: CandidateBoard) -> Iterator[Step]:
    """Yield cells of the same two candidates linked by sight, in two colours: both values leave what sees both colours.

    A whole component is one row; each chain in it, of four or more cells with ends of both colours, is another.
    """
    by_values: dict[Domain, CellSet] = {}
    for cell in members(board.open):
        if board.candidates[cell].bit_count() == PAIR:
            by_values[board.candidates[cell]] = by_values.get(board.candidates[cell], 0) | 1 << cell
    for values, cells in by_values.items():
        left = cells
        while left:
            tree = _SightTree(board.layout, left.bit_length() - 1, left)
            left &= ~to_mask(tree.before)
            yield from _remote_pair(board, values, tree, list(tree.before), tree.colours)
            yield from _remote_chains(board, values, to_mask(tree.before))


def _remote_chains(board: CandidateBoard, values: Domain, component: CellSet) -> Iterator[Step]:
    """Yield the chains of an even number of cells, four or more."""
    for start in members(component):
        tree = _SightTree(board.layout, start, component)
        for end, depth in tree.depth.items():
            if end > start and depth & 1 and depth > 1:
                yield from _remote_pair(board, values, tree, tree.path_to(end), (1 << start, 1 << end))


class _SightTree:
    """Some cells as a tree by sight, each as near to the root as it goes: ``before`` is the next cell towards the root."""

    def __init__(self, layout: Layout, root: Cell, cells: CellSet) -> None:
        """Take all cells that the root is linked to, in the order of their ``depth``."""
        self.before: dict[Cell, Cell] = {root: root}
        self.depth = {root: 0}
        queue = [root]
        for cell in queue:
            for other in members(layout.sight[cell] & cells):
                if other not in self.before:
                    self.before[other] = cell
                    self.depth[other] = self.depth[cell] + 1
                    queue.append(other)

    @property
    def colours(self) -> tuple[CellSet, CellSet]:
        """The cells of even and of odd depth."""
        odd = to_mask(cell for cell, depth in self.depth.items() if depth & 1)
        return to_mask(self.before) & ~odd, odd

    def path_to(self, cell: Cell) -> list[Cell]:
        """Return the cells from the root to a cell."""
        path = [cell]
        while self.before[path[-1]] != path[-1]:
            path.append(self.before[path[-1]])
        return path[::-1]


def _remote_pair(
    board: CandidateBoard, values: Domain, tree: _SightTree, cells: list[Cell], colours: tuple[CellSet, CellSet]
) -> Iterator[Step]:
    """Yield what some cells of a tree, the root first, eliminate by the two colours."""
    layout, own = board.layout, to_mask(cells)
    seen = layout.seen_by_any(colours[0]) & layout.seen_by_any(colours[1]) & ~own
    eliminations = board.eliminations((value, seen) for value in members(values))
    if not eliminations:
        return
    edges = [(tree.before[cell], cell) for cell in cells[1:]]
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in cells]
    proof += [once(layout, value, 1 << start | 1 << end) for start, end in edges for value in members(values)]
    for cell, value in eliminations:
        for colour in colours:
            nearest = members(colour & layout.sight[cell])[0]
            proof.append(once(layout, value, 1 << cell | 1 << nearest))
    first = members(values)[0]
    links = tuple(Link(ChainNode(first, 1 << start), ChainNode(first, 1 << end), strong=True) for start, end in edges)
    yield Step(Technique.REMOTE_PAIR, values, own, eliminations, (), Pattern(links=links), distinct(proof))
