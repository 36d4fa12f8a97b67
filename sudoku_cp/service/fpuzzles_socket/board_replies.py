"""Deductions on the board of a page: one step, or as many as lead on, in words and as the board after them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import LimitReached
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import apply_steps
from sudoku_cp.logic.position_check import check_position
from sudoku_cp.logic.rungs import LAST_RESORT, RUNGS
from sudoku_cp.logic.words import describe_step
from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.backends import Limits
    from sudoku_cp.logic import CandidateBoard
    from sudoku_cp.logic.rungs import Rung
    from sudoku_cp.puzzle import Position

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
    allowed = [rung for rung in (*RUNGS, LAST_RESORT) if not (codes and rung.technique.code.startswith(codes))]
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
