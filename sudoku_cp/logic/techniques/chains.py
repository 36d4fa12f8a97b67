"""Chains: of two nodes at the ends of a chain that starts and ends with a strong link, at least one is true.

X-chains are of one value, XY-chains go through cells of two candidates; AICs may do both, and grouped ones pass groups of
candidates and almost locked sets. Chains may pass a cell several times: only their ends matter.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.links.consequences import candidate_consequences, grouped_consequences
from sudoku_cp.logic.links.link_table import PAIR, bivalue_links, candidate_links, grouped_links, value_links
from sudoku_cp.logic.links.loops import (
    BestChains,
    Chain,
    LoopEffects,
    back_to_start,
    breadth_first,
    continuous_loops_of,
    cycles_with_effect,
)
from sudoku_cp.logic.removable_places import values_to_search
from sudoku_cp.logic.step import (
    ChainNode,
    Link,
    Pattern,
    ProofGroup,
    ProofStatement,
    Step,
    Technique,
    distinct,
    once,
    once_in,
    sees,
)
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout
    from sudoku_cp.logic.links.consequences import Consequences
    from sudoku_cp.logic.links.link_table import LinkTable, NodeIndex, NodeSet
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


# Nice loops: chains that come back to their start.
#
# A discontinuous loop proves or refutes its start. A continuous one holds both ways round: just one node of each link is true.


# --- discontinuous --------------------------------------------------------------------------------------------------


def discontinuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates that lead to their own opposite, by links between single candidates."""
    return _discontinuous(candidate_links(board), candidate_consequences(board), Technique.DISCONTINUOUS_LOOP)


def grouped_discontinuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield candidates that lead to their own opposite, by links through groups and almost locked sets too."""
    return _discontinuous(grouped_links(board), grouped_consequences(board), Technique.GROUPED_DISCONTINUOUS_LOOP)


def _discontinuous(table: LinkTable, consequences: Consequences, technique: Technique) -> Iterator[Step]:
    """Yield loops on a candidate: if its truth leads to its falsity it goes, if its falsity to its truth its cell's others go."""
    board = table.board
    best = BestChains()
    for strong_first, starts in ((False, consequences.refuted), (True, consequences.proved)):
        for walk in back_to_start(table, starts, strong_first=strong_first):
            value, cells = table.nodes[walk.start]
            cell = cells.bit_length() - 1
            domain = board.candidates[cell] & ~(1 << value) if strong_first else 1 << value
            eliminations = tuple((cell, other) for other in members(domain))
            chain = Chain(table, walk.chain_to(walk.start), strong_first=strong_first)
            if eliminations and best.improves(eliminations, chain):
                yield chain.step(technique, eliminations, [ProofGroup(ProofStatement.ONE_VALUE, cell)] * strong_first)


# --- continuous -----------------------------------------------------------------------------------------------------


def continuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield loops of single candidates."""
    return _continuous(candidate_links(board), candidate_consequences(board), Technique.CONTINUOUS_LOOP)


def grouped_continuous_loops(board: CandidateBoard) -> Iterator[Step]:
    """Yield loops that may pass groups of candidates and almost locked sets."""
    return _continuous(grouped_links(board), grouped_consequences(board), Technique.GROUPED_CONTINUOUS_LOOP)


def _continuous(table: LinkTable, consequences: Consequences, technique: Technique) -> Iterator[Step]:
    """Yield the loops that eliminate something, the shortest first."""
    effects = LoopEffects(table)
    smallest: dict[int, tuple[int, int]] = {}
    for loop in continuous_loops_of(table, cycles_with_effect(table, consequences)):
        for instance in effects.instances(loop):
            other = smallest.get(instance.removed)
            if other is None or instance.size < other:
                smallest[instance.removed] = instance.size
                chain = Chain(table, [*loop, loop[0]], strong_first=True, reasons=instance.reasons)
                eliminations = effects.eliminations(instance)
                yield chain.step(technique, eliminations, effects.proof(chain, eliminations))


# Colouring: the conjugate pairs of a value form a graph; of the two colours of each component one is true, the other false.


class _ColouredComponent(NamedTuple):
    """Cells joined by conjugate pairs, sorted into two ``colours``; ``links`` (cell, cell, house) join them all."""

    value: int
    colours: tuple[CellSet, CellSet]
    seen: tuple[CellSet, CellSet]
    links: tuple[tuple[Cell, Cell, GroupIndex], ...]

    @property
    def cells(self) -> CellSet:
        return self.colours[0] | self.colours[1]


def colour_traps(board: CandidateBoard) -> Iterator[Step]:
    """Yield what the cells outside a component lose that see both of its colours."""
    for component in _components(board):
        removed = component.seen[0] & component.seen[1] & ~component.cells
        witnesses = [(component.colours[0], component.colours[1])]
        yield from _steps(board, Technique.COLOUR_TRAP, (component,), removed, witnesses)


def colour_wraps(board: CandidateBoard) -> Iterator[Step]:
    """Yield the colours of which two cells see each other: all their cells lose the value."""
    for component in _components(board):
        for colour, seen in zip(component.colours, component.seen, strict=True):
            if colour & seen:
                clash = _sight_between(board.layout, component.value, colour, colour)
                yield from _steps(board, Technique.COLOUR_WRAP, (component,), colour, [], [clash])


def multi_colours_1(board: CandidateBoard) -> Iterator[Step]:
    """Yield, for two components, what sees the opposites of two colours that see each other; all such colours at once."""
    for pair in combinations(_components(board), 2):
        if pair[0].value != pair[1].value or not _touch(*pair):
            continue
        removed, witnesses, proof = 0, [], []
        for some, other in product((0, 1), (0, 1)):
            if pair[0].seen[some] & pair[1].colours[other]:
                ends = pair[0].colours[1 - some], pair[1].colours[1 - other]
                removed |= pair[0].seen[1 - some] & pair[1].seen[1 - other] & ~(ends[0] | ends[1])
                witnesses.append(ends)
                proof.append(_sight_between(board.layout, pair[0].value, pair[0].colours[some], pair[1].colours[other]))
        yield from _steps(board, Technique.MULTI_COLOURS_1, pair, removed, witnesses, proof)


def multi_colours_2(board: CandidateBoard) -> Iterator[Step]:
    """Yield the colours that see both colours of another component: all their cells lose the value."""
    for pair in permutations(_components(board), 2):
        if pair[0].value != pair[1].value or not _touch(*pair):
            continue
        removed, proof = 0, []
        for colour, seen in zip(pair[0].colours, pair[0].seen, strict=True):
            if all(seen & other for other in pair[1].colours):
                removed |= colour
                proof += [_sight_between(board.layout, pair[0].value, colour, other) for other in pair[1].colours]
        yield from _steps(board, Technique.MULTI_COLOURS_2, pair, removed, [], proof)


# --- components -------------------------------------------------------------------------------------------------------


def _components(board: CandidateBoard) -> list[_ColouredComponent]:
    """Return the components of each searched value, each of two cells or more."""
    return [component for value in values_to_search(board) for component in board.derive(_all_components)[value]]


def _all_components(board: CandidateBoard) -> list[list[_ColouredComponent]]:
    """Return the components of each value."""
    return [list(_components_of(board, value)) for value in range(len(board.places))]


def _components_of(board: CandidateBoard, value: int) -> Iterator[_ColouredComponent]:
    """Yield the components of a value: grows each from its first cell, link by link."""
    neighbours: dict[Cell, list[tuple[Cell, GroupIndex]]] = defaultdict(list)
    for pair in board.conjugate_pairs(value):
        one, other = members(pair.cells)
        neighbours[one].append((other, pair.house))
        neighbours[other].append((one, pair.house))
    coloured: dict[Cell, int] = {}
    for start in neighbours:
        if start not in coloured:
            reached, links = [start], []
            coloured[start] = 0
            for cell in reached:  # which grows meanwhile
                for other, house in neighbours[cell]:
                    if other not in coloured:
                        coloured[other] = 1 - coloured[cell]
                        reached.append(other)
                        links.append((cell, other, house))
            colours = tuple(to_mask(cell for cell in reached if coloured[cell] == colour) for colour in (0, 1))
            seen = tuple(map(board.layout.seen_by_any, colours))
            yield _ColouredComponent(value, (colours[0], colours[1]), (seen[0], seen[1]), tuple(links))


def _touch(one: _ColouredComponent, other: _ColouredComponent) -> bool:
    """Return whether some cell of one component sees some cell of the other."""
    return bool((one.seen[0] | one.seen[1]) & other.cells)


# --- steps ------------------------------------------------------------------------------------------------------------


def _steps(
    board: CandidateBoard,
    technique: Technique,
    components: tuple[_ColouredComponent, ...],
    removed: CellSet,
    witnesses: Sequence[tuple[CellSet, CellSet]],
    proof: Iterable[ProofGroup] = (),
) -> Iterator[Step]:
    """Yield the step, if any, in which each removed cell goes itself, or sees both colours of one of the ``witnesses``."""
    layout, value = board.layout, components[0].value
    found = board.eliminations([(value, removed)])
    if not found:
        return
    groups = [group for component in components for group in _statements(layout, component)] + list(proof)
    for cell, _ in found:
        sight = layout.sight[cell]
        for one, other in witnesses:
            if sight & one and sight & other:
                groups += [group for colour in (one, other) for group in sees(layout, value, cell, _lowest(sight & colour))]
    links = tuple(
        Link(ChainNode(value, 1 << one), ChainNode(value, 1 << other), strong=True)
        for component in components
        for one, other, _ in component.links
    )
    bases = tuple(dict.fromkeys(house for component in components for _, _, house in component.links))
    cells = components[0].cells | components[-1].cells
    yield Step(technique, 1 << value, cells, found, (), Pattern(bases, links=links), distinct(groups))


def _statements(layout: Layout, component: _ColouredComponent) -> Iterator[ProofGroup]:
    """Yield what makes the cells of each colour agree, and one colour true."""
    for _, _, house in component.links:
        yield ProofGroup(ProofStatement.HAS_PLACE, house, component.value)
        yield once_in(layout, component.value, house)


def _sight_between(layout: Layout, value: int, some: CellSet, others: CellSet) -> ProofGroup:
    """Return the reasons why no cell of one set and one that it sees in the other both hold a value."""
    cell = next(cell for cell in members(some) if layout.sight[cell] & others)
    return once(layout, value, 1 << cell | _lowest(layout.sight[cell] & others))


def _lowest(cells: CellSet) -> CellSet:
    return cells & -cells
