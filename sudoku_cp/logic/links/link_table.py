"""The nodes of a position and the links between them, made once a position and kind of chain, on demand.

Theory of operation. A node is a claim, "one of these cells holds the value", and has a number. Links are bit masks over these
numbers: ``strong[n]`` are the nodes of which one is true if n is false, ``weak[n]`` those that are false if n is true. Both are
symmetric. Functions named ``add_`` fill a table: first nodes, then strong links (those through sets make nodes of their own), at
last weak links, which only look at nodes, and what rule parts add. A strong link may have several reasons, simple ones in front.
"""

from __future__ import annotations

from copy import copy
from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.logic.almost_locked_sets import almost_locked_sets
from sudoku_cp.logic.links.link_reasons import InCell, InHouse, InPart, ThroughSet
from sudoku_cp.logic.links.part_links import part_links
from sudoku_cp.logic.step import ChainNode
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, PartIndex
    from sudoku_cp.logic.links.link_reasons import StrongReason
    from sudoku_cp.model import Domain

    NodeIndex: TypeAlias = int
    NodeSet: TypeAlias = int

PAIR = 2


class LinkTable:
    """Nodes with their numbers, the cells that see all cells of each, and the links."""

    def __init__(self, board: CandidateBoard) -> None:
        """Begin without nodes."""
        self.board = board
        self.nodes: list[ChainNode] = []
        self.numbers: dict[ChainNode, NodeIndex] = {}
        self.seen: list[CellSet] = []
        self.strong: list[NodeSet] = []
        self.weak: list[NodeSet] = []
        self.reasons: dict[tuple[NodeIndex, NodeIndex], list[StrongReason]] = {}
        self.candidates: NodeSet = 0
        """The nodes of a single cell."""
        self.parts: dict[tuple[NodeIndex, NodeIndex], PartIndex] = {}
        """The rule parts that make weak links which neither a cell nor a group makes."""

    def add_node(self, value: int, cells: CellSet) -> NodeIndex:
        """Return the number of a node, which is added if it is new."""
        node = ChainNode(value, cells)
        number = self.numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
            self.seen.append(self.board.layout.seen_by_all(cells))
            self.strong.append(0)
            self.weak.append(0)
            if cells & (cells - 1) == 0:
                self.candidates |= 1 << number
        return number

    def add_strong(self, start: NodeIndex, end: NodeIndex, reason: StrongReason) -> None:
        """Link two nodes of which at least one is true."""
        self.strong[start] |= 1 << end
        self.strong[end] |= 1 << start
        self.reasons.setdefault((min(start, end), max(start, end)), []).append(reason)

    def add_weak_of_part(self, start: NodeIndex, end: NodeIndex, part: PartIndex) -> None:
        """Link two nodes of which a rule part allows at most one, if nothing simpler does."""
        if not self.weak[start] >> end & 1:
            self.weak[start] |= 1 << end
            self.weak[end] |= 1 << start
            self.parts[min(start, end), max(start, end)] = part

    def part_of(self, start: NodeIndex, end: NodeIndex) -> PartIndex | None:
        """Return the rule part that makes a weak link, None if a cell or groups do."""
        return self.parts.get((min(start, end), max(start, end)))

    def reasons_of(self, start: NodeIndex, end: NodeIndex) -> list[StrongReason]:
        """Return the reasons of a strong link, simple ones in front."""
        return self.reasons[min(start, end), max(start, end)]

    def within(self, nodes: NodeSet, strong: list[NodeSet]) -> LinkTable:
        """Return a table of some nodes, with the same numbers: their weak links, and those of their ``strong`` links."""
        part = copy(self)
        part.candidates = self.candidates & nodes
        part.strong, part.weak = (
            [ends & nodes if nodes >> number & 1 else 0 for number, ends in enumerate(links)] for links in (strong, self.weak)
        )
        return part


# --- the tables ---------------------------------------------------------------------------------------------------


def value_links(board: CandidateBoard) -> dict[int, LinkTable]:
    """Return for each value with places its links alone: those of X-chains."""
    return board.derive(_value_links)


def bivalue_links(board: CandidateBoard) -> LinkTable:
    """Return the links of the cells with two candidates, strong ones only inside a cell: those of XY-chains."""
    return board.derive(_bivalue_links)


def candidate_links(board: CandidateBoard) -> LinkTable:
    """Return all links between single candidates."""
    return board.derive(_candidate_links)


def grouped_links(board: CandidateBoard) -> LinkTable:
    """Return all links between candidates, groups of them in a crossing of box and line, and values of almost locked sets."""
    return board.derive(_grouped_links)


def _value_links(board: CandidateBoard) -> dict[int, LinkTable]:
    table = candidate_links(board)
    by_value: dict[int, NodeSet] = {}
    for number, node in enumerate(table.nodes):
        by_value[node.value] = by_value.get(node.value, 0) | 1 << number
    return {value: table.within(nodes, table.strong) for value, nodes in by_value.items()}


def _bivalue_links(board: CandidateBoard) -> LinkTable:
    table = candidate_links(board)
    nodes, strong = 0, [0] * len(table.nodes)
    for cell in members(board.open):
        if board.candidates[cell].bit_count() == PAIR:
            start, end = (table.numbers[node] for node in _claims(board.candidates[cell], 1 << cell))
            nodes |= 1 << start | 1 << end
            strong[start], strong[end] = 1 << end, 1 << start
    return table.within(nodes, strong)


def _candidate_links(board: CandidateBoard) -> LinkTable:
    table = LinkTable(board)
    add_candidates(table)
    add_cell_links(table)
    add_house_links(table)
    add_sight_links(table)
    add_part_links(table)
    return table


def _grouped_links(board: CandidateBoard) -> LinkTable:
    table = LinkTable(board)
    add_candidates(table)
    add_groups(table)
    add_cell_links(table)
    add_house_links(table)
    add_set_links(table)
    add_sight_links(table)
    add_part_links(table)
    return table


# --- nodes --------------------------------------------------------------------------------------------------------


def add_candidates(table: LinkTable) -> None:
    """Add all candidates, value by value."""
    for value, places in enumerate(table.board.places):
        table.board.tick()
        for cell in members(places):
            table.add_node(value, 1 << cell)


def add_groups(table: LinkTable) -> None:
    """Add all places of a value in a crossing of a box and a line, where there are two or more."""
    board = table.board
    for value, places in enumerate(board.places):
        board.tick()
        for crossing in board.layout.crossings:
            cells = places & crossing.mask
            if cells & (cells - 1):
                table.add_node(value, cells)


# --- strong links ---------------------------------------------------------------------------------------------------


def add_cell_links(table: LinkTable) -> None:
    """Link the two candidates of a cell, and note that candidates of a cell exclude each other."""
    board = table.board
    for cell in members(board.open):
        board.tick()
        own = [table.numbers[node] for node in _claims(board.candidates[cell], 1 << cell) if node in table.numbers]
        for start, end in combinations(own, 2):
            table.weak[start] |= 1 << end
            table.weak[end] |= 1 << start
        if len(own) == PAIR == board.candidates[cell].bit_count():
            table.add_strong(own[0], own[1], InCell(cell))


def _claims(values: Domain, cells: CellSet) -> Iterable[ChainNode]:
    return (ChainNode(value, cells) for value in members(values))


def add_house_links(table: LinkTable) -> None:
    """Link two nodes that are together all places of a value in a house."""
    layout = table.board.layout
    for start, (value, cells) in enumerate(table.nodes):
        table.board.tick()
        for house in layout.groups_over(cells):
            if house < layout.houses:
                rest = table.board.places[value] & layout.groups[house].mask & ~cells
                end = table.numbers.get(ChainNode(value, rest), -1)
                if end > start:
                    table.add_strong(start, end, InHouse(house))


def add_set_links(table: LinkTable) -> None:
    """Link the values of each almost locked set of two or more cells, and each with what the set leaves to an exit cell."""
    for almost in almost_locked_sets(table.board):
        if almost.cells & (almost.cells - 1):
            table.board.tick()
            own = {value: table.add_node(value, cells) for value, cells in almost.places.items()}
            reason = ThroughSet(almost)
            for start, end in combinations(own.values(), 2):
                table.add_strong(start, end, reason)
            _add_exits(table, almost, own)


def _add_exits(table: LinkTable, almost: AlmostLockedSet, own: dict[int, NodeIndex]) -> None:
    """Link values of a set with the one value foreign to it of each cell that sees all places in it of the cell's others."""
    board = table.board
    cells = board.open & ~almost.cells
    for value, seen in almost.seen.items():
        cells &= ~board.places[value] | seen
    for cell in members(cells):
        domain = board.candidates[cell]
        foreign = domain & ~almost.values
        if foreign.bit_count() == 1 and domain.bit_count() > PAIR:  # a pair's foreign value follows by simpler links
            reason = ThroughSet(almost, cell)
            end = table.add_node(foreign.bit_length() - 1, 1 << cell)
            for value, start in own.items():
                if not domain >> value & 1:
                    table.add_strong(start, end, reason)


# --- weak links -----------------------------------------------------------------------------------------------------


def add_sight_links(table: LinkTable) -> None:
    """Note for all nodes of a value which exclude each other because all cells of one see all of the other."""
    by_value: dict[int, list[NodeIndex]] = {}
    for number, node in enumerate(table.nodes):
        by_value.setdefault(node.value, []).append(number)
    for value, numbers in by_value.items():
        in_sight = _nodes_in_sight(table, value, numbers)
        for number in numbers:
            table.board.tick()
            common = -1
            for cell in members(table.nodes[number].cells):
                common &= in_sight[cell]
            table.weak[number] |= common


def _nodes_in_sight(table: LinkTable, value: int, numbers: list[NodeIndex]) -> dict[int, NodeSet]:
    """Return for each place of a value the nodes of that value of which it sees all cells."""
    touching: dict[int, NodeSet] = {}
    for number in numbers:
        for cell in members(table.nodes[number].cells):
            touching[cell] = touching.get(cell, 0) | 1 << number
    everything = sum(1 << number for number in numbers)
    sight, places = table.board.layout.sight, table.board.places[value]
    found = {}
    for cell in touching:
        table.board.tick()
        unseen = 0
        for other in members(places & ~sight[cell]):
            unseen |= touching.get(other, 0)
        found[cell] = everything & ~unseen
    return found


# --- links of rule parts ----------------------------------------------------------------------------------------------


def add_part_links(table: LinkTable) -> None:
    """Link candidates of different cells of which a rule part allows no two, or needs one."""
    board = table.board
    for part in range(len(board.layout.parts)):
        board.tick()
        for one, other, strong in part_links(board, part):
            start, end = (table.numbers.get(ChainNode(value, 1 << cell)) for cell, value in (one, other))
            if start is None or end is None:
                continue  # one of them is the value of a filled cell
            if strong:
                table.add_strong(start, end, InPart(part))
            else:
                table.add_weak_of_part(start, end, part)
