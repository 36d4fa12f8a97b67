"""Minimum and maximum: what a cell of a sum cannot hold because of the least and the most that the other cells add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.part_candidates import cell_proof, sight_proof
from sudoku_cp.logic.proof_groups import distinct
from sudoku_cp.logic.step import Bound, CellsAndValues, Pattern, ProofGroup, ProofStatement, Step
from sudoku_cp.logic.technique import Technique
from sudoku_cp.model import Linear, members, to_mask
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import CellSet, PartIndex
    from sudoku_cp.model import Domain

_UNBOUNDED = ("!=",)


class _Range(NamedTuple):
    """The numbers of which the least and the most consist that something adds up to."""

    least: tuple[int, ...]
    most: tuple[int, ...]


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
        inside = ticked(sorted(domains), every=1)
        bounds = [bound for cell in inside for bound in _bounds_of(cell, board, constraint, domains, sight=sight)]
        gone = tuple(
            (cell, value)
            for cell in ticked(sorted(domains), every=1)
            for value in members(board.candidates[cell])
            if any(bound.cell == cell and bound.rules_out(value) for bound in bounds)
        )
        if gone:
            proof = [ProofGroup(ProofStatement.PART, part)]
            if sight:
                proof += [*cell_proof(cells & board.open), *sight_proof(board, cells & board.open, part)]
            telling = tuple(
                bound for bound in bounds if any(bound.cell == cell and bound.rules_out(value) for cell, value in gone)
            )
            pattern = Pattern(sets=(CellsAndValues(cells, board.values_in(cells)),), bounds=telling)
            values = to_mask(value for _, value in gone)
            yield Step(Technique.MINIMUM_AND_MAXIMUM, values, cells, gone, (), pattern, distinct(proof))
            return


def _bounds_of(
    cell: Cell, board: CandidateBoard, constraint: Linear, domains: Mapping[Cell, Domain], *, sight: bool
) -> Iterator[Bound]:
    """Yield the least and the most that a cell can hold, given the others."""
    factors = dict.fromkeys(domains, 0)
    for other, amount in constraint.terms:
        factors[other] += amount
    factor = factors.pop(cell)
    others = _range_of(factors, board, domains, sight=sight)
    # factor * value + others = total: others at their most leave the least, and the other way round if the factor is negative
    for left, relation in ((others.most, ">="), (others.least, "<=")):
        if factor and constraint.relation in {"==", relation}:
            is_least = (relation == ">=") == (factor > 0)
            terms = (constraint.total, *(-term for term in left))
            signed = terms if factor > 0 else tuple(-term for term in terms)
            value = -(-sum(signed) // abs(factor)) if is_least else sum(signed) // abs(factor)
            yield Bound(cell, is_least, value, signed if abs(factor) == 1 else ())


def _range_of(factors: Mapping[Cell, int], board: CandidateBoard, domains: Mapping[Cell, Domain], *, sight: bool) -> _Range:
    least: list[int] = []
    most: list[int] = []
    for factor in dict.fromkeys(factors.values()):
        alike = to_mask(cell for cell in factors if factors[cell] == factor)
        for clique in _cliques(board, alike) if sight else (1 << cell for cell in members(alike)):
            own = _distinct_range([domains[cell] for cell in members(clique)])
            low, high = sorted(([factor * value for value in end] for end in own), key=sum)
            least += low
            most += high
    return _Range(tuple(least), tuple(most))


def _cliques(board: CandidateBoard, cells: CellSet) -> Iterator[CellSet]:
    """Yield the cells in sets that see each other, the largest first."""
    groups = [group.mask for group in board.layout.groups if group.mask & cells]
    while cells:
        largest = max((mask & cells for mask in groups), key=int.bit_count, default=0) or cells & -cells
        yield largest
        cells &= ~largest


def _distinct_range(domains: Iterable[Domain]) -> _Range:
    """Return different values that are bounds: one after the other, each more than the last, then each less."""
    ends = [(members(domain)[0], domain.bit_length() - 1) for domain in domains if domain]
    least: list[int] = []
    most: list[int] = []
    for low, _ in sorted(ends):
        least.append(max(low, least[-1] + 1) if least else low)
    for _, high in sorted(ends, key=lambda end: -end[1]):
        most.append(min(high, most[-1] - 1) if most else high)
    return _Range(tuple(least), tuple(most))
