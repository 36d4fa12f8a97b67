"""Are a contestant's answers right? By the rules' own houses, and by what is known of the puzzles.

Where nothing is known, contestants that agree on the number of solutions are believed, and where they differ the SAT
engine is asked.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import backend
from sudoku_cp.bench.asking import LIMIT
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from sudoku_cp.bench.asking import Boxes, Puzzles
    from sudoku_cp.bench.sets import PuzzleSet

CHUNK = 4096
"""So many grids are checked at once; the check of one 9x9 grid takes 2 KB."""
NOBODY = -1


def solved(puzzles: Puzzles, solutions: Puzzles, boxes: Boxes) -> NDArray[np.bool_]:
    """Say of each grid whether it keeps the givens and has every value in every house."""
    side = boxes[0] * boxes[1]
    houses = np.array(list(Grid.square(side, boxes).houses.values()))
    every = np.uint64((1 << side + 1) - 2)
    kept: NDArray[np.bool_] = ((puzzles == 0) | (puzzles == solutions)).all(axis=1)
    for start in range(0, len(solutions), CHUNK):
        bits = np.uint64(1) << solutions[start : start + CHUNK].astype(np.uint64)
        kept[start : start + CHUNK] &= (np.bitwise_or.reduce(bits[:, houses], axis=2) == every).all(axis=1)
    return kept


def broken(puzzles: Puzzles, solutions: Puzzles, counts: NDArray[np.int64], boxes: Boxes) -> NDArray[np.bool_]:
    """Say of each answer whether it contradicts itself: a grid that is no solution, none beside a count of 1, one beside 0."""
    shown = solutions.any(axis=1)
    grids: NDArray[np.bool_] = shown & ~solved(puzzles, solutions, boxes)
    grids |= (~shown & (counts == 1)) | (shown & (counts == 0))
    return grids


def truth(one: PuzzleSet, said: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> NDArray[np.int64]:
    """Return the number of solutions of each puzzle, up to 2; -1 where nobody knows.

    ``said`` are the indices and the counts of every contestant that counts.
    """
    if one.count is not None:
        return np.full(len(one.puzzles), one.count)
    least, most = np.full(len(one.puzzles), LIMIT + 1), np.full(len(one.puzzles), NOBODY)
    for indices, counts in said:
        known = np.minimum(counts, LIMIT)
        least[indices] = np.where(known < 0, least[indices], np.minimum(least[indices], known))
        most[indices] = np.maximum(most[indices], known)
    for index in np.flatnonzero(most > least):
        most[index] = _asked(one, int(index))
    return most


def _asked(one: PuzzleSet, index: int) -> int:
    puzzle = Puzzle(
        Grid.square(one.side, one.boxes), givens={cell: value for cell, value in enumerate(one.puzzles[index].tolist()) if value}
    )
    session = backend("sat").open(puzzle.model())
    return sum(1 for _ in islice(session.solutions(puzzle.assume()), LIMIT))


def miscounted(counts: NDArray[np.int64], true: NDArray[np.int64], *, first: bool) -> NDArray[np.bool_]:
    """Say of each count whether it is wrong; of a contestant that only finds a first solution, whether there is one."""
    said, known = np.minimum(counts, LIMIT), true
    if first:
        said, known = np.minimum(said, 1), np.minimum(true, 1)
    wrong: NDArray[np.bool_] = (counts >= 0) & (true >= 0) & (said != known)
    return wrong
