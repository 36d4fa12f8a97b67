"""The strategy for puzzles with givens in a pattern: full grids restricted to it, and changes that leave fewer solutions.

With many patterns one grid in a few is a puzzle already. Otherwise a chain frees a few givens and moves to a random completion of
the rest, if that has no more solutions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends.fast.prober import probe
from sudoku_cp.generate.plain.full_grids import full_grids
from sudoku_cp.generate.plain.hill_climbing import UNPROVED, Chains
from sudoku_cp.generate.plain.random_words import below, random_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits
    from sudoku_cp.generate.base import GenerateRequest
    from sudoku_cp.generate.plain.dig_strategy import BatchJudge

COMPLETIONS = 12
"""A change moves to one of this many completions."""
FREED = 3
"""A change frees from 1 to this many givens."""
SOLUTIONS = 60
"""Solutions are counted up to this number when a chain begins."""
GUESSES, COUNTING = 500, 2000
"""A change that takes more guesses than these, or whose solutions take more to count, is not made."""


@dataclass(frozen=True)
class PatternStrategy:
    """Makes puzzles with givens in the cells of a pattern."""

    request: GenerateRequest
    seed: int
    judge: BatchJudge

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """The cells given."""
        return np.array(self.request.pattern, np.int64)

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """Restrict a full grid to the pattern for each number and try."""
        clock = limits.started()
        grids = full_grids(self.judge.boxes, self.seed, numbers, tries=tries, limits=limits)
        givens = self._restrict(grids)
        miss = self._miss(givens, np.full(len(givens), SOLUTIONS), clock.left())
        return Chains(numbers, tries, grids, givens, np.minimum(miss, UNPROVED + SOLUTIONS), np.zeros_like(numbers))

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Free some givens, and move to a random completion of the others."""
        clock = limits.started()
        chance = random_words(self.seed, rows.numbers, rows.tries, f"round {step}", FREED + 2)
        freed = self.cells[below(chance[:, :FREED], len(self.cells))]
        freed = np.where(np.arange(FREED) <= below(chance[:, FREED], FREED)[:, None], freed, freed[:, :1])
        left = rows.givens.copy()
        np.put_along_axis(left, freed, np.uint8(0), 1)
        wanted = below(chance[:, FREED + 1], COMPLETIONS) + 1
        found = probe(left, wanted, boxes=self.judge.boxes, most_nodes=GUESSES, limits=clock.left())
        clock.check()
        givens = self._restrict(found.solutions)
        others = np.flatnonzero((found.found == wanted) & (givens != rows.givens).any(1))
        miss = np.full(len(rows), np.inf)
        most = np.where(rows.miss < UNPROVED, 1, rows.miss - UNPROVED).astype(np.int64)
        miss[others] = self._miss(givens[others], most[others], clock.left())
        return rows.bettered(found.solutions, givens, miss)

    def _restrict(self, grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the grids with all cells outside the pattern blank."""
        seen = np.zeros_like(grids)
        seen[:, self.cells] = grids[:, self.cells]
        return seen

    def _miss(self, givens: NDArray[np.uint8], most: NDArray[np.int64], limits: Limits) -> NDArray[np.float64]:
        """Return the miss of puzzles: infinite above ``most`` solutions, high for several, the judge's for one."""
        clock = limits.started()
        found = probe(givens, most + 1, boxes=self.judge.boxes, most_nodes=COUNTING, limits=limits).found
        clock.check()
        miss = np.where((found < 0) | (found > most), np.inf, UNPROVED + found)
        unique = found == 1
        miss[unique] = self.judge.miss_in_time(givens[unique], clock)
        return miss
