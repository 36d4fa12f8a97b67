"""Contestants are compared on the same puzzles, in fair turns; answers are checked, and failures are marked."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.bench.contestant_process import filled_board
from sudoku_cp.bench.measurement import (
    SHORTEST,
    BenchPlan,
    are_contradictory,
    are_solutions,
    are_wrong,
    measure_set,
    sample_sizes,
    true_counts,
)
from sudoku_cp.bench.puzzle_sets import PuzzleSet, evenly_spaced
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

PLAN = BenchPlan(rounds=3, seconds=1.0)


def test_ratios_are_those_of_the_times(hundred, pretender) -> None:
    """A contestant that takes ten times as long has a tenth of the rate and a ratio of ten."""
    quick, slow = measure_set(hundred, [pretender("quick", 0.001), pretender("slow", 0.01)], PLAN)
    assert (quick.rate, slow.rate) == pytest.approx((1000, 100))
    assert (quick.ratio, slow.ratio) == pytest.approx((1, 10))
    assert quick.spread == pytest.approx(0, abs=1e-9)
    assert len(quick.seconds) == len(slow.seconds) == PLAN.rounds
    assert quick.wrong == slow.wrong == 0


def test_the_slow_get_as_many_as_fit(hundred, pretender) -> None:
    """A sample is the largest step of the ladder that fits the seconds, at least one puzzle."""
    given_to = {}
    for each in (0.0001, 0.01, 0.019, 0.06, 0.3, 7.0):
        (result,) = measure_set(hundred, [pretender("one", each)], PLAN)
        given_to[each] = result.puzzles
    assert given_to == {0.0001: 100, 0.01: 100, 0.019: 50, 0.06: 10, 0.3: 2, 7.0: 1}


def test_the_reference_answers_the_same_sample(hundred, pretender) -> None:
    """Beside a slow contestant the reference is timed on that contestant's puzzles, in every round."""
    uneven = PuzzleSet("uneven", "", np.arange(8100, dtype=np.uint16).reshape(100, 81).astype(np.uint8), (3, 3), 1)
    quick, slow = pretender("quick", 0.001), pretender("slow", 0.1)
    results = measure_set(uneven, [quick, slow], PLAN)
    assert [result.puzzles for result in results] == [100, 10]
    same = [puzzles for puzzles in quick.asked if np.array_equal(puzzles, slow.asked[-1])]
    assert len(same) >= PLAN.rounds
    assert len(results[1].against) == PLAN.rounds


def test_a_slow_reference_is_compared_on_its_own_sample(hundred, pretender) -> None:
    """Where the reference manages fewer puzzles, the quicker contestant is timed on those."""
    quick, slow = pretender("quick", 0.001), pretender("slow", 0.1)
    results = measure_set(hundred, [quick, slow], PLAN, reference="slow")
    assert [result.ratio for result in results] == pytest.approx([0.01, 1])
    assert results[0].puzzles == 100
    assert len(results[0].shared) == PLAN.rounds
    assert any(len(puzzles) == 10 for puzzles in quick.asked[-2 * PLAN.rounds :])


def test_many_at_once_get_short_samples_several_times(hundred, pretender) -> None:
    """Contestants that take arrays repeat a short sample until a pass is long enough to time; the figure is still per puzzle."""
    kernel = pretender("kernel", 1e-6, kind="many")
    (result,) = measure_set(hundred, [kernel], PLAN)
    assert len(kernel.asked[-1]) % 100 == 0
    assert len(kernel.asked[-1]) * kernel.each >= SHORTEST
    assert result.rate == pytest.approx(1e6)
    assert result.puzzles == 100


def test_contestants_take_turns(hundred, pretender) -> None:
    """Rounds are interleaved, so that a slow minute of the machine affects all."""
    order: list[str] = []
    one, other = (pretender(name, 0.5, spoil=lambda answers, name=name: order.append(name) or answers) for name in "ab")
    measure_set(hundred, [one, other], PLAN)
    assert order[-6:] == ["a", "b"] * 3


def wrong_count(answers):
    """Report every puzzle as ambiguous."""
    return answers._replace(counts=answers.counts * 2)


def wrong_grid(answers):
    """Return the last grid with two cells exchanged."""
    answers.solutions[-1, [0, 1]] = answers.solutions[-1, [1, 0]]
    return answers


def silent(answers):
    """Give no answer to the first puzzle."""
    answers.counts[0] = -1
    answers.solutions[0] = 0
    return answers._replace(error="KeyError: 5")


@pytest.mark.parametrize(
    ("spoil", "wrong", "unanswered", "failed"),
    [(wrong_count, 100, 0, ""), (wrong_grid, 1, 0, ""), (silent, 0, 1, "KeyError: 5")],
)
def test_a_spoiled_answer_is_counted(hundred, pretender, spoil, wrong, unanswered, failed) -> None:
    """Wrong counts, grids that break the rules and missing answers are counted; the times are kept."""
    right, spoiled = measure_set(hundred, [pretender("right", 0.001), pretender("spoiled", 0.001, spoil=spoil)], PLAN)
    assert (spoiled.wrong, spoiled.unanswered, spoiled.failed) == (wrong, unanswered, failed)
    assert spoiled.rate
    assert (right.wrong, right.unanswered, right.failed) == (0, 0, "")


def test_an_answer_that_changes_is_wrong(hundred, pretender) -> None:
    """A contestant whose count changes between rounds is wrong there, whichever count came first."""
    turns = iter([False] * 20 + [True] * 20)
    fickle = pretender(
        "fickle", 0.01, spoil=lambda answers: wrong_count(answers) if len(answers.counts) == 100 and next(turns) else answers
    )
    results = [measure_set(hundred, [fickle], BenchPlan(rounds=30, seconds=1.0))[0]]
    assert results[0].wrong == 100


def test_who_cannot_answer_at_all_is_marked(hundred, pretender) -> None:
    """A contestant that fails on the first puzzle has a mark and no figures, and is not run again."""
    stuck = pretender("stuck", 1.0, fails_from=1)
    right, failed = measure_set(hundred, [pretender("right", 0.001), stuck], PLAN)
    assert (failed.rate, failed.ratio, failed.puzzles, failed.failed) == (None, None, 0, "no answer in 5 s")
    assert len(stuck.asked) == 1
    assert right.rate


def test_who_fails_on_more_keeps_what_it_can(hundred, pretender) -> None:
    """A contestant that fails on a larger sample is measured on a smaller one, and the failure is reported."""
    (result,) = measure_set(hundred, [pretender("brittle", 0.001, fails_from=20)], PLAN)
    assert result.puzzles == 10
    assert result.failed == "no answer in 5 s on 20 puzzles"
    assert result.rate == pytest.approx(1000)


def test_a_first_solution_is_marked_and_not_called_wrong(hundred, pretender) -> None:
    """A contestant that only finds a first solution is marked, and its count of 1 is not taken as a claim."""
    several = PuzzleSet("several", "", hundred.puzzles, (3, 3), 2)
    (result,) = measure_set(several, [pretender("first", 0.001, first=True)], PLAN)
    assert result.first
    assert result.wrong == 0


def test_boards_that_a_contestant_does_not_know_are_not_asked(hundred, pretender) -> None:
    """A contestant for boards of other sides has no row."""

    class Small(pretender):
        contestant = property(lambda self: type(super().contestant)("small", "", sides=(4,)))

    assert measure_set(hundred, [Small("small", 1.0)], PLAN) == []


@given(st.integers(1, 10**6))
def test_the_ladder_ends_with_everything(total: int) -> None:
    """Samples grow by steps of at most 2.5, from one puzzle to all."""
    steps = list(sample_sizes(total))
    assert steps[0] == 1
    assert steps[-1] == total
    assert all(one < other <= 2.5 * one for one, other in pairwise(steps))


@given(st.integers(1, 500), st.data())
def test_samples_are_spread_evenly(total: int, data) -> None:
    """A sample's indices are distinct, in order, and about equally far apart."""
    number = data.draw(st.integers(1, total))
    indices = evenly_spaced(total, number).tolist()
    assert indices == sorted(set(indices))
    assert 0 <= indices[0] <= indices[-1] < total
    gaps = {after - before for before, after in pairwise(indices)}
    assert not gaps or max(gaps) - min(gaps) <= 1


@pytest.mark.parametrize("boxes", [(1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (5, 5), (5, 7)])
def test_a_grid_is_judged_as_the_rules_do(boxes) -> None:
    """The check of many grids agrees with `Puzzle.holds`, for a solution and each spoiled copy."""
    side = boxes[0] * boxes[1]
    grids = np.repeat(filled_board(boxes), 12, axis=0)
    dice = np.random.default_rng(1)
    for grid in grids[1:]:
        cell = dice.integers(side * side)
        grid[cell] = dice.integers(side + 1)
    puzzles = np.where(dice.random(grids.shape) < 0.3, filled_board(boxes), 0).astype(np.uint8)
    rules = Grid.square(side, boxes)
    expected = [
        Puzzle(rules, givens={cell: int(value) for cell, value in enumerate(puzzle) if value}).holds(tuple(grid.tolist()))
        for puzzle, grid in zip(puzzles, grids, strict=True)
    ]
    assert are_solutions(puzzles, grids, boxes).tolist() == expected
    assert expected[0]


def test_what_contradicts_itself_is_broken(array, lines) -> None:
    """A count of 1 needs a solution, a count of 0 must have none, and with several none need be shown."""
    blank = "." * 81
    puzzles = array(*[lines["unique"]] * 5)
    solutions = array(lines["solved"], blank, lines["solved"], blank, blank)
    counts = np.array([1, 1, 0, 2, -1])
    assert are_contradictory(puzzles, solutions, counts, (3, 3)).tolist() == [False, True, True, False, False]


def test_a_first_solution_claims_no_more_than_that() -> None:
    """A contestant that finds only a first solution can be wrong about none or some, never about one or several."""
    counts, true = np.array([1, 1, 0, 2, -1, 1]), np.array([1, 2, 1, 1, 1, -1])
    assert are_wrong(counts, true, first=False).tolist() == [False, True, True, True, False, False]
    assert are_wrong(counts, true, first=True).tolist() == [False, False, True, False, False, False]


def test_truth_of_unknown_puzzles(array, lines) -> None:
    """Unknown counts are believed where contestants agree; an engine settles a dispute."""
    one = PuzzleSet("own", "", array(lines["unique"], lines["two"], lines["none"], lines["unique"]), (3, 3))
    said = [(np.array([0, 1, 2]), np.array([1, 1, 0])), (np.array([0, 1, 2]), np.array([1, 7, -1]))]
    assert true_counts(one, said).tolist() == [1, 2, 0, -1]


def test_truth_of_known_puzzles(hundred) -> None:
    """Known counts of a set are not put to a vote."""
    assert true_counts(hundred, [(np.array([0]), np.array([2]))]).tolist() == [1] * 100
