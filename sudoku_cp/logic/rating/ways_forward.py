"""How wide a path is: at each step, how many different steps the same technique offered.

Where there are many, any of them will do and the next one is soon seen; where there is one, it must be found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import all_steps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.backends import Limits
    from sudoku_cp.logic.step import Step
    from sudoku_cp.puzzle import Puzzle


@dataclass(frozen=True)
class WaysForward:
    """For each step of a path, the ``numbers`` of ways: different results that its technique offered.

    The ``bottleneck`` is the least of them, met at ``narrow`` of the steps; None if there was no choice to make. Towards the end
    of every path any open cell can be filled at once, and fewer and fewer are left: these steps do not count.
    """

    numbers: tuple[int, ...]
    bottleneck: int | None
    narrow: int


def ways_forward(puzzle: Puzzle, steps: Iterable[Step], *, limits: Limits = UNLIMITED) -> WaysForward:
    """Return the ways along a path of ``steps`` from the givens of a puzzle. Raises `LimitReached`."""
    board = make_board(puzzle, limits.started())
    numbers, narrow = [], []
    for step in steps:
        board.tick()
        number = len(all_steps(board, step.technique))
        numbers.append(number)
        if number < board.open.bit_count():
            narrow.append(number)
        board.apply(step)
    bottleneck = min(narrow, default=None)
    return WaysForward(tuple(numbers), bottleneck, narrow.count(bottleneck) if bottleneck else 0)
