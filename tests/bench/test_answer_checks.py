"""Answers are checked against the rules and against what is known about the puzzles."""

from __future__ import annotations

import numpy as np
import pytest

from sudoku_cp.bench.contestant_process import filled_board
from sudoku_cp.bench.measurement import are_contradictory, are_solutions, are_wrong, true_counts
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle


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
