"""Arrays of plain boards, answered by the batch kernel; the few that exceed its budget go to an engine that learns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from sudoku_cp import queries
from sudoku_cp.backends import MANY, Cancellation, Limits
from sudoku_cp.backends.fast.box_shapes import shape_of
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.session_pool import ENGINE, LEARNING_ENGINE, array_engine_serves, limits_for_all, with_node_budget
from sudoku_cp.queries.solution_search import make_answer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import ArrayAnswer
    from sudoku_cp.batch.solve_request import SolveRequest
    from sudoku_cp.errors import Reason
    from sudoku_cp.grid import Grid
    from sudoku_cp.queries import Answer

STATUSES = ("none", "unique", "multiple", "solved", "unknown")
_NONE, _UNIQUE, _MULTIPLE, _SOLVED, _UNKNOWN = range(len(STATUSES))


@dataclass
class ArrayAnswers:
    """The answers to N boards: ``found`` solutions each, the first of them in ``solutions`` (N, cells), 0 if there is none.

    ``exact`` says whether that is all there are. By the numbers of their boards, ``engines`` holds those other than the kernel,
    and ``reasons`` the limits that stopped a board.
    """

    found: NDArray[np.int64]
    exact: NDArray[np.bool_]
    solutions: NDArray[np.uint8]
    engines: dict[int, str]
    reasons: dict[int, Reason]

    def statuses(self) -> NDArray[np.uint8]:
        """Return the status of each board, as an index of `STATUSES`."""
        stopped = np.zeros(len(self.found), bool)
        stopped[list(self.reasons)] = True
        known = np.where(self.exact, self.found, np.where(stopped | (self.found == 0), _UNKNOWN, _SOLVED))
        return np.where(self.found > 1, _MULTIPLE, known).astype(np.uint8)

    def answer(self, index: int, puzzle: Puzzle) -> Answer:
        """Return the answer to one board, which is ``puzzle``."""
        found = int(self.found[index])
        return make_answer(
            puzzle,
            count=found,
            exact=bool(self.exact[index]),
            reason=self.reasons.get(index),
            backend=self.engines.get(index, ENGINE),
            seconds=0.0,
            solutions=(tuple(self.solutions[index].tolist()),) if found else (),
        )


@lru_cache(maxsize=64)
def suits_kernel(grid: Grid, backend: str, expected_count: int) -> bool:
    """Return whether plain boards of this grid go to the kernel if ``backend`` is asked for.

    Whether the kernel is loaded already does not matter: a process that resumes the run must decide the same.
    """
    if len(grid.boards) > 1:
        return False
    model = Puzzle(grid).model()
    return shape_of(model) is not None and array_engine_serves(backend, model, expected_count if expected_count >= MANY else 1)


def answer_boards(
    grid: Grid, boards: NDArray[np.uint8], request: SolveRequest, cancel: Cancellation | None = None
) -> ArrayAnswers:
    """Return the answers to boards (N, cells), 0 for blanks, of a grid that suits the kernel."""
    own = request.nodes is not None or request.solution_limit is None
    limits = limits_for_all(Limits(request.seconds, request.nodes, cancel), len(boards))
    if request.solution_limit is not None:
        limits = with_node_budget(limits, request.solution_limit)
    clock = limits.started()
    many: ArrayAnswer = queries.solve_many(boards, request.solution_limit, boxes=grid.boards[0].boxes, limits=limits)
    answers = ArrayAnswers(many.counts, many.exact, many.solutions, {}, {})
    stopped = np.flatnonzero(many.stopped(request.solution_limit)).tolist()
    reason: Reason | Literal["budget"] = clock.reached() or ("nodes" if own else "budget")
    if reason == "budget":
        for index in stopped:
            _answer_again(answers, index, _puzzle(grid, boards[index]), request, cancel)
    else:
        answers.reasons.update(dict.fromkeys(stopped, reason))
    return answers


def _answer_again(answers: ArrayAnswers, index: int, puzzle: Puzzle, request: SolveRequest, cancel: Cancellation | None) -> None:
    limits = Limits(seconds=request.seconds, cancel=cancel)
    answer = queries.count(puzzle, backend=LEARNING_ENGINE, limits=limits, solution_limit=request.solution_limit)
    answers.found[index], answers.exact[index] = answer.count, answer.exact
    answers.engines[index] = answer.backend
    if answer.solution:
        answers.solutions[index] = answer.solution
    if answer.reason:
        answers.reasons[index] = answer.reason


def _puzzle(grid: Grid, board: NDArray[np.uint8]) -> Puzzle:
    return Puzzle(grid, givens={cell: value for cell, value in enumerate(board.tolist()) if value})
