"""What each of the nine constraints means, case by case."""

from __future__ import annotations

from operator import lt

import pytest

from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Literal,
    Partition,
    Table,
    cells_of,
    members,
    pair_table,
    to_mask,
)
from sudoku_cp.model.model import rename_cells

EVEN_ONES = frozenset({(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)})
ENDS_IN_TWO = frozenset({(0, 1, 0), (0, 2, 0), (0, 2, 9)})
"""Two next states for value 2: stay, or guess that it was the last."""

CASES: list[tuple[Constraint, list[tuple[int, ...]], list[tuple[int, ...]]]] = [
    (AllDifferent((0, 1, 2)), [(1, 2, 3), (0, 9, 5)], [(1, 1, 2), (1, 2, 1), (3, 3, 3)]),
    (AllDifferent((0, 2)), [(1, 1, 2)], [(1, 2, 1)]),
    (AllDifferent((1,)), [(1, 1, 1)], []),
    (AllDifferent(()), [(1, 1)], []),
    (AllDifferent((0, 0)), [], [(1,), (2,)]),
    (DigitSet((0, 1), frozenset({0b110, 0b11000})), [(1, 2), (2, 1), (3, 4)], [(1, 3), (1, 1), (2, 2), (0, 1)]),
    (DigitSet((0, 1), frozenset({0b10, 0b111})), [], [(1, 1), (0, 1), (1, 2)]),
    (DigitSet((0,), frozenset()), [], [(0,), (1,)]),
    (DigitSet((), frozenset({0})), [(5,)], []),
    (DigitSet((), frozenset()), [], [(5,)]),
    (Linear(((0, 1), (1, 1)), "==", 5), [(2, 3), (5, 0)], [(2, 2), (3, 3)]),
    (Linear(((0, 1), (1, -2)), "<=", -1), [(1, 1), (0, 3)], [(2, 1), (0, 0)]),
    (Linear(((0, -1), (1, 1)), ">=", 2), [(1, 3), (0, 9)], [(1, 2), (3, 1)]),
    (Linear(((0, 1), (1, -1)), "!=", 0), [(1, 2)], [(2, 2)]),
    (Linear(((0, 1), (0, 2)), "==", 6), [(2,)], [(3,), (1,)]),
    (Linear(((0, 0),), "==", 0), [(7,)], []),
    (Linear((), "<=", -1), [], [(0,)]),
    (Table((0, 1), frozenset({(1, 2), (2, 1)})), [(1, 2), (2, 1)], [(1, 1), (2, 2)]),
    (Table((1, 0), frozenset({(1, 2)})), [(2, 1)], [(1, 2)]),
    (Table((0, 0), frozenset({(1, 2), (3, 3)})), [(3,)], [(1,), (2,)]),
    (Table((0,), frozenset()), [], [(0,), (1,)]),
    (Table((), frozenset({()})), [(1,)], []),
    (Automaton((0, 1, 2), 0, EVEN_ONES, frozenset({0})), [(0, 0, 0), (1, 0, 1)], [(1, 0, 0), (1, 1, 1), (1, 2, 1)]),
    (Automaton((0, 1), 0, ENDS_IN_TWO, frozenset({9})), [(1, 2), (2, 2)], [(2, 1), (1, 1), (2, 3)]),
    (Automaton((0, 0), 0, EVEN_ONES, frozenset({0})), [(0,), (1,)], [(2,)]),
    (Automaton((0,), 3, frozenset(), frozenset({3})), [], [(0,)]),
    (Automaton((), 3, frozenset(), frozenset({3})), [(0,)], []),
    (Automaton((), 3, frozenset(), frozenset({4})), [], [(0,)]),
    (Clause((Literal(0, 1), Literal(1, 2, equal=False))), [(1, 2), (3, 3), (1, 1)], [(3, 2)]),
    (Clause((Literal(0, 99),)), [], [(1,)]),
    (Clause((Literal(0, 1), Literal(0, 1, equal=False))), [(1,), (2,)], []),
    (Clause(()), [], [(1,)]),
    (Count((0, 1, 2), frozenset({1, 3}), "==", 2), [(1, 3, 2), (1, 1, 2)], [(1, 2, 2), (1, 3, 1)]),
    (Count((0, 1), frozenset({1}), ">=", 1), [(1, 2), (1, 1)], [(2, 2)]),
    (Count((0, 1), frozenset({1}), "<=", -1), [], [(1, 2), (2, 2)]),
    (Count((0, 1), frozenset({1}), "!=", 1), [(2, 2), (1, 1)], [(1, 2)]),
    (Count((0, 0, 1), frozenset({1}), "==", 2), [(1, 2)], [(2, 1), (1, 1)]),
    (Count((0,), frozenset(), "==", 0), [(4,)], []),
    (Connected((0, 1, 2), frozenset({1, 3}), ((1,), (0, 2), (1,)), 2), [(1, 3, 1), (2, 2, 3), (1, 1, 2)], [(1, 2, 1), (2, 2, 2)]),
    (Connected((2, 0), frozenset({1}), ((1,), (0,)), 1), [(1, 2, 1), (2, 1, 1)], [(2, 1, 2)]),
    (Connected((0, 1), frozenset({1}), ((), ()), 1), [(1, 2), (2, 1)], [(1, 1), (2, 2)]),
    (Connected((0,), frozenset(), ((),), 0), [], [(1,)]),
    (Connected((), frozenset({1}), (), 0), [], [(1,)]),
    (Partition((0, 1), (2, 3), ((1,), (0,)), 2, 1), [(5, 6, 1, 1)], [(5, 5, 1, 1), (5, 6, 2, 2), (5, 6, 1, 2)]),
    (Partition((0, 1), (2, 3), ((1,), (0,)), 1, 0), [(5, 5, 0, 1)], [(5, 6, 1, 0), (5, 6, 0, 0), (5, 6, 0, 2)]),
    (Partition((0, 0), (1, 2), ((1,), (0,)), 1, 0), [(5, 0, 1)], [(5, 0, 0)]),
    (Partition((0, 0), (1, 2), ((1,), (0,)), 2, 0), [], [(5, 0, 0)]),
    (
        Partition(tuple(range(4)), tuple(range(4, 8)), ((1,), (0, 2), (1, 3), (2,)), 2, 1),
        [(5, 6, 5, 6, 1, 1, 2, 2)],
        [(5, 6, 6, 5, 1, 2, 2, 1), (5, 6, 5, 6, 2, 2, 1, 1), (5, 6, 5, 6, 1, 1, 1, 2), (5, 5, 6, 6, 1, 1, 2, 2)],
    ),
    (Partition((), (), (), 3, 1), [(1,)], []),
]


@pytest.mark.parametrize(("constraint", "right", "wrong"), CASES)
def test_a_constraint_means_what_it_says(
    constraint: Constraint, right: list[tuple[int, ...]], wrong: list[tuple[int, ...]]
) -> None:
    """``holds`` is true of these values and false of those."""
    assert [values for values in right if not constraint.holds(values)] == []
    assert [values for values in wrong if constraint.holds(values)] == []


@pytest.mark.parametrize("constraint", [constraint for constraint, _, _ in CASES])
def test_renaming_moves_the_meaning_along(constraint: Constraint) -> None:
    """A renamed constraint means the same for the new cells, and names no others."""
    moved = rename_cells(constraint, lambda cell: 15 - 2 * cell)
    assert cells_of(moved) == tuple(15 - 2 * cell for cell in cells_of(constraint))
    for values in [(0, 1, 2), (1, 2, 3), (2, 2, 1), (1, 1, 1), (1, 2, 1), (3, 2, 0), (5, 6, 1, 1), (5, 6, 5, 6, 1, 1, 2, 2)]:
        filled = (*values, *[50] * (8 - len(values)))
        spread = [50] * 16
        for cell, value in enumerate(filled):
            spread[15 - 2 * cell] = value
        assert moved.holds(spread) == constraint.holds(filled)


def test_cells_are_named_once_in_order() -> None:
    """``cells_of`` names each cell once, in the order in which the constraint does."""
    assert cells_of(Linear(((4, 1), (2, -1), (4, 3)), "==", 0)) == (4, 2)
    assert cells_of(Table((5, 5, 1), frozenset())) == (5, 1)
    assert cells_of(Clause((Literal(3, 1), Literal(1, 2), Literal(3, 2)))) == (3, 1)
    assert cells_of(Clause(())) == ()


def test_a_relation_is_a_table_of_pairs() -> None:
    """``relation`` holds for two values of the range exactly when they pass the test."""
    rising = pair_table(1, 0, range(3), lt)
    for one in range(3):
        for other in range(3):
            assert rising.holds((other, one)) == (one < other)
    assert not rising.holds((9, 1))


def test_equal_relations_share_their_pairs() -> None:
    """Tables of the same pairs share one object, however they were made, so that a lookup does not read the pairs."""
    tables = [
        pair_table(0, 1, range(9), lt),
        pair_table(5, 3, range(9), lt),
        pair_table(2, 4, range(9), lambda one, other: one < other),
    ]
    assert len({id(table.tuples) for table in tables}) == 1


@pytest.mark.parametrize("values", [[], [0], [9], [10], [1, 5, 61], list(range(10)), list(range(36)), list(range(3, 700, 7))])
def test_masks_and_members_undo_each_other(values: list[int]) -> None:
    """A set of values is the same as bits and as a sorted list, which is the caller's own."""
    members(to_mask(values)).append(-1)
    assert members(to_mask(reversed(values))) == values
    assert to_mask(values).bit_count() == len(values)
