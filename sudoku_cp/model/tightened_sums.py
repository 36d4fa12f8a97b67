"""Sums and counts over cells that all differ, replaced by what is tighter: digit sets, tables, clauses."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import TYPE_CHECKING

from sudoku_cp.model.cliques import PAIR, cell_set, clique_cover, is_clique
from sudoku_cp.model.constraints import COMPARE, Clause, Count, DigitSet, Linear, Literal, Table, members, to_mask, union_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.cliques import CellSet
    from sudoku_cp.model.constraints import Constraint, Domain, Relation

MANY = 2000
"""More sets of values, or pairs, than these are not listed."""


def merge_terms(linear: Linear) -> Linear:
    """Return the same sum with each cell named once, and none whose factor is 0."""
    factors = dict(linear.terms)
    if len(factors) == len(linear.terms) and 0 not in factors.values():
        return linear
    factors = dict.fromkeys(factors, 0)
    for cell, factor in linear.terms:
        factors[cell] += factor
    terms = tuple((cell, factor) for cell, factor in factors.items() if factor)
    return Linear(terms, linear.relation, linear.total)


def tighten_sum(linear: Linear, different: Sequence[CellSet], domains: Sequence[Domain]) -> Iterator[Constraint]:
    """Yield a sum over one clique as its sets of values, one over two cells as their pairs, any other as it is.

    A sum of no cells yields nothing, or the empty clause if it is false.
    """
    plain = merge_terms(linear)
    factors = {factor for _, factor in plain.terms}
    if not factors:
        if not plain.holds(()):
            yield Clause(())
        return
    cells = tuple([cell for cell, _ in plain.terms])
    if len(cells) > 1 and len(factors) == 1 and is_clique(cell_set(cells), different):
        (factor,) = factors
        values = union_of(cells, domains)
        if comb(values.bit_count(), len(cells)) <= MANY:
            yield DigitSet(cells, sets_of_sum(values, len(cells), factor, linear.relation, linear.total))
            return
    if len(cells) <= PAIR:
        spans = tuple([domains[cell] for cell in cells])
        if len(cells) == 1 or spans[0].bit_count() * spans[1].bit_count() <= MANY:
            yield Table(cells, _tuples_of_sum(tuple([factor for _, factor in plain.terms]), plain.relation, plain.total, spans))
            return
    yield plain


@lru_cache(maxsize=4096)
def sets_of_sum(values: Domain, size: int, factor: int, relation: Relation, total: int) -> frozenset[Domain]:
    """Return the sets of ``size`` of the ``values`` whose sum, times ``factor``, stands in ``relation`` to ``total``."""
    by_sum = _by_sum(values, size)
    return frozenset().union(*(sets for sum_, sets in by_sum.items() if COMPARE[relation](factor * sum_, total)))


@lru_cache(maxsize=256)
def _by_sum(values: Domain, size: int) -> dict[int, list[Domain]]:
    found: dict[int, list[Domain]] = {}
    for chosen in combinations(members(values), size):
        found.setdefault(sum(chosen), []).append(to_mask(chosen))
    return found


@lru_cache(maxsize=1024)
def _tuples_of_sum(
    factors: tuple[int, ...], relation: Relation, total: int, domains: tuple[Domain, ...]
) -> frozenset[tuple[int, ...]]:
    fits = COMPARE[relation]
    return frozenset(
        values
        for values in product(*map(members, domains))
        if fits(sum(factor * value for factor, value in zip(factors, values, strict=True)), total)
    )


def tighten_count(count: Count, different: Sequence[CellSet], domains: Sequence[Domain]) -> Iterator[Constraint]:
    """Yield a count as clauses if it requires all that its cliques can hold, nothing if it is always true, else itself.

    A value occurs at most once in a clique, so a clique of five cells holds at most three of three wanted values.
    """
    if count.relation not in {"==", ">="} or count.number <= 1 or len(set(count.cells)) < len(count.cells):
        yield count
        return
    wanted = to_mask(value for value in count.values if value >= 0)
    cliques = [(clique, _count_bounds(clique, wanted, domains)) for clique in clique_cover(count.cells, different)]
    least, most = (sum(span[end] for _, span in cliques) for end in (0, 1))
    if most < count.number or (count.relation == "==" and least > count.number):
        yield Clause(())
    elif least == most or (count.relation == ">=" and least >= count.number):
        return
    elif most == count.number and wanted.bit_count() == 1:
        for clique, (_, its_most) in cliques:
            if its_most:
                yield Clause(tuple(Literal(cell, value) for cell in clique for value in members(wanted)))
    else:
        yield count


def _count_bounds(clique: tuple[Cell, ...], wanted: Domain, domains: Sequence[Domain]) -> tuple[int, int]:
    """Return the least and the greatest number of cells of a clique that can hold a wanted value."""
    values = certain = possible = 0
    for cell in clique:
        values |= domains[cell]
        possible += bool(domains[cell] & wanted)
        certain += not domains[cell] & ~wanted
    unwanted = (values & ~wanted).bit_count()
    return max(certain, len(clique) - unwanted), min(possible, (values & wanted).bit_count())
