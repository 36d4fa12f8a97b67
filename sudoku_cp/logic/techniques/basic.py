"""Singles, locked candidates and sets."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, combinations, pairwise
from operator import or_
from typing import TYPE_CHECKING

from sudoku_cp.logic.layout import HouseKind
from sudoku_cp.logic.step import (
    CellsAndValues,
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
    from sudoku_cp.logic.candidate_board import CandidateBoard, ConjugatePair
    from sudoku_cp.logic.layout import BoxLineCrossing, CellSet, GroupIndex
    from sudoku_cp.model import Domain


def full_houses(board: CandidateBoard) -> Iterator[Step]:
    """Yield the last open cell of each house that has a single one."""
    is_open = board.open
    for house, mask in enumerate(board.layout.house_masks):
        last = mask & is_open
        if last and not last & (last - 1):
            domain = board.candidates[last.bit_length() - 1]
            if domain:
                cell, value = last.bit_length() - 1, domain.bit_length() - 1
                proof = ProofGroup(ProofStatement.HAS_PLACE, house, value)
                yield _placement(Technique.FULL_HOUSE, cell, value, Pattern((house,)), proof)


def hidden_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the values that have a single place left in a house."""
    return _hidden_singles(board, range(board.layout.houses))


def scanned_hidden_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the same as people find them: boxes first, then lines, of each those with the fewest values missing in front."""
    groups = board.layout.groups

    def effort(house: GroupIndex) -> tuple[bool, int]:
        return groups[house].kind is not HouseKind.BOX, (groups[house].mask & board.open).bit_count()

    return _hidden_singles(board, sorted(range(board.layout.houses), key=effort))


def _hidden_singles(board: CandidateBoard, houses: Iterable[GroupIndex]) -> Iterator[Step]:
    layout = board.layout
    for house in houses:
        once = twice = 0
        for domain in layout.readers[house](board.candidates):
            twice |= once & domain
            once |= domain
        for value in members(once & ~twice):
            cell = (board.places[value] & layout.house_masks[house]).bit_length() - 1
            proof = ProofGroup(ProofStatement.HAS_PLACE, house, value)
            yield _placement(Technique.HIDDEN_SINGLE, cell, value, Pattern((house,), filled=tuple(board.values)), proof)


def naked_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the cells with a single candidate."""
    for cell in members(board.open):
        domain = board.candidates[cell]
        if domain and not domain & (domain - 1):
            pattern = Pattern(filled=tuple(board.values))
            proof = ProofGroup(ProofStatement.HAS_VALUE, cell)
            yield _placement(Technique.NAKED_SINGLE, cell, domain.bit_length() - 1, pattern, proof)


def _placement(technique: Technique, cell: int, value: int, pattern: Pattern, proof: ProofGroup) -> Step:
    return Step(technique, 1 << value, 1 << cell, (), ((cell, value),), pattern, (proof,))


# Locked candidates: all places of a value in one house lie in another, or few cells where box and line cross have few values.


def pointing(board: CandidateBoard) -> Iterator[Step]:
    """Yield values whose places in a box all lie in another group, which has further places."""
    houses = board.layout.houses_of_kind(HouseKind.BOX)
    return _locked_values(board, Technique.POINTING, houses)


def claiming(board: CandidateBoard) -> Iterator[Step]:
    """Yield values whose places in a house that is no box all lie in another group, which has further places."""
    houses = board.layout.houses_of_kind(HouseKind.ROW, HouseKind.COLUMN, HouseKind.EXTRA)
    return _locked_values(board, Technique.CLAIMING, houses)


def locked_pairs(board: CandidateBoard) -> Iterator[Step]:
    """Yield two cells of both a box and a line with two values."""
    return _locked_subsets(board, Technique.LOCKED_PAIR, 2)


def locked_triples(board: CandidateBoard) -> Iterator[Step]:
    """Yield three cells of both a box and a line with three values."""
    return _locked_subsets(board, Technique.LOCKED_TRIPLE, 3)


def _locked_values(board: CandidateBoard, technique: Technique, houses: list[GroupIndex]) -> Iterator[Step]:
    layout = board.layout
    searched = [(house, layout.groups[house].mask, layout.overlaps[house]) for house in houses]
    for value in board.searched_values:
        everywhere = board.places[value]
        for house, mask, overlaps in searched:
            places = everywhere & mask
            if not places & (places - 1):
                continue
            for group, cells, outside in overlaps:
                if not places & ~cells and everywhere & outside:
                    removed = board.eliminations([(value, outside)])
                    proof = (ProofGroup(ProofStatement.HAS_PLACE, house, value), once_in(layout, value, group))
                    yield Step(technique, 1 << value, places, removed, (), Pattern((house,), (group,)), proof)


def _locked_subsets(board: CandidateBoard, technique: Technique, size: int) -> Iterator[Step]:
    narrow = narrow_cells(board, size)
    for crossing in board.layout.crossings if narrow.bit_count() >= size else ():
        own = crossing.mask & narrow
        if own.bit_count() >= size:
            for cells, values in bounded_unions([(1 << cell, board.candidates[cell]) for cell in members(own)], size):
                yield from _locked_subset(board, technique, crossing, cells, values)


def _locked_subset(
    board: CandidateBoard, technique: Technique, crossing: BoxLineCrossing, cells: CellSet, values: Domain
) -> Iterator[Step]:
    """Yield what two or three cells with as many values remove from their box and line, if they remove anything."""
    layout, houses = board.layout, (crossing.box, crossing.line)
    rest = (layout.groups[crossing.box].mask | layout.groups[crossing.line].mask) & ~cells
    removed = board.eliminations((value, rest) for value in members(values))
    if not removed:
        return
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
    proof += [once_in(layout, value, house) for value in members(values) for house in houses]
    yield Step(technique, values, cells, removed, (), Pattern(houses, sets=(CellsAndValues(cells, values),)), tuple(proof))


# Subsets: as many cells of a house as values, the cells having no others (naked) or the values having no others (hidden).


_NAKED = {2: Technique.NAKED_PAIR, 3: Technique.NAKED_TRIPLE, 4: Technique.NAKED_QUAD}
_REMEMBERED = 10_000
"""States of a house whose subsets are remembered."""
_HIDDEN = {2: Technique.HIDDEN_PAIR, 3: Technique.HIDDEN_TRIPLE, 4: Technique.HIDDEN_QUAD}


def naked_pairs(board: CandidateBoard) -> Iterator[Step]:
    """Yield two cells of a group with two values."""
    return _naked_subsets(board, 2)


def naked_triples(board: CandidateBoard) -> Iterator[Step]:
    """Yield three cells of a group with three values."""
    return _naked_subsets(board, 3)


def naked_quads(board: CandidateBoard) -> Iterator[Step]:
    """Yield four cells of a group with four values."""
    return _naked_subsets(board, 4)


def hidden_pairs(board: CandidateBoard) -> Iterator[Step]:
    """Yield two values with two places in a house."""
    return _hidden_subsets(board, 2)


def hidden_triples(board: CandidateBoard) -> Iterator[Step]:
    """Yield three values with three places in a house."""
    return _hidden_subsets(board, 3)


def hidden_quads(board: CandidateBoard) -> Iterator[Step]:
    """Yield four values with four places in a house."""
    return _hidden_subsets(board, 4)


def bounded_unions(sets: Sequence[tuple[int, int]], size: int, bound: int | None = None, start: int = 0) -> list[tuple[int, int]]:
    """Return keys and contents, united, for each choice of ``size`` sets whose contents, with ``start``, have ``bound`` members.

    A set is a key (one bit) and its contents (bits). Cells with their candidates give naked subsets, values with their places
    hidden ones: there the bound is the size.
    """
    limit = size if bound is None else bound
    partial: list[list[tuple[int, int]]] = [[(0, start)], *([] for _ in range(size))]
    for key, content in sets:
        for count in range(size, 0, -1):
            partial[count] += [
                (keys | key, union | content) for keys, union in partial[count - 1] if (union | content).bit_count() <= limit
            ]
    return [found for found in partial[size] if found[1].bit_count() == limit]


def narrow_cells(board: CandidateBoard, size: int) -> CellSet:
    """Return the open cells with so many candidates or fewer."""
    masks = board.derive(_cells_by_width)
    return masks[min(size, len(masks) - 1)]


def _cells_by_width(board: CandidateBoard) -> list[CellSet]:
    """Return for each number the open cells with so many candidates or fewer."""
    masks = [0] * (len(board.layout.values) + 1)
    for cell in members(board.open):
        masks[board.candidates[cell].bit_count()] |= 1 << cell
    return list(accumulate(masks, or_))


def _naked_subsets(board: CandidateBoard, size: int) -> Iterator[Step]:
    """Yield each with what it removes from its group, then with all that sees the whole subset if that is more."""
    places, narrow = board.places, narrow_cells(board, size)
    for index, group in enumerate(board.layout.groups):
        own = group.mask & narrow
        if own.bit_count() < size:
            continue
        for cells, values in _naked_sets(own, group.cells, board.layout.readers[index](board.candidates), size):
            seeing = board.layout.seen_by_all(cells)
            if not any(places[value] & seeing for value in members(values)):
                continue
            inside = _naked_subset(board, index, cells, values, group.mask & ~cells)
            if inside.eliminations:
                yield inside
            wider = _naked_subset(board, index, cells, values, seeing)
            if wider.eliminations != inside.eliminations:
                yield wider


@lru_cache(maxsize=_REMEMBERED)
def _naked_sets(own: CellSet, cells: tuple[Cell, ...], domains: tuple[Domain, ...], size: int) -> list[tuple[CellSet, Domain]]:
    """Return the naked subsets among the ``own`` of a group's cells; they are remembered, as a step changes few groups."""
    sets = sorted((1 << cell, domain) for cell, domain in zip(cells, domains, strict=True) if own >> cell & 1)
    return bounded_unions(sets, size)


def _naked_subset(board: CandidateBoard, group: GroupIndex, cells: CellSet, values: Domain, rest: CellSet) -> Step:
    layout = board.layout
    removed = board.eliminations((value, rest) for value in members(values))
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
    proof += [once_in(layout, value, group) for value in members(values)]
    for cell, value in removed:
        if not layout.groups[group].mask >> cell & 1:
            proof += sees(layout, value, cell, cells & board.places[value])
    pattern = Pattern((group,), sets=(CellsAndValues(cells, values),))
    return Step(_NAKED[cells.bit_count()], values, cells, removed, (), pattern, distinct(proof))


def _hidden_subsets(board: CandidateBoard, size: int) -> Iterator[Step]:
    layout = board.layout
    for house in range(layout.houses):
        if layout.groups[house].mask & board.open:
            for values, cells in _hidden_sets(layout.groups[house].cells, layout.readers[house](board.candidates), size):
                removed = tuple((cell, value) for cell in members(cells) for value in members(board.candidates[cell] & ~values))
                if removed:
                    yield _hidden_subset(house, cells, values, removed)


@lru_cache(maxsize=_REMEMBERED)
def _hidden_sets(cells: tuple[Cell, ...], domains: tuple[Domain, ...], size: int) -> list[tuple[Domain, CellSet]]:
    """Return the hidden subsets of a house that has other values too; they are remembered, as a step changes few houses."""
    places = _places_in(cells, domains)
    few = [found for found in places if found[1].bit_count() <= size]
    return bounded_unions(few, size) if len(places) > size <= len(few) else []


@lru_cache(maxsize=_REMEMBERED)
def _places_in(cells: tuple[Cell, ...], domains: tuple[Domain, ...]) -> list[tuple[Domain, CellSet]]:
    """Return the values that have places among cells, each as a bit, with these."""
    places: dict[Domain, CellSet] = {}
    for cell, domain in zip(cells, domains, strict=True):
        left = domain
        while left:
            bit = left & -left
            places[bit] = places.get(bit, 0) | 1 << cell
            left ^= bit
    return sorted(places.items())


def _hidden_subset(house: GroupIndex, cells: CellSet, values: Domain, removed: tuple[tuple[int, int], ...]) -> Step:
    proof = [ProofGroup(ProofStatement.HAS_PLACE, house, value) for value in members(values)]
    proof += [ProofGroup(ProofStatement.ONE_VALUE, cell) for cell in members(cells)]
    pattern = Pattern((house,), sets=(CellsAndValues(cells, values),))
    return Step(_HIDDEN[cells.bit_count()], values, cells, removed, (), pattern, tuple(proof))


# Wings: two or three cells of few candidates, one of which has to hold a value, whichever way the others go.


def xy_wings(board: CandidateBoard) -> Iterator[Step]:
    """Yield the wings of a pivot {a, b} that sees cells {a, c} and {b, c}: c leaves what sees both of these."""
    for pivot in members(board.derive(_cells_of_two)):
        domain = board.candidates[pivot]
        for one, other in combinations(members(board.derive(_cells_of_two) & board.layout.sight[pivot]), 2):
            shared = board.candidates[one] & board.candidates[other]
            if board.candidates[one] ^ board.candidates[other] == domain and shared and not shared & domain:
                yield from _wing(board, Technique.XY_WING, pivot, (one, other), shared)


def xyz_wings(board: CandidateBoard) -> Iterator[Step]:
    """Yield the wings of a pivot {a, b, c} that sees cells {a, c} and {b, c}: c leaves what sees all three."""
    for pivot in members(board.open):
        domain = board.candidates[pivot]
        if domain.bit_count() != 3:  # noqa: PLR2004
            continue
        for one, other in combinations(members(board.derive(_cells_of_two) & board.layout.sight[pivot]), 2):
            shared = board.candidates[one] & board.candidates[other]
            if board.candidates[one] | board.candidates[other] == domain and shared:
                yield from _wing(board, Technique.XYZ_WING, pivot, (one, other), shared)


def w_wings(board: CandidateBoard) -> Iterator[Step]:
    """Yield the wings of two cells {a, b} that see different ends of a conjugate pair of a: b leaves what sees both cells."""
    layout = board.layout
    by_domain: dict[Domain, list[Cell]] = {}
    for cell in members(board.derive(_cells_of_two)):
        by_domain.setdefault(board.candidates[cell], []).append(cell)
    for domain, cells in by_domain.items():
        for one, other in combinations(cells, 2):
            common = layout.sight[one] & layout.sight[other]
            for value in members(domain):
                removed = (domain ^ 1 << value).bit_length() - 1
                found = board.eliminations([(removed, common)])
                if found:
                    yield from _w_wings(board, (one, other), value, removed)


def _cells_of_two(board: CandidateBoard) -> CellSet:
    """Return the cells of two candidates."""
    return to_mask(cell for cell in members(board.open) if board.candidates[cell].bit_count() == 2)  # noqa: PLR2004


def _wing(board: CandidateBoard, technique: Technique, pivot: Cell, pincers: tuple[Cell, Cell], shared: Domain) -> Iterator[Step]:
    """Yield the wing whose cells leave no place but themselves to the value that is ``shared``, if it eliminates anything."""
    layout, value = board.layout, shared.bit_length() - 1
    cells = to_mask((pivot, *pincers))
    ends = board.places[value] & cells
    found = board.eliminations([(value, layout.seen_by_all(ends))])
    if not found:
        return
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in (pivot, *pincers)]
    proof += [once(layout, (board.candidates[cell] ^ shared).bit_length() - 1, 1 << pivot | 1 << cell) for cell in pincers]
    proof += [group for cell, _ in found for group in sees(layout, value, cell, ends)]
    sets = tuple(CellsAndValues(1 << cell, board.candidates[cell]) for cell in (pivot, *pincers))
    yield Step(technique, board.values_in(cells), cells, found, (), Pattern(sets=sets), distinct(proof))


def _w_wings(board: CandidateBoard, cells: tuple[Cell, Cell], value: int, removed: int) -> Iterator[Step]:
    """Yield the wings of two cells of the same candidates over each conjugate pair of the ``value``."""
    for pair in board.conjugate_pairs(value):
        if pair.cells & to_mask(cells):
            continue
        first, second = members(pair.cells)
        for one, other in (cells, cells[::-1]):
            if board.layout.sight[one] >> first & 1 and board.layout.sight[other] >> second & 1:
                yield _w_wing(board, (one, first, second, other), value, removed, pair)
                break


def _w_wing(board: CandidateBoard, chain: tuple[Cell, ...], value: int, removed: int, pair: ConjugatePair) -> Step:
    """Return the step of a wing: its cell, the two ends of the pair, its other cell."""
    layout = board.layout
    one, first, second, other = chain
    ends = 1 << one | 1 << other
    found = board.eliminations([(removed, layout.seen_by_all(ends))])
    proof = [ProofGroup(ProofStatement.HAS_VALUE, one), ProofGroup(ProofStatement.HAS_VALUE, other)]
    proof += [ProofGroup(ProofStatement.HAS_PLACE, pair.house, value)]
    proof += [once(layout, value, 1 << one | 1 << first), once(layout, value, 1 << second | 1 << other)]
    proof += [group for cell, _ in found for group in sees(layout, removed, cell, ends)]
    nodes = [ChainNode(removed, 1 << one), *(ChainNode(value, 1 << cell) for cell in chain), ChainNode(removed, 1 << other)]
    links = tuple(Link(start, end, strong=index % 2 == 0) for index, (start, end) in enumerate(pairwise(nodes)))
    pattern = Pattern(bases=(pair.house,), links=links)
    return Step(Technique.W_WING, 1 << value | 1 << removed, pair.cells | ends, found, (), pattern, distinct(proof))
