"""The cost of trust: every task is timed on its sets, and failures are marked."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_cp.bench.analysis_times import AMBIGUOUS, ANALYSIS_TASKS, make_ambiguous, trust_rows, trust_times
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
