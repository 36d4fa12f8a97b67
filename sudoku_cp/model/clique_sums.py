"""Clauses for sums over cliques: a layer of the graph for each clique, whose letter is the sum of its set of values.

A walk through the cells one by one would not know that three cells of a row that add up to 6 hold 1, 2 and 3.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.model.constraints import Linear, Literal, members, to_mask, union_of
from sudoku_cp.model.layered_graph import layered_graph
from sudoku_cp.model.rewrite import negate, selector_clauses, walk_clauses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.constraints import Domain
    from sudoku_cp.model.rewrite import Disjunction, Fresh

MOST_SETS = 100
"""A clique of more sets of values than these (3 of 9 values have 84, 4 of them 126) is walked through in parts."""

SumLiterals: TypeAlias = "Mapping[int, Literal]"
"""For each sum, the literal that is true if a clique adds up to it."""


def clique_sum_clauses(linear: Linear, sizes: Sequence[int], domains: Sequence[Domain], fresh: Fresh) -> Iterator[Disjunction]:
    """Yield clauses for a sum whose terms are cliques of these ``sizes``, one after the other, each of one factor."""
    parts: list[tuple[int, tuple[Cell, ...]]] = []
    first = 0
    for size in sizes:
        cells = tuple(cell for cell, _ in linear.terms[first : first + size])
        parts += [(linear.terms[first][1], part) for part in _split_clique(cells, domains)]
        first += size
    return _clauses(parts, linear, domains, fresh)


def _split_clique(cells: tuple[Cell, ...], domains: Sequence[Domain]) -> Iterator[tuple[Cell, ...]]:
    """Yield a clique whole, or cut into parts of few sets of values each."""
    values = union_of(cells, domains).bit_count()
    size = max(size for size in range(1, len(cells) + 1) if size == 1 or comb(values, size) <= MOST_SETS)
    number = -(-len(cells) // size)
    for part in range(number):
        yield cells[part::number]


def _clauses(
    parts: Sequence[tuple[int, tuple[Cell, ...]]], linear: Linear, domains: Sequence[Domain], fresh: Fresh
) -> Iterator[Disjunction]:
    """Yield the clauses of a walk through the parts, and those that define the sum of each part."""
    sets = [_by_sum(cells, domains) for _, cells in parts]
    terms = tuple((number, factor) for number, (factor, _) in enumerate(parts))
    _, graph = layered_graph(Linear(terms, linear.relation, linear.total), [to_mask(by_sum) for by_sum in sets])
    letters: list[SumLiterals] = []
    for (_, cells), by_sum, layer in zip(parts, sets, graph, strict=True):
        if len(cells) == 1:
            letters.append({value: Literal(cells[0], value) for value in by_sum})
            continue
        sums = sorted({value for _, value, _ in layer})
        letters.append({value: Literal(fresh(), 1) for value in sums})
        selectors = {allowed: Literal(fresh(), 1) for value in sums for allowed in by_sum[value]}
        yield from selector_clauses(cells, selectors, domains)
        for value, letter in letters[-1].items():
            options = [selectors[allowed] for allowed in by_sum[value]]
            yield (negate(letter), *options)
            yield from ((letter, negate(one)) for one in options)
        yield from ((negate(one), negate(other)) for one, other in combinations(letters[-1].values(), 2))
    yield from walk_clauses(graph, letters, domains, fresh)


def _by_sum(cells: Sequence[Cell], domains: Sequence[Domain]) -> dict[int, list[Domain]]:
    found: dict[int, list[Domain]] = {}
    for chosen in combinations(members(union_of(cells, domains)), len(cells)):
        found.setdefault(sum(chosen), []).append(to_mask(chosen))
    return found
