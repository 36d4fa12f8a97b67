"""Wings: two or three cells of few candidates, one of which has to hold a value, whichever way the others go."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from sudoku_cp.logic.proof_groups import distinct, once, sees
from sudoku_cp.logic.step import CellsAndValues, ChainNode, Link, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard, ConjugatePair
    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.model import Domain


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
