"""The cost of trust, and of thinking like a person: every task is timed, with its goal beside it, and failures are marked."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_cp.bench import analysis_times
from sudoku_cp.bench.analysis_times import (
    AMBIGUOUS,
    ANALYSIS_TASKS,
    CLASSES,
    GOALS,
    KILLERS,
    LOGIC_TASKS,
    AnalysisTime,
    logic_rows,
    make_ambiguous,
    trust_rows,
    trust_times,
)
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import true_candidates

UNIQUE = [1, 2, 3, 0] + [0] * 8 + [0, 0, 0, 2]
PLAN = BenchPlan(rounds=1, seconds=0.1, patience=5)


def a_set(name: str, row: list[int], count: int) -> PuzzleSet:
    """Return one puzzle as a set with a known count."""
    return PuzzleSet(name, "a few", np.array([row], np.uint8), (2, 2), count)


def test_every_task_is_timed() -> None:
    """Each task has times for each set of unique puzzles, bytes where something is written, and no mark."""
    given = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0]
    times = trust_times([a_set("small", given, 1), a_set("several", UNIQUE, 2)], PLAN)
    assert [(one.task, one.set, one.puzzles, one.mark) for one in times] == [(task, "small", 1, "") for task in ANALYSIS_TASKS]
    rows = trust_rows(times)
    assert all(float(row["ms median"]) > 0 for row in rows)
    assert [bool(row["bytes max"]) for row in rows] == [row["task"].startswith("prove") for row in rows]


def test_what_is_amiss_is_marked() -> None:
    """A puzzle that is not unique has no certificate, and the row says so."""
    times = trust_times([a_set("wrongly known", [0] * 16, 1)], PLAN)
    assert times[0].mark.startswith("NotProved: ")
    assert trust_rows(times)[0]["ms median"] == "-"


@pytest.mark.parametrize("line", ["4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"])
def test_an_ambiguous_puzzle_has_many_candidates(line: str) -> None:
    """Givens are left out until there are enough true candidates."""
    puzzle = Puzzle.parse(line)
    fewer = make_ambiguous(puzzle)
    assert set(fewer.givens.items()) < set(puzzle.givens.items())
    assert sum(domain.bit_count() for domain in true_candidates(fewer).possible) >= AMBIGUOUS


EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def test_goals_are_of_tasks_and_classes_that_are_timed() -> None:
    """Each goal stands beside a figure: its task is timed, and so is its class."""
    timed = {(task, name) for task in LOGIC_TASKS for name in CLASSES} | {("rate, all scales", KILLERS)}
    assert set(GOALS) <= timed
    assert len(GOALS) > len(CLASSES)


def test_rows_show_the_goal_beside_the_median() -> None:
    """A row has its goal where there is one, and nothing in its place where there is none."""
    times = [AnalysisTime("rate, se", "ER 7.4 to 9.5", 1, [0.25]), AnalysisTime("rate, hodoku", "ER above", 1, [0.5])]
    rows = [(row["ms median"], row["goal"]) for row in logic_rows(times)]
    assert rows == [("250", "400"), ("500", "")]


def test_every_task_is_timed_on_the_classes_that_have_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    """An easy puzzle is timed in the first class by every task, and what stands for killers by all scales."""
    puzzle = Puzzle.parse(EASY)
    monkeypatch.setattr(analysis_times, "variant_puzzles", lambda: [(KILLERS, puzzle), ("arrow", puzzle)])
    row = [puzzle.givens.get(cell, 0) for cell in range(81)]
    easy = PuzzleSet("kaggle", "one", np.array([row], np.uint8), (3, 3), 1)
    found = analysis_times.logic_times([easy], BenchPlan(rounds=1, seconds=0.1, patience=60))
    assert [(one.task, one.set, one.puzzles, one.mark) for one in found] == [
        *((task, "ER to 2.8", 1, "") for task in LOGIC_TASKS),
        ("rate, all scales", KILLERS, 1, ""),
    ]
    assert all(float(one["ms median"]) > 0 for one in logic_rows(found))


def test_sets_are_read_until_they_fill_no_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each class gets so many puzzles, and a set is left after so many in a row that have no place."""
    grid, empty = [int(sign) if sign.isdigit() else 0 for sign in EASY], 81 * [0]
    easy = PuzzleSet("kaggle", "many", np.array([grid] * 50, np.uint8), (3, 3), 1)
    other = PuzzleSet("minimal", "two", np.array([empty, grid], np.uint8), (3, 3), 1)
    rated: list[Puzzle] = []

    def rate_one(puzzle: Puzzle, plan: BenchPlan) -> str:  # as the real one
        rated.append(puzzle)
        return "ER to 2.8" if puzzle.givens else "ER above"

    monkeypatch.setattr(analysis_times, "_class_of", rate_one)
    found = analysis_times._classify([easy, other], BenchPlan(), str)
    assert {name: len(some) for name, some in found.items()} == {"ER to 2.8": analysis_times.PER_CLASS, "ER above": 1}
    assert len(rated) == analysis_times.PER_CLASS + analysis_times.IDLE + 2
