"""Cells known to differ do differ, and sums and counts are cut into cliques of them without loss."""

from __future__ import annotations

import gc
from operator import le, lt
from random import Random
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.backends.conformance.checks import AUXILIARIES, MAKERS, empty_board, random_cases
from sudoku_cp.model import (
    AllDifferent,
    Constraint,
    DigitSet,
    Linear,
    build_model,
    clique_cover,
    clique_terms,
    different_cells,
    pair_table,
)
from sudoku_cp.model.cliques import cell_set, is_clique

NEAR = different_cells(empty_board(9))


def test_a_cell_differs_from_those_it_shares_a_house_with() -> None:
    """On an empty 9x9 each cell differs from 20 others, and never from itself."""
    assert [others.bit_count() for others in NEAR] == [20] * 81
    assert not any(others >> cell & 1 for cell, others in enumerate(NEAR))
    assert different_cells(empty_board(9)) is NEAR


def test_cells_known_to_differ_differ_in_every_solution() -> None:
    """Whatever the statements, no solution has equal values in cells that are known to differ, auxiliaries left out."""
    cases = (*(case for kind in MAKERS for case in random_cases((kind,), 2)), *random_cases(tuple(MAKERS), 3, AUXILIARIES))
    known = 0
    for case in cases:
        for cell, others in enumerate(different_cells(case.model)[: case.model.board]):
            for other in range(case.model.board):
                if others >> other & 1:
                    known += 1
                    assert all(solution[cell] != solution[other] for solution in case.solutions)
    assert known > 100


@pytest.mark.parametrize(
    ("constraint", "differ"),
    [
        (AllDifferent((0, 1)), True),
        (DigitSet((1, 0), frozenset({0b11})), True),
        (pair_table(0, 1, range(4), lt), True),
        (pair_table(0, 1, range(4), le), False),
        (Linear(((0, 1), (1, -1)), "!=", 0), True),
        (Linear(((0, 2), (1, -2)), ">=", 1), True),
        (Linear(((0, 1), (1, -1)), "<=", 0), False),
        (Linear(((0, 1), (1, 1)), "==", 3), False),
        (Linear(((0, 0), (1, 0)), "!=", 0), False),
    ],
)
def test_what_tells_that_two_cells_differ(constraint: Constraint, *, differ: bool) -> None:
    """Sets of different cells, relations without equal pairs, and sums that are differences and not 0."""
    model = build_model([0b1111] * 2, [("r", [("p", constraint)])])
    assert different_cells(model) == ((0b10, 0b01) if differ else (0, 0))


def test_what_is_known_goes_with_its_model() -> None:
    """The cached result does not keep a model alive."""
    model = build_model([0b11] * 2, [("r", [("p", AllDifferent((0, 1)))])])
    different_cells(model)
    gone = ref(model)
    del model
    gc.collect()
    assert gone() is None


@given(st.lists(st.tuples(st.integers(0, 80), st.integers(-2, 2)), max_size=12))
def test_groups_are_the_terms_again(terms: list[tuple[int, int]]) -> None:
    """Each cell is in one group with the sum of its factors, each group is a clique, and the larger come first."""
    found = clique_terms(terms, NEAR)
    factors = {cell: sum(factor for one, factor in terms if one == cell) for cell, _ in terms}
    said = [(cell, factor) for factor, cells in found for cell in cells]
    assert sorted(said) == sorted((cell, factor) for cell, factor in factors.items() if factor)
    assert all(is_clique(cell_set(cells), NEAR) for _, cells in found)
    sizes = [len(cells) for _, cells in found]
    assert sizes == sorted(sizes, reverse=True)


def test_large_cliques_are_found() -> None:
    """Cells of a box and a row are split where they meet; the larger house stays whole."""
    assert clique_terms(((cell, 1) for cell in (80, 0, 1, 2, 9, 10, 30, 39, 48)), NEAR) == [
        (1, (0, 1, 2, 9, 10)),
        (1, (30, 39, 48)),
        (1, (80,)),
    ]
    diagonal = Random(1).sample(range(0, 81, 10), 9)  # noqa: S311
    assert [len(cells) for cells in clique_cover(diagonal, NEAR)] == [3, 3, 3]
    assert clique_cover((), NEAR) == []
    assert [len(cells) for cells in clique_cover(range(81), NEAR)] == [9] * 9
