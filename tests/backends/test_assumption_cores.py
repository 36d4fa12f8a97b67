"""Parts that are assumed or left out, and smallest hitting sets, agree with brute force."""

from __future__ import annotations

from itertools import combinations, islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import UNLIMITED, Cancellation, Limits, assumption_cores, backend
from sudoku_cp.backends.assumption_cores import AssumptionSolver, HittingSets
from sudoku_cp.errors import LimitReached
from sudoku_cp.model import AllDifferent, Clause, Linear, Literal, Model, Statement, Table
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.backends import Session


# --- assumption cores -------------------------------------------------------------------------------------------------


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


# --- sets -------------------------------------------------------------------------------------------------------------


ENGINES = ("native", "sat", "cpsat", "fast:bigint", "fast:lanes")
LIMITS = Limits(seconds=120)
SAMPLE = 60
MONSTERS = {0, 8, 9, 10, 14, 15}
"""The lines of the 25x25 set, counted from 0, that no engine solves in seconds."""

Read = "Callable[[str], list[str]]"


def _counts(engine: str, lines: Iterable[str]) -> list[int]:
    """Return how many solutions each puzzle has, 2 for several; each solution is checked by the rules."""
    sessions: dict[Model, Session] = {}
    counts = []
    for line in lines:
        puzzle = Puzzle.parse(line)
        model = puzzle.model()
        if model not in sessions:
            sessions[model] = backend(engine).open(model)
        found = list(islice(sessions[model].solutions(puzzle.assume(), limits=LIMITS), 2))
        assert all(puzzle.holds(solution) for solution in found)
        assert len(set(found)) == len(found)
        counts.append(len(found))
    return counts


def _spread(lines: list[str]) -> list[str]:
    """Return a sample spread evenly over the lines."""
    return lines[:: max(1, len(lines) // SAMPLE)][:SAMPLE]


UNIQUE = (
    "euler96.txt",
    "norvig_top95.txt",
    "norvig_hardest.txt",
    "gecode_9x9.txt",
    "gen_6x6_2x3_minimal.txt",
    "gecode_16x16.txt",
)
COMPILED = "gen_12x12_3x4_minimal.txt"
"""A set of a shape for which a kernel must be compiled first."""
LONG = {
    "17clue.txt.gz": 1,
    "multi_16clue_5000.txt.gz": 2,
    "no_solution_5000.txt.gz": 0,
    "magictour_top1465.txt": 1,
}


@pytest.mark.parametrize("name", [*UNIQUE, pytest.param(COMPILED, marks=pytest.mark.slow)])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_whole_set_is_unique(engine: str, name: str, puzzle_lines: Read) -> None:
    """Every puzzle of the set has exactly one solution."""
    lines = _spread(puzzle_lines(name))
    assert lines
    assert _counts(engine, lines) == [1] * len(lines)


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_sample_has_the_known_count(engine: str, name: str, puzzle_lines: Read) -> None:
    """Each of a sample of puzzles has no solution, one, or several, as is known for the set."""
    lines = _spread(puzzle_lines(name))
    assert len(lines) == SAMPLE
    assert _counts(engine, lines) == [LONG[name]] * SAMPLE


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LONG, *UNIQUE, COMPILED])
@pytest.mark.parametrize("engine", ENGINES)
def test_all_have_the_known_count(engine: str, name: str, puzzle_lines: Read) -> None:
    """Each puzzle has no solution, one, or several, as is known for the set."""
    lines = puzzle_lines(name)
    assert set(_counts(engine, lines)) == {LONG.get(name, 1)}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_the_hardest_known_are_unique(engine: str, puzzle_lines: Read) -> None:
    """Each of a sample of the hardest puzzles known has exactly one solution."""
    assert set(_counts(engine, _spread(puzzle_lines("forum_hardest_11plus_20k.txt.gz")))) == {1}


@pytest.mark.slow
def test_boards_of_25_are_unique(puzzle_lines: Read) -> None:
    """Every 25x25 puzzle that is not among the hardest has exactly one solution."""
    lines = [line for number, line in enumerate(puzzle_lines("gecode_25x25.txt")) if number not in MONSTERS]
    assert len(lines) == 12
    assert _counts("sat", lines) == [1] * len(lines)


def test_the_checksum_of_euler_96(puzzle_lines: Read) -> None:
    """The three digits at the top left of the fifty solutions add up to Project Euler's answer."""
    session = backend("native").open(Puzzle().model())
    total = 0
    for line in puzzle_lines("euler96.txt"):
        (solution,) = session.solutions(Puzzle.parse(line).assume())
        total += 100 * solution[0] + 10 * solution[1] + solution[2]
    assert total == 24702
