"""Domain reduction: values that a single statement rules out by itself are removed from the domains."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from sudoku_cp.model.cliques import clique_terms
from sudoku_cp.model.constraints import AllDifferent, Clause, Count, DigitSet, Linear, Table, members, to_mask, union_of
from sudoku_cp.model.model import IMPLIED
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.model.cliques import CellSet
    from sudoku_cp.model.constraints import Constraint, Domain
    from sudoku_cp.model.model import Statement


def reduce_domains(statements: Iterable[Statement], different: Sequence[CellSet], domains: list[Domain]) -> None:
    """Remove from ``domains`` the values that some statement rules out by itself; an empty domain is 0."""
    for constraint, rule, _ in ticked(statements):
        match constraint:
            case DigitSet(cells, sets):
                allowed = _union(sets)
                for cell in cells:
                    domains[cell] &= allowed
            case Table(cells, tuples):
                for cell, allowed in zip(cells, _columns(tuples, len(cells)), strict=True):
                    domains[cell] &= allowed
            # An implied sum over several cliques narrows little by itself, and there are many of them.
            case Linear(_, relation) if relation != "!=" and rule != IMPLIED:
                _reduce_by_sum(constraint, different, domains)
            case Count() | Clause():
                _reduce_by_count(constraint, domains)


def _reduce_by_count(constraint: Count | Clause, domains: list[Domain]) -> None:
    """Remove values that a count of 0 or a unit clause rules out."""
    match constraint:
        case Count(cells, values, "==" | "<=", 0):
            unwanted = to_mask(value for value in values if value >= 0)
            for cell in cells:
                domains[cell] &= ~unwanted
        case Clause(((cell, value, equal),)):
            chosen = 1 << value if value >= 0 else 0
            domains[cell] &= chosen if equal else ~chosen


def is_unary(constraint: Constraint) -> bool:
    """Return whether a constraint is about single cells only, so that the reduced domains express it completely."""
    match constraint:
        case Table((_,)) | Clause((_,)) | AllDifferent((_,)) | Count(_, _, "==" | "<=", 0):
            return True
        case _:
            return False


@lru_cache(maxsize=4096)
def _union(sets: frozenset[Domain]) -> Domain:
    union = 0
    for allowed in sets:
        union |= allowed
    return union


@lru_cache(maxsize=4096)
def _columns(tuples: frozenset[tuple[int, ...]], width: int) -> tuple[Domain, ...]:
    columns = list(zip(*tuples, strict=True)) or [()] * width
    return tuple(to_mask(value for value in set(column) if value >= 0) for column in columns)


# --- sums -------------------------------------------------------------------------------------------------------


def _reduce_by_sum(linear: Linear, different: Sequence[CellSet], domains: list[Domain]) -> None:
    """Remove values that each clique of a sum cannot have, given the least and the most that the other cliques add (bounds)."""
    cliques = clique_terms(linear.terms, different)
    unions = [union_of(cells, domains) for _, cells in cliques]
    ends = [_sum_bounds(factor, len(cells), union) for (factor, cells), union in zip(cliques, unions, strict=True)]
    least, most = sum(low for low, _ in ends), sum(high for _, high in ends)
    for (factor, cells), union, (low, high) in zip(cliques, unions, ends, strict=True):
        lowest = linear.total - (most - high) if linear.relation != "<=" else low
        highest = linear.total - (least - low) if linear.relation != ">=" else high
        if lowest > low or highest < high:
            allowed = _values_within(factor, len(cells), union, max(lowest, low), min(highest, high))
            for cell in cells:
                domains[cell] &= allowed


@lru_cache(maxsize=4096)
def _sum_bounds(factor: int, size: int, values: Domain) -> tuple[int, int]:
    """Return the least and the most that ``size`` different ``values`` add up to, times ``factor``."""
    sorted_ = members(values)
    ends = factor * sum(sorted_[:size]), factor * sum(sorted_[-size:])
    return min(ends), max(ends)


@lru_cache(maxsize=16384)
def _values_within(factor: int, size: int, values: Domain, lowest: int, highest: int) -> Domain:
    """Return the values that, by bounds, can be in a set of ``size`` of them whose sum times ``factor`` is in this range."""
    allowed = 0
    for value in members(values):
        least, most = _sum_bounds(factor, size - 1, values & ~(1 << value)) if size > 1 else (0, 0)
        if least + factor * value <= highest and most + factor * value >= lowest:
            allowed |= 1 << value
    return allowed
