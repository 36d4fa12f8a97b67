"""The nodes of a position and the links between them, made once a position and kind of chain, on demand.

Theory of operation. A node is a claim, "one of these cells holds the value", and has a number. Links are bit masks over these
numbers: ``strong[n]`` are the nodes of which one is true if n is false, ``weak[n]`` those that are false if n is true. Both are
symmetric. Functions named ``add_`` fill a table: first nodes, then strong links (those through sets make nodes of their own), at
last weak links, which only look at nodes, and what rule parts add. A strong link may have several reasons, simple ones in front.
"""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.almost_locked_sets import almost_locked_sets, exits_of_sets
from sudoku_cp.logic.part_candidates import cell_proof
from sudoku_cp.logic.proofs.part_clauses import clauses_over, literal_numbers, part_domains
from sudoku_cp.logic.step import ChainNode, ProofGroup, ProofStatement, once_in, sees, sees_each_other
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout, PartIndex
    from sudoku_cp.logic.proofs.part_clauses import LiteralClause, ProofLiteral
    from sudoku_cp.logic.step import Candidate
    from sudoku_cp.model import Domain


# Why a link holds: where a strong link comes from, and the proof groups of both kinds of link.


@dataclass(frozen=True)
class InCell:
    """The two nodes are the only candidates of a cell."""

    cell: Cell


@dataclass(frozen=True)
class InHouse:
    """The two nodes are together all places of their value in a house."""

    house: GroupIndex


@dataclass(frozen=True)
class InPart:
    """A rule part needs one of the two nodes."""

    part: PartIndex


@dataclass(frozen=True)
class ThroughSet:
    """Two values of an almost locked set; or one, and the only value that the set leaves to a cell, its ``exit_cell``.

    Each other value of that cell is one of the set, and the cell sees all its places there: so if the set is locked, and has all
    these values, the one is left. It may be a value of the set too, if the cell does not see all places of that.
    """

    almost: AlmostLockedSet
    exit_cell: Cell | None = None

    @property
    def cells(self) -> CellSet:
        """The cells of the set, and the exit cell."""
        return self.almost.cells | (0 if self.exit_cell is None else 1 << self.exit_cell)

    def removed(self, board: CandidateBoard, start: ChainNode, end: ChainNode) -> Iterator[tuple[int, CellSet]]:
        """Yield what goes where just one of the two nodes holds: the other values then have their places here."""
        for value in members(self.almost.values & ~(1 << start.value | 1 << end.value)):
            seen = self.almost.sight[value] & board.places[value]
            if self.exit_cell is not None and board.candidates[self.exit_cell] >> value & 1:
                seen &= board.layout.sight[self.exit_cell]
            yield value, seen

    def places(self, board: CandidateBoard, value: int) -> CellSet:
        """The cells of the set, and the exit cell, that may hold a value."""
        return self.cells & board.places[value]


StrongReason: TypeAlias = InCell | InHouse | InPart | ThroughSet
"""Why at least one of two nodes is true."""


def strong_proof(board: CandidateBoard, start: ChainNode, end: ChainNode, reason: StrongReason) -> Iterator[ProofGroup]:
    """Yield the groups by which at least one of two nodes is true."""
    match reason:
        case InCell(cell):
            yield ProofGroup(ProofStatement.HAS_VALUE, cell)
        case InHouse(house):
            yield ProofGroup(ProofStatement.HAS_PLACE, house, start.value)
        case InPart(part):
            yield from part_with_cells(board, part)
        case ThroughSet(almost, None):
            yield from (ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(almost.cells))
            yield from _all_once(board.layout, almost, members(almost.values & ~(1 << start.value | 1 << end.value)))
        case ThroughSet(almost, int(exit_cell)):
            of_set, of_cell = (end, start) if start.cells == 1 << exit_cell else (start, end)
            yield from (ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(reason.cells))
            yield from _all_once(board.layout, almost, members(almost.values & ~(1 << of_set.value)))
            for value in members(board.candidates[exit_cell] & ~(1 << of_cell.value)):
                yield from sees(board.layout, value, exit_cell, almost.places[value])


def _all_once(layout: Layout, almost: AlmostLockedSet, values: Iterable[int]) -> Iterator[ProofGroup]:
    """Yield the reasons why each of some values stands at most once in a set; one with a single place needs none."""
    return (once_in(layout, value, almost.house) for value in values if almost.places[value].bit_count() > 1)


def part_with_cells(board: CandidateBoard, part: PartIndex) -> Iterator[ProofGroup]:
    """Yield a rule part, and that its cells have one value each."""
    yield ProofGroup(ProofStatement.PART, part)
    yield from cell_proof(to_mask(board.layout.parts[part].cells) & board.open)


def weak_proof(board: CandidateBoard, start: ChainNode, end: ChainNode, part: PartIndex | None) -> Iterator[ProofGroup]:
    """Yield the groups by which not both nodes are true: a rule part if one is named, else groups, or a cell."""
    if part is not None:
        yield from part_with_cells(board, part)
    elif start.value == end.value:
        yield from sees_each_other(board.layout, start.value, start.cells, end.cells)
    else:
        yield ProofGroup(ProofStatement.ONE_VALUE, start.cells.bit_length() - 1)


if TYPE_CHECKING:
    NodeSet: TypeAlias = int
_REMEMBERED = 10_000
"""Sets of places whose nodes are remembered, and nodes whose houses are."""


class LinkTable:
    """Nodes with their numbers, and the links."""

    def __init__(self, board: CandidateBoard) -> None:
        """Begin without nodes."""
        self.board = board
        self.nodes: list[ChainNode] = []
        self.numbers: dict[tuple[int, CellSet], NodeIndex] = {}
        self.strong: list[NodeSet] = []
        self.weak: list[NodeSet] = []
        self.reasons: dict[tuple[NodeIndex, NodeIndex], list[StrongReason]] = {}
        """Why nodes have strong links, apart from those through sets."""
        self.set_links = SetLinks([])
        self.candidates: NodeSet = 0
        """The nodes of a single cell."""
        self.parts: dict[tuple[NodeIndex, NodeIndex], PartIndex] = {}
        """The rule parts that make weak links which neither a cell nor a group makes."""
        self._proofs: dict[tuple[NodeIndex, NodeIndex, StrongReason | None], tuple[ProofGroup, ...]] = {}

    def add_node(self, node: ChainNode) -> NodeIndex:
        """Return the number of a node, which is added if it is new."""
        number = self.numbers.get(node)
        if number is None:
            number = len(self.nodes)
            self.numbers[node] = number
            self.nodes.append(node)
            self.strong.append(0)
            self.weak.append(0)
            if node.cells & (node.cells - 1) == 0:
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
        found = [*self.reasons.get((min(start, end), max(start, end)), ()), *self.set_links.reasons(start, end)]
        return sorted(found, key=lambda reason: isinstance(reason, InPart))

    def strong_proof(self, start: NodeIndex, end: NodeIndex, reason: StrongReason) -> tuple[ProofGroup, ...]:
        """Return the groups by which at least one of two nodes is true for a reason; many chains pass the same link."""
        known = self._proofs.get((start, end, reason))
        if known is None:
            known = tuple(strong_proof(self.board, self.nodes[start], self.nodes[end], reason))
            self._proofs[start, end, reason] = known
        return known

    def weak_proof(self, start: NodeIndex, end: NodeIndex) -> tuple[ProofGroup, ...]:
        """Return the groups by which not both of two nodes are true."""
        known = self._proofs.get((start, end, None))
        if known is None:
            known = tuple(weak_proof(self.board, self.nodes[start], self.nodes[end], self.part_of(start, end)))
            self._proofs[start, end, None] = known
        return known

    def copy(self) -> LinkTable:
        """Return a table with the same nodes and links, to which others can be added."""
        other = copy(self)
        for name in ("nodes", "numbers", "strong", "weak", "reasons", "parts", "_proofs"):
            setattr(other, name, copy(getattr(self, name)))
        return other

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
            start, end = (table.numbers[value, 1 << cell] for value in members(board.candidates[cell]))
            nodes |= 1 << start | 1 << end
            strong[start], strong[end] = 1 << end, 1 << start
    return table.within(nodes, strong)


def _candidate_links(board: CandidateBoard) -> LinkTable:
    table = LinkTable(board)
    add_candidates(table)
    add_cell_links(table)
    add_pair_links(table)
    add_candidate_sight_links(table)
    add_part_links(table)
    return table


def _grouped_links(board: CandidateBoard) -> LinkTable:
    table = candidate_links(board).copy()
    add_groups(table)
    add_group_links(table)
    add_set_links(table)
    add_sight_links(table)
    return table


# --- nodes --------------------------------------------------------------------------------------------------------


def add_candidates(table: LinkTable) -> None:
    """Add all candidates, value by value."""
    for value, places in enumerate(table.board.places):
        table.board.tick()
        for node in _candidate_nodes(value, places):
            table.add_node(node)


def add_groups(table: LinkTable) -> None:
    """Add all places of a value in a crossing of a box and a line, where there are two or more."""
    board = table.board
    for value, places in enumerate(board.places):
        board.tick()
        for node in _group_nodes(board.layout, value, places):
            table.add_node(node)


@lru_cache(maxsize=_REMEMBERED)
def _candidate_nodes(value: int, places: CellSet) -> tuple[ChainNode, ...]:
    """Return a node for each place of a value; a step changes the places of few values."""
    return tuple(ChainNode(value, 1 << cell) for cell in members(places))


@lru_cache(maxsize=_REMEMBERED)
def _group_nodes(layout: Layout, value: int, places: CellSet) -> tuple[ChainNode, ...]:
    """Return a node for the places in each crossing of a box and a line that has two or more."""
    groups = (places & crossing.mask for crossing in layout.crossings)
    return tuple(ChainNode(value, cells) for cells in groups if cells & (cells - 1))


# --- strong links ---------------------------------------------------------------------------------------------------


def add_cell_links(table: LinkTable) -> None:
    """Link the two candidates of a cell, and note that candidates of a cell exclude each other."""
    board = table.board
    for cell in members(board.open):
        board.tick()
        own = [table.numbers[value, 1 << cell] for value in members(board.candidates[cell])]
        together = to_mask(own)
        for node in own:
            table.weak[node] |= together & ~(1 << node)
        if len(own) == PAIR:
            table.add_strong(own[0], own[1], InCell(cell))


def add_pair_links(table: LinkTable) -> None:
    """Link the two places of a value in a house."""
    board = table.board
    for value in board.layout.values:
        for cells, house in board.conjugate_pairs(value):
            start, end = (table.numbers[value, 1 << cell] for cell in members(cells))
            table.add_strong(start, end, InHouse(house))


def add_group_links(table: LinkTable) -> None:
    """Link a group and another node that are together all places of a value in a house."""
    board, numbers = table.board, table.numbers
    first_group = table.candidates.bit_length()
    for start, (value, cells) in enumerate(table.nodes[first_group:], first_group):
        for house, rest in _houses_over(board.layout, cells):
            end = numbers.get((value, board.places[value] & rest), start)
            if end > start or end < first_group:
                table.add_strong(start, end, InHouse(house))


@lru_cache(maxsize=_REMEMBERED)
def _houses_over(layout: Layout, cells: CellSet) -> tuple[tuple[GroupIndex, CellSet], ...]:
    """Return the houses that contain some cells, each with its other cells."""
    houses = (house for house in layout.groups_over(cells) if house < layout.houses)
    return tuple((house, layout.groups[house].mask & ~cells) for house in houses)


def add_set_links(table: LinkTable) -> None:
    """Link the values of each almost locked set of two or more cells, and each with what the set leaves to an exit cell."""
    board, strong = table.board, table.strong
    links = table.set_links = SetLinks(almost_locked_sets(board))
    exits = exits_of_sets(board, links.sets)
    for number, almost in enumerate(links.sets):
        if almost.cells & (almost.cells - 1):
            board.tick()
            known = [table.numbers.get(node) for node in almost.nodes]
            own = [table.add_node(node) if one is None else one for one, node in zip(known, almost.nodes, strict=True)]
            links.linked.append(own)
            together, own_bit = to_mask(own), 1 << number
            for node in own:
                strong[node] |= together
                links.through[node] |= own_bit
            for places, value, cell in exits[almost]:
                _add_exit(table, [own[place] for place in places], table.numbers[value, 1 << cell], (number, cell))
    for node in links.through:
        strong[node] &= ~(1 << node)  # no node is linked to itself


def _add_exit(table: LinkTable, starts: list[NodeIndex], end: NodeIndex, through: tuple[int, Cell]) -> None:
    """Link values of a set with the value that it leaves to an exit cell; the set's number and the cell are the reason."""
    strong, end_bit = table.strong, 1 << end
    strong[end] |= to_mask(starts)
    for start in starts:
        strong[start] |= end_bit
        table.set_links.exits[min(start, end), max(start, end)].append(through)


# --- weak links -----------------------------------------------------------------------------------------------------


def add_candidate_sight_links(table: LinkTable) -> None:
    """Note which candidates of a value exclude each other, in a table of single candidates, value by value, alone."""
    first, weak = 0, table.weak
    for places in table.board.places:
        table.board.tick()
        for number, seen in enumerate(_sight_between(table.board.layout, places), first):
            weak[number] |= seen << first
        first += places.bit_count()


@lru_cache(maxsize=_REMEMBERED)
def _sight_between(layout: Layout, places: CellSet) -> tuple[NodeSet, ...]:
    """Return for each of some cells, numbered in order, which others it sees."""
    cells = members(places)
    return tuple(to_mask(place for place, other in enumerate(cells) if layout.sight[cell] >> other & 1) for cell in cells)


def add_sight_links(table: LinkTable) -> None:
    """Note for all nodes of a value which exclude each other because all cells of one see all of the other."""
    by_value: defaultdict[int, list[tuple[NodeIndex, tuple[Cell, ...]]]] = defaultdict(list)
    for number, (value, cells) in enumerate(table.nodes):
        by_value[value].append((number, _cells_of(cells)))
    for value, nodes in by_value.items():
        in_sight = _nodes_in_sight(table, value, nodes)
        table.board.tick()
        for number, own in nodes:
            common = in_sight[own[0]]
            for cell in own[1:]:
                common &= in_sight[cell]
            table.weak[number] |= common


@lru_cache(maxsize=50_000)
def _cells_of(mask: CellSet) -> tuple[Cell, ...]:
    """Return the cells of a set; the nodes of one position are much the same as those of the last."""
    return tuple(members(mask))


def _nodes_in_sight(table: LinkTable, value: int, nodes: list[tuple[NodeIndex, tuple[Cell, ...]]]) -> dict[Cell, NodeSet]:
    """Return for each place of a value the nodes of that value, given with their cells, of which it sees all cells."""
    touching: defaultdict[Cell, NodeSet] = defaultdict(int)
    everything = 0
    for number, cells in nodes:
        bit = 1 << number
        everything |= bit
        for cell in cells:
            touching[cell] |= bit
    sight, places = table.board.layout.sight, table.board.places[value]
    found = {}
    for cell in members(places):
        table.board.tick()
        unseen = 0
        for other in _cells_of(places & ~sight[cell]):
            unseen |= touching[other]
        found[cell] = everything & ~unseen
    return found


# --- links of rule parts ----------------------------------------------------------------------------------------------


def add_part_links(table: LinkTable) -> None:
    """Link candidates of different cells of which a rule part allows no two, or needs one."""
    board = table.board
    for part in range(len(board.layout.parts)):
        board.tick()
        for one, other, strong in part_links(board, part):
            start, end = (table.numbers.get((value, 1 << cell)) for cell, value in (one, other))
            if start is None or end is None:
                continue  # one of them is the value of a filled cell
            if strong:
                table.add_strong(start, end, InPart(part))
            else:
                table.add_weak_of_part(start, end, part)


# The links that one rule part makes between candidates of different cells: a cage, a dot, a thermometer, asked alone.
#
# Each live candidate of the part's cells is taken for true, and then for false, and unit propagation over the part's clauses,
# and over those that its cells have one value each, tells what it forces: a true candidate that makes another false has a weak
# link to it, a false one that makes another true a strong one. Links are remembered for the part and the candidates of its
# cells.


MOST_LITERALS = 4000
"""Parts whose clauses have more literals are not asked."""
_CACHED = 20_000


class PartLink(NamedTuple):
    """Two candidates of different cells, at least one of which is true (strong), or at most one."""

    start: Candidate
    end: Candidate
    strong: bool


def part_links(board: CandidateBoard, part: PartIndex) -> tuple[PartLink, ...]:
    """Return the links that a part of a board's layout makes, each once."""
    return _links(board.layout, part, part_domains(board, part))


@lru_cache(maxsize=_CACHED)
def _links(layout: Layout, part: PartIndex, domains: tuple[Domain, ...]) -> tuple[PartLink, ...]:
    clauses = clauses_over(layout, part, domains)
    if len(clauses.literals) > MOST_LITERALS or () in clauses.clauses:
        return ()
    numbers = literal_numbers(layout)
    of_cells = [
        [numbers.literal(cell, value) for value in members(domain)]
        for cell, domain in zip(layout.parts[part].cells, domains, strict=True)
        if domain & (domain - 1)
    ]
    apart = [(one ^ 1, other ^ 1) for cell in of_cells for one, other in combinations(cell, 2)]
    search = _LinkPropagation([*clauses.clauses, *map(tuple, of_cells), *apart])
    found = []
    for literal in search.literals():
        start = numbers.candidate(literal)
        if start is None:
            continue
        for other in search.forced_by(literal):
            end = numbers.candidate(other)
            is_link = other & 1 != literal & 1  # a true one makes another false, or a false one another true
            if end is not None and is_link and start < end and start[0] != end[0]:
                found.append(PartLink(start, end, strong=bool(literal & 1)))
    return tuple(found)


class _LinkPropagation:
    """Unit propagation over the clauses of a part, each time from one literal."""

    def __init__(self, clauses: Sequence[LiteralClause]) -> None:
        self._clauses = clauses
        self._with: dict[ProofLiteral, list[int]] = {}
        for index, clause in enumerate(clauses):
            for literal in clause:
                self._with.setdefault(literal, []).append(index)

    def literals(self) -> Iterator[ProofLiteral]:
        """Yield all literals of the variables in the clauses."""
        yield from sorted({one for literal in self._with for one in (literal, literal ^ 1)})

    def forced_by(self, literal: ProofLiteral) -> list[ProofLiteral]:
        """Return the literals that follow from one; none if a clause fails: the part alone refutes the literal then."""
        true, queue = {literal}, [literal]
        for one in queue:
            for index in self._with.get(one ^ 1, ()):
                clause = self._clauses[index]
                if not true.isdisjoint(clause):
                    continue
                left = [other for other in clause if other ^ 1 not in true]
                if not left:
                    return []
                if len(left) == 1:
                    true.add(left[0])
                    queue.append(left[0])
        return queue[1:]


# Strong links through almost locked sets: between any two of a set's values, and to what it leaves to a cell outside.
#
# A board has hundreds of sets with a dozen links each, few of which any chain takes; so their reasons are made only when asked
# for.


if TYPE_CHECKING:
    NodeIndex: TypeAlias = int

PAIR = 2


class SetLinks:
    """The sets of a board by number, and the links that they make.

    - ``linked``: lists of nodes that a set links to each other; ``through``: for each node the sets that link it so, as bits.
    - ``exits``: for each link to an exit cell the numbers of the sets that make it, with that cell.
    """

    def __init__(self, sets: list[AlmostLockedSet]) -> None:
        """Begin without links."""
        self.sets = sets
        self.linked: list[list[NodeIndex]] = []
        self.through: defaultdict[NodeIndex, int] = defaultdict(int)
        self.exits: defaultdict[tuple[NodeIndex, NodeIndex], list[tuple[int, Cell]]] = defaultdict(list)

    def reasons(self, start: NodeIndex, end: NodeIndex) -> list[ThroughSet]:
        """Return the sets that link two nodes, in the order of their numbers."""
        found: list[tuple[int, Cell | None]] = [
            *((number, None) for number in members(self.through.get(start, 0) & self.through.get(end, 0))),
            *self.exits.get((min(start, end), max(start, end)), ()),
        ]
        return [ThroughSet(self.sets[number], cell) for number, cell in sorted(found, key=lambda one: one[0])]
