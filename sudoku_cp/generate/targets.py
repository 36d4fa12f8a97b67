"""What puzzles can be like beyond having one solution, as targets of a search: how far each is from what is wished for.

A target is any object with the method ``miss`` of `Target`. A rating still to come is one more class:

    @dataclass(frozen=True)
    class Rated:
        span: Span

        def miss(self, base, givens):
            return np.array([self.span.miss(rating(puzzle)) for puzzle in puzzles_of(base, givens)], np.float64)

A search that keeps what is no worse needs a slope: of two puzzles that miss, the one from which fewer changes lead there
should miss by less.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import Unsupported
from sudoku_cp.generate.effort import guesses_of
from sudoku_cp.logic.groups import groups_of
from sudoku_cp.logic.many import left_of_many
from sudoku_cp.logic.singles import Level, parse_level
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sudoku_cp.generate.base import Span, Target, Wishes

FURTHER = 64
"""Guesses are counted to so many beyond the span, to tell far from farther."""


def make_target(wishes: Wishes) -> Target:
    """Return how far puzzles are from what is wished of difficulty and number of givens: all misses added together.

    Raises `InvalidInput` where a word is asked for that means nothing under the rules.
    """
    targets: list[Target] = []
    if wishes.difficulty is not None:
        targets.append(LevelTarget(parse_level(wishes.difficulty)))
    if wishes.singles_only:
        targets.append(SinglesOnlyTarget())
    if targets and wishes.families:
        raise Unsupported("expected --guesses for the difficulty of puzzles with clues, got a word for singles")
    if targets:
        groups_of(Puzzle(wishes.grid, wishes.rules))
    if wishes.guesses is not None:
        targets.append(GuessesTarget(wishes.guesses))
    if wishes.givens is not None:
        targets.append(GivensTarget(wishes.givens))
    return targets[0] if len(targets) == 1 else CombinedTarget(tuple(targets))


def with_limits(target: Target, limits: Limits) -> Target:
    """Return the same target, which raises `LimitReached` where it takes longer: search effort may."""
    match target:
        case CombinedTarget(targets):
            return CombinedTarget(tuple(with_limits(one, limits) for one in targets))
        case GuessesTarget():
            return replace(target, limits=limits)
        case _:
            return target


@dataclass(frozen=True)
class CombinedTarget:
    """Several targets: their misses added; no target at all is always reached."""

    targets: tuple[Target, ...]

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the sum."""
        total = np.zeros(len(givens))
        for target in self.targets:
            total += target.miss(base, givens)
        return total


@dataclass(frozen=True)
class LevelTarget:
    """A word for difficulty: a puzzle of another word misses by 1 to 3.

    On the way to easy it misses by less, the fewer cells hidden singles leave open; on the way to medium from hard, the fewer all
    singles leave; on the way up, the more cells hidden singles leave open, and the fewer givens an easy puzzle has.
    """

    level: Level

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles of the level."""
        left = left_of_many(groups_of(base), givens)
        cells = givens.shape[1]
        after_hidden, after_all = left.T / cells
        clues = np.count_nonzero(givens, axis=1) / cells
        level = np.where(after_all > 0, Level.HARD, np.where(after_hidden > 0, Level.MEDIUM, Level.EASY))
        share = {
            Level.EASY: np.where(level == Level.HARD, 1 + (after_hidden + after_all) / 2, after_hidden),
            Level.MEDIUM: np.where(level == Level.HARD, after_all, clues),
            Level.HARD: np.where(level == Level.EASY, 1 + clues, 1 - after_hidden),
        }[self.level]
        return np.where(level == self.level, 0, 1 + share)


@dataclass(frozen=True)
class SinglesOnlyTarget:
    """Singles solve it, of whichever kind; a puzzle misses by 1 to 2, the less the fewer cells they leave open."""

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles that singles solve."""
        after_all = left_of_many(groups_of(base), givens)[:, 1] / givens.shape[1]
        return np.where(after_all > 0, 1 + after_all, 0)


@dataclass(frozen=True)
class GuessesTarget:
    """How many values the reference engine tries before it knows that there is one solution (see `effort`), any rules.

    A puzzle misses by the number of doublings (of the guesses and one more) between it and the span. Where guesses are wanted and
    none is needed, it misses by up to 1 more, the more the fewer cells hidden singles leave open.
    """

    span: Span
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles within the span."""
        least, most = self.span.least, self.span.most
        guesses = guesses_of(base, givens, least if most is None else 2 * most + FURTHER, limits=self.limits)
        over = np.zeros(len(givens)) if most is None else np.log2((1 + guesses) / (1 + most))
        missed: NDArray[np.float64] = np.maximum(0, np.maximum(over, np.log2((1 + least) / (1 + guesses))))
        none = np.flatnonzero((guesses == 0) & (missed > 0))
        if len(none) and base.model().is_houses:
            left = left_of_many(groups_of(base), givens[none], limits=self.limits)
            missed[none] += 1 - left[:, 0] / givens.shape[1]
        return missed


@dataclass(frozen=True)
class GivensTarget:
    """How many givens there are: a puzzle misses by so many as are too many or lacking."""

    span: Span

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:  # noqa: ARG002  # every target is told
        """Return 0 for puzzles within the span."""
        number = np.count_nonzero(givens, axis=1)
        most = self.span.most
        over = np.zeros(len(givens)) if most is None else np.maximum(0.0, number - most)
        missed: NDArray[np.float64] = np.maximum(over, self.span.least - number)
        return missed


def iter_puzzles(base: Puzzle, givens: NDArray[np.uint8]) -> Iterator[Puzzle]:
    """Yield the puzzles of an array one by one, for targets that look at one at a time."""
    for row in givens.tolist():
        yield base.with_givens({cell: value for cell, value in enumerate(row) if value})
