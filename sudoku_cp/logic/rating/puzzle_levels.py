"""The level of a puzzle: by the rating of an Explainer where one rates it, elsewhere by the hardest step of a path.

That path takes the easiest technique each time, by ratings that all of them have (`technique_rating`). What a rule part rules out
by itself counts as known.
"""

from __future__ import annotations

from functools import cache
from math import inf
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.logic.candidate_board import make_board
from sudoku_cp.logic.difficulty_level import Level, level_of
from sudoku_cp.logic.ladder import OF_ONE_PART, RUNGS, Rung, walk
from sudoku_cp.logic.rating.levels import LEVELS, LevelBand, Levels, SpanPath
from sudoku_cp.logic.rating.path_score import score_puzzle
from sudoku_cp.logic.step import Technique

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock
    from sudoku_cp.puzzle import Puzzle


# The ratings of techniques on the ladder, for puzzles that no Explainer rates.


_RATINGS: Mapping[Technique, float] = {
    Technique.FULL_HOUSE: 1.0,
    Technique.HIDDEN_SINGLE: 1.5,
    Technique.NAKED_SINGLE: 2.3,
    Technique.POINTING: 2.6,
    Technique.CLAIMING: 2.8,
    Technique.LOCKED_PAIR: 3.0,
    Technique.NAKED_PAIR: 3.0,
    Technique.X_WING: 3.2,
    Technique.HIDDEN_PAIR: 3.4,
    Technique.LOCKED_TRIPLE: 3.6,
    Technique.NAKED_TRIPLE: 3.6,
    Technique.SWORDFISH: 3.8,
    Technique.HIDDEN_TRIPLE: 4.0,
    Technique.XY_WING: 4.2,
    Technique.XYZ_WING: 4.4,
    Technique.NAKED_QUAD: 5.0,
    Technique.JELLYFISH: 5.2,
    Technique.HIDDEN_QUAD: 5.4,
    Technique.BUG_PLUS_1: 5.6,
}
"""As Sudoku Explainer rates them; those that place a value at once are rated lower there, since they are other steps."""
_BY_SCORE = ((60, 2.6), (80, 3.0), (110, 3.4), (200, 4.5), (260, 6.2), (340, 7.0), (499, 7.6), (600, 8.2))
"""The rating of other techniques: by the greatest score that HoDoKu, or we, give for a step."""
_BEYOND = 8.5


@cache
def technique_rating(technique: Technique) -> float:
    """Return the rating of a technique of the ladder."""
    if technique in _RATINGS:
        return _RATINGS[technique]
    rung = next(rung for rung in RUNGS if rung.technique is technique)
    if rung in OF_ONE_PART:
        return 1.0
    return next((rating for score, rating in _BY_SCORE if rung.score <= score), _BEYOND)


@cache
def _rungs_to(highest: float) -> tuple[Rung, ...]:
    """Return the techniques up to a rating, the easiest first."""
    rated = [(technique_rating(rung.technique), place, rung) for place, rung in enumerate(RUNGS)]
    return tuple(rung for rating, _, rung in sorted(rated) if rating <= highest)


def path_within(puzzle: Puzzle, scale: str, least: float, most: float, *, limits: Limits = UNLIMITED) -> SpanPath:
    """Return the path of a puzzle with one solution by steps up to a rating, on the scale of an Explainer if it rates the puzzle.

    Raises `LimitReached`.
    """
    from sudoku_cp.logic.rating.explainer import (  # noqa: PLC0415  # compiled code, which few words need
        PROGRAMS,
        explainer_rating,
        rated_board,
    )
    from sudoku_cp.logic.rating.span_ratings import walk_within  # noqa: PLC0415  # as above

    clock = limits.started()
    try:
        board = rated_board(puzzle, PROGRAMS[scale])
    except Unsupported:
        return _ladder_path(puzzle, least, most, clock)
    if puzzle.candidates:
        er = explainer_rating(puzzle, PROGRAMS[scale], limits=limits).er
        return SpanPath(er, int(er > most), er >= least)
    return walk_within(_givens_array(puzzle), board, scale, least, most, clock)


def _givens_array(puzzle: Puzzle) -> NDArray[np.int64]:
    """Return the givens of a puzzle as values from 1, 0 in blank cells."""
    import numpy as np  # noqa: PLC0415  # as above

    found = np.zeros(len(puzzle.grid.cells), np.int64)
    for cell, value in puzzle.givens.items():
        found[cell] = value - puzzle.grid.values[0] + 1
    return found


def _ladder_path(puzzle: Puzzle, least: float, most: float, clock: Clock) -> SpanPath:
    board = make_board(puzzle, clock)
    found = walk(board, _rungs_to(most))
    if not found.complete:
        raise LimitReached(found.reason or "deadline", "while rating")
    ratings = [technique_rating(step.technique) for step in found.steps]
    return SpanPath(max(ratings, default=1.0), board.open_cells(), any(rating >= least for rating in ratings))


def band_of(
    puzzle: Puzzle, levels: Levels = LEVELS, *, rating: float | None = None, limits: Limits = UNLIMITED
) -> LevelBand | None:
    """Return the level of a puzzle with one solution, None if it lies in none; its ``rating`` on the scale may be known.

    Raises `LimitReached`.
    """
    clock = limits.started()
    if rating is None and levels == LEVELS and (level := level_of(puzzle, limits=clock.left())) is not Level.HARD:
        return LEVELS.named(str(level))  # what singles solve takes no compiled code
    if rating is None:
        path = path_within(puzzle, levels.scale, 1.0, levels.highest, limits=limits)
        rating = path.top if not path.open else levels.bands[-1].least if levels.bands[-1].most == inf else inf
    found = levels.of_rating(rating)
    if found is None or not any(band.techniques for band in levels.bands):
        return found
    used = used_techniques(puzzle, clock.left())
    return next((band for band in levels.bands[levels.bands.index(found) :] if allows(band, used)), None)


def used_techniques(puzzle: Puzzle, limits: Limits) -> frozenset[Technique]:
    """Return the techniques of the path by the easiest steps. Raises `LimitReached`."""
    return frozenset(step.technique for step in score_puzzle(puzzle, limits=limits).steps)


def allows(band: LevelBand, used: frozenset[Technique]) -> bool:
    """Return whether a level allows these techniques."""
    return not band.techniques or used <= band.techniques
