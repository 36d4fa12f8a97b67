"""What is wished for, what comes of it, and the two seams of this room: those who make puzzles, and what judges them.

Puzzle ``number`` of ``seed`` is the same whoever makes it, beside whichever others: nothing in it hangs on time, on the number
of workers, or on the size of a block. So a run can be split, stopped and gone on with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from sudoku_cp.arguments import CheckedFields
from sudoku_cp.generate.difficulty_mix import DifficultyMix
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules.base import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits
    from sudoku_cp.errors import Reason
    from sudoku_cp.generate.difficulty_mix import Quota

GENERATION = 1
"""Goes into every seed; it rises whenever the puzzles of a seed become others."""


class Span(NamedTuple):
    """From ``least`` to ``most``, both included; None is no bound."""

    least: int
    most: int | None = None

    def miss(self, number: int) -> int:
        """Return how far a number is from the span, 0 within it."""
        if number < self.least:
            return self.least - number
        return 0 if self.most is None or number <= self.most else number - self.most


@dataclass(frozen=True)
class Wishes(CheckedFields):
    """What each puzzle of a run is to be like.

    ``rules`` hold in each of them. Of the ``families`` (kinds of rules that have cells: killer-cage, thermometer, ...) each
    puzzle has clues of its own, chosen in a ``style``; with ``jigsaw`` it has irregular regions of its own. ``symmetry`` and
    ``pattern`` (the cells given) speak of where the givens stand, ``givens`` of how many there are; ``minimal`` asks that none
    of them, and no clue, can be left out. The last four speak of difficulty: ``mix`` is of several words, which take turns.
    """

    grid: Grid = field(default_factory=Grid.square)
    rules: tuple[Rule, ...] = CLASSIC
    families: tuple[str, ...] = ()
    style: str = ""
    jigsaw: bool = False
    symmetry: str = "none"
    pattern: tuple[Cell, ...] | None = None
    givens: Span | None = None
    minimal: bool = False
    difficulty: str | None = None
    guesses: Span | None = None
    singles_only: bool = False
    mix: DifficultyMix | None = None


@dataclass(frozen=True)
class Made:
    """A puzzle with its solution stated, and the number it has.

    ``tries`` says how many were begun for it. A ``reason`` says that a limit came first: it is valid and has one solution, but
    less was left out, or fewer wishes came true, than was asked for: ``missed`` says which in words.
    """

    number: int
    puzzle: Puzzle
    tries: int = 1
    reason: Reason | None = None
    missed: str = ""


@dataclass(frozen=True)
class Sheet:
    """Many puzzles as arrays: their ``numbers`` (N,), ``givens`` (N, cells), 0 in blank cells, ``solutions`` and ``tries`` (N,).

    They are all like ``base``, which has no givens. All wishes came true.
    """

    base: Puzzle
    numbers: NDArray[np.int64]
    givens: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    tries: NDArray[np.int64]

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp] | slice) -> Sheet:
        """Return some of them."""
        return Sheet(self.base, self.numbers[which], self.givens[which], self.solutions[which], self.tries[which])

    def each(self) -> Iterator[Made]:
        """Yield them one by one."""
        grid, rules = self.base.grid, self.base.rules
        rows = zip(self.numbers.tolist(), self.givens.tolist(), self.solutions.tolist(), self.tries.tolist(), strict=True)
        for number, givens, solution, tries in rows:
            given = {cell: value for cell, value in enumerate(givens) if value}
            yield Made(number, Puzzle(grid, rules, given, solution=tuple(solution)), tries)


class Maker(Protocol):
    """Makes puzzles; one object serves a whole run.

    ``engine`` names the one that found them to have one solution, so that another can be asked. ``portion`` is how many numbers
    are best made at a time.
    """

    engine: str
    portion: int

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[Sheet | Made]:
        """Yield the puzzle of each number, in whatever order they are done.

        The seconds of ``limits`` are for each puzzle; where many are made at a time they count from the last that was done.
        Raises `LimitReached`, once what is done was yielded, if nothing could be made of the others by then.
        """
        ...


@runtime_checkable
class Shares(Protocol):
    """A maker of several sorts of puzzles, of each of which a run wants its share."""

    def quota(self, numbers: Iterable[int]) -> Quota:
        """Return what a run of these numbers wants."""
        ...


class Target(Protocol):
    """What puzzles are to be like beyond having one solution; every measure of puzzles can be one."""

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return how far each puzzle is from it, 0 where it is reached.

        ``givens`` (N, cells), 0 in blank cells, are those of puzzles like ``base``, each of which has one solution.
        """
        ...
