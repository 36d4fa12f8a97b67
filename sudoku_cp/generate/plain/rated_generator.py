"""Generates plain puzzles that are rated one by one: many are dug, the promising ones are rated, and near ones are varied.

Theory of operation. To rate a puzzle costs ten to ten thousand times what digging does. So each number is searched for by
itself, in rounds. A round digs fresh puzzles, twice as many as the round before up to `FRESH`. Guesses of the reference search,
which are counted at once, select the few that are rated: hard puzzles take many, and those that singles solve none. Puzzles whose
path has what is wanted, and then something beyond it, are seeds. Each round varies them: givens are put back, which makes a
puzzle easier, or exchanged. What misses no more takes the place of its seed. The first puzzle that fulfils the request wins; it
depends on the seed and its number alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.plain.plain_generator import Chains, ClimbResult, PlainGenerator
from sudoku_cp.generate.request_parsing import SINGLES_RATING
from sudoku_cp.generate.requested_ratings import techniques_of
from sudoku_cp.generate.targets import EXPLAINED, HIGHEST, count_guesses, make_target, with_limits
from sudoku_cp.logic.rating.puzzle_levels import technique_rating

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends import Clock, Limits
    from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, PuzzleArray, Target


FIRST, FRESH = 16, 512
"""The fresh puzzles of the first round, and of later ones at most."""
SHARES = ((7.6, 1 / 64), (7.1, 1 / 8))
"""From a rating on, the share of fresh puzzles that are rated, by their guesses. Of 9x9 puzzles with rot180 and 13 guesses or
more (one in 64) 11 % have a rating of 8.1 to 8.5, and 3 % one of 8.6 to 9.0; of all puzzles 0.5 % and 0.05 %."""
MOST_GUESSES = 1000
LOOPS, GRAVES = 5.0, 5.6
"""The highest rating of unique loops but for rare types, and the least of graves: what lies between is the rarest of all."""
SCARCE = 2
"""Values that are dug first where large fish are wanted: with few givens of a value, it has many places."""
SEEDS, PATIENCE = 8, 40
"""The most seeds at a time, and the rounds without improvement after which one is dropped."""
VARIATIONS = 24
"""The variations of a seed in a round; every second is dug again."""
PUT_BACK = 1, 2
"""The cells put back in a variation, at least and at most."""
NEAR = 1.0
"""A puzzle that misses by less is a seed."""


@dataclass
class _Found:
    """What a search has found: the ``best`` puzzle, the ``seeds``, and how many ``tries`` were made."""

    number: int
    best: Chains | None = None
    seeds: tuple[Chains, ...] = ()
    tries: int = 0

    def next_tries(self, count: int) -> NDArray[np.int64]:
        """Return the numbers of the next tries."""
        self.tries += count
        return np.arange(self.tries - count, self.tries)


class RatedGenerator(PlainGenerator):
    """Generates plain puzzles whose rating or techniques are requested, without a pattern."""

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[PuzzleArray | GeneratedPuzzle]:
        """Yield the puzzle of each number in order; the seconds of ``limits`` are for each."""
        for number in numbers:
            yield from self._make_results(self._search(number, replace(limits, nodes=None).started()))

    def _search(self, number: int, clock: Clock) -> ClimbResult:
        """Return the puzzle of a number; at a deadline, the best one so far. Raises `LimitReached`."""
        found, step = _Found(number), 0
        reached = None
        try:
            while found.best is None or found.best.miss[0] > 0:
                step += 1
                self._vary_seeds(found, step, clock)
                if found.best is None or found.best.miss[0] > 0:
                    self._dig_fresh(found, min(FRESH, FIRST << min(step - 1, 16)), clock)
        except LimitReached as limit:
            if limit.reason == "cancelled" or found.best is None:
                raise
            reached = limit
        return ClimbResult(found.best, np.array([found.tries]), reached)

    def _dig_fresh(self, found: _Found, count: int, clock: Clock) -> None:
        """Dig new puzzles and rate the promising ones."""
        tries = found.next_tries(count)
        rows = self._digging.dig_anew(
            np.full(count, found.number), tries, clock.left(), scarce=count_scarce_values(self._request)
        )
        if found.best is None:
            found.best = rows.only(np.arange(1))
        for place in self._promising(rows, clock):
            row = self._rated(rows.only(np.array([place])), clock)
            self._keep(found, row)
            if row.miss[0] == 0:
                return
            if row.miss[0] < NEAR and len(found.seeds) < SEEDS:
                found.seeds += (row,)

    def _vary_seeds(self, found: _Found, step: int, clock: Clock) -> None:
        """Vary each seed, and put the best of what misses no more in its place; a seed that stays long is dropped."""
        kept = []
        for seed in found.seeds:
            rows = self._variations(seed, found.next_tries(VARIATIONS), step, clock)
            best = replace(seed, idle=seed.idle + 1)
            for place in np.flatnonzero(self._fits(rows, clock)):
                row = self._rated(rows.only(np.array([place])), clock)
                self._keep(found, row)
                if row.miss[0] == 0:
                    return
                if row.miss[0] <= best.miss[0]:
                    best = replace(row, idle=best.idle if row.miss[0] == best.miss[0] else row.idle)
            kept += [best] if best.idle[0] <= PATIENCE else []
        found.seeds = tuple(kept)

    def _variations(self, seed: Chains, tries: NDArray[np.int64], step: int, clock: Clock) -> Chains:
        """Return puzzles that a seed becomes with some units put back, every second of them (or all, if minimal) dug again."""
        rows = replace(seed.only(np.zeros(len(tries), np.int64)), tries=tries, idle=np.zeros(len(tries), np.int64))
        givens = self._digging.varied(rows, PUT_BACK, step, again=self._request.minimal, limits=clock.left())
        return replace(rows, givens=givens)

    def _keep(self, found: _Found, row: Chains) -> None:
        if found.best is None or row.miss[0] < found.best.miss[0]:
            found.best = row

    def _rated(self, row: Chains, clock: Clock) -> Chains:
        return replace(row, miss=self._digging.judge.miss(row.givens, clock.left()))

    def _fits(self, rows: Chains, clock: Clock) -> NDArray[np.bool_]:
        """Return which puzzles fulfil everything that is quickly checked."""
        if self._quick_target is None:
            return np.ones(len(rows), np.bool_)
        missed = with_limits(self._quick_target, clock.left()).miss(self._base, rows.givens)
        return np.equal(missed, 0)

    def _promising(self, rows: Chains, clock: Clock) -> NDArray[np.int64]:
        """Return the places of the puzzles to rate, the most promising first."""
        places = np.flatnonzero(self._fits(rows, clock))
        share = share_to_rate(self._request)
        if share is None or self._request.guesses is not None:
            return places
        guesses = count_guesses(self._base, rows.givens[places], MOST_GUESSES, limits=clock.left())
        order = np.argsort(-guesses, kind="stable") if share < 1 else np.arange(len(places))
        chosen = order[guesses[order] > 0][: max(1, round(share * len(rows)))]
        return places[chosen]

    @cached_property
    def _quick_target(self) -> Target | None:
        """The target of what is asked for besides rating and techniques."""
        quick = replace(self._request, rating=None, needs=())
        if quick.band is not None:
            quick = replace(quick, difficulty=None)
        return make_target(quick) if quick.has_difficulty or quick.givens is not None else None


def _span_of(request: GenerateRequest) -> tuple[float, float] | None:
    """Return the least and the highest rating of an Explainer that are asked for, None if there are none."""
    if request.rating is not None and request.rating.scale in EXPLAINED:
        return request.rating.least, request.rating.most or HIGHEST
    return (request.band.least, request.band.most) if request.band is not None else None


def count_scarce_values(request: GenerateRequest) -> int:
    """Return how many values are dug before others: some for fish, and the ratings of jellyfish and hidden quads."""
    least, most = _span_of(request) or (0.0, 0.0)
    fish = any("0301" <= one.code < "0400" for needed in request.needs for one in techniques_of(needed))
    return SCARCE if fish or (least > LOOPS and most < GRAVES) else 0


def share_to_rate(request: GenerateRequest) -> float | None:
    """Return the share of fresh puzzles to rate, by their guesses; None where singles may solve what is asked for."""
    least, _ = _span_of(request) or (0.0, 0.0)
    if request.needs:
        easiest = [min(map(technique_rating, techniques_of(needed))) for needed in request.needs]
        least = max(least, *easiest)
    if least <= SINGLES_RATING:
        return None
    return next((share for from_rating, share in SHARES if least >= from_rating), 1.0)
