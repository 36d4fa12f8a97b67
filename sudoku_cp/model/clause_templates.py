"""Clauses of constraints as templates: made once for each shape of constraint, cached, and numbered for every constraint.

A place is an open candidate of the constraint's cells, in order, or one of the template's own auxiliaries after them. In
a template's clauses p means that place p is true and ~p that it is false.
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.model.cliques import PAIR, CellSet, clique_terms
from sudoku_cp.model.layered_graph import layered_graph
from sudoku_cp.model.model import (
    AUXILIARY,
    AllDifferent,
    Domain,
    Linear,
    Literal,
    cells_of,
    members,
    rename_cells,
    to_mask,
    union_of,
)
from sudoku_cp.model.rewrite import Disjunction, Fresh, as_clauses, negate, selector_clauses, walk_clauses
from sudoku_cp.time_limits import ticked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.model import Constraint


MOST_CACHED = 400_000
"""Most clauses in the cache (some 60 MB); a template has ten of them, or thousands."""

Key: TypeAlias = "tuple[Constraint, tuple[Domain, ...], tuple[int, ...]]"
"""A constraint on the cells 0, 1, 2, ..., their domains, and for a sum the sizes of its cliques, one after the other."""

CLAUSES_A_TICK = 4096
"""Clauses numbered between two ticks (2 ms); most constraints have fewer."""


class ClauseTemplate(NamedTuple):
    """Clauses over places, of which the last ``auxiliaries`` are auxiliaries."""

    auxiliaries: int
    clauses: Sequence[Sequence[int]]


_templates: dict[Key, ClauseTemplate] = {}
_lock = Lock()


def numbered_clauses(
    constraint: Constraint,
    domains: Sequence[Domain],
    variables: Mapping[tuple[Cell, int], int],
    different: Sequence[CellSet],
    fresh: Callable[[], int],
) -> list[list[int]]:
    """Return the clauses of a constraint over the ``variables`` of the open candidates; ``fresh`` returns new ones."""
    constraint, sizes = _sorted_by_cliques(constraint, different)
    cells = cells_of(constraint)
    own = tuple([domains[cell] for cell in cells])
    if isinstance(constraint, AllDifferent) and len(cells) == len(constraint.cells) and _is_settled(own):
        return _all_different_clauses(cells, own, variables)
    index = {cell: number for number, cell in enumerate(cells)}
    found = _template_of((rename_cells(constraint, index.__getitem__), own, sizes))
    places = [variables[cell, value] for cell, domain in zip(cells, own, strict=True) for value in _open_values(domain)]
    places += [fresh() for _ in range(found.auxiliaries)]
    # Read from the end, as ~p does, the places are the negations of those read from the start.
    literals = [*places, *(-place for place in reversed(places))]
    if len(found.clauses) <= CLAUSES_A_TICK:
        return [[literals[place] for place in clause] for clause in found.clauses]
    return [[literals[place] for place in clause] for clause in ticked(found.clauses, CLAUSES_A_TICK)]


def _is_settled(domains: Sequence[Domain]) -> bool:
    """Return whether decided cells rule out nothing more in the others, and there are enough values for all to differ."""
    union = decided = 0
    for domain in domains:
        if domain & (domain - 1):
            union |= domain
        elif not domain or domain & decided:
            return False
        else:
            decided |= domain
    return not union & decided and (union | decided).bit_count() >= len(domains)


def _open_values(domain: Domain) -> list[int]:
    return members(domain) if domain & (domain - 1) else []


def _all_different_clauses(
    cells: Sequence[Cell], domains: Sequence[Domain], variables: Mapping[tuple[Cell, int], int]
) -> list[list[int]]:
    """Return the clauses of cells that all differ: most of a formula, so they are made directly."""
    places: dict[int, list[int]] = {}
    decided = 0
    for cell, domain in zip(cells, domains, strict=True):
        if not domain & (domain - 1):
            decided += 1
            continue
        for value in members(domain):
            places.setdefault(value, []).append(variables[cell, value])
    clauses: list[list[int]] = []
    for literals in places.values():
        if len(places) + decided == len(cells):
            clauses.append(literals)
        clauses += map(list, combinations([-literal for literal in literals], 2))
    return clauses


# --- templates --------------------------------------------------------------------------------------------------


def _sorted_by_cliques(constraint: Constraint, different: Sequence[CellSet]) -> tuple[Constraint, tuple[int, ...]]:
    """Return a sum with its cells in order of cliques, and the cliques' sizes, if some clique has several cells."""
    if different and isinstance(constraint, Linear) and len(constraint.terms) > PAIR:
        cliques = sorted(clique_terms(constraint.terms, different), key=lambda clique: (-len(clique[1]), clique[0]))
        if cliques and len(cliques[0][1]) > 1:
            terms = tuple((cell, factor) for factor, cells in cliques for cell in cells)
            return Linear(terms, constraint.relation, constraint.total), tuple(len(cells) for _, cells in cliques)
    return constraint, ()


def _template_of(key: Key) -> ClauseTemplate:
    found = _templates.get(key)
    if found is None:
        found = _make_template(*key)
        with _lock:
            _templates[key] = found
            size = sum(len(template.clauses) for template in _templates.values()) if len(_templates) % 64 == 0 else 0
            while size > MOST_CACHED:
                size -= len(_templates.pop(next(iter(_templates))).clauses)
    return found


def _make_template(constraint: Constraint, domains: tuple[Domain, ...], sizes: tuple[int, ...]) -> ClauseTemplate:
    """Return the template of a constraint on the cells 0, 1, 2, ... with these domains."""
    live = list(domains)

    def fresh() -> Cell:
        live.append(AUXILIARY)
        return len(live) - 1

    place: dict[tuple[Cell, int], int] = {}
    for cell, domain in enumerate(domains):
        for value in _open_values(domain):
            place[cell, value] = len(place)
    base = len(place) - len(domains)
    clauses = [
        tuple(
            _place_literal(base + cell, equal == bool(value))
            if cell >= len(domains)
            else _place_literal(place[cell, value], equal)
            for cell, value, equal in literals
        )
        for literals in ticked(_clauses_of(constraint, live, sizes, fresh))
    ]
    return ClauseTemplate(len(live) - len(domains), clauses)


def _place_literal(place: int, true: bool) -> int:  # noqa: FBT001
    return place if true else ~place


def _clauses_of(
    constraint: Constraint, domains: Sequence[Domain], sizes: tuple[int, ...], fresh: Callable[[], Cell]
) -> Iterable[Disjunction]:
    if sizes and isinstance(constraint, Linear):
        return clique_sum_clauses(constraint, sizes, domains, fresh)
    return as_clauses(constraint, domains, fresh)


# Clauses for sums over cliques: a layer of the graph for each clique, whose letter is the sum of its set of values.
#
# A walk through the cells one by one would not know that three cells of a row that add up to 6 hold 1, 2 and 3.


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
