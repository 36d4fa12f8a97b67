"""The difficulty of a puzzle by what singles solve: easy, medium or hard.

Under rules that say more than which cells differ, a cage or a thermometer is read first: what a rule part rules out by itself is
gone before singles are looked for, as what a filled cell rules out is on a plain board.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import UnknownName
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import HIDDEN_ONLY, OF_ONE_PART, SINGLES, apply_steps

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


class Level(IntEnum):
    """The difficulty of a puzzle.

    Easy: hidden singles alone solve it. Medium: naked singles are needed too. Hard: singles alone do not solve it. What a cage
    or another rule part rules out by itself counts as known.
    """

    EASY = 0
    MEDIUM = 1
    HARD = 2

    def __str__(self) -> str:
        """Return the level's name."""
        return self.name.lower()


def parse_level(word: str) -> Level:
    """Return the level called ``easy``, ``medium`` or ``hard`` (any case)."""
    for level in Level:
        if str(level) == word.strip().lower():
            return level
    raise UnknownName("difficulty", word, map(str, Level))


class OpenCells(NamedTuple):
    """The number of cells that hidden singles leave open, and that all singles do; all cells in a wrong grid.

    Neither depends on the order of the steps, as long as the puzzle has a solution.
    """

    after_hidden: int
    after_all: int

    @property
    def level(self) -> Level:
        """The level that follows."""
        return Level.HARD if self.after_all else Level.MEDIUM if self.after_hidden else Level.EASY


def open_cells_of(puzzle: Puzzle, *, limits: Limits = UNLIMITED) -> OpenCells:
    """Return how many cells singles leave open, under any rules. Raises `LimitReached`."""
    board = make_board(puzzle, limits.started())
    numbers = []
    for rungs in (HIDDEN_ONLY, SINGLES):
        for _ in apply_steps(board, (*rungs, *OF_ONE_PART)):
            pass
        numbers.append(board.open_cells())
    return OpenCells(*numbers)


def level_of(puzzle: Puzzle, *, limits: Limits = UNLIMITED) -> Level:
    """Return the level of a puzzle under any rules. An easy or medium one has exactly one solution. Raises `LimitReached`."""
    return open_cells_of(puzzle, limits=limits).level
