"""Targets for puzzles that are rated one by one: a rating on a scale, and techniques that must occur.

What is rated takes a thousand times as long as what the lane kernel does, so few puzzles are rated at a time, and the miss is
made for few changes rather than for many: the distance of the rating itself, or of the hardest technique on the path.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import Unsupported
from sudoku_cp.generate.requested_ratings import techniques_of
from sudoku_cp.logic.rating.ratings import rate_on
from sudoku_cp.logic.rating.score import score_puzzle
from sudoku_cp.logic.rungs import RUNGS
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from sudoku_cp.generate.base import GenerateRequest
    from sudoku_cp.generate.requested_ratings import Needed, RatingSpan
    from sudoku_cp.logic.rating.ratings import Scale
    from sudoku_cp.logic.technique import Technique

UNRATED = 1000.0
"""The miss of a puzzle to which the scale does not apply."""
_POINTS = {"hodoku": 100.0}
"""What counts as a miss by 1, where it is more than 1: scores are sums of tens and hundreds."""

_RANK: Mapping[Technique, int] = {rung.technique: rank for rank, rung in enumerate(RUNGS)}
_NUMBER: Mapping[str, Callable[[Any], float]] = {
    "se": lambda found: found.er,
    "proof": lambda found: found.largest,
    "hodoku": lambda found: found.score,
}
"""The number of a rating that people mean by it."""


def iter_puzzles(base: Puzzle, givens: NDArray[np.uint8]) -> Iterator[Puzzle]:
    """Yield the puzzles of an array one by one, for targets that rate single puzzles."""
    for row in givens.tolist():
        yield base.with_givens({cell: value for cell, value in enumerate(row) if value})


def check_scale(request: GenerateRequest) -> None:
    """Raise `Unsupported` where the scale of the rating requested does not apply to the puzzles."""
    if request.rating is None or request.rating.scale != "se":
        return
    from sudoku_cp.logic.rating.explainer import check_rules  # noqa: PLC0415  # compiled code, which the others do without

    if request.families or request.jigsaw:
        raise Unsupported("expected a rating on the scale proof or hodoku with the clues or irregular regions of `rules`, got se")
    check_rules(Puzzle(request.grid, request.rules))


@dataclass(frozen=True)
class RatingTarget:
    """A rating on a scale: a puzzle misses by the distance of its own from the span."""

    span: RatingSpan
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles within the span. Raises `LimitReached`."""
        clock = self.limits.started()
        return np.array([self._miss(puzzle, clock.left()) for puzzle in iter_puzzles(base, givens)], np.float64)

    def _miss(self, puzzle: Puzzle, limits: Limits) -> float:
        scale = self.span.scale
        try:
            found = rate_on(cast("Scale", scale), puzzle, limits=limits)
        except Unsupported:
            return UNRATED
        return self.span.miss(_NUMBER[scale](found)) / _POINTS.get(scale, 1.0)


@dataclass(frozen=True)
class NeedsTarget:
    """Techniques that occur on the path that HoDoKu's score is taken from: the easiest step each time.

    Of several in a tuple, one will do. A puzzle misses by 1 for each that does not occur, and by up to 1 more the farther its
    hardest technique is from it.
    """

    techniques: tuple[Needed, ...]
    limits: Limits = field(default=UNLIMITED, compare=False)

    def miss(self, base: Puzzle, givens: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return 0 for puzzles whose path has all of the techniques. Raises `LimitReached`."""
        clock = self.limits.started()
        return np.array([self._miss(puzzle, clock.left()) for puzzle in iter_puzzles(base, givens)], np.float64)

    def _miss(self, puzzle: Puzzle, limits: Limits) -> float:
        score = score_puzzle(puzzle, limits=limits)
        used = {step.technique for step in score.steps}
        hardest = max((_RANK[technique] for technique in used), default=0) if score.solved else len(RUNGS)
        missing = [needed for one in self.techniques if not used.intersection(needed := techniques_of(one))]
        return sum(1 + min(abs(hardest - _RANK[one]) for one in needed) / len(RUNGS) for needed in missing)
