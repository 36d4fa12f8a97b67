"""Colouring: the conjugate pairs of a value form a graph; of the two colours of each component one is true, the other false."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.proof_groups import distinct, once, once_in, sees
from sudoku_cp.logic.removable_places import values_to_search
from sudoku_cp.logic.step import ChainNode, Link, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, GroupIndex, Layout


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
