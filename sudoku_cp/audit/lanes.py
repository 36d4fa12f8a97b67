"""Plain puzzles by the thousand: one array of questions after the other, for the batch kernel.

Rule of this file: it says the same as `verdict` does, which is asked where the kernel gives up.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.audit.verdicts import ENGINE, Verdict, of_all
from sudoku_cp.backends.fast.shape import side_of
from sudoku_cp.queries import solve_many
from sudoku_cp.queries.questions import told

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.audit.verdicts import Asking
    from sudoku_cp.backends.base import Limits, Many
    from sudoku_cp.backends.fast.shape import Boxes
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle

BUDGET, SHORT = 100_000, 5_000
"""Nodes (50 and 2.5 ms) after which a puzzle, or the question whether a given is needed, goes to an engine that learns."""
AT_ONCE = 1 << 14
"""So many questions are asked at once, 5 MB of 9x9."""


def verdicts(puzzles: Sequence[Puzzle], boxes: Boxes, asking: Asking) -> list[Verdict | None]:
    """Return the verdicts on plain puzzles of one shape, None for those that are better asked one by one."""
    limits = replace(asking.limits, nodes=BUDGET + 10 * asking.most if asking.limits.nodes is None else asking.limits.nodes)
    free, given = _arrays(puzzles, boxes)
    many = _asked(np.where(given > 0, free & given, free), asking.most, boxes, limits, len(puzzles))
    found: list[Verdict | None] = [
        None if count < 0 else _verdict(puzzle, count, many.solutions[index], asking.most)
        for index, (puzzle, count) in enumerate(zip(puzzles, many.counts.tolist(), strict=True))
    ]
    if asking.minimal and asking.most > 1:
        for part in _parts(np.where(many.counts == 1, (given > 0).sum(axis=1), 0)):
            _judge_givens(found, part, _Boards(free, given, many.solutions), boxes, limits)
    return found


def _arrays(puzzles: Sequence[Puzzle], boxes: Boxes) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return two sets (bits) for each cell (N, cells): what it might be if it were not given, and what is given, or nothing."""
    side = side_of(boxes)
    free = np.full((len(puzzles), side**2), (2 << side) - 2, np.uint32)
    values = np.zeros((len(puzzles), side**2), np.uint32)
    for index, puzzle in enumerate(puzzles):
        values[index, list(puzzle.givens)] = list(puzzle.givens.values())
        if puzzle.candidates:
            free[index, list(puzzle.candidates)] = list(puzzle.candidates.values())
    return free, np.where(values > 0, np.uint32(1) << values, np.uint32(0))


def _asked(sets: NDArray[np.uint32], most: int, boxes: Boxes, limits: Limits, number: int) -> Many:
    """Ask the kernel about sets of values for ``number`` puzzles, each of which has the time limit for itself."""
    return solve_many(sets, most, boxes=boxes, candidates=True, limits=of_all(limits, number))


def _verdict(puzzle: Puzzle, count: int, solution: NDArray[np.uint8], most: int) -> Verdict:
    first = (tuple(solution.tolist()),) if count else ()
    return Verdict(told(puzzle, count=count, exact=count < most, reason=None, backend=ENGINE, seconds=0.0, solutions=first))


# --- which givens are needed ------------------------------------------------------------------------------------


class _Boards(NamedTuple):
    """Puzzles as `_arrays` has them, with their solutions."""

    free: NDArray[np.uint32]
    given: NDArray[np.uint32]
    solutions: NDArray[np.uint8]


def _parts(questions: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """Yield the puzzles that have questions, so many at a time that they ask about `AT_ONCE` of them."""
    asking = np.flatnonzero(questions)
    if len(asking):
        ends = np.cumsum(questions[asking]) // AT_ONCE
        yield from np.split(asking, np.flatnonzero(np.diff(ends)) + 1)


def _judge_givens(found: list[Verdict | None], part: NDArray[np.intp], boards: _Boards, boxes: Boxes, limits: Limits) -> None:
    """Note the givens that puzzles can do without: those in whose cell no other value leads to a solution."""
    rows, cells = np.nonzero(boards.given[part])
    rows = part[rows]
    sets = np.where(boards.given[rows] > 0, boards.free[rows] & boards.given[rows], boards.free[rows])
    solved = np.uint32(1) << boards.solutions[rows, cells].astype(np.uint32)
    sets[np.arange(len(rows)), cells] = boards.free[rows, cells] & ~solved
    nodes = SHORT if limits.nodes is None else min(SHORT, limits.nodes)
    counts = _asked(sets, 1, boxes, replace(limits, nodes=nodes), len(part)).counts
    unnecessary: defaultdict[int, list[Cell]] = defaultdict(list)
    for index, cell in zip(rows[counts == 0].tolist(), cells[counts == 0].tolist(), strict=True):
        unnecessary[index].append(cell)
    for index, spare in unnecessary.items():
        one = found[index]
        found[index] = one and replace(one, unnecessary=tuple(spare))
    for index in rows[counts < 0].tolist():
        found[index] = None
