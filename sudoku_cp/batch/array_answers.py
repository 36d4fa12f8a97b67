"""Arrays of plain boards, answered by the batch kernel; the few that it gives up are answered one by one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from sudoku_cp import queries
from sudoku_cp.backends import MANY, Cancellation, Limits, choose
from sudoku_cp.backends.fast.shape import shape_of
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.questions import told

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Many
    from sudoku_cp.batch.solve_request import SolveRequest
    from sudoku_cp.errors import Reason
    from sudoku_cp.grid import Grid
    from sudoku_cp.queries import Answer

ENGINE = "fast:lanes"
NAMES = frozenset({"fast", ENGINE})
"""What the kernel is called when it is asked for by name."""
BUDGET = 100_000
"""Nodes (about 50 ms) after which a puzzle goes to an engine that learns from its conflicts, `LAST`."""
LAST = "sat"
ENDLESS = 1 << 62
"""A number of solutions that no count will reach."""

STATUSES = ("none", "unique", "multiple", "solved", "unknown")
_NONE, _UNIQUE, _MULTIPLE, _SOLVED, _UNKNOWN = range(len(STATUSES))


@dataclass
class Outcome:
    """The answers to N boards: ``found`` solutions each, the first of them in ``solutions`` (N, cells), 0 where there is none.

    ``exact`` says whether that is all there are; ``engines`` and ``reasons`` (of a limit that came first) hold those of the
    boards that are not the kernel's or were stopped, by their number.
    """

    found: NDArray[np.int64]
    exact: NDArray[np.bool_]
    solutions: NDArray[np.uint8]
    engines: dict[int, str]
    reasons: dict[int, Reason]

    def statuses(self) -> NDArray[np.uint8]:
        """Return the status of each, as an index of `STATUSES`."""
        stopped = np.zeros(len(self.found), bool)
        stopped[list(self.reasons)] = True
        known = np.where(self.exact, self.found, np.where(stopped | (self.found == 0), _UNKNOWN, _SOLVED))
        return np.where(self.found > 1, _MULTIPLE, known).astype(np.uint8)

    def answer(self, index: int, puzzle: Puzzle) -> Answer:
        """Return the answer to one board, which is ``puzzle``."""
        found = int(self.found[index])
        return told(
            puzzle,
            count=found,
            exact=bool(self.exact[index]),
            reason=self.reasons.get(index),
            backend=self.engines.get(index, ENGINE),
            seconds=0.0,
            solutions=(tuple(self.solutions[index].tolist()),) if found else (),
        )


@lru_cache(maxsize=64)
def suits(grid: Grid, backend: str, amount: int) -> bool:
    """Say whether plain boards of this grid go to the kernel if ``backend`` is asked for.

    Whether it is loaded already does not matter: another process that goes on with the run would do otherwise.
    """
    if backend not in {"auto", *NAMES} or len(grid.boards) > 1:
        return False
    model = Puzzle(grid).model()
    return shape_of(model) is not None and (backend in NAMES or (amount >= MANY and choose(model, amount) in NAMES))


def answered(grid: Grid, boards: NDArray[np.uint8], request: SolveRequest, cancel: Cancellation | None = None) -> Outcome:
    """Return the answers to boards (N, cells), 0 for blanks, of a grid that `suits` the kernel."""
    own = request.nodes is not None or request.solution_limit is None
    limits = Limits(
        seconds=None if request.seconds is None else request.seconds * len(boards),
        nodes=request.nodes if own else BUDGET + 10 * (request.solution_limit or 0),
        cancel=cancel,
    )
    clock = limits.started()
    limit = ENDLESS if request.solution_limit is None else request.solution_limit
    many: Many = queries.solve_many(boards, limit, boxes=grid.boards[0].boxes, limits=limits)
    stopped = many.counts < 0
    found = np.where(stopped, ~many.counts, many.counts)
    outcome = Outcome(found, ~stopped & (found < limit), many.solutions, {}, {})
    given_up = np.flatnonzero(stopped).tolist()
    reason: Reason | Literal["budget"] = _reason(clock.seconds_left, cancel) or ("nodes" if own else "budget")
    if reason == "budget":
        for index in given_up:
            _ask_again(outcome, index, _puzzle(grid, boards[index]), request, cancel)
    else:
        outcome.reasons.update(dict.fromkeys(given_up, reason))
    return outcome


def _reason(seconds_left: float | None, cancel: Cancellation | None) -> Literal["cancelled", "deadline"] | None:
    if cancel is not None and cancel.cancelled:
        return "cancelled"
    return "deadline" if seconds_left == 0 else None


def _ask_again(outcome: Outcome, index: int, puzzle: Puzzle, request: SolveRequest, cancel: Cancellation | None) -> None:
    limits = Limits(seconds=request.seconds, cancel=cancel)
    answer = queries.count(puzzle, backend=LAST, limits=limits, limit=request.solution_limit)
    outcome.found[index], outcome.exact[index] = answer.count, answer.exact
    outcome.engines[index] = answer.backend
    if answer.solution:
        outcome.solutions[index] = answer.solution
    if answer.reason:
        outcome.reasons[index] = answer.reason


def _puzzle(grid: Grid, board: NDArray[np.uint8]) -> Puzzle:
    return Puzzle(grid, givens={cell: value for cell, value in enumerate(board.tolist()) if value})
