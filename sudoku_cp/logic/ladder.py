"""The ladder: solve step by step, and after each step try the techniques again from the lowest rung."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.techniques import full_houses, hidden_singles, naked_singles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.step import Finder, Step
    from sudoku_cp.puzzle import Puzzle

HIDDEN_ONLY: tuple[Finder, ...] = (full_houses, hidden_singles)
"""The techniques of easy puzzles."""
SINGLES: tuple[Finder, ...] = (*HIDDEN_ONLY, naked_singles)
"""The techniques of medium puzzles: the words for difficulty mean these alone, however long the ladder is."""
LADDER: tuple[Finder, ...] = (*SINGLES,)
"""All techniques, those tried first in front."""


def steps(puzzle: Puzzle, ladder: tuple[Finder, ...] = LADDER) -> Iterator[Step]:
    """Yield step after step, each the first that the lowest rung sees, until none sees any.

    Raises `Unsupported` if the rules say more than which cells differ.
    """
    return apply_steps(make_board(puzzle), ladder)


def apply_steps(board: CandidateBoard, ladder: tuple[Finder, ...]) -> Iterator[Step]:
    """Yield the steps on a board as they are made there."""
    while step := next(chain.from_iterable(find(board) for find in ladder), None):
        board.place(step.cell, step.value)
        yield step
