"""The search for hints: what is wrong with a position before anything else, then the step by the lowest technique."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
from sudoku_cp.logic.hints import Hint
from sudoku_cp.logic.ladder import possible_steps
from sudoku_cp.logic.position_check import PositionCheck, check_position, find_clash, without_errors
from sudoku_cp.logic.rungs import LAST_RESORT, RUNGS
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.ticks import ticking

if TYPE_CHECKING:
    from sudoku_cp.logic.step import Step


@checked
def hint(start: Puzzle | Position, *, skip: int = 0, limits: Limits = UNLIMITED) -> Hint:
    """Return the next step by the lowest technique, or what is wrong with a position.

    So many steps as ``skip`` says are passed over, those by the lowest techniques in front: each does something else.
    """
    position = Position.of(start) if isinstance(start, Puzzle) else start
    clock = limits.started()
    check = check_position(position, limits=clock.left())
    if check.is_wrong:
        return _what_is_wrong(position, check, clock.left())
    try:
        board = make_board(position, clock)
        if not board.open:
            return Hint("solved" if board.is_consistent() else "wrong", position, check)
        usable = [rung for rung in RUNGS if check.is_sound or not rung.technique.needs_uniqueness]
        with ticking(board.tick):
            step = next(islice(possible_steps(board, [*usable, LAST_RESORT]), skip, None), None)
    except LimitReached as reached:
        return Hint("unknown", position, check, reason=reached.reason)
    if step is None:
        return Hint("stuck", position, check, skip=skip)
    return Hint("step", position, check, step, position=_position_after(position, board, step), skip=skip)


def _what_is_wrong(position: Position, check: PositionCheck, limits: Limits) -> Hint:
    right = without_errors(position, check) if check.status == "unique" else None
    clash = find_clash(position, check, limits=limits)
    return Hint("none" if check.status == "none" else "wrong", position, check, clash=clash, position=right)


def _position_after(position: Position, board: CandidateBoard, step: Step) -> Position:
    """Return the position in which a step has been made: values placed as forced, candidates marked as left."""
    after = board.copy()
    after.apply(step)
    values, origins = tuple(after.values), list(position.origins)
    for cell, _ in step.placements:
        origins[cell] = Origin.FORCED
    return replace(position, values=values, origins=tuple(origins), marks=tuple(after.candidates))
