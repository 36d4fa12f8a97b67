"""Regions to be found: both tiers of native find what clauses and brute force find, and propagation keeps every solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import TypeAlias

import pytest

from sudoku_cp.backends import Limits, backend
from sudoku_cp.backends.native.compiled_session import CompiledSession
from sudoku_cp.backends.native.readable_search import ORDERS, ReadableSession, propagator
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.generate.random_regions import random_regions
from sudoku_cp.model import Clause, Constraint, Domain, Model, Partition, build_model, members, pair_table, to_mask
from sudoku_cp.model.rewrite import rewrite_model

Filled: TypeAlias = tuple[int, ...]
Shape: TypeAlias = tuple[int, int, int]
"""Rows, columns, and cells of a region."""

SHAPES: tuple[Shape, ...] = ((2, 3, 3), (4, 4, 4), (3, 4, 3), (4, 5, 5), (6, 6, 6), (5, 4, 2))


def beside(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each cell of a board those that share an edge with it."""
    places = [divmod(cell, columns) for cell in range(rows * columns)]
    return tuple(
        tuple(other for other, (row, column) in enumerate(places) if abs(row - r) + abs(column - c) == 1) for r, c in places
    )


def partition_of(shape: Shape) -> Partition:
    """Return the constraint that a board is cut into regions, which are numbered from 1."""
    rows, columns, size = shape
    cells = rows * columns
    return Partition(tuple(range(cells)), tuple(range(cells, 2 * cells)), beside(rows, columns), size, 1)


def model_of(shape: Shape, spare: int = 0, others: Sequence[Constraint] = ()) -> Model:
    """Return the model of the constraint and others, with some more values than a region has cells."""
    rows, columns, size = shape
    cells, regions = rows * columns, rows * columns // size
    domains = [(1 << size + spare) - 1 << 1] * cells + [(1 << regions) - 1 << 1] * cells
    return build_model(domains, [("rule", [("regions", partition_of(shape)), *(("other", other) for other in others)])])


@lru_cache
def layouts(shape: Shape) -> list[list[int]]:
    """Return random regions, numbered in the order of their first cells."""
    rows, columns, size = shape
    random, found = Random(str(shape)), []  # noqa: S311
    for _ in range(12):
        names: dict[int, int] = {}
        found.append([names.setdefault(region, len(names) + 1) for region in random_regions(random, rows, columns, size)])
    return found


def some_solution(random: Random, shape: Shape, spare: int = 0) -> Filled:
    """Return random regions with random values."""
    size, numbers = shape[2], random.choice(layouts(shape))
    values = {number: random.sample(range(1, size + spare + 1), size) for number in set(numbers)}
    return (*(values[number].pop() for number in numbers), *numbers)


def narrowed(random: Random, domains: Sequence[Domain], kept: Filled) -> dict[int, Domain]:
    """Return any smaller domains that still have the values ``kept``: from nearly nothing known to nearly everything."""
    known, spread = random.random() ** 0.7, random.random()
    state: dict[int, Domain] = {}
    for cell, domain in enumerate(domains):
        more = 0 if random.random() < known else to_mask(value for value in members(domain) if random.random() < spread)
        state[cell] = 1 << kept[cell] | more
    return state


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spare", [0, 1])
def test_the_readable_propagator_keeps_every_solution(shape: Shape, spare: int) -> None:
    """From whatever state that has a solution, to the fixpoint: its values stay."""
    random, model = Random(f"{shape} {spare}"), model_of(shape, spare)  # noqa: S311
    own = propagator(model.constraints[0], model.domains)
    for _ in range(60):
        kept = some_solution(random, shape, spare)
        assert model.holds(kept)
        domains = [*narrowed(random, model.domains, kept).values()]
        changed = [0]
        while changed:
            changed.clear()
            assert own(domains, changed)
        assert all(domain >> value & 1 for domain, value in zip(domains, kept, strict=True)), (shape, kept)


@pytest.mark.skipif(not can_compile(), reason="Numba's compiler is turned off")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("spare", [0, 1])
def test_the_compiled_propagator_keeps_every_solution(shape: Shape, spare: int) -> None:
    """The first node of a search, where nothing has been guessed, still has every solution of its state."""
    random, model = Random(f"{spare} {shape}"), model_of(shape, spare)  # noqa: S311
    session = CompiledSession(model)
    for _ in range(100):
        kept = some_solution(random, shape, spare)
        state = narrowed(random, model.domains, kept)
        try:
            found = list(session.solutions(state, limits=Limits(nodes=1)))
        except LimitReached:
            found = []
        left = [part for part in session.unsearched() if all(part[cell] >> value & 1 for cell, value in enumerate(kept))]
        assert left or kept in found, (shape, kept)


ENGINES: Mapping[str, Callable[[Model], CompiledSession | ReadableSession]] = {
    "readable": lambda model: ReadableSession(model, ORDERS["fewest"]),
    "compiled": CompiledSession,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tier", [*ENGINES])
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != (6, 6, 6)])
@pytest.mark.parametrize("spare", [0, 1])
def test_all_solutions_are_those_of_the_clauses(tier: str, shape: Shape, spare: int) -> None:
    """With other constraints on values and on numbers, and in any state, both tiers find what SAT finds with its clauses."""
    if tier == "compiled" and not can_compile():
        pytest.skip("Numba's compiler is turned off")
    random = Random(f"{shape} {spare} {tier}")  # noqa: S311
    answers = []
    for _ in range(3):
        kept = some_solution(random, shape, spare)
        cells = len(kept) // 2
        pairs = [random.sample(range(first, first + cells), 2) for first in (0, cells, cells)]
        others = [pair_table(a, b, range(12), lambda x, y, same=(kept[a] == kept[b]): (x == y) == same) for a, b in pairs]
        model = model_of(shape, spare, others)
        asked, oracle = ENGINES[tier](model), backend("sat").open(model)
        for _ in range(8):
            state = narrowed(random, model.domains, kept)
            expected = sorted(_some(oracle.solutions(state), 300))
            if len(expected) < 300:
                assert sorted(asked.solutions(state)) == expected
                answers.append(len(expected))
    assert max(answers) > 1


def _some(solutions: Callable[..., object], most: int) -> list[Filled]:
    return [solution for solution, _ in zip(solutions, range(most), strict=False)]


@pytest.mark.skipif(not can_compile(), reason="Numba's compiler is turned off")
def test_a_contradiction_is_found_without_a_guess() -> None:
    """A region cut off from its other half, one that is too small, and numbers out of order end the search at the first node."""
    model = model_of((2, 4, 4))
    session = CompiledSession(model)
    impossible = [
        {8: 0b010, 11: 0b010, 9: 0b100, 14: 0b100},  # the halves of the first region cannot meet
        {8: 0b010, 9: 0b100, 12: 0b100},  # the first region is a single cell
        {8: 0b100},  # the first cell is in the first region
        {8: 0b010, 9: 0b010, 0: 0b10, 1: 0b10},  # a value twice
    ]
    for state in impossible:
        assert list(session.solutions(state)) == []
        assert session.counters()["nodes"] <= 2, state


def test_clauses_stand_for_it_where_it_is_not_taken() -> None:
    """An engine that takes clauses alone gets clauses; their auxiliaries come after the cells."""
    model = model_of((2, 2, 2))
    rewritten = rewrite_model(model, frozenset({Clause}))
    assert {type(constraint) for constraint in rewritten.constraints} == {Clause}
    assert rewritten.domains[:8] == model.domains
    solutions = {*chain(backend("sat").open(model).solutions())}
    assert solutions == {*filter(model.holds, _filled((1, 2), 8))}


def _filled(values: Sequence[int], cells: int) -> list[Filled]:
    found: list[Filled] = [()]
    for _ in range(cells):
        found = [(*one, value) for one in found for value in values]
    return found


def test_large_boards_are_refused_by_engines_that_need_clauses() -> None:
    """A board of 13x13 is solved as it is; as clauses it would be too large, and the message names the engine to use."""
    model = model_of((13, 13, 13))
    rows = [cell // 13 + 1 for cell in range(169)]
    state = {cell: 1 << (cell % 13 + 1) for cell in range(169)} | {169 + cell: 1 << row for cell, row in enumerate(rows)}
    assert next(iter(ENGINES["readable"](model).solutions(state))) == (*[cell % 13 + 1 for cell in range(169)], *rows)
    with pytest.raises(Unsupported, match=r"at most 144 cells .* engine 'native'.*, got 169"):
        next(iter(backend("sat").open(model).solutions(state)))
