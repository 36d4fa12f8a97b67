"""Shared by the bench tests: a puzzle for each answer, and fake contestants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from sudoku_cp.bench.contestant_process import ContestantFailed
from sudoku_cp.bench.contestants import Contestant
from sudoku_cp.bench.puzzle_sets import PuzzleSet
from sudoku_cp.bench.runners import Answers, GivensArray, parse_line

if TYPE_CHECKING:
    from collections.abc import Callable

UNIQUE = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
SOLVED = "483921657967345821251876493548132976729564138136798245372689514814253769695417382"
# Two rows hold the same two values crosswise; without them, each way round is a solution.
TWO = "4.3921.579.7345.21251876493548132976729564138136798245372689514814253769695417382"
NONE = "5.3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."


@dataclass
class Pretender:
    """A fake contestant: it knows the answer and reports fixed seconds for each puzzle, without a clock."""

    name: str
    each: float
    kind: Literal["one", "many"] = "one"
    spoil: Callable[[Answers], Answers] = Answers._make
    fails_from: int | None = None
    first: bool = False
    asked: list[GivensArray] = field(default_factory=list)

    @property
    def contestant(self) -> Contestant:
        """Return the contestant as the tables show it."""
        return Contestant(self.name, "nowhere:nothing", self.kind, first=self.first)

    def ask(self, puzzles: GivensArray, boxes: tuple[int, int], seconds: float) -> Answers:
        """Answer with the one known solution, spoiled if requested."""
        self.asked.append(puzzles)
        if self.fails_from is not None and len(puzzles) >= self.fails_from:
            raise ContestantFailed(f"no answer in {seconds:g} s")
        solutions = np.tile(np.array(parse_line(SOLVED), np.uint8), (len(puzzles), 1))
        return self.spoil(Answers(solutions, np.ones(len(puzzles), np.int64), self.each * len(puzzles)))


@pytest.fixture
def pretender() -> type[Pretender]:
    """Return the class of fake contestants."""
    return Pretender


@pytest.fixture
def lines() -> dict[str, str]:
    """The puzzles with one solution, two and none, and the solution of the first, which is one of the second's."""
    return {"unique": UNIQUE, "two": TWO, "none": NONE, "solved": SOLVED}


@pytest.fixture
def array() -> Callable[..., GivensArray]:
    """Return a function that turns lines of text into an array of puzzles."""
    return lambda *texts: np.array([parse_line(text) for text in texts], np.uint8)


@pytest.fixture
def hundred(array) -> PuzzleSet:
    """A set that has the same puzzle a hundred times."""
    return PuzzleSet("hundred", "one puzzle, often", np.tile(array(UNIQUE), (100, 1)), (3, 3), 1)
