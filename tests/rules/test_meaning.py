"""A rule's two definitions agree: it lowers to constraints that can be met with some values exactly if it holds for them."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import backend
from sudoku_cp.model import to_mask
from sudoku_cp.rules import RULES, Houses, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from sudoku_cp.backends import Session
    from sudoku_cp.grid import Grid
    from sudoku_cp.model import Model

    Filled = tuple[int, ...]
    Modelling = Callable[..., Model]
    Making = Callable[[type[Rule], Grid], st.SearchStrategy[Rule]]

ENGINES = ("native", "sat", "cpsat")
LENIENT = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)
"""Instances of some rules are slow to draw, and many of them are refused."""

few_or_many = pytest.mark.parametrize("examples", [3, pytest.param(20, marks=pytest.mark.slow)])
"""A few examples for everyday runs, and many for the full run."""
FEW = 3


def engines_for(number: int, examples: int) -> tuple[str, ...]:
    """Return the engines to use: all in the full run; otherwise one in rotation, so that each rule still meets each."""
    return ENGINES if examples > FEW else (ENGINES[number % len(ENGINES)],)


def allowed(session: Session, values: Filled) -> bool:
    """Return whether an engine finds exactly these values when they are all given."""
    found = list(session.solutions({cell: 1 << value for cell, value in enumerate(values)}))
    assert found in ([], [values])
    return bool(found)


def fills(random: Random, grid: Grid, session: Session) -> Iterator[Filled]:
    """Yield arbitrarily filled grids: at random, with few values, from the rule's own solutions, and with a cell or two changed.

    ``session`` may be of any engine: its solutions are not trusted.
    """
    yield tuple(random.choices(grid.values, k=len(grid.cells)))
    yield tuple(random.choices(random.sample(grid.values, 2), k=len(grid.cells)))
    rising = tuple(grid.values[(row + column) % len(grid.values)] for row, column in grid.places)
    yield rising
    hints = {cell: to_mask(random.sample(grid.values, 2)) for cell in random.sample(grid.cells, len(grid.cells) // 3)}
    own = [*islice(session.solutions(), 1)]
    yield from own
    for solution in (rising, *islice(session.solutions(hints), 2), *own):
        changed = list(solution)
        for cell in random.sample(grid.cells, random.randint(0, 2)):
            changed[cell] = random.choice(grid.values)
        yield tuple(changed)


def check(grid: Grid, rule: Rule, model: Model, seeds: range, engines: tuple[str, ...]) -> set[bool]:
    """Compare engines with the rule on arbitrarily filled grids; return which answers there were."""
    starting = backend("sat").open(model)
    filled = [values for seed in seeds for values in fills(Random(seed), grid, starting)]  # noqa: S311
    wanted = [rule.holds(grid, values) for values in filled]
    for engine in engines:
        session = starting if engine == "sat" else backend(engine).open(model)
        assert [allowed(session, values) for values in filled] == wanted, (engine, rule, grid)
    return set(wanted)


@few_or_many
def test_an_example_means_what_it_lowers_to(kind: str, examples: int, possible: tuple[Grid, ...], model_of: Modelling) -> None:
    """On arbitrary filled grids, proper sudokus or not, an engine can meet the lowered example exactly where it holds."""
    heard: set[bool] = set()
    turn = len(kind) % len(possible)
    for number, grid in enumerate(possible[turn:] + possible[:turn]):
        if examples > FEW or number < FEW or len(heard) < 2:  # everyday a few grids, and more until both answers have occurred
            rule = RULES[kind].example(grid)
            heard |= check(grid, rule, model_of(grid, rule), range(examples // 2), engines_for(number, examples))
    assert heard == {True, False}


@few_or_many
def test_any_instance_means_what_it_lowers_to(
    kind: str, examples: int, possible: tuple[Grid, ...], model_of: Modelling, instances: Making
) -> None:
    """The same for every instance of the rule without problems: any cells and numbers, including ones that nothing satisfies."""

    @settings(LENIENT, max_examples=(2 * examples if examples > FEW else FEW) if fields(RULES[kind]) else 1)
    @given(st.data(), st.integers(0, 2**32))
    def agree(data: st.DataObject, seed: int) -> None:
        grid = data.draw(st.sampled_from(possible))
        rule = data.draw(instances(RULES[kind], grid))
        check(grid, rule, model_of(grid, rule), range(seed, seed + 1), engines_for(seed, examples))

    agree()


# --- sudoku grids -----------------------------------------------------------------------------------------------

GIVENS = {
    "4x4": {},
    "a value more than cells": {0: 0, 6: 0, 9: 0, 15: 0, 1: 1},
    "6x6": {0: 1, 9: 2, 14: 3, 23: 4, 25: 5, 2: 6},
}
"""The givens of boards that are filled in every possible way."""
MORE = {"4x4": {0: 1, 5: 3}, "a value more than cells": {2: 2}, "6x6": {4: 2, 7: 5}}
"""More givens for an engine that may solve again for each grid, except in the full run."""


@cache
def sudokus(board: str, grid: Grid) -> frozenset[Filled]:
    """Return every sudoku grid with the givens of that board, found without the rules: 288 of 4x4, some hundreds of 6x6."""
    seen_by = [{other for house in grid.houses.values() if cell in house for other in house} - {cell} for cell in grid.cells]

    def grown(values: dict[int, int]) -> Iterator[Filled]:
        empty = [cell for cell in grid.cells if cell not in values]
        if not empty:
            yield tuple(values[cell] for cell in grid.cells)
            return
        left = {cell: set(grid.values) - {values[other] for other in seen_by[cell] if other in values} for cell in empty}
        cell = min(empty, key=lambda one: len(left[one]))
        for value in left[cell]:
            yield from grown({**values, cell: value})

    return frozenset(grown(dict(GIVENS[board])))


def leaves(
    board: str, grid: Grid, rule: Rule, model: Model, further: Mapping[str, Mapping[int, int]], engines: tuple[str, ...] = ENGINES
) -> None:
    """Check that the engines' solutions of a board are the sudoku grids for which the rule holds."""
    wanted = {values for values in sudokus(board, grid) if rule.holds(grid, values)}
    for engine in engines:
        givens = GIVENS[board] | further.get(engine, {})
        found = list(backend(engine).open(model).solutions({cell: 1 << value for cell, value in givens.items()}))
        assert len(found) == len(set(found)), (engine, rule)
        assert set(found) == {values for values in wanted if all(values[cell] == given for cell, given in givens.items())}, (
            engine,
            rule,
        )


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_an_example_leaves_the_grids_for_which_it_holds(
    kind: str, whole: bool, grids: dict[str, Grid], possible: tuple[Grid, ...], model_of: Modelling
) -> None:
    """The solutions of a board with the example are those of its sudoku grids for which the example holds."""
    boards = [board for board in GIVENS if grids[board] in possible]
    for board in boards if whole else [boards[len(kind) % len(boards)]]:
        rule = RULES[kind].example(grids[board])
        engines = ENGINES if whole else engines_for(sum(map(ord, kind)), FEW)
        leaves(
            board, grids[board], rule, model_of(grids[board], Houses(), rule), {} if whole else {"cpsat": MORE[board]}, engines
        )


@few_or_many
def test_any_instance_leaves_the_grids_for_which_it_holds(
    kind: str, examples: int, grids: dict[str, Grid], possible: tuple[Grid, ...], model_of: Modelling, instances: Making
) -> None:
    """The same for every instance, including those that leave no grid."""

    @settings(LENIENT, max_examples=examples if fields(RULES[kind]) else 1)
    @given(st.data(), st.integers(0, len(ENGINES) - 1))
    def agree(data: st.DataObject, number: int) -> None:
        board = data.draw(st.sampled_from([board for board in GIVENS if grids[board] in possible]))
        rule = data.draw(instances(RULES[kind], grids[board]))
        leaves(
            board,
            grids[board],
            rule,
            model_of(grids[board], Houses(), rule),
            dict.fromkeys(ENGINES, MORE[board]),
            engines_for(number, examples),
        )

    agree()
