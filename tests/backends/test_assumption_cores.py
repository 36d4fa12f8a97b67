"""Parts that are assumed or left out, and smallest hitting sets, agree with brute force."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from sudoku_cp.backends import UNLIMITED, Cancellation, Limits
from sudoku_cp.backends.assumption_cores import AssumptionSolver, HittingSets
from sudoku_cp.errors import LimitReached
from sudoku_cp.model import AllDifferent, Clause, Linear, Literal, Model, Statement, Table


def said(*constraints) -> list[Statement]:
    """Return a part that states the constraints."""
    return [Statement(one, "rule", "part") for one in constraints]


PARTS = [
    said(AllDifferent((0, 1, 2))),
    said(Linear(((0, 1), (1, 1)), "==", 3)),
    said(Linear(((1, 1), (2, 1)), "==", 3), AllDifferent((1, 2))),
    said(Clause((Literal(3, 1), Literal(0, 3)))),
    said(Table((0, 3), frozenset({(1, 0), (2, 1)}))),
    said(Clause(())),
]
MODEL = Model((0b1110, 0b1110, 0b1110, 0b11), (), 3)


def brute(held: list[int]) -> set[tuple[int, ...]]:
    """Return the board's values in all solutions; the auxiliary cell 3 is free."""
    every = ((a, b, c, d) for a in range(1, 4) for b in range(1, 4) for c in range(1, 4) for d in range(2))
    return {values[:3] for values in every if all(one.constraint.holds(values) for part in held for one in PARTS[part])}


@pytest.mark.parametrize("solver", ["glucose4", "cadical153"])
def test_any_choice_of_parts_has_the_answer_of_brute_force(solver: str) -> None:
    """The answer is a solution if there is one, else some parts that clash; earlier questions have no effect."""
    parts = AssumptionSolver(MODEL, PARTS, solver=solver)
    choices = [list(held) for size in range(len(PARTS) + 1) for held in combinations(range(len(PARTS)), size)]
    Random(1).shuffle(choices)  # noqa: S311
    for held in choices:
        found, expected = parts.ask(held, clock=UNLIMITED.started()), brute(held)
        if isinstance(found, frozenset):
            assert not expected
            assert found <= set(held)
            assert not brute(sorted(found))
        else:
            assert found in expected


def test_another_solution_is_one_that_differs() -> None:
    """``besides`` is excluded for one question: whole grids, and values that cells must not all hold."""
    parts = AssumptionSolver(MODEL, PARTS)
    seen = set()
    for values in brute([1]):
        found = parts.ask([1], dict(enumerate(values)), clock=UNLIMITED.started())
        assert found in brute([1]) - {values}
        seen.add(found)
    assert parts.ask([1, 2], {0: 1, 1: 2, 2: 1}, clock=UNLIMITED.started()) == (2, 1, 2)
    assert isinstance(parts.ask([0, 1], {2: 3}, clock=UNLIMITED.started()), frozenset)
    assert parts.ask([0, 1], {2: 0}, clock=UNLIMITED.started()) in brute([0, 1])


@pytest.mark.parametrize("seed", range(5))
def test_a_smallest_hitting_set_is_as_small_as_brute_force_finds(seed: int) -> None:
    """Set after set is added, and no smaller set than the one found ever hits them all."""
    random = Random(seed)  # noqa: S311
    hitting, sets = HittingSets(), []
    for _ in range(12):
        sets.append(frozenset(random.sample(range(10), random.randint(1, 4))))
        hitting.add(sets[-1])
        found = hitting.smallest(UNLIMITED.started())
        assert all(found & one for one in sets)
        fewer = combinations(range(10), len(found) - 1)
        assert not any(all({*chosen} & one for one in sets) for chosen in fewer)


@pytest.mark.parametrize("kind", ["deadline", "cancelled"])
def test_a_search_for_a_hitting_set_ends_when_it_must(kind: str) -> None:
    """169 lines of 13 points, two of which meet in one at most, would keep it busy for long."""
    hitting = HittingSets()
    order = 13
    for slope in range(order):
        for start in range(order):
            hitting.add([order * row + (slope * row + start) % order for row in range(order)])
    cancel = Cancellation()
    if kind == "cancelled":
        cancel.cancel()
    with pytest.raises(LimitReached, match=kind):
        hitting.smallest(Limits(seconds=0.2, cancel=cancel).started())
