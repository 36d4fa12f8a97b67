"""How puzzles on plain boards are begun and changed: dug from full grids, and dug again after some was given back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends.fast.probing import CHEAP, MOST
from sudoku_cp.backends.fast.shape import side_of
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.plain.compiled import call
from sudoku_cp.generate.plain.dig_with_probes import dig_with_probes, random_orders, random_orders_by_rows
from sudoku_cp.generate.plain.dig_with_singles import dig_with_singles
from sudoku_cp.generate.plain.full_grids import full_grids
from sudoku_cp.generate.plain.hill_climbing import UNPROVED, Chains
from sudoku_cp.generate.plain.philox import stream_of
from sudoku_cp.generate.plain.random_words import below, random_words
from sudoku_cp.generate.plain.redundant_givens import count_redundant
from sudoku_cp.generate.targets import with_limits
from sudoku_cp.logic.groups import groups_of
from sudoku_cp.puzzle.symmetry import orbits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends import Clock, Limits
    from sudoku_cp.backends.fast.shape import Boxes
    from sudoku_cp.generate.base import Target, Wishes
    from sudoku_cp.logic.singles import Level
    from sudoku_cp.puzzle import Puzzle

GIVEN_BACK = 4, 8
"""From so many to so many cells are given back before a puzzle is dug again; fewer find little, more find what is no better."""
LARGE = 20
"""Boards of such a side and larger are dug with few guesses, so that not all that could be left out is."""
FEW_GUESSES = 1
"""Three take 1.7 times as long there, and no more is left out."""
UNJUDGED = UNPROVED / 2
"""The miss of a puzzle with one solution of which no more was found out in time."""
CHEAP_TO = 16
"""Below such a side a probe's first guesses go to the first cell with two candidates, see `CHEAP`; from it on only one of
them does: more take a third longer."""


@dataclass(frozen=True)
class BatchJudge:
    """What is asked of puzzles like ``base``: a ``target``, and whether each given must be needed."""

    base: Puzzle
    boxes: Boxes
    target: Target | None
    minimal: bool

    def miss(self, givens: NDArray[np.uint8], limits: Limits) -> NDArray[np.float64]:
        """Return how far puzzles (N, cells), each with one solution, are from what is asked."""
        clock = limits.started()
        missed = np.zeros(len(givens))
        if self.target is not None:
            missed += with_limits(self.target, limits).miss(self.base, givens)
        if self.minimal:
            missed += count_redundant(givens, boxes=self.boxes, limits=clock.left())
        return missed

    def miss_in_time(self, givens: NDArray[np.uint8], clock: Clock) -> NDArray[np.float64]:
        """Return the same, or `UNJUDGED` for all where the deadline comes first: what was made is not lost for that."""
        try:
            return self.miss(givens, clock.left())
        except LimitReached as reached:
            if reached.reason == "cancelled":
                raise
            return np.full(len(givens), UNJUDGED)


@dataclass(frozen=True)
class DigStrategy:
    """Puzzles dug from full grids in units, the orbits of the symmetry.

    With a ``level`` they are dug only as far as singles solve them; else as far as they have one solution. They are dug all over
    the board, or, where they are to be proved minimal by SAT, rather ``by_rows``: see `orders_by_rows`. Dug all over, a large
    board comes to where nearly no question about it has a quick answer. Where the rows that come first are nearly blank, others
    need most of their givens, and that is soon shown.
    """

    wishes: Wishes
    seed: int
    judge: BatchJudge
    level: Level | None = None
    by_rows: bool = False

    @cached_property
    def units(self) -> NDArray[np.int64]:
        """The cells of each unit, -1 behind them."""
        found = orbits(self.wishes.grid, self.wishes.symmetry)
        table = np.full((len(found), max(map(len, found))), -1, np.int64)
        for row, unit in zip(table, found, strict=True):
            row[: len(unit)] = unit
        return table

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """Dig a puzzle for each number and try."""
        clock = limits.started()
        grids = full_grids(self.judge.boxes, self.seed, numbers, tries=tries, limits=limits)
        orders = self._orders(numbers, tries)
        givens = self._dug(grids, orders, self._least(numbers, tries), None, clock.left())
        return Chains.of(numbers, tries, grids, givens, self.judge.miss_in_time(givens, clock))

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Give some units back and dig in another order."""
        clock = limits.started()
        stream = stream_of(self.seed, f"round {step}")
        start = rows.givens.copy()
        orders = np.empty((len(rows), len(self.units)), np.int16)
        call("give_back", stream, rows.numbers, rows.tries, rows.grids, start, self.units, *GIVEN_BACK, orders)
        givens = self._dug(rows.grids, orders, self._least(rows.numbers, rows.tries), start, clock.left())
        return rows.bettered(rows.grids, givens, self.judge.miss(givens, clock.left()))

    def orders(self, rows: Chains) -> NDArray[np.int16]:
        """Return the order (N, units) in which each was dug at first."""
        return self._orders(rows.numbers, rows.tries)

    def _orders(self, numbers: NDArray[np.int64], tries: NDArray[np.int64]) -> NDArray[np.int16]:
        if self.by_rows:
            return random_orders_by_rows(self.seed, numbers, side_of(self.judge.boxes), tries=tries)
        return random_orders(self.seed, numbers, len(self.units), tries=tries)

    def _dug(
        self,
        grids: NDArray[np.uint8],
        orders: NDArray[np.int16],
        least: NDArray[np.int64] | None,
        start: NDArray[np.uint8] | None,
        limits: Limits,
    ) -> NDArray[np.uint8]:
        if self.level is not None:
            return dig_with_singles(
                grids,
                orders.astype(np.int64),
                self.level,
                groups=groups_of(self.judge.base),
                units=self.units,
                least=least,
                start=start,
                exactly=self.wishes.difficulty is not None,
                limits=limits,
            ).givens
        boxes = self.judge.boxes
        guesses = FEW_GUESSES if side_of(boxes) >= LARGE else MOST
        units = self.units.astype(np.int16)[orders] if self.units.shape[1] > 1 else orders
        cheap = CHEAP if side_of(boxes) < CHEAP_TO else 1
        return dig_with_probes(
            grids, units, boxes=boxes, least=least, start=start, most_nodes=guesses, cheap=cheap, limits=limits
        ).givens

    def _least(self, numbers: NDArray[np.int64], tries: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Return the number of givens at which digging stops: any of those asked for; None where it does not."""
        span = self.wishes.givens
        if span is None or self.wishes.minimal:
            return None
        if span.most is None:
            return np.full(len(numbers), span.least)
        chance = random_words(self.seed, numbers, tries, "givens", 1)[:, 0]
        return span.least + below(chance, span.most - span.least + 1)
