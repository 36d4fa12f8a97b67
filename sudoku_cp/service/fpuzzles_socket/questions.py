"""The commands of the f-puzzles socket as a worker answers them: from a board to one reply, or to several as time goes by.

`answer` is what the pool runs. Replies are JSON objects without the nonce, which the connection adds. The first four commands of
`ANSWERS` ask about the puzzle alone; the others also read the values and centre marks that the player entered.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sudoku_cp import queries
from sudoku_cp.errors import InvalidInput, LimitReached, Reason
from sudoku_cp.formats.fpuzzles.document import player_state, puzzle_from_fpuzzles
from sudoku_cp.formats.lzstring import decompress
from sudoku_cp.formats.project_json import parse_json
from sudoku_cp.logic import make_board
from sudoku_cp.logic.hints import check_position, with_entries
from sudoku_cp.logic.ladder import LAST_RESORT, RUNGS, TAUGHT, Rung, apply_steps
from sudoku_cp.logic.words import describe_step
from sudoku_cp.model import members
from sudoku_cp.puzzle import Position
from sudoku_cp.questions.candidates import CandidatesQuestion
from sudoku_cp.service.questions.declared_run import quiet_run

if TYPE_CHECKING:
    from sudoku_cp.backends import Limits
    from sudoku_cp.logic import CandidateBoard
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Estimate, TrueCandidates
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


# Deductions on the board of a page: one step, or as many as lead on, in words and as the board after them.


INITIAL = "Initial candidates."
NOTHING = "No logical steps found."
BROKEN = "Board is invalid!"
OUT_OF_TIME = "The time ran out before the next step was found."
_SWITCHES = {
    "tuples": ("02",),
    "pointing": ("01",),
    "fishes": ("03",),
    "wings": ("08",),
    "aic": ("07", "09"),
    "contradictions": ("13", "29"),
}
"""What a player can switch off (``disabledlogic``), by how the codes of its techniques begin."""


def deduce(position: Position, document: Mapping[str, Any], limits: Limits, *, steps: int | None = None) -> dict[str, Any]:
    """Return the reply after so many steps, or all; a single one first shows the candidates, unless the marks have them."""
    board = make_board(position)
    if steps is not None and not _is_broken(board) and _lacks_marks(position, board):
        return _logical_reply(board, INITIAL)
    clock = limits.started()
    texts: list[str] = []
    try:
        rungs = _usable_rungs(position, document, clock.left())
        board.clock = clock
        for step in islice(apply_steps(board, rungs), steps):
            texts.append(describe_step(board.layout, position.puzzle.symbols, step) + "\n")
            if _is_broken(board):
                break
    except LimitReached as reached:
        if reached.reason == "cancelled":
            raise
        texts.append(OUT_OF_TIME)
    if _is_broken(board):
        texts.append(BROKEN)
    return _logical_reply(board, "".join(texts) or NOTHING)


def _usable_rungs(position: Position, document: Mapping[str, Any], limits: Limits) -> tuple[Rung, ...]:
    """Return the rungs that are switched on, and those that argue from uniqueness only where the puzzle has one solution."""
    raw = document.get("disabledlogic")
    switched_off = raw if isinstance(raw, list) else []
    codes = tuple(code for name, beginnings in _SWITCHES.items() if name in switched_off for code in beginnings)
    is_sound = check_position(position, limits=limits).is_sound
    allowed = [rung for rung in (*TAUGHT, LAST_RESORT) if not (codes and rung.technique.code.startswith(codes))]
    return tuple(rung for rung in allowed if is_sound or not rung.technique.needs_uniqueness)


def _lacks_marks(position: Position, board: CandidateBoard) -> bool:
    """Return whether some open cell has no marks, or one that the filled cells already exclude."""
    marks = position.marks or [0] * len(board.values)
    return any(not marks[cell] or marks[cell] & ~board.candidates[cell] for cell in members(board.open))


def _is_broken(board: CandidateBoard) -> bool:
    """Return whether a cell has no candidate left, or a house a value twice."""
    return not all(board.candidates[cell] for cell in members(board.open)) or not board.is_consistent()


def _logical_reply(board: CandidateBoard, message: str) -> dict[str, Any]:
    cells = [
        {"value": 0, "candidates": list(members(domain))} if value is None else {"value": value}
        for value, domain in zip(board.values, board.candidates, strict=True)
    ]
    return {"type": "logical", "cells": cells, "message": message, "isValid": not _is_broken(board)}


# True candidates as the page colours them: for each candidate how many solutions have it, and what only logic still allows.


COLOURED_CAP = 8
"""What the older option "colored" counts up to."""
MOST_CAP = 1000
"""Solutions are counted no further than this for one candidate."""
ONLY_LOGIC = -1
"""Instead of a count: no solution has the candidate, and yet no technique eliminates it."""
_NUMBER = re.compile(r"truecandidatesnumsolutions=(\d{1,9})", re.IGNORECASE)


class CandidateOptions(NamedTuple):
    """How many solutions of each candidate are counted, and whether candidates that only logic allows are marked."""

    cap: int
    logical: bool


def parse_candidate_options(document: Mapping[str, Any]) -> CandidateOptions:
    """Return the options in a document's ``truecandidatesoptions``; what is unknown is passed over."""
    raw = document.get("truecandidatesoptions")
    named = [one.strip() for one in raw if isinstance(one, str)] if isinstance(raw, list) else []
    numbers = [int(found[1]) for one in named if (found := _NUMBER.fullmatch(one))]
    cap = numbers[-1] if numbers else COLOURED_CAP if "colored" in named else 1
    return CandidateOptions(min(max(cap, 1), MOST_CAP), "logical" in named)


def candidate_counts(found: TrueCandidates) -> list[int]:
    """Return the count of each value (in order) of each cell (row by row)."""
    return [found.count(cell, value) for cell in found.puzzle.grid.cells for value in found.puzzle.grid.values]


def mark_what_logic_allows(counts: list[int], found: TrueCandidates, limits: Limits) -> list[int]:
    """Return the counts with `ONLY_LOGIC` for candidates that are in no solution and that no technique eliminates.

    Raises `LimitReached`.
    """
    values = found.puzzle.grid.values
    allowed = [domain >> value & 1 for domain in _left_by_logic(found, limits) for value in values]
    return [count or ONLY_LOGIC * left for count, left in zip(counts, allowed, strict=True)]


def _left_by_logic(found: TrueCandidates, limits: Limits) -> list[int]:
    """Return the values (bits) of each cell that remain when no technique leads further."""
    board = make_board(found.puzzle)
    board.clock = limits.started()
    rungs = tuple(rung for rung in RUNGS if found.status == "unique" or not rung.technique.needs_uniqueness)
    deque(apply_steps(board, rungs), maxlen=0)
    return [domain if value is None else 1 << value for value, domain in zip(board.values, board.candidates, strict=True)]
