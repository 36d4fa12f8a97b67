"""The number of solutions: exact counts that agree with each other and the literature, and estimates with sound intervals."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import InvalidInput, LimitReached, Unsupported, WrongAnswer
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import (
    count,
    count_estimate,
    estimate,
    estimates,
    frontier,
    random_solution,
    solution_count,
    solve,
    solve_many,
)
from sudoku_cp.queries.count_estimate import TreeProber
from sudoku_cp.queries.frontier import count_solutions, open_board
from sudoku_cp.rules import AntiKnight, Diagonals, ExtraRegion, Houses, KillerCage

LATIN = {2: 2, 3: 12, 4: 576, 5: 161_280, 6: 812_851_200}
"""Latin squares (OEIS A002860)."""
BOXED = {(2, 2): 288, (2, 3): 28_200_960, (3, 2): 28_200_960, (4, 2): 29_136_487_207_403_520}
"""Sudoku grids by (height, width) of their boxes (OEIS A107739; Felgenhauer and Jarvis 2005; Pettersen)."""
JIGSAW = "AAABBAACBBCCCBDECDDDEEEED"
"""Regions of a 5x5 board."""


def boxed(height: int, width: int) -> Puzzle:
    """The empty board with boxes of that shape."""
    return Puzzle(Grid.rectangle(height * width, height * width, (height, width)))


def thinned(puzzle: Puzzle, seed: int, givens: int) -> Puzzle:
    """The puzzle with so many givens of one of its solutions."""
    solution = random_solution(puzzle, seed=seed).solution
    assert solution is not None
    return puzzle.with_givens({cell: solution[cell] for cell in Random(seed).sample(puzzle.grid.cells, givens)})  # noqa: S311


def swept(puzzle: Puzzle, axis: int = 0) -> int:
    """The count of one sweep, by rows or by columns."""
    board = open_board(puzzle.model(), puzzle.assume())
    return 0 if board is None else count_solutions(board, frontier.orders(puzzle.grid)[axis])


# --- known numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "number"), LATIN.items())
def test_latin_squares_are_as_many_as_is_known(side: int, number: int) -> None:
    """A board without boxes has as many solutions as there are Latin squares."""
    answer = count(Puzzle(Grid.rectangle(side, side, None)), backend="frontier")
    assert (answer.count, answer.exact, answer.backend) == (number, True, "frontier")


@pytest.mark.parametrize("boxes", [(2, 2), (2, 3), (3, 2)])
def test_sudoku_grids_are_as_many_as_is_known(boxes: tuple[int, int]) -> None:
    """4x4 and 6x6 have the published numbers, and two solutions are kept to show that there are several."""
    puzzle = boxed(*boxes)
    answer = count(puzzle)
    assert (answer.count, answer.exact, answer.status, answer.reason) == (BOXED[boxes], True, "multiple", None)
    assert len(set(answer.solutions)) == 2
    assert all(map(puzzle.holds, answer.solutions))


@pytest.mark.slow
def test_large_boards_are_as_many_as_is_known() -> None:
    """8x8 with boxes of 2x4, and Latin squares of order 7, are counted exactly."""
    assert count(boxed(4, 2), backend="frontier").count == count(boxed(2, 4)).count == BOXED[4, 2]
    assert count(Puzzle(Grid.rectangle(7, 7, None))).count == 61_479_419_904_000


# --- the frontier against everything else -----------------------------------------------------------------------

JIGSAW_BOARD = Puzzle(Grid((Board(5, 5, regions=tuple(JIGSAW.index(sign) for sign in JIGSAW)),), range(1, 6)))
BOARDS = {
    "4x4": boxed(2, 2),
    "6x6": boxed(2, 3),
    "jigsaw": JIGSAW_BOARD,
    "values to spare": Puzzle(Grid.rectangle(3, 4, None)),
    "diagonals": Puzzle(boxed(2, 3).grid, rules=(Houses(), Diagonals())),
    "extra region": Puzzle(boxed(2, 3).grid, rules=(Houses(), ExtraRegion((0, 7, 14, 21, 28, 35)))),
    "anti-knight": Puzzle(boxed(2, 3).grid, rules=(Houses(), AntiKnight())),
    "two boards": Puzzle(Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))),
}


@cache
def solution_of(name: str) -> tuple[int, ...]:
    """A solution of the empty board."""
    solution = random_solution(BOARDS[name], seed=5).solution
    assert solution is not None
    return solution


def expect_as_an_engine_finds(puzzle: Puzzle) -> int:
    """Require that both sweeps count as many solutions as an engine enumerates (there must be few); return the number."""
    number = count(puzzle, backend="native", solution_limit=1000).count
    totals = {swept(puzzle, axis) for axis in (0, 1)}
    assert len(totals) == 1
    assert min(*totals, 1000) == number
    return number


@pytest.mark.parametrize("name", BOARDS)
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_the_frontier_counts_what_an_engine_finds(name: str, data: st.DataObject) -> None:
    """Under any givens and pencil marks, right or wrong, both sweeps count as many solutions as an engine finds."""
    empty = BOARDS[name]
    cells, values = empty.grid.cells, empty.grid.values
    most = len(cells) // 2
    solution = solution_of(name)
    chosen = data.draw(st.sets(st.sampled_from(cells), min_size=most // 2, max_size=most))
    wrong = data.draw(st.dictionaries(st.sampled_from(cells), st.sampled_from(values), max_size=1))
    wide = (2 << values[-1]) - 2
    marks = data.draw(st.dictionaries(st.sampled_from(cells), st.integers(0, wide // 2).map(lambda mask: 2 * mask), max_size=4))
    right = {cell: mask | 1 << solution[cell] for cell, mask in marks.items()}
    expect_as_an_engine_finds(replace(empty, givens={cell: solution[cell] for cell in chosen} | wrong, candidates=right))


@pytest.mark.parametrize("name", BOARDS)
def test_wrong_marks_are_counted_too(name: str) -> None:
    """If candidates exclude a solution's value from its cell, there are fewer solutions, or none."""
    empty, solution = BOARDS[name], solution_of(name)
    random = Random(3)  # noqa: S311
    cells = random.sample(empty.grid.cells, len(empty.grid.cells) // 2)
    wide = (2 << empty.grid.values[-1]) - 2
    givens = {cell: solution[cell] for cell in cells[2:]}
    numbers = [
        expect_as_an_engine_finds(replace(empty, givens=givens, candidates=marks))
        for marks in ({}, {cells[0]: wide & ~(1 << solution[cells[0]])})
    ]
    assert numbers[0] >= max(1, numbers[1])


@pytest.mark.parametrize(
    ("board", "given"),
    [
        (BOARDS["values to spare"], {2: 3, 6: 2, 10: 1}),
        (Puzzle(boxed(2, 3).grid, rules=(Houses(), ExtraRegion((0, 7)))), {0: 1, 7: 2}),
        (BOARDS["anti-knight"], {0: 1, 8: 4}),
    ],
    ids=["values to spare", "extra region", "anti-knight"],
)
def test_only_a_house_of_all_values_needs_each_of_them(board: Puzzle, given: dict[int, int]) -> None:
    """A house with fewer cells than values, filled by givens, does not need the values that it lacks."""
    solution = solve(replace(board, givens=given), solution_limit=1).solution
    assert solution is not None
    rest = {cell: solution[cell] for cell in board.grid.cells[len(board.grid.cells) // 2 :]}
    for givens in (given, {**rest, **given}):
        assert expect_as_an_engine_finds(replace(board, givens=givens)) > 0


@pytest.mark.parametrize("seed", [1, 2])
def test_the_frontier_counts_what_is_left_of_a_9x9_grid(seed: int) -> None:
    """Grids that lost most of their givens have as many solutions as the kernel of lanes finds, whichever way they are swept."""
    puzzle = thinned(Puzzle(), seed, 24)
    line = np.array([[puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells]], np.uint8)
    number = int(solve_many(line, None).counts[0])
    assert number > 1
    assert {swept(puzzle, 0), swept(puzzle, 1), count(puzzle).count} == {number}


def test_other_orders_join_and_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The race has the same answer with all its orders, and where turns are too short for a step of it."""
    puzzle = thinned(boxed(2, 3), 1, 8)
    number = count(puzzle, backend="native").count
    monkeypatch.setattr(frontier, "TRIED", 5)
    assert count(puzzle, backend="frontier").count == number
    monkeypatch.setattr(solution_count, "FEW", 3)
    monkeypatch.setattr(solution_count, "FIRST_TURN", 1e-4)
    assert count(puzzle).count == number


def test_numbers_beyond_machine_words_are_exact() -> None:
    """Five independent 6x6 boards have the fifth power of one board's number."""
    grid = Grid(tuple(Board(6, 6, (2, 3), at=(7 * number, 0)) for number in range(5)), range(1, 7))
    assert count(Puzzle(grid), backend="frontier").count == BOXED[2, 3] ** 5


# --- what it promises -------------------------------------------------------------------------------------------


def test_a_limit_beyond_what_is_enumerated_is_kept() -> None:
    """The frontier's number is cut to the limit, and is exact only below it."""
    for limit, told, exact in ((10**6, 10**6, False), (BOXED[2, 3], BOXED[2, 3], False), (BOXED[2, 3] + 1, BOXED[2, 3], True)):
        answer = count(boxed(2, 3), solution_limit=limit)
        assert (answer.count, answer.exact, answer.reason) == (told, exact, None)


def test_no_solution_and_one_are_told_by_the_frontier() -> None:
    """None is exactly 0, whether propagation or the sweep finds out; one is unique."""
    assert count(Puzzle(givens={0: 5, 1: 5}), backend="frontier").status == "none"
    dead = Puzzle.parse(".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........")
    assert count(dead, backend="frontier").status == "none"
    unique = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
    assert (swept(thinned(unique, 1, 40)), count(thinned(unique, 1, 40), backend="frontier").status) == (1, "unique")


def test_other_rules_are_counted_one_by_one() -> None:
    """The frontier refuses rules that say more than that cells differ; ``auto`` then counts as an engine does."""
    caged = Puzzle(boxed(2, 2).grid, rules=(Houses(), KillerCage(cells=(0, 1), total=3)))
    with pytest.raises(Unsupported, match="only require cells to differ"):
        count(caged, backend="frontier")
    answer = count(caged)
    assert (answer.count, answer.exact) == (count(caged, backend="native").count, True)
    assert answer.backend in {"native", "sat"}


def test_limits_leave_a_lower_bound() -> None:
    """A deadline, a node limit or a cancellation ends a count that is out of reach; the number found is kept, but not exact."""
    cancelled = Cancellation()
    cancelled.cancel()
    for seconds in (0.8, 8.0, 80.0):  # a machine that pauses needs longer for the first few
        late = count(Puzzle(), limits=Limits(seconds=seconds))
        assert (late.exact, late.reason) == (False, "deadline")
        if late.count > 2:
            break
    assert late.count > 2
    for limits, reason in (
        (Limits(nodes=6000), "nodes"),
        (Limits(cancel=cancelled), "cancelled"),
    ):
        answer = count(Puzzle(), limits=limits)
        assert (answer.exact, answer.reason) == (False, reason)
        assert (answer.count > 2) == (reason != "cancelled")
    few = count(boxed(4, 2), backend="frontier", limits=Limits(nodes=1000))
    assert (few.count, few.exact, few.reason) == (2, False, "nodes")


def test_a_frontier_that_outgrows_its_room_gives_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """With too many states, the frontier reports a limit, and ``auto`` goes on one by one."""
    monkeypatch.setattr(frontier, "MOST", 20)
    answer = count(boxed(2, 3), backend="frontier")
    assert (answer.count, answer.exact, answer.reason) == (2, False, "nodes")
    monkeypatch.setattr(solution_count, "FEW", 3)
    puzzle = thinned(boxed(2, 3), 1, 8)
    assert count(puzzle).count == count(puzzle, backend="native").count


def test_a_frontier_that_counts_less_than_was_found_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its number is checked against the solutions that an engine has found meanwhile."""
    monkeypatch.setattr(frontier.SweepRace, "total", lambda self, clock, seconds: 17)
    with pytest.raises(WrongAnswer, match="at least the"):
        count(boxed(2, 3))


# --- estimates --------------------------------------------------------------------------------------------------


def test_few_solutions_are_counted_not_estimated() -> None:
    """Where counting is quick the estimate is exact."""
    for puzzle, number in ((boxed(2, 2), 288), (Puzzle(givens={0: 5, 1: 5}), 0), (boxed(2, 3), BOXED[2, 3])):
        found = estimate(puzzle, seed=1)
        assert (found.value, found.low, found.high, found.exact, found.reason) == (number, number, number, True, None)


def test_a_seed_repeats_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seed gives the same probes, in both methods; another seed gives others."""
    monkeypatch.setattr(count_estimate, "TOGETHER", 100)
    monkeypatch.setattr(count_estimate, "LEAST", 3)
    monkeypatch.setattr(solution_count, "SOON", 0.05)
    monkeypatch.setattr(count_estimate, "PROBES_TOGETHER", 2)
    caged = replace(boxed(2, 3), rules=(Houses(), KillerCage(cells=(0, 1, 2), total=10)))
    for puzzle in (boxed(2, 3), caged):
        first, again, other = (estimate(puzzle, seed=seed, error=1.0).value for seed in (1, 1, 2))
        assert first == again != other


def test_estimates_grow_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are yielded as probes are made, and end once the interval is as narrow as requested."""
    monkeypatch.setattr(count_estimate, "TOGETHER", 100)
    told = list(estimates(boxed(2, 3), seed=3, error=0.1))
    assert [one.samples for one in told[:3]] == [1, 2, 3]
    last = told[-1]
    assert last.low <= last.value <= last.high <= last.value * 1.11
    assert last.low <= BOXED[2, 3] <= last.high
    assert abs(last.value - BOXED[2, 3]) < 5 * last.stderr


@pytest.mark.usefixtures("ticking_clock")
def test_a_limit_ends_an_estimate() -> None:
    """After a deadline, the last estimate has the reason; a deadline before any estimate raises."""
    last = estimate(Puzzle(Grid.square(12)), seed=1, limits=Limits(seconds=0.1))
    assert (last.exact, last.reason) == (False, "deadline")
    assert last.least > 2
    with pytest.raises(LimitReached):
        estimate(Puzzle(), limits=Limits(seconds=0))
    for wrong in ({"error": 0.0}, {"confidence": 1.0}, {"confidence": math.nan}):
        with pytest.raises(InvalidInput, match="expected an error above 0"):
            estimate(Puzzle(), **wrong)


@pytest.mark.parametrize("rules", [(Houses(),), (Houses(), KillerCage(cells=(0, 1, 6), total=9))], ids=["plain", "killer"])
def test_probes_are_right_on_average(rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean of many probes, by both methods, is the number of solutions within random error; dead ends count as 0."""
    puzzle = thinned(replace(boxed(2, 3), rules=rules), 5, 6)
    number = count(puzzle, backend="native").count
    assert number > 50
    monkeypatch.setattr(count_estimate, "PROBES_TOGETHER", 2)
    random = Random(7)  # noqa: S311
    prober = TreeProber(puzzle, int)
    ways = {"probes": lambda: prober.probe(random)}
    if len(rules) == 1:
        sample = frontier.make_count_sampler(puzzle, 10, 1, Limits().started())
        ways["frontier"] = lambda: sample()[0]
    for probe in ways.values():
        found = np.array([probe() for _ in range(40)], float)
        assert found.std() > 0
        assert abs(found.mean() - number) < 5 * found.std() / math.sqrt(len(found))
