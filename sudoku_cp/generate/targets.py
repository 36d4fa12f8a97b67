"""Targets of the search for puzzles: properties beyond a unique solution, each a measure of how far a puzzle is from it.

A target is any object with the method ``miss`` of `Target`. A new rating is one more class:

    @dataclass(frozen=True)
    class Rated:
        span: Span

        def miss(self, base, givens):
            return np.array([self.span.miss(rating(puzzle)) for puzzle in iter_puzzles(base, givens)], np.float64)

(`rating_targets` has two such.) Hill climbing needs a slope: of two puzzles that miss the target, the one that is fewer changes
away should miss by less.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.generate.rating_targets import NeedsTarget, RatingTarget, check_scale, iter_puzzles
from sudoku_cp.generate.search_effort import count_guesses
from sudoku_cp.logic.array_singles import open_cells_of_arrays
from sudoku_cp.logic.cell_groups import groups_of
from sudoku_cp.logic.difficulty_level import Level, open_cells_of, parse_level
from sudoku_cp.logic.layout import layout_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.generate.base import GenerateRequest, Span, Target
    from sudoku_cp.puzzle import Puzzle

FURTHER = 64
"""Guesses are counted up to this number beyond the span, to give the climb a slope."""


def make_target(request: GenerateRequest) -> Target:
    """Return the target for the difficulty and number of givens requested: the sum of all misses.

    Raises `InvalidInput` where a rating is requested on a scale that does not apply to the rules.
    """
    targets: list[Target] = []
    if request.difficulty is not None:
        targets.append(LevelTarget(parse_level(request.difficulty)))
    if request.singles_only:
        targets.append(SinglesOnlyTarget())
    if request.guesses is not None:
        targets.append(GuessesTarget(request.guesses))
    if request.givens is not None:
        targets.append(GivensTarget(request.givens))
    if request.rating is not None:
        check_scale(request)
        targets.append(RatingTarget(request.rating))
    if request.needs:
        targets.append(NeedsTarget(request.needs))
    return targets[0] if len(targets) == 1 else CombinedTarget(tuple(targets))


def with_limits(target: Target, limits: Limits) -> Target:
    """Return the same target within limits: measuring difficulty may raise `LimitReached`."""
    match target:
        case CombinedTarget(targets):
            return CombinedTarget(tuple(with_limits(one, limits) for one in targets))
        case LevelTarget() | SinglesOnlyTarget() | GuessesTarget() | RatingTarget() | NeedsTarget():
            return replace(target, limits=limits)
        case _:
            return target


@dataclass(frozen=True)
class CombinedTarget:
    """The sum of the misses of several targets; without any it is always reached."""

    targets: tuple[Target, ...]

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the sum of the misses."""
        total = np.zeros(len(givens))
        for target in self.targets:
            total += target.miss(base, givens)
        return total


@dataclass(frozen=True)
class LevelTarget:
    """A level of difficulty: a puzzle of another level misses by 1 to 3.

    The slope: towards easy, the fewer cells hidden singles leave open, the smaller the miss; from hard to medium, the fewer cells
    all singles leave open; upwards, the more cells hidden singles leave open, and the fewer givens an easy puzzle has.
    """

    level: Level
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles of the level."""
        left = _open_cells(base, givens, self.limits)
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
    """Naked and hidden singles solve the puzzle; others miss by 1 to 2, the less the fewer cells singles leave open."""

    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles that singles solve."""
        after_all = _open_cells(base, givens, self.limits)[:, 1] / givens.shape[1]
        return np.where(after_all > 0, 1 + after_all, 0)


def _open_cells(base: Puzzle, givens: NDArray[np.uint8], limits: Limits) -> NDArray[np.int64]:
    """Return how many cells hidden singles leave open, and all singles do, in each puzzle (N, 2). Raises `LimitReached`."""
    if not layout_of(base).parts:
        return open_cells_of_arrays(groups_of(base), givens, limits=limits)
    clock = limits.started()
    return np.array([open_cells_of(puzzle, limits=clock.left()) for puzzle in iter_puzzles(base, givens)], np.int64).reshape(
        -1, 2
    )


@dataclass(frozen=True)
class GuessesTarget:
    """The guesses of the reference engine (see `search_effort`), under any rules.

    A puzzle misses by log2 of the ratio of its guesses + 1 to the nearer bound + 1. Where guesses are wanted and none is needed,
    it misses by up to 1 more: the fewer cells hidden singles leave open, the more.
    """

    span: Span
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles within the span."""
        least, most = self.span.least, self.span.most
        guesses = count_guesses(base, givens, least if most is None else 2 * most + FURTHER, limits=self.limits)
        over = np.zeros(len(givens)) if most is None else np.log2((1 + guesses) / (1 + most))
        missed: NDArray[np.float64] = np.maximum(0, np.maximum(over, np.log2((1 + least) / (1 + guesses))))
        none = np.flatnonzero((guesses == 0) & (missed > 0))
        if len(none) and base.model().is_houses:
            left = open_cells_of_arrays(groups_of(base), givens[none], limits=self.limits)
            missed[none] += 1 - left[:, 0] / givens.shape[1]
        return missed


@dataclass(frozen=True)
class GivensTarget:
    """The number of givens: a puzzle misses by as many as are too many or too few."""

    span: Span

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:  # noqa: ARG002  # part of the protocol
        """Return 0 for puzzles within the span."""
        number = np.count_nonzero(givens, axis=1)
        most = self.span.most
        over = np.zeros(len(givens)) if most is None else np.maximum(0.0, number - most)
        missed: NDArray[np.float64] = np.maximum(over, self.span.least - number)
        return missed
