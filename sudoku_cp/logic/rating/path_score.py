"""A score and a level like HoDoKu's: the sum of the scores of a path's steps, and the hardest level that it needs.

Scores and levels after HoDoKu 2.2 (B. Hobiger), whose order of techniques the ladder follows but for singles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.ladder import RUNGS, SINGLES, rung_of, walk
from sudoku_cp.logic.step import Step, Technique

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

LEVELS = {"E": "easy", "M": "medium", "H": "hard", "U": "unfair", "X": "extreme"}
"""The levels by their letters on the ladder, the easiest first."""
LARGEST = {"E": 800, "M": 1000, "H": 1600, "U": 1800}
"""The largest score of each level but the last, on a board of 81 cells."""
CELLS = 81
"""On a larger board each step adds as much, and there are more of them: the largest scores grow with the cells."""
GUESS = 10_000
"""The score of going on where no technique does."""
_SINGLES = (Technique.FULL_HOUSE, Technique.NAKED_SINGLE, Technique.HIDDEN_SINGLE)
ORDER = (*map(rung_of, _SINGLES), *RUNGS[len(SINGLES) :])
"""Naked singles, which cost less, come before hidden ones, which hints give first as people see them sooner."""


class Score(NamedTuple):
    """The score, the level, and the ``steps`` that led there; not ``solved`` if no technique went on."""

    score: int
    level: str
    steps: list[Step]
    solved: bool


def score_puzzle(puzzle: Puzzle, *, limits: Limits = UNLIMITED) -> Score:
    """Walk from the givens by the lowest technique each time, and add up. Raises `LimitReached`."""
    board = make_board(puzzle, limits.started())
    found = walk(board, ORDER)
    if not found.complete:
        board.tick()
    solved = not board.open
    rungs = [rung_of(step.technique) for step in found.steps]
    score = sum(rung.score for rung in rungs) + (0 if solved else GUESS)
    letters = [rung.level for rung in rungs] + ["E" if solved else "X", _level_of_score(score, len(puzzle.grid.cells))]
    return Score(score, LEVELS[max(letters, key=list(LEVELS).index)], found.steps, solved)


def _level_of_score(score: int, cells: int) -> str:
    return next((level for level, largest in LARGEST.items() if score * CELLS <= largest * max(cells, CELLS)), "X")
