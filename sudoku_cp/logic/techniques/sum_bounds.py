"""Minimum and maximum: what a cell of a sum cannot hold because of the least and the most that the other cells add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.part_candidates import cell_proof, sight_proof
from sudoku_cp.logic.proof_groups import distinct
from sudoku_cp.logic.step import CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import Linear, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, PartIndex
    from sudoku_cp.model import Domain

_UNBOUNDED = ("!=",)


class _Range(NamedTuple):
    """The least and the most that something adds up to."""

    least: int
    most: int


def minimum_and_maximum(board: CandidateBoard) -> Iterator[Step]:
    """Yield what the bounds of sums rule out, cells that see each other holding different values (three hold 1+2+3 at least)."""
    for index, part in enumerate(board.layout.parts):
        for constraint in part.constraints:
            if (
                isinstance(constraint, Linear)
                and constraint.relation not in _UNBOUNDED
                and set(part.cells) >= set(_cells(constraint))
            ):
                yield from _bounded(board, index, constraint)


def _cells(constraint: Linear) -> list[Cell]:
    return [cell for cell, _ in constraint.terms]


def _bounded(board: CandidateBoard, part: PartIndex, constraint: Linear) -> Iterator[Step]:
    domains = {cell: board.candidates[cell] or 1 << (board.values[cell] or 0) for cell in _cells(constraint)}
    cells = to_mask(domains)
    for sight in (False, True):
        gone = tuple(
            (cell, value)
            for cell, kept in sorted(_kept(board, constraint, domains, sight=sight).items())
            for value in members(board.candidates[cell] & ~kept)
        )
        if gone:
            proof = [ProofGroup(ProofStatement.PART, part)]
            if sight:
                proof += [*cell_proof(cells & board.open), *sight_proof(board, cells & board.open, part)]
            pattern = Pattern(sets=(CellsAndValues(cells, board.values_in(cells)),))
            values = to_mask(value for _, value in gone)
            yield Step(Technique.MINIMUM_AND_MAXIMUM, values, cells, gone, (), pattern, distinct(proof))
            return


def _kept(board: CandidateBoard, constraint: Linear, domains: Mapping[Cell, Domain], *, sight: bool) -> dict[Cell, Domain]:
    """Return the values of each cell that the bounds of the others allow."""
    factors = dict.fromkeys(domains, 0)
    for cell, factor in constraint.terms:
        factors[cell] += factor
    kept = {}
    for cell, domain in domains.items():
        others = _range_of({other: factor for other, factor in factors.items() if other != cell}, board, domains, sight=sight)
        low = constraint.total - others.most if constraint.relation != "<=" else None
        high = constraint.total - others.least if constraint.relation != ">=" else None
        kept[cell] = to_mask(
            value
            for value in members(domain)
            if (low is None or factors[cell] * value >= low) and (high is None or factors[cell] * value <= high)
        )
    return kept


def _range_of(factors: Mapping[Cell, int], board: CandidateBoard, domains: Mapping[Cell, Domain], *, sight: bool) -> _Range:
    least = most = 0
    for factor in dict.fromkeys(factors.values()):
        alike = to_mask(cell for cell in factors if factors[cell] == factor)
        for clique in _cliques(board, alike) if sight else (1 << cell for cell in members(alike)):
            own = _distinct_range([domains[cell] for cell in members(clique)])
            ends = (factor * own.least, factor * own.most)
            least += min(ends)
            most += max(ends)
    return _Range(least, most)


def _cliques(board: CandidateBoard, cells: CellSet) -> Iterator[CellSet]:
    """Yield the cells in sets that see each other, the largest first."""
    groups = [group.mask for group in board.layout.groups if group.mask & cells]
    while cells:
        largest = max((mask & cells for mask in groups), key=int.bit_count, default=0) or cells & -cells
        yield largest
        cells &= ~largest


def _distinct_range(domains: Iterable[Domain]) -> _Range:
    """Return bounds for the sum of different values: one after the other, each more than the last, then each less."""
    ends = [(members(domain)[0], domain.bit_length() - 1) for domain in domains if domain]
    least = most = 0
    value: int | None = None
    for low, _ in sorted(ends):
        value = low if value is None else max(low, value + 1)
        least += value
    value = None
    for _, high in sorted(ends, key=lambda end: -end[1]):
        value = high if value is None else min(high, value - 1)
        most += value
    return _Range(least, most)
