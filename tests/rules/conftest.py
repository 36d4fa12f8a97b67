"""What tests of rules share: grids of several shapes, engines, and instances of any rule made from its fields."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from sudoku_cp.grid import Board, Grid
from sudoku_cp.model import build, to_mask
from sudoku_cp.rules import RULES, Rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.model import Model

GRIDS = {
    "4x4": Grid.square(4),
    "values from 0": Grid.square(4, values=range(4)),
    "4x6 without boxes": Grid.rectangle(4, 6),
    "two boards": Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5)),
}
OURS = sorted(kind for kind, rule in RULES.items() if rule.__module__.startswith("sudoku_cp.rules."))
ENGINES = ("native", "sat", "cpsat")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test for every rule of ours, every engine and every grid that it asks for."""
    for name, values in (("kind", OURS), ("engine", ENGINES), ("shape", list(GRIDS))):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, values)


@pytest.fixture(scope="session")
def grids() -> dict[str, Grid]:
    """The grids by the names of their shapes."""
    return GRIDS


@pytest.fixture
def grid(shape: str) -> Grid:
    """The grid of a shape."""
    return GRIDS[shape]


@pytest.fixture(scope="session")
def model_of() -> Callable[..., Model]:
    """Makes the model of some rules on a grid."""

    def made(grid: Grid, *rules: Rule) -> Model:
        return build([to_mask(grid.values)] * len(grid.cells), ((rule.kind, rule.lower(grid)) for rule in rules))

    return made


def _field(kind: str, grid: Grid) -> st.SearchStrategy[Any]:
    cell = st.sampled_from(grid.cells)
    cells = st.one_of(st.lists(cell, max_size=5, unique=True), st.lists(cell, max_size=4)).map(tuple)
    whole = st.integers(-2, 15)
    return {
        "Cell": cell,
        "Cells": cells,
        "tuple[Cells, ...]": st.lists(cells, max_size=3).map(tuple),
        "int": whole,
        "int | None": st.none() | whole,
        "tuple[int, ...]": st.lists(st.sampled_from([*grid.values, grid.values.stop]), max_size=4).map(tuple),
        "bool": st.booleans(),
        "str": st.text(max_size=5),
    }[kind]


@pytest.fixture(scope="session")
def instances() -> Callable[[type[Rule], Grid], st.SearchStrategy[Rule]]:
    """Makes random instances of a rule on a grid, the impossible ones among them, from nothing but its fields' types."""

    def made(rule: type[Rule], grid: Grid) -> st.SearchStrategy[Rule]:
        own = {field.name: _field(str(field.type), grid) for field in fields(rule)}
        return st.builds(rule, **own).filter(lambda one: not [*Rule.problems(one, grid), *one.problems(grid)])

    return made
