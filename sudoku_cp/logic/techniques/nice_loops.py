"""Nice loops: chains that come back to their start.

A discontinuous loop proves or refutes its start. A continuous one holds both ways round: just one node of each link is true.
"""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.chain_steps import BestChains, Chain, cells_of_nodes
from sudoku_cp.logic.links.link_reasons import ThroughSet
from sudoku_cp.logic.links.link_table import candidate_links, grouped_links
from sudoku_cp.logic.links.loops import continuous_loops_of
from sudoku_cp.logic.links.walks import leads_to_opposite
from sudoku_cp.logic.proof_groups import sees
from sudoku_cp.logic.step import ProofGroup, Statement
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.links.link_reasons import StrongReason
    from sudoku_cp.logic.links.link_table import LinkTable, NodeIndex
    from sudoku_cp.logic.step import Candidate, Step

COMBINATIONS = 16
"""The most ways to choose the reasons of a loop's strong links that are looked at."""


class _Removed(NamedTuple):
    """A value, the places that it leaves, and cells that all of these see, one of which holds it."""

    value: int
    places: CellSet
    seen: CellSet


# --- discontinuous --------------------------------------------------------------------------------------------------


def discontinuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates that lead to their own opposite, by links between single candidates."""
    return _discontinuous(candidate_links(board), Technique.DISCONTINUOUS_LOOP)


def grouped_discontinuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates that lead to their own opposite, by links through groups and almost locked sets too."""
    return _discontinuous(grouped_links(board), Technique.GROUPED_DISCONTINUOUS_LOOP)


def _discontinuous(table: LinkTable, technique: Technique) -> Iterator[Step]:
    """Yield loops on a candidate: if its truth leads to its falsity it goes, if its falsity to its truth its cell's others go."""
    board = table.board
    best = BestChains()
    for strong_first in (False, True):
        for walk in leads_to_opposite(table, strong_first=strong_first):
            value, cells = table.nodes[walk.start]
            cell = cells.bit_length() - 1
            domain = board.candidates[cell] & ~(1 << value) if strong_first else 1 << value
            eliminations = tuple((cell, other) for other in members(domain))
            chain = Chain(table, walk.chain_to(walk.start), strong_first=strong_first)
            if eliminations and best.improves(eliminations, chain):
                yield chain.step(technique, eliminations, [ProofGroup(Statement.ONE_VALUE, cell)] * strong_first)


# --- continuous -----------------------------------------------------------------------------------------------------


def continuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield loops of single candidates."""
    return _continuous(candidate_links(board), Technique.CONTINUOUS_LOOP)


def grouped_continuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield loops that may pass groups of candidates and almost locked sets."""
    return _continuous(grouped_links(board), Technique.GROUPED_CONTINUOUS_LOOP)


def _continuous(table: LinkTable, technique: Technique) -> Iterator[Step]:
    """Yield the loops that eliminate something, the shortest first.

    Whatever a loop eliminates leads to its own falsity too: where nothing does, no loop is looked for.
    """
    if not any(leads_to_opposite(table, strong_first=False)):
        return
    effects = _LoopEffects(table)
    best = BestChains()
    found: dict[tuple[Candidate, ...], Chain] = {}
    for loop in continuous_loops_of(table):
        for chain in effects.chains(loop):
            eliminations = effects.eliminations(chain)
            if eliminations and best.improves(eliminations, chain):
                found[eliminations] = chain
    for eliminations, chain in sorted(found.items(), key=lambda item: len(item[1].nodes)):
        yield chain.step(technique, eliminations, effects.proof(chain, eliminations))


class _LoopEffects:
    """What the links of continuous loops remove, remembered for the next loop that has the same link."""

    def __init__(self, table: LinkTable) -> None:
        """Begin with no link known."""
        self.table = table
        self._weak: dict[tuple[NodeIndex, NodeIndex], list[_Removed]] = {}
        self._strong: dict[tuple[NodeIndex, NodeIndex], list[tuple[StrongReason, list[_Removed]]]] = {}

    def chains(self, loop: tuple[NodeIndex, ...]) -> Iterator[Chain]:
        """Yield a loop as a chain, once for each choice of the sets that its strong links go through; none without effect."""
        strong = [self._strong_effects(*link) for link in zip(loop[::2], loop[1::2], strict=True)]
        weak = zip(loop[1::2], (*loop[2::2], loop[0]), strict=True)
        if any(removed for link in strong for _, removed in link) or any(self._weak_effect(*link) for link in weak):
            for choice in islice(product(*strong), COMBINATIONS):
                yield Chain(self.table, [*loop, loop[0]], strong_first=True, reasons=[reason for reason, _ in choice])

    def removed(self, chain: Chain) -> Iterator[_Removed]:
        """Yield what each link of a chain removes; weak links between cells remove nothing from the cells of the loop's nodes."""
        nodes, cells = chain.nodes, cells_of_nodes(self.table, chain.nodes)
        for link, reason in zip(zip(nodes[::2], nodes[1::2], strict=False), chain.reasons, strict=True):
            yield from next(removed for one, removed in self._strong_effects(*link) if one is reason)
        for link in zip(nodes[1::2], nodes[2::2], strict=True):
            in_cell = self.table.nodes[link[0]].value != self.table.nodes[link[1]].value
            for value, places, seen in self._weak_effect(*link):
                yield _Removed(value, places if in_cell else places & ~cells, seen)

    def eliminations(self, chain: Chain) -> tuple[Candidate, ...]:
        """Return all candidates that the links of a chain remove."""
        return self.table.board.eliminations((value, places) for value, places, _ in self.removed(chain))

    def proof(self, chain: Chain, eliminations: tuple[Candidate, ...]) -> Iterator[ProofGroup]:
        """Yield the groups by which an eliminated candidate excludes the nodes of a link, or the places of its value in a set."""
        removed = list(self.removed(chain))
        for cell, value in eliminations:
            seen = next(seen for other, places, seen in removed if other == value and places >> cell & 1)
            yield from sees(self.table.board.layout, value, cell, seen & ~(1 << cell))

    def _weak_effect(self, start: NodeIndex, end: NodeIndex) -> list[_Removed]:
        """Return what goes because one of two nodes holds that exclude each other."""
        if (start, end) not in self._weak:
            self._weak[start, end] = list(self._removed_beside(start, end))
        return self._weak[start, end]

    def _removed_beside(self, start: NodeIndex, end: NodeIndex) -> Iterator[_Removed]:
        table, board = self.table, self.table.board
        (value, cells), (other, others) = table.nodes[start], table.nodes[end]
        if value != other:
            for rest in members(board.candidates[cells.bit_length() - 1] & ~(1 << value | 1 << other)):
                yield _Removed(rest, cells, 0)
        elif places := board.places[value] & table.seen[start] & table.seen[end]:
            yield _Removed(value, places, cells | others)

    def _strong_effects(self, start: NodeIndex, end: NodeIndex) -> list[tuple[StrongReason, list[_Removed]]]:
        """Return the reasons of a strong link with what goes by each, the first of those that remove the same."""
        if (start, end) not in self._strong:
            found: dict[tuple[_Removed, ...], StrongReason] = {}
            for reason in self.table.reasons_of(start, end):
                removed = tuple(self._removed_by(reason, start, end))
                found.setdefault(removed, reason)
            self._strong[start, end] = [(reason, list(removed)) for removed, reason in found.items()]
        return self._strong[start, end]

    def _removed_by(self, reason: StrongReason, start: NodeIndex, end: NodeIndex) -> Iterator[_Removed]:
        """Yield what goes because just one of two nodes holds that a set links."""
        if isinstance(reason, ThroughSet):
            board, nodes = self.table.board, self.table.nodes
            for value, seen in reason.removed(board, nodes[start], nodes[end]):
                if places := seen & board.places[value]:
                    yield _Removed(value, places, reason.places(board, value))
