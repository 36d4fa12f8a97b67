"""Hints: the next step that a person could take, told as far as they want to know; and what is wrong before anything else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from sudoku_cp.backends import UNLIMITED
from sudoku_cp.errors import LimitReached
from sudoku_cp.logic.candidate_board import CandidateBoard, make_board
from sudoku_cp.logic.ladder import possible_steps
from sudoku_cp.logic.position_check import PositionCheck, check_position, find_clash, without_errors
from sudoku_cp.logic.rungs import LAST_RESORT, RUNGS
from sudoku_cp.logic.step import ProofStatement
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Origin

if TYPE_CHECKING:
    from sudoku_cp.backends import Limits
    from sudoku_cp.logic.layout import CellSet, Layout
    from sudoku_cp.logic.step import Step
    from sudoku_cp.puzzle import Position
    from sudoku_cp.queries.conflicts import Conflict
    from sudoku_cp.symbols import Symbols

Answer: TypeAlias = Literal["step", "wrong", "none", "solved", "stuck", "unknown"]
"""A step; wrong entries; a puzzle without a solution; nothing left to do; no (other) technique helps; a limit came first."""


class HintLevel(IntEnum):
    """How much a hint tells; each level includes those before it."""

    PLACE = 1
    TECHNIQUE = 2
    CELLS = 3
    STEP = 4
    APPLY = 5


class HintPlace(NamedTuple):
    """Where to look: its name, and its cells unless it is the whole board."""

    name: str
    cells: CellSet = 0


@dataclass(frozen=True)
class Hint:
    """What to do next in a position.

    ``check`` tells whether the puzzle has one solution and what is wrong with the position; the ``clash`` is a smallest set of
    entries that cannot all be right, of givens where these clash; None if there is none or a limit came first. ``position`` is
    the one after the step, or the one without what is wrong. So many steps were passed over as ``skip`` says.
    """

    answer: Answer
    check: PositionCheck
    step: Step | None = None
    clash: Conflict | None = None
    position: Position | None = None
    skip: int = 0


def find_hint(position: Position, *, skip: int = 0, limits: Limits = UNLIMITED) -> Hint:
    """Return the next step by the lowest technique, or what is wrong with the position.

    So many steps as ``skip`` says are passed over, those by the lowest techniques in front: each does something else.
    """
    clock = limits.started()
    check = check_position(position, limits=clock.left())
    if check.is_wrong:
        right = without_errors(position, check) if check.status == "unique" else None
        clash = find_clash(position, check, limits=clock.left())
        return Hint("none" if check.status == "none" else "wrong", check, clash=clash, position=right)
    board = make_board(position)
    if not board.open:
        return Hint("solved" if board.is_consistent() else "wrong", check)
    board.clock = clock
    try:
        usable = [rung for rung in RUNGS if check.is_sound or not rung.technique.needs_uniqueness]
        step = next(islice(possible_steps(board, [*usable, LAST_RESORT]), skip, None), None)
    except LimitReached:
        return Hint("unknown", check)
    if step is None:
        return Hint("stuck", check, skip=skip)
    return Hint("step", check, step, position=position_after(position, board, step), skip=skip)


def place_to_look(layout: Layout, symbols: Symbols, step: Step) -> HintPlace:
    """Return where to look for a step without naming it: a house, a rule part, or a value."""
    cells = step.cells or to_mask(cell for cell, _ in (*step.placements, *step.eliminations))
    for house in (*step.pattern.bases[:1], *layout.groups_over(cells)):
        if not cells & ~layout.groups[house].mask:
            return HintPlace(layout.groups[house].name, layout.groups[house].mask)
    parts = [layout.parts[group.subject] for group in step.proof if group.statement is ProofStatement.PART]
    if len(parts) == 1:
        return HintPlace(parts[0].name, to_mask(parts[0].cells))
    if step.values.bit_count() == 1:
        return HintPlace(f"the places of {symbols.sign(step.values.bit_length() - 1)}")
    around = layout.groups_of[(cells & -cells).bit_length() - 1]
    if not around:
        return HintPlace("the board")
    return HintPlace(f"the cells around {layout.groups[around[-1]].name}", layout.groups[around[-1]].mask)


def position_after(position: Position, board: CandidateBoard, step: Step) -> Position:
    """Return the position in which a step has been made: values placed as forced, candidates marked as left."""
    after = board.copy()
    after.apply(step)
    values, origins = tuple(after.values), list(position.origins)
    for cell, _ in step.placements:
        origins[cell] = Origin.FORCED
    return replace(position, values=values, origins=tuple(origins), marks=tuple(after.candidates))
