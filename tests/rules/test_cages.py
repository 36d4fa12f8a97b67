"""Cages and counts on boards so wide that their sets are too many to list, and what is shared between clues."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import backend
from sudoku_cp.grid import Grid
from sudoku_cp.model import AllDifferent, DigitSet
from sudoku_cp.rules import (
    ConnectedValues,
    CountingCircles,
    DigitalRootCage,
    EqualityCage,
    KillerCage,
    LookAndSay,
    MultiSumCage,
    RellikCage,
    Rule,
    SumCage,
)
from sudoku_cp.rules.cages import MANY, balanced_sets, sets_with_total, sets_without_sum

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.model import Model

WIDE = Grid.rectangle(1, 10, values=range(26))
"""A strip of 10 cells, and enough values for millions of sets."""
STRIP = tuple(WIDE.cells[:9])


@pytest.mark.parametrize(
    "rule",
    [
        KillerCage(STRIP, 112),
        MultiSumCage(STRIP, (66, 112, 7, 113)),
        DigitalRootCage(STRIP, 6),
        RellikCage(STRIP[:7], 30),
        RellikCage(STRIP[:8], 101),
        EqualityCage(STRIP[:8]),
    ],
)
def test_cages_mean_the_same_where_sets_are_too_many(rule: Rule, model_of: Callable[..., Model]) -> None:
    """A cage that cannot list its sets lowers to something else, which an engine can satisfy exactly where the cage holds."""
    model = model_of(WIDE, rule)
    assert not any(isinstance(constraint, DigitSet) for constraint in model.constraints)
    session = backend("sat").open(model)
    random, heard = Random(5), set()  # noqa: S311
    found = next(iter(session.solutions()))
    assert rule.holds(WIDE, found)
    for _ in range(6):
        tried = list(random.choice([found, random.sample(WIDE.values, 10)]))
        one, other = random.sample(STRIP, 2)
        tried[one], tried[other] = (
            (tried[other], tried[one]) if random.random() < 0.5 else (random.choice(WIDE.values), tried[other])
        )
        answer = list(session.solutions({cell: 1 << value for cell, value in enumerate(tried)}))
        heard.add(rule.holds(WIDE, tried))
        assert bool(answer) == rule.holds(WIDE, tried), tried
    assert heard == {True, False}


def test_clues_share_their_sets() -> None:
    """Two cages of one size and total share one object, so that an engine compiles it once."""
    grid = Grid.square(9)
    lists = [next(KillerCage(cells, 20).lower(grid))[1] for cells in ((0, 1, 2), (40, 41, 50))]
    first, second = (constraint.sets for constraint in lists if isinstance(constraint, DigitSet))
    assert first is second


def test_a_cage_that_forbids_no_set_is_all_different() -> None:
    """Nine cells with the sum of all nine values, and a rellik cage that no sum can reach, list nothing."""
    grid = Grid.square(9)
    for rule in (KillerCage(grid.lines[0], 45), RellikCage((0, 1, 2), 25), RellikCage((0, 1, 2), -1)):
        assert [constraint for _, constraint in rule.lower(grid)] == [AllDifferent(rule.cells)]


@pytest.mark.parametrize("values", [range(1, 10), range(9), range(3, 7), range(2, 11)])
def test_lists_of_sets_are_complete(values: range) -> None:
    """The lists are equal to filtering every set of values, and too long a list is None."""
    masks = range(1 << values.stop)
    for size in range(len(values) + 1):
        every = [
            (mask, chosen)
            for mask in masks
            if mask.bit_count() == size and not mask & ((1 << values.start) - 1)
            for chosen in [[v for v in values if mask >> v & 1]]
        ]
        total = size * values[0] + size * size // 2 + 1
        assert sets_with_total(values, size, total) == {mask for mask, chosen in every if sum(chosen) == total}
        if size == 3:
            reached = {mask: {sum(v for v in chosen if part >> v & 1) for part in masks if part & mask} for mask, chosen in every}
            assert sets_without_sum(values, size, total) == {mask for mask in reached if total not in reached[mask]}
    assert sets_with_total(range(1, 37), 18, 333) is None
    assert balanced_sets(range(1, 37), 18) is None
    assert len(balanced_sets(range(1, 17), 8) or ()) < MANY


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (SumCage((0, 1), 3, (1,)), "sum-cage: expected a factor for each of 2 cells (or none), got 1"),
        (DigitalRootCage((0, 1), 10), "digital-root-cage: expected a root from 0 to 9, got 10"),
        (LookAndSay((0, 1), ((1, 2, 3),)), "look-and-say: expected pairs (count, value), got (1, 2, 3)"),
        (LookAndSay((0, 1), ((1, 12),)), "look-and-say: expected values from 1 to 9 after the counts, got 12"),
        (ConnectedValues((0,)), "connected-values: expected digits from 1 to 9, got 0"),
    ],
)
def test_what_cannot_be_is_told(rule: Rule, words: str) -> None:
    """Factors, roots, pairs and digits that make no sense are reported."""
    assert list(rule.problems(Grid.square(9))) == [words]


def test_a_grid_too_large_to_hang_together_is_refused() -> None:
    """On a 36x36 board only a few cells can be required to be connected."""
    grid = Grid.square(36)
    assert list(ConnectedValues((1,)).problems(grid)) == [
        "connected-values: expected a grid of up to 16x16 cells or a small size, got a 36x36 grid"
    ]
    assert not list(ConnectedValues((1,), 5).problems(grid))


def test_circles_know_what_they_hold(model_of: Callable[..., Model]) -> None:
    """The values in three circles add up to three: 3 alone, or 1 and 2; in 44 circles there is every value but 1."""
    grid = Grid.square(9)
    session = backend("sat").open(model_of(grid, CountingCircles((0, 10, 20))))
    found = {
        frozenset(answer[cell] for cell in (0, 10, 20))
        for value in range(1, 10)
        for answer in [next(iter(session.solutions({0: 1 << value})), None)]
        if answer
    }
    assert found <= {frozenset({3}), frozenset({1, 2})}
    assert found
    circles = tuple(grid.cells[:44])
    parts = [str(constraint) for _, constraint in CountingCircles(circles).lower(grid)]
    assert len(parts) == 9
    assert not any("Linear" in part or "Automaton" in part for part in parts)
