"""The digging strategy on plain boards: puzzles are dug from full grids; givens are put back and dug again to change them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast.box_shapes import side_of
from sudoku_cp.backends.fast.prober import CHEAP, EXCEPT, MOST, probe
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.plain.dig_with_probes import dig_with_probes, random_orders, random_orders_by_rows
from sudoku_cp.generate.plain.dig_with_singles import dig_with_singles
from sudoku_cp.generate.plain.full_grids import full_grids
from sudoku_cp.generate.plain.generator_kernel import call_kernel
from sudoku_cp.generate.plain.hill_climbing import UNPROVED, Chains
from sudoku_cp.generate.plain.philox_kernel import stream_of
from sudoku_cp.generate.plain.random_words import below, random_words
from sudoku_cp.generate.targets import with_limits
from sudoku_cp.logic.cell_groups import groups_of
from sudoku_cp.puzzle.pattern_symmetry import orbits

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends import Clock
    from sudoku_cp.backends.fast.box_shapes import Boxes
    from sudoku_cp.generate.base import GenerateRequest, Target
    from sudoku_cp.logic.difficulty_level import Level
    from sudoku_cp.puzzle import Puzzle

GIVEN_BACK = 4, 8
"""How many cells are put back before a puzzle is dug again, at least and at most; fewer change little, more rarely improve."""
LARGE = 20
"""Boards of this side and larger are dug with few guesses, so that some givens stay that could go."""
FEW_GUESSES = 1
"""Three take 1.7 times as long there, and remove no more givens."""
UNJUDGED = UNPROVED / 2
"""The miss of a puzzle with one solution about which nothing else was known in time."""
CHEAP_TO = 16
"""Below this side a probe's first guesses take the first cell with two candidates (see `CHEAP`); from it on only one of them
does, since more take a third longer."""


AT_A_TIME = 1 << 15
"""Probes for redundant givens in one call: more would only take memory."""


def count_redundant(givens: NDArray[np.uint8], *, boxes: Boxes, limits: Limits = UNLIMITED) -> NDArray[np.int64]:
    """Return for each puzzle (N, cells) with one solution how many of its givens are not needed for that: none in a minimal one.

    A given is needed if there is a solution with any other value in its cell. Raises `LimitReached`.
    """
    clock = limits.started()
    found = np.zeros(len(givens), np.int64)
    row, cell = np.nonzero(givens)
    for start in range(0, len(row), AT_A_TIME):
        rows, cells = row[start : start + AT_A_TIME], cell[start : start + AT_A_TIME]
        probes = givens[rows]
        probes[np.arange(len(rows)), cells] |= EXCEPT
        answers = probe(probes, 1, boxes=boxes, limits=clock.left())
        clock.check()
        found += np.bincount(rows[answers.found == 0], minlength=len(givens))
    return found


@dataclass(frozen=True)
class BatchJudge:
    """Measures puzzles with the rules of ``base`` by a ``target``, and by redundant givens if they must be ``minimal``."""

    base: Puzzle
    boxes: Boxes
    target: Target | None
    minimal: bool

    def miss(self, givens: NDArray[np.uint8], limits: Limits) -> NDArray[np.float64]:
        """Return how far puzzles (N, cells), each with one solution, are from the request."""
        clock = limits.started()
        missed = np.zeros(len(givens))
        if self.target is not None:
            missed += with_limits(self.target, limits).miss(self.base, givens)
        if self.minimal:
            missed += count_redundant(givens, boxes=self.boxes, limits=clock.left())
        return missed

    def miss_in_time(self, givens: NDArray[np.uint8], clock: Clock) -> NDArray[np.float64]:
        """Return the same, or `UNJUDGED` for all where the deadline comes first, so that finished puzzles are not lost."""
        try:
            return self.miss(givens, clock.left())
        except LimitReached as reached:
            if reached.reason == "cancelled":
                raise
            return np.full(len(givens), UNJUDGED)


@dataclass(frozen=True)
class DigStrategy:
    """Digs puzzles from full grids in units, the orbits of the symmetry.

    With a ``level`` they are dug while singles solve them, else while they have one solution. The order is random over the board,
    or roughly ``by_rows`` (see `random_orders_by_rows`) where SAT must prove them minimal. Dug evenly, a large board reaches a
    state in which hardly any question has a quick answer. Where the first rows are nearly blank, others need most of their
    givens, and that is quickly shown.
    """

    request: GenerateRequest
    seed: int
    judge: BatchJudge
    level: Level | None = None
    by_rows: bool = False

    @cached_property
    def units(self) -> NDArray[np.int64]:
        """The cells of each unit, padded with -1."""
        found = orbits(self.request.grid, self.request.symmetry)
        table = np.full((len(found), max(map(len, found))), -1, np.int64)
        for row, unit in zip(table, found, strict=True):
            row[: len(unit)] = unit
        return table

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """Dig a puzzle for each number and try."""
        clock = limits.started()
        grids = full_grids(self.judge.boxes, self.seed, numbers, tries=tries, limits=limits)
        orders = self.orders(numbers, tries)
        givens = self._dig(grids, orders, self._least(numbers, tries), None, clock.left())
        return Chains(numbers, tries, grids, givens, self.judge.miss_in_time(givens, clock), np.zeros_like(numbers))

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Put some units back and dig in another order."""
        clock = limits.started()
        stream = stream_of(self.seed, f"round {step}")
        start = rows.givens.copy()
        orders = np.empty((len(rows), len(self.units)), np.int16)
        call_kernel("restore_givens", stream, rows.numbers, rows.tries, rows.grids, start, self.units, *GIVEN_BACK, orders)
        givens = self._dig(rows.grids, orders, self._least(rows.numbers, rows.tries), start, clock.left())
        return rows.bettered(rows.grids, givens, self.judge.miss(givens, clock.left()))

    def orders(self, numbers: NDArray[np.int64], tries: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return the order (N, units) in which each puzzle is dug at first."""
        if self.by_rows:
            return random_orders_by_rows(self.seed, numbers, side_of(self.judge.boxes), tries=tries)
        return random_orders(self.seed, numbers, len(self.units), tries=tries)

    def _dig(
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
                exactly=self.request.difficulty is not None,
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
        """Return the number of givens at which digging stops, drawn from the span requested; None for no such bound."""
        span = self.request.givens
        if span is None or self.request.minimal:
            return None
        if span.most is None:
            return np.full(len(numbers), span.least)
        chance = random_words(self.seed, numbers, tries, "givens", 1)[:, 0]
        return span.least + below(chance, span.most - span.least + 1)
