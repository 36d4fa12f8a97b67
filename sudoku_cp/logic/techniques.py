"""Techniques, and the ladder that applies them: after each step the techniques are tried again from the lowest rung.

A technique is a function from a board to the steps that it finds there; a further one is a function and a line in `LADDER`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.candidate_board import CandidateBoard, make_board

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle import Puzzle


class Technique(StrEnum):
    """The name of a technique."""

    FULL_HOUSE = "full house"
    HIDDEN_SINGLE = "hidden single"
    NAKED_SINGLE = "naked single"


class Step(NamedTuple):
    """A value that a cell must hold, the technique that shows it, and in which house; a naked single has none."""

    technique: Technique
    cell: Cell
    value: int
    house: str = ""

    def describe(self, grid: Grid) -> str:
        """Return the step in words, with the name of its cell on the grid."""
        place = f" in {self.house}" if self.house else ""
        return f"{grid.cell_name(self.cell)} = {self.value}: {self.technique}{place}"


Finder: TypeAlias = Callable[[CandidateBoard], Iterator[Step]]
"""A technique: yields the steps it finds on a board, which it does not change."""


def full_houses(board: CandidateBoard) -> Iterator[Step]:
    """Yield the last open cell of each house that has a single one."""
    for name, house in board.houses:
        cells = [cell for cell in house if board.values[cell] is None]
        if len(cells) == 1 and (domain := board.candidates[cells[0]]):
            yield Step(Technique.FULL_HOUSE, cells[0], domain.bit_length() - 1, name)


def hidden_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the values that have a single place left in a house."""
    for name, house in board.houses:
        once = twice = 0
        for cell in house:
            twice |= once & board.candidates[cell]
            once |= board.candidates[cell]
        for cell in house:
            if hidden := board.candidates[cell] & once & ~twice:
                yield Step(Technique.HIDDEN_SINGLE, cell, hidden.bit_length() - 1, name)


def naked_singles(board: CandidateBoard) -> Iterator[Step]:
    """Yield the cells with a single candidate."""
    for cell, domain in enumerate(board.candidates):
        if domain and not domain & (domain - 1):
            yield Step(Technique.NAKED_SINGLE, cell, domain.bit_length() - 1)


# --- the ladder -------------------------------------------------------------------------------------------------

HIDDEN_ONLY: tuple[Finder, ...] = (full_houses, hidden_singles)
"""The techniques of easy puzzles."""
SINGLES: tuple[Finder, ...] = (*HIDDEN_ONLY, naked_singles)
"""The techniques of medium puzzles: the words for difficulty mean these alone, however long the ladder is."""
LADDER: tuple[Finder, ...] = (*SINGLES,)
"""All techniques, those tried first in front."""


def steps(puzzle: Puzzle, ladder: tuple[Finder, ...] = LADDER) -> Iterator[Step]:
    """Yield step after step, each the first that the lowest rung finds, until none finds any.

    Raises `Unsupported` if the rules say more than which cells differ.
    """
    return apply_steps(make_board(puzzle), ladder)


def apply_steps(board: CandidateBoard, ladder: tuple[Finder, ...]) -> Iterator[Step]:
    """Yield the steps, each once it has been made on the board."""
    while step := next(chain.from_iterable(find(board) for find in ladder), None):
        board.place(step.cell, step.value)
        yield step
