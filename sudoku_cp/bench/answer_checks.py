"""Check the answers of contestants against the houses of the board and the known number of solutions.

Where the number is not known, contestants that agree on it are believed; where they differ, the SAT engine decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from sudoku_cp.backends import backend
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.bench.runners import LIMIT, Boxes, GivensArray
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

CHUNK = 4096
"""Grids that are checked at once; the check of one 9x9 grid takes 2 KB."""
UNKNOWN = -1


def are_solutions(puzzles: GivensArray, solutions: GivensArray, boxes: Boxes) -> NDArray[np.bool_]:
    """Say for each grid whether it keeps the givens and has every value in every house."""
    side = boxes[0] * boxes[1]
    houses = np.array(list(Grid.square(side, boxes).houses.values()))
    every = np.uint64((1 << side + 1) - 2)
    valid: NDArray[np.bool_] = ((puzzles == 0) | (puzzles == solutions)).all(axis=1)
    for start in range(0, len(solutions), CHUNK):
        bits = np.uint64(1) << solutions[start : start + CHUNK].astype(np.uint64)
        valid[start : start + CHUNK] &= (np.bitwise_or.reduce(bits[:, houses], axis=2) == every).all(axis=1)
    return valid


def are_contradictory(puzzles: GivensArray, solutions: GivensArray, counts: NDArray[np.int64], boxes: Boxes) -> NDArray[np.bool_]:
    """Say for each answer whether it contradicts itself: a wrong grid, no grid with a count of 1, or a grid with a count of 0."""
    has_grid = solutions.any(axis=1)
    found: NDArray[np.bool_] = has_grid & ~are_solutions(puzzles, solutions, boxes)
    found |= (~has_grid & (counts == 1)) | (has_grid & (counts == 0))
    return found


def true_counts(one: PuzzleSet, answers: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> NDArray[np.int64]:
    """Return the number of solutions of each puzzle, up to 2; -1 where it is unknown.

    ``answers`` has the indices and counts of every contestant that counts solutions.
    """
    if one.count is not None:
        return np.full(len(one.puzzles), one.count)
    least, most = np.full(len(one.puzzles), LIMIT + 1), np.full(len(one.puzzles), UNKNOWN)
    for indices, counts in answers:
        known = np.minimum(counts, LIMIT)
        least[indices] = np.where(known < 0, least[indices], np.minimum(least[indices], known))
        most[indices] = np.maximum(most[indices], known)
    for index in np.flatnonzero(most > least):
        most[index] = _count_by_sat(one, int(index))
    return most


def _count_by_sat(one: PuzzleSet, index: int) -> int:
    puzzle = Puzzle(
        Grid.square(one.side, one.boxes), givens={cell: value for cell, value in enumerate(one.puzzles[index].tolist()) if value}
    )
    session = backend("sat").open(puzzle.model())
    return sum(1 for _ in islice(session.solutions(puzzle.assume()), LIMIT))


def are_wrong(counts: NDArray[np.int64], true: NDArray[np.int64], *, first: bool) -> NDArray[np.bool_]:
    """Say for each count whether it is wrong; with ``first``, only whether there is a solution is compared."""
    given, known = np.minimum(counts, LIMIT), true
    if first:
        given, known = np.minimum(given, 1), np.minimum(true, 1)
    wrong: NDArray[np.bool_] = (counts >= 0) & (true >= 0) & (given != known)
    return wrong
