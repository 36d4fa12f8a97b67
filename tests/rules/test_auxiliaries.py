"""A rule may use auxiliaries, variables of its own beside the board, and needs nothing but its class to do so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import SupportsTracing, backend
from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.model import Clause, Literal
from sudoku_cp.rules import RULES, Houses, Rule, rule_from_json, rule_to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Grid
    from sudoku_cp.model import Model, Values
    from sudoku_cp.rules import Lowered


@pytest.fixture(scope="module")
def either() -> Iterator[type[Rule]]:
    """A third-party rule, in the registry while these tests run."""

    @dataclass(frozen=True)
    class Either(Rule):
        """One of two cells holds its value, but not both."""

        kind = "either"
        one: int
        value: int
        other: int
        wish: int

        def lower(self, grid: Grid) -> Lowered:
            """Auxiliary -1 says which of the two it is; -2 is not always determined."""
            first, second, which = Literal(self.one, self.value), Literal(self.other, self.wish), Literal(-1, 1)
            yield "if the first", Clause((which._replace(equal=False), first))
            yield "if the first", Clause((which._replace(equal=False), second._replace(equal=False)))
            yield "if the second", Clause((which, second))
            yield "if the second", Clause((which, first._replace(equal=False)))
            yield "whatever", Clause((Literal(-2, 1), which))

        def holds(self, grid: Grid, values: Values) -> bool:
            """Exactly one of the two."""
            return (values[self.one] == self.value) != (values[self.other] == self.wish)

        @classmethod
        def example(cls, grid: Grid) -> Either:
            """Either r1c1 holds the first value or r2c2 the second."""
            return cls(0, grid.values[0], grid.cell_at[1, 1], grid.values[1])

    yield Either
    del RULES.defined["either"]


def test_defining_a_rule_is_enough(either: type[Rule], grids: dict[str, Grid]) -> None:
    """The new rule is in the registry, and its JSON works."""
    rule = either.example(grids["4x4"])
    assert RULES["either"] is either
    assert rule_from_json(rule_to_json(rule, grids["4x4"]), grids["4x4"]) == rule


def test_auxiliaries_multiply_no_solution(
    either: type[Rule], engine: str, grids: dict[str, Grid], model_of: Callable[..., Model]
) -> None:
    """The 4x4 grids in which exactly one of r1c1=1 and r2c2=2 is true are found once each, whatever the auxiliaries may be."""
    grid = grids["4x4"]
    model = model_of(grid, Houses(), either.example(grid))
    assert len(model.domains) == 16 + 2
    found = list(backend(engine).open(model).solutions())
    wanted = {values for values in small_board().solutions if (values[0] == 1) != (values[5] == 2)}
    assert set(found) == wanted
    assert len(found) == len(wanted)


def test_two_of_a_kind_have_auxiliaries_apart(
    either: type[Rule], engine: str, grids: dict[str, Grid], model_of: Callable[..., Model]
) -> None:
    """Two such rules in one puzzle choose independently."""
    grid = grids["4x4"]
    rules = (either(0, 1, 5, 2), either(3, 4, 6, 3), either(12, 1, 9, 4))
    wanted = {values for values in small_board().solutions if all(rule.holds(grid, values) for rule in rules)}
    assert wanted
    found = list(backend(engine).open(model_of(grid, Houses(), *rules)).solutions())
    assert set(found) == wanted
    assert len(found) == len(wanted)


def test_a_path_tree_has_each_grid_once(either: type[Rule], grids: dict[str, Grid], model_of: Callable[..., Model]) -> None:
    """The recorded search guesses auxiliaries too, and still ends in each grid once."""
    grid = grids["4x4"]
    session = backend("native").open(model_of(grid, Houses(), either.example(grid)))
    assert isinstance(session, SupportsTracing)
    tree = session.trace(stop_after=None)
    assert sorted(tree.solutions) == sorted(session.solutions())
    assert any(node.cell is not None and node.cell >= tree.board for node in tree.nodes)
    assert len(set(tree.solutions)) == len(tree.solutions)
