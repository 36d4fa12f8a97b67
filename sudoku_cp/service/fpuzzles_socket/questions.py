"""The commands of the f-puzzles socket as a worker answers them: from a board to one reply, or to several as time goes by.

`answer` is what the pool runs. Replies are JSON objects without the nonce, which the connection adds. The first four commands of
`ANSWERS` ask about the puzzle alone; the others also read the values and centre marks that the player entered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp import queries
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.formats.fpuzzles.document import puzzle_from_fpuzzles
from sudoku_cp.formats.fpuzzles.player_entries import player_state
from sudoku_cp.formats.lzstring import decompress
from sudoku_cp.formats.project_json import parse_json
from sudoku_cp.logic.position_check import with_entries
from sudoku_cp.puzzle import Position
from sudoku_cp.questions.candidates import CandidatesQuestion
from sudoku_cp.service.fpuzzles_socket.board_replies import deduce
from sudoku_cp.service.fpuzzles_socket.candidate_replies import (
    candidate_counts,
    mark_what_logic_allows,
    parse_candidate_options,
)
from sudoku_cp.service.questions.declared_run import quiet_run

if TYPE_CHECKING:
    from sudoku_cp.errors import Reason
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Estimate
    from sudoku_cp.service.pool.tasks import Control

Reply: TypeAlias = "dict[str, Any]"

PAUSE = 0.25
"""Seconds between two reports of progress."""
ERROR = 1e-4
"""The relative error at which an estimate is good enough for anybody."""
Z95 = 1.96
"""Standard errors from the mean to either end of the interval that holds 95 % of a normal distribution."""
_LINK = "?load="
NO_SOLUTION = "No solutions found."


def answer(command: str, data: str, control: Control) -> Reply | None:
    """Emit the replies that report progress, and return the last one; None if there is none."""
    document = unpack_document(data)
    puzzle = puzzle_from_fpuzzles(document, [])
    return ANSWERS[command](document, puzzle, control)


def unpack_document(data: str) -> Reply:
    """Return the f-puzzles document in the ``data`` of a message; what stands before and in ``?load=`` is cut."""
    document = parse_json(decompress(data.rpartition(_LINK)[2].replace(" ", "+")))
    if not isinstance(document, dict):
        raise InvalidInput("expected a board of f-puzzles as a JSON object, got something else")
    return document


# --- about the puzzle -------------------------------------------------------------------------------------------


def _true_candidates(document: Reply, puzzle: Puzzle, control: Control) -> Reply:
    options = parse_candidate_options(document)
    question = CandidatesQuestion(cap=options.cap)
    found = question.answer(puzzle, quiet_run(control.limits(), control)).true
    if found.status == "none":
        return _invalid(NO_SOLUTION)
    if not found.complete:
        return _out_of_time(found.reason)
    counts = candidate_counts(found)
    if options.logical:
        counts = mark_what_logic_allows(counts, found, control.limits())
    return {"type": "truecandidates", "solutionsPerCandidate": counts}


def _solve(_document: Reply, puzzle: Puzzle, control: Control) -> Reply:
    found = queries.random_solution(puzzle, limits=control.limits())
    if found.solutions:
        return {"type": "solved", "solution": list(found.solutions[0])}
    return _out_of_time(found.reason) if found.reason else _invalid(NO_SOLUTION)


def _check(_document: Reply, puzzle: Puzzle, control: Control) -> Reply:
    found = queries.count(puzzle, solution_limit=2, limits=control.limits())
    return _out_of_time(found.reason) if found.reason else _count_reply(found.count)


def _count(_document: Reply, puzzle: Puzzle, control: Control) -> Reply:
    pause = _Pause()

    def report(number: int) -> None:
        if number and pause.is_over():
            control.emit(_count_reply(number, in_progress=True))

    found = queries.count(puzzle, limits=control.limits(), progress=report)
    return _out_of_time(found.reason) if found.reason else _count_reply(found.count)


def _count_reply(number: int, *, in_progress: bool = False) -> Reply:
    return {"type": "count", "count": number, "inProgress": in_progress}


# --- about the position -----------------------------------------------------------------------------------------


def _estimate(document: Reply, puzzle: Puzzle, control: Control) -> Reply:
    pause = _Pause()
    last = None
    try:
        for last in queries.estimates(with_entries(_position(document, puzzle)), limits=control.limits(), error=ERROR):
            if pause.is_over():
                control.emit(_estimate_reply(last))
    except LimitReached as reached:
        return _out_of_time(reached.reason)
    assert last is not None  # noqa: S101  # it yields or raises
    return _estimate_reply(last)


def _estimate_reply(found: Estimate) -> Reply:
    estimate, error = _as_float(found.value), found.stderr
    return {
        "type": "estimate",
        "estimate": _as_number(estimate),
        "stderr": _as_number(error),
        "iterations": found.samples,
        "ci95_lower": _as_number(estimate - Z95 * error),
        "ci95_upper": _as_number(estimate + Z95 * error),
        "relErrPercent": _as_number(100 * Z95 * error / estimate if estimate else 0.0),
    }


def _as_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _as_number(number: float) -> float | str:
    """Return a number, or the text that stands for one that JSON cannot express."""
    return number if math.isfinite(number) else "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _step(document: Reply, puzzle: Puzzle, control: Control) -> Reply:
    return deduce(_position(document, puzzle), document, control.limits(), steps=1)


def _solve_path(document: Reply, puzzle: Puzzle, control: Control) -> Reply:
    return deduce(_position(document, puzzle), document, control.limits())


def _position(document: Reply, puzzle: Puzzle) -> Position:
    """Return the position of a board; centre marks stand instead of given marks where there are any."""
    state = player_state(document, puzzle)
    if wrong := [cell for cell, value in state.placed.items() if value not in puzzle.grid.values]:
        names = ", ".join(map(puzzle.grid.cell_name, wrong))
        raise InvalidInput(f"expected values from 1 to {puzzle.grid.values[-1]}, got others in {names}")
    values = [state.placed.get(cell, puzzle.givens.get(cell)) for cell in puzzle.grid.cells]
    given = {cell: marks for cell, marks in puzzle.candidates.items() if cell not in state.left}
    marks = tuple(state.left.get(cell, 0) for cell in puzzle.grid.cells)
    return replace(Position.of(replace(puzzle, candidates=given), values), marks=marks)


ANSWERS: dict[str, Callable[[Reply, Puzzle, Control], Reply]] = {
    "truecandidates": _true_candidates,
    "solve": _solve,
    "check": _check,
    "count": _count,
    "estimate": _estimate,
    "solvepath": _solve_path,
    "step": _step,
}
"""What answers each command; `messages.CANCEL` needs no worker."""


# --- replies ----------------------------------------------------------------------------------------------------


def _invalid(message: str) -> Reply:
    return {"type": "invalid", "message": message}


def _out_of_time(reason: Reason | None) -> Reply:
    return _invalid(f"No answer: the limit ({reason}) came first.")


class _Pause:
    """The time between two reports."""

    def __init__(self) -> None:
        self._next = monotonic() + PAUSE

    def is_over(self) -> bool:
        """Return whether a report is due, and begin the next pause if so."""
        if monotonic() < self._next:
            return False
        self._next = monotonic() + PAUSE
        return True
