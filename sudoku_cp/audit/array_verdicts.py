"""Verdicts on thousands of plain puzzles at once, by the array engine.

Each verdict equals that of `puzzle_status.verdict`, which takes over where the array engine gives up.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.audit.puzzle_status import PuzzleVerdict, VerdictRequest
from sudoku_cp.logic.array_singles import groups_of, is_worthwhile
from sudoku_cp.logic.array_singles import levels as array_levels
from sudoku_cp.logic.difficulty_level import Level
from sudoku_cp.queries import solve_many
from sudoku_cp.queries.array_solver import domain_arrays, solve_without_each_given
from sudoku_cp.queries.solution_search import ENGINE, limits_for_all, make_answer, with_node_budget

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits
    from sudoku_cp.backends.fast import Boxes
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle

AT_ONCE = 1 << 14
"""Questions in one array: 5 MB for 9x9 boards."""


def verdicts(puzzles: Sequence[Puzzle], boxes: Boxes, request: VerdictRequest) -> list[PuzzleVerdict | None]:
    """Return the verdicts on plain puzzles of one shape, None for those that the array engine gives up on."""
    limits = with_node_budget(request.limits, request.most)
    free, domains = domain_arrays(puzzles, boxes)
    many = solve_many(domains, request.most, boxes=boxes, candidates=True, limits=limits_for_all(limits, len(puzzles)))
    answers = zip(puzzles, many.counts.tolist(), many.exact.tolist(), many.stopped(request.most), many.solutions, strict=True)
    about_givens = request.minimal and request.most > 1
    found = [
        None if stopped else _verdict(puzzle, count, solution, exact=exact, asked=about_givens)
        for puzzle, count, exact, stopped, solution in answers
    ]
    if about_givens:
        given = np.zeros(free.shape, np.bool_)
        for index, puzzle in enumerate(puzzles):
            given[index, list(puzzle.givens)] = True
        for part in _chunks(np.where(many.exact & (many.counts == 1), given.sum(axis=1), 0)):
            _note_unnecessary_givens(found, part, _Boards(free, domains, given, many.solutions), boxes, limits)
    return found


def _verdict(puzzle: Puzzle, count: int, solution: NDArray[np.uint8], *, exact: bool, asked: bool) -> PuzzleVerdict:
    first = (tuple(solution.tolist()),) if count else ()
    answer = make_answer(puzzle, count=count, exact=exact, reason=None, backend=ENGINE, seconds=0.0, solutions=first)
    return PuzzleVerdict(answer, asked=asked)


# --- what singles solve --------------------------------------------------------------------------------------------


def levels(puzzles: Sequence[Puzzle], limits: Limits) -> list[Level] | None:
    """Return the levels of plain puzzles of one shape, None if they are too few for compiled code. Raises `LimitReached`."""
    groups = groups_of(puzzles[0])
    if not is_worthwhile(groups, len(puzzles)):
        return None
    givens = np.zeros((len(puzzles), len(puzzles[0].grid.cells)), np.uint8)
    for row, puzzle in zip(givens, puzzles, strict=True):
        row[list(puzzle.givens)] = list(puzzle.givens.values())
    return [Level(level) for level in array_levels(groups, givens, limits=limits_for_all(limits, len(puzzles))).tolist()]


# --- which givens are needed ------------------------------------------------------------------------------------


class _Boards(NamedTuple):
    """Puzzles as arrays: those of `domain_arrays`, which cells are given, and the solutions."""

    free: NDArray[np.uint32]
    domains: NDArray[np.uint32]
    given: NDArray[np.bool_]
    solutions: NDArray[np.uint8]


def _chunks(questions: NDArray[np.int64]) -> Iterator[NDArray[np.intp]]:
    """Yield the indices of puzzles with questions, in chunks of about `AT_ONCE` questions."""
    rows = np.flatnonzero(questions)
    if len(rows):
        ends = np.cumsum(questions[rows]) // AT_ONCE
        yield from np.split(rows, np.flatnonzero(np.diff(ends)) + 1)


def _note_unnecessary_givens(
    found: list[PuzzleVerdict | None], part: NDArray[np.intp], boards: _Boards, boxes: Boxes, limits: Limits
) -> None:
    """Add the unnecessary givens, in whose cells no other value leads to a solution, to the verdicts ``found``."""
    rows, cells = np.nonzero(boards.given[part])
    rows = part[rows]
    limits = limits_for_all(limits, len(part))
    answer = solve_without_each_given(boards.free, boards.domains, boards.solutions, (rows, cells), boxes=boxes, limits=limits)
    unnecessary: defaultdict[int, list[Cell]] = defaultdict(list)
    stopped = answer.stopped(1)
    spare = ~stopped & (answer.counts == 0)
    for index, cell in zip(rows[spare].tolist(), cells[spare].tolist(), strict=True):
        unnecessary[index].append(cell)
    for index, cells_of_one in unnecessary.items():
        one = found[index]
        found[index] = one and replace(one, unnecessary=tuple(cells_of_one))
    for index in rows[stopped].tolist():
        found[index] = None
