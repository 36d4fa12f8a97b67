"""What tests of rules share: grids of several shapes, engines, and instances of any rule made from its fields."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from sudoku_cp.grid import Board, Cell, Grid
from sudoku_cp.model import build_model, to_mask
from sudoku_cp.rules import RULES, Rule
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.model import Model
    from sudoku_cp.rules.base import FieldType

GRIDS = {
    "4x4": Grid.square(4),
    "values from 0": Grid.square(4, values=range(4)),
    "a value more than cells": Grid.square(4, values=range(5)),
    "4x6 without boxes": Grid.rectangle(4, 6),
    "two boards": Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5)),
    "6x6": Grid.square(6),
}
HEAVY = {"chaos-construction": ("two boards", "6x6")}
"""Grids on which some engine needs longer for a rule than tests may take."""
OURS = sorted(kind for kind, rule in RULES.items() if rule.__module__.startswith("sudoku_cp.rules."))
ENGINES = ("native", "sat", "cpsat")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for every rule of ours and every engine if it has a parameter ``kind`` or ``engine``."""
    for name, values in (("kind", OURS), ("engine", ENGINES)):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, values)


@pytest.fixture(scope="session")
def grids() -> dict[str, Grid]:
    """The grids by the names of their shapes."""
    return GRIDS


@pytest.fixture(scope="session")
def model_of() -> Callable[..., Model]:
    """Makes the model of some rules on a grid."""

    def made(grid: Grid, *rules: Rule) -> Model:
        return build_model([to_mask(grid.values)] * len(grid.cells), ((rule.kind, rule.lower(grid)) for rule in rules))

    return made


def problems_of(rule: Rule, grid: Grid) -> list[str]:
    """Return everything that is wrong, as a puzzle would report it."""
    return [*dict.fromkeys([*Rule.problems(rule, grid), *rule.problems(grid)])]


@pytest.fixture(scope="session")
def problems() -> Callable[[Rule, Grid], list[str]]:
    """Finds what is wrong with a rule on a grid."""
    return problems_of


@cache
def possible_grids(kind: str) -> tuple[Grid, ...]:
    """Return the grids on which the rule's example is possible and every engine finishes soon."""
    light = [grid for shape, grid in GRIDS.items() if shape not in HEAVY.get(kind, ())]
    return tuple(grid for grid in light if not problems_of(RULES[kind].example(grid), grid))


@pytest.fixture
def possible(kind: str) -> tuple[Grid, ...]:
    """The grids on which the rule of that kind is possible."""
    return possible_grids(kind)


# --- random instances -------------------------------------------------------------------------------------------

TEXTS = {"ties": st.sampled_from(["none", "only-unclued", "any"])}
"""The texts that are valid, by the names of fields in which not every text is."""
INNER = ("difference", "odd", "thermometer", "killer-cage", "skyscraper", "quadruple")
"""The kinds of nested rules."""


def _patterns(grid: Grid) -> st.SearchStrategy[str]:
    """Make regular expressions over the grid's values."""
    signs = "".join(map(numerals(grid.values).sign, grid.values))
    sign = st.sampled_from(signs)
    some = st.lists(sign, min_size=1, max_size=3).map("".join)
    return st.recursive(
        st.sampled_from([".", ".*", ""]) | sign | some.map("[{}]".format) | some.map("[^{}]".format),
        lambda inner: (
            st.lists(inner, max_size=4).map("".join)
            | st.lists(inner, min_size=1, max_size=3).map(lambda options: f"({'|'.join(options)})")
            | st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}"])).map(
                lambda pair: f"(?:{pair[0]}){pair[1]}"
            )
        ),
        max_leaves=6,
    )


def _plain(name: str, plain: object, grid: Grid) -> st.SearchStrategy[Any]:
    texts = _patterns(grid) if name == "pattern" else TEXTS.get(name, st.text(max_size=5))
    inner = st.sampled_from(INNER).flatmap(lambda kind: instances_of(RULES[kind], grid))
    return {Cell: st.sampled_from(grid.cells), bool: st.booleans(), int: st.integers(-2, 15), str: texts, Rule: inner}[plain]


def _field(name: str, field: FieldType, grid: Grid) -> st.SearchStrategy[Any]:
    """Make anything that a field of this type can hold."""
    if field.optional:
        return st.none() | _field(name, field._replace(optional=False), grid)
    if field.depth == 0:
        return _plain(name, field.plain, grid)
    if field == (int, 1, False):
        return st.lists(st.sampled_from([*grid.values, grid.values.stop]), max_size=4).map(tuple)
    one = _field(name, field.each, grid)
    several = st.lists(one, max_size=3)
    return (several | st.lists(one, max_size=5, unique=True) if field == (Cell, 1, False) else several).map(tuple)


def _like(name: str, field: FieldType, value: Any, grid: Grid) -> st.SearchStrategy[Any]:
    """Make values like ``value``: of the same length, each cell and number perhaps replaced."""
    if value is None:
        return st.none()
    if field.depth == 0:
        return st.just(value) | _plain(name, field.plain, grid)
    if field.depth == 1 and field.plain is Cell and len(set(value)) == len(value):
        return st.just(value) | st.permutations(grid.cells).map(lambda cells: tuple(cells[: len(value)]))
    return st.tuples(*(_like(name, field.each, one, grid) for one in value))


def instances_of(rule: type[Rule], grid: Grid) -> st.SearchStrategy[Rule]:
    """Make instances of a rule without problems: like its example, or any at all."""
    example = rule.example(grid)
    types = rule.field_types
    like = st.builds(rule, **{name: _like(name, field, getattr(example, name), grid) for name, field in types.items()})
    anyhow = st.builds(rule, **{name: _field(name, field, grid) for name, field in types.items()})
    return (like | anyhow).filter(lambda one: not problems_of(one, grid))


@pytest.fixture(scope="session")
def instances() -> Callable[[type[Rule], Grid], st.SearchStrategy[Rule]]:
    """Makes random instances of a rule on a grid from its fields' types alone, including ones that nothing satisfies."""
    return instances_of
