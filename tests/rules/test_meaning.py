"""A rule's two tellings agree: it lowers to constraints that can be met with some values exactly if it holds for them."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import backend
from sudoku_cp.backends.conformance import small_board
from sudoku_cp.model import to_mask
from sudoku_cp.rules import RULES, Houses, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.backends import Session
    from sudoku_cp.grid import Grid
    from sudoku_cp.model import Model

    Modelling = Callable[..., Model]
    Opening = Callable[[str, str, Grid], tuple[Rule, Model, Session]]
    Making = Callable[[type[Rule], Grid], st.SearchStrategy[Rule]]

STEADY = settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""The same examples in every run, and no clock: other things may run beside the tests."""


def allowed(session: Session, values: tuple[int, ...]) -> bool:
    """Say whether an engine finds exactly these values when they are all given."""
    found = list(session.solutions({cell: 1 << value for cell, value in enumerate(values)}))
    assert found in ([], [values])
    return bool(found)


def fills(random: Random, grid: Grid, model: Model) -> Iterator[tuple[int, ...]]:
    """Yield grids filled anyhow: at random, with few values, from the rule's own solutions, and with a cell or two changed."""
    yield tuple(random.choices(grid.values, k=len(grid.cells)))
    yield tuple(random.choices(random.sample(grid.values, 2), k=len(grid.cells)))
    rising = tuple(grid.values[(row + column) % len(grid.values)] for row, column in grid.places)
    yield rising
    hints = {cell: to_mask(random.sample(grid.values, 2)) for cell in random.sample(grid.cells, len(grid.cells) // 3)}
    # Any engine may give starting points: what it says of them is not believed.
    session = backend("sat").open(model)
    for solution in (rising, *islice(session.solutions(hints), 2), *islice(session.solutions(), 1)):
        changed = list(solution)
        for cell in random.sample(grid.cells, random.randint(0, 2)):
            changed[cell] = random.choice(grid.values)
        yield tuple(changed)


@pytest.fixture(scope="module")
def opened(model_of: Modelling) -> Iterator[Opening]:
    """Opens a session on a rule's example once, however often it is asked."""

    @cache
    def once(kind: str, engine: str, grid: Grid) -> tuple[Rule, Model, Session]:
        rule = RULES[kind].example(grid)
        model = model_of(grid, rule)
        return rule, model, backend(engine).open(model)

    yield once
    # A solver that is still there when the interpreter ends complains.
    once.cache_clear()


def test_an_example_means_what_it_lowers_to(kind: str, engine: str, grids: dict[str, Grid], opened: Opening) -> None:
    """On arbitrary filled grids, proper sudokus or not, an engine can meet the lowered example exactly where it holds."""
    heard = set()

    @settings(STEADY, max_examples=60)
    @given(st.sampled_from(list(grids.values())), st.integers(0, 2**32))
    def agree(grid: Grid, seed: int) -> None:
        rule, model, session = opened(kind, engine, grid)
        for values in fills(Random(seed), grid, model):  # noqa: S311
            heard.add(rule.holds(grid, values))
            assert allowed(session, values) == rule.holds(grid, values), (rule, grid, values)

    agree()
    assert heard == {True, False}


def test_any_instance_means_what_it_lowers_to(
    kind: str, engine: str, grids: dict[str, Grid], model_of: Modelling, instances: Making
) -> None:
    """So it is for every instance of the rule without problems: any cells, any numbers, the impossible ones too."""

    @settings(STEADY, max_examples=60)
    @given(st.data(), st.integers(0, 2**32))
    def agree(data: st.DataObject, seed: int) -> None:
        possible = [grid for grid in grids.values() if not list(RULES[kind].example(grid).problems(grid))]
        grid = data.draw(st.sampled_from(possible))
        rule = data.draw(instances(RULES[kind], grid))
        model = model_of(grid, rule)
        session = backend(engine).open(model)
        for values in fills(Random(seed), grid, model):  # noqa: S311
            assert allowed(session, values) == rule.holds(grid, values), (rule, grid, values)

    agree()


def test_an_example_leaves_the_grids_for_which_it_holds(
    kind: str, engine: str, grids: dict[str, Grid], model_of: Modelling
) -> None:
    """The solutions of an empty 4x4 board with the example are those of its 288 grids for which the example holds."""
    grid = grids["4x4"]
    rule = RULES[kind].example(grid)
    wanted = {values for values in small_board().solutions if rule.holds(grid, values)}
    found = list(backend(engine).open(model_of(grid, Houses(), rule)).solutions())
    assert set(found) == wanted
    assert len(found) == len(wanted)


def test_any_instance_leaves_the_grids_for_which_it_holds(
    kind: str, engine: str, grids: dict[str, Grid], model_of: Modelling, instances: Making
) -> None:
    """So it is for every instance, those that leave no grid among them."""
    grid = grids["4x4"]

    @settings(STEADY, max_examples=15)
    @given(instances(RULES[kind], grid))
    def agree(rule: Rule) -> None:
        wanted = {values for values in small_board().solutions if rule.holds(grid, values)}
        assert set(backend(engine).open(model_of(grid, Houses(), rule)).solutions()) == wanted, rule

    agree()
