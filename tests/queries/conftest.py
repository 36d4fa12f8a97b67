"""Fixtures for the tests of queries: puzzles whose answers are known, and engines that give wrong answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import NOTHING, UNLIMITED
from sudoku_cp.grid import Grid
from sudoku_cp.model import AllDifferent
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.backends import Assumed, Limits, Solution
    from sudoku_cp.model import Model


@pytest.fixture(params=["native", "sat", "cpsat"])
def engine(request: pytest.FixtureRequest) -> str:
    """Each of our engines."""
    name: str = request.param
    return name


@pytest.fixture
def unique() -> Puzzle:
    """A hard puzzle with one solution."""
    return Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")


@pytest.fixture
def twofold() -> Puzzle:
    """A puzzle with two solutions, in which the 1s and 3s of two rows can be swapped."""
    return Puzzle.parse(".2.4.4.221434321")


class Scripted:
    """An engine that answers every question with prescribed grids, whatever the model."""

    name = "scripted"
    takes: frozenset[type] = frozenset({AllDifferent})

    def __init__(self, answers: Iterable[Solution]) -> None:
        """Keep the answers."""
        self.answers = list(answers)
        self.opened = 0

    def open(self, model: Model) -> Scripted:
        """Return itself: it needs no model."""
        self.opened += 1
        return self

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Answer, with a plain iterator."""
        return iter(self.answers)


@pytest.fixture
def scripted() -> type[Scripted]:
    """The engine with prescribed answers."""
    return Scripted


@pytest.fixture
def board() -> Puzzle:
    """The empty 4x4 board, which has 288 solutions."""
    return Puzzle(Grid.square(4))
