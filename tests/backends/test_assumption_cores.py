"""Parts that are assumed or left out, and smallest hitting sets, agree with brute force."""

from __future__ import annotations

from itertools import combinations, count
from random import Random
from threading import Event

import pytest

from sudoku_cp.backends import UNLIMITED, Cancellation, Limits, assumption_cores, base
from sudoku_cp.backends.assumption_cores import AssumptionSolver, HittingSets
from sudoku_cp.backends.base import Clock
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


def test_parts_of_clauses_cost_no_look_at_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The further givens of a board are a part for each cell: the model alone is strengthened, once."""
    strengthened: list[Model] = []

    def strengthen(model: Model, _tick: object) -> Model:
        strengthened.append(model)
        return model

    monkeypatch.setattr(assumption_cores, "strengthen_for_sat", strengthen)
    solver = AssumptionSolver(MODEL, [said(Clause((Literal(cell, 1),))) for cell in range(3)])
    assert strengthened == [MODEL]
    assert solver.ask([0, 2], {1: 2, 3: 0}, clock=UNLIMITED.started())[::2] == (1, 1)


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


def test_a_hitting_set_is_waited_for_while_the_clock_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """While something is loaded, a search lasts longer than the seconds left: it is no empty set for that."""
    hitting, begun = HittingSets(), Event()
    hitting.add([3, 5])
    compute = hitting._solver.compute

    def compute_late(**options: bool) -> list[int] | None:
        begun.wait()
        return compute(**options)

    def time() -> float:
        if next(looks) == 20:
            begun.set()
        return 0.0

    looks = count()
    monkeypatch.setattr(hitting._solver, "compute", compute_late)
    monkeypatch.setattr(base, "time_without_loading", time)
    assert hitting.smallest(Clock(Limits(0.01), 0.0)) in [{3}, {5}]
