"""The cost of thinking like a person: every class of puzzles has its row, with the goal beside the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.bench import analysis_times
from sudoku_cp.bench.analysis_times import CLASSES, GOALS, KILLERS, LOGIC_TASKS, AnalysisTime, logic_rows
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    import pytest

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
