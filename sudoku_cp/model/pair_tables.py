"""Relations of two cells: one table a pair, and sets of values for several cells of which every two have the same relation."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model.cliques import never_equal
from sudoku_cp.model.constraints import DigitSet, Domain, Table, intern_tuples, members, to_mask, union_of
from sudoku_cp.model.model import IMPLIED, Statement
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.cliques import CellSet

Pair: TypeAlias = tuple["Cell", "Cell"]
Pairs: TypeAlias = frozenset[tuple[int, ...]]
"""The pairs of values that two cells may take."""
MANY = 2000
"""More sets of values than these are not listed."""
LOOKS = 10 * MANY
"""Steps after which the search for them stops."""


def merge_pair_tables(statements: Iterable[Statement], different: Sequence[CellSet]) -> list[Statement]:
    """Return, for statements of tables of two cells, one table for each pair, which also includes whether they differ."""
    related: dict[Pair, list[tuple[Statement, Pairs]]] = {}
    for statement in ticked(statements):
        match statement.constraint:
            case Table((one, other), pairs):
                if one < other:
                    related.setdefault((one, other), []).append((statement, pairs))
                else:
                    related.setdefault((other, one), []).append((statement, _swap(pairs)))
    return [
        _merge_statements(pair, some, differ=bool(different[pair[0]] >> pair[1] & 1)) for pair, some in ticked(related.items())
    ]


def _merge_statements(pair: Pair, related: list[tuple[Statement, Pairs]], *, differ: bool) -> Statement:
    """Merge the statements of a pair of cells into one."""
    first, pairs = related[0]
    for _, others in related[1:]:
        pairs = _intersect(pairs, others)
    if differ:
        pairs = _drop_equal(pairs)
    if len(related) > 1:
        return Statement(Table(pair, pairs), IMPLIED, ", ".join(str(statement) for statement, _ in related))
    if pairs is related[0][1] and first.constraint == Table(pair, pairs):
        return first
    return Statement(Table(pair, pairs), first.rule, first.part)


@lru_cache(maxsize=1024)
def _swap(pairs: Pairs) -> Pairs:
    return intern_tuples(frozenset((second, first) for first, second in pairs))


@lru_cache(maxsize=1024)
def _intersect(some: Pairs, others: Pairs) -> Pairs:
    return some if some <= others else intern_tuples(some & others)


@lru_cache(maxsize=1024)
def _drop_equal(pairs: Pairs) -> Pairs:
    return pairs if never_equal(pairs) else intern_tuples(frozenset((one, other) for one, other in pairs if one != other))


# --- several cells related alike --------------------------------------------------------------------------------


def related_digit_sets(statements: Iterable[Statement], domains: Sequence[Domain]) -> Iterator[Statement]:
    """Yield the sets of values of three cells or more of which every two are related by the same pairs, never equal ones."""
    related: dict[Pairs, list[Pair]] = {}
    for statement in ticked(statements):
        match statement.constraint:
            case Table((one, other), tuples) if one != other and never_equal(tuples):
                related.setdefault(_in_both_orders(tuples), []).append((one, other))
            case _:
                pass
    for pairs, edges in related.items():
        for cells in _cliques(edges):
            sets = _sets_of_clique(pairs, union_of(cells, domains), len(cells))
            if sets is not None:
                yield Statement(DigitSet(cells, sets), IMPLIED, f"{len(cells)} cells of which every two are related")


@lru_cache(maxsize=1024)
def _in_both_orders(pairs: Pairs) -> Pairs:
    """Return the pairs in both orders: a set of values leaves open which cell has which."""
    return intern_tuples(pairs | _swap(pairs))


def _cliques(edges: list[Pair]) -> Iterator[tuple[Cell, ...]]:
    """Yield sets of cells of which every two are an edge, such that each edge in a triangle is in one of them."""
    near: dict[Cell, CellSet] = {}
    for one, other in edges:
        near[one] = near.get(one, 0) | 1 << other
        near[other] = near.get(other, 0) | 1 << one
    covered: dict[Cell, CellSet] = {}
    for one, other in ticked(edges):
        common = near[one] & near[other]
        if not common or covered.get(one, 0) >> other & 1:
            continue
        cells = [one, other]
        while common:
            cell = (common & -common).bit_length() - 1
            cells.append(cell)
            common &= near[cell]
        whole = to_mask(cells)
        for cell in cells:
            covered[cell] = covered.get(cell, 0) | whole
        yield tuple(sorted(cells))


@lru_cache(maxsize=1024)
def _sets_of_clique(pairs: Pairs, values: Domain, size: int) -> frozenset[Domain] | None:
    """Return the sets of ``size`` of the ``values`` of which every two are in ``pairs``; None for too many."""
    partners = dict.fromkeys(members(values), 0)
    for first, second in pairs:
        if first < second and first in partners and second in partners:
            partners[first] |= 1 << second
    found: list[Domain] = []
    waiting = [(0, values)]
    looks = 0
    while waiting:
        chosen, left = waiting.pop()
        looks += 1
        if len(found) > MANY or looks > LOOKS:
            return None
        missing = size - chosen.bit_count()
        if not missing:
            found.append(chosen)
        elif left.bit_count() >= missing:
            waiting += [(chosen | 1 << value, left & partners[value]) for value in members(left)]
    return frozenset(found)
