"""Regions that are to be found, and connected values, where the cells are listed."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import backend
from sudoku_cp.grid import Board, Grid
from sudoku_cp.rules import ChaosConstruction, ConnectedValues, Rule, rule_from_json
from sudoku_cp.rules.base import rule_to_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.model import Model

BESIDE = tuple(Board(1, 1, at=(30, 20 * number)) for number in range(6))
TWO_BY_THREE = Grid.of((Board(2, 3), *BESIDE), range(1, 4))
"""Six cells, and as many far from them and from each other."""
RULES = [
    ChaosConstruction(),
    ChaosConstruction(tuple(range(6, 12))),
    ChaosConstruction(tuple(range(11, 5, -1)), 2),
    ConnectedValues((1, 3), None, (0, 1, 2, 8)),
    ConnectedValues((1, 2), 3, tuple(range(6, 12)), 3),
    ConnectedValues((2,), None, (11, 6, 10, 7, 0), 2),
]


@pytest.mark.parametrize("rule", RULES)
def test_engines_and_meaning_agree(rule: Rule, model_of: Callable[..., Model]) -> None:
    """What a rule lowers to has exactly the solutions for which the rule holds."""
    assert not list(rule.problems(TWO_BY_THREE))
    assert rule_from_json(rule_to_json(rule, TWO_BY_THREE), TWO_BY_THREE) == rule
    free = set(range(12))
    if isinstance(rule, ChaosConstruction) and not rule.regions:
        free = set(range(6))
    elif isinstance(rule, ConnectedValues):
        free = set(rule.cells)
    session = backend("sat").open(model_of(TWO_BY_THREE, rule))
    first = (1, 2, 3, 3, 1, 2) if len(free) == 12 else ()
    known = {cell: 1 << value for cell, value in enumerate(first)} | dict.fromkeys({*range(12)} - free, 1 << 1)
    open_cells = [cell for cell in range(12) if cell not in known]
    expected = set()
    for chosen in product(TWO_BY_THREE.values, repeat=len(open_cells)):
        at = dict(zip(open_cells, chosen, strict=True)) | {cell: domain.bit_length() - 1 for cell, domain in known.items()}
        values = tuple(at[cell] for cell in range(12))
        if rule.holds(TWO_BY_THREE, values):
            expected.add(values)
    assert expected
    assert {tuple(solution) for solution in session.solutions(known)} == expected


def test_numbers_of_regions_are_those_of_their_first_cells() -> None:
    """The same cut with other numbers, or an invalid cut, is refused."""
    rule = ChaosConstruction(tuple(range(6, 12)))
    board = (1, 2, 3, 2, 3, 1)
    assert rule.holds(TWO_BY_THREE, (*board, 1, 1, 1, 2, 2, 2))
    assert not rule.holds(TWO_BY_THREE, (*board, 2, 2, 2, 1, 1, 1))
    assert not rule.holds(TWO_BY_THREE, (*board, 1, 1, 2, 2, 2, 1))
    assert not rule.holds(TWO_BY_THREE, (*board, 1, 1, 1, 1, 1, 1))


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (ChaosConstruction((6, 7)), "regions: expected a cell beside the board for each of 6 cells on it, got 2 such cells"),
        (ChaosConstruction((0, 1, 2, 3, 4, 5)), "regions: expected a cell beside the board for each of 6 cells on it, got 0"),
        (ChaosConstruction((6,) * 6), "regions: expected a cell beside the board for each of 6 cells on it, got 1 such"),
        (ChaosConstruction((), 4), "size: expected 1 to 3 cells, got 4"),
        (ChaosConstruction(tuple(range(6, 12)), 1), "regions: expected at most as many regions as values, got 6"),
        (ConnectedValues((1,), None, (6, 6)), "expected each cell once"),
        (ConnectedValues((1,), None, (), 2), "columns: expected 1 or more with a list of cells, got 2"),
        (ConnectedValues((1,), None, (6, 7), 0), "columns: expected 1 or more with a list of cells, got 0"),
    ],
)
def test_lists_that_fit_no_board_are_named(rule: Rule, words: str) -> None:
    """What is wrong with listed cells and sizes is reported."""
    assert words in "\n".join(rule.problems(TWO_BY_THREE))
