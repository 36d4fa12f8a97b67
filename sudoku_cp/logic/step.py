"""What a technique finds: a step, by the name of the technique."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.logic.candidate_board import CandidateBoard


class Technique(StrEnum):
    """What a step is called."""

    FULL_HOUSE = "full house"
    HIDDEN_SINGLE = "hidden single"
    NAKED_SINGLE = "naked single"


class Step(NamedTuple):
    """A value that a cell must hold, how one sees it, and in which house; a naked single needs none."""

    technique: Technique
    cell: Cell
    value: int
    house: str = ""

    def describe(self, grid: Grid) -> str:
        """Return the step in words, with the name of its cell on the grid."""
        place = f" in {self.house}" if self.house else ""
        return f"{grid.cell_name(self.cell)} = {self.value}: {self.technique}{place}"


Finder: TypeAlias = "Callable[[CandidateBoard], Iterator[Step]]"
"""A technique: yields the steps it sees on a board, which it does not change."""
