"""Puzzles whose givens stand on a pattern: full grids seen through it, and changes of givens that leave fewer solutions.

Many patterns let one grid in a few through. Where a chain is not lucky, it frees a few givens, goes to a completion of the rest,
j drawn anew each time, and stays there if that has no more solutions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends.fast.probing import probe
from sudoku_cp.generate.plain.full_grids import full_grids
from sudoku_cp.generate.plain.hill_climbing import UNPROVED, Chains
from sudoku_cp.generate.plain.random_words import below, random_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends import Limits
    from sudoku_cp.generate.base import Wishes
    from sudoku_cp.generate.plain.dig_strategy import BatchJudge

COMPLETIONS = 12
"""A change goes to one of so many completions."""
FREED = 3
"""A change frees from 1 to so many givens."""
SOLUTIONS = 60
"""Solutions are counted up to so many when a chain begins."""
GUESSES, COUNTING = 500, 2000
"""A change that takes more guesses, and one whose solutions take more to count, is not made."""
LUCKY = 5
"""Rounds in which chains begin anew instead of changing: most patterns need no more."""


@dataclass(frozen=True)
class PatternStrategy:
    """Puzzles with givens in the cells of a pattern."""

    wishes: Wishes
    seed: int
    judge: BatchJudge

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """The cells given."""
        return np.array(self.wishes.pattern, np.int64)

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """See a full grid through the pattern for each number and try."""
        clock = limits.started()
        grids = full_grids(self.judge.boxes, self.seed, numbers, tries=tries, limits=limits)
        givens = self._seen(grids)
        miss = self._miss(givens, np.full(len(givens), SOLUTIONS), clock.left())
        return Chains.of(numbers, tries, grids, givens, np.minimum(miss, UNPROVED + SOLUTIONS))

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Free some givens, and go to a completion of the others."""
        clock = limits.started()
        chance = random_words(self.seed, rows.numbers, rows.tries, f"round {step}", FREED + 2)
        freed = self.cells[below(chance[:, :FREED], len(self.cells))]
        freed = np.where(np.arange(FREED) <= below(chance[:, FREED], FREED)[:, None], freed, freed[:, :1])
        left = rows.givens.copy()
        np.put_along_axis(left, freed, np.uint8(0), 1)
        wanted = below(chance[:, FREED + 1], COMPLETIONS) + 1
        found = probe(left, wanted, boxes=self.judge.boxes, most_nodes=GUESSES, limits=clock.left())
        clock.check()
        givens = self._seen(found.solutions)
        others = np.flatnonzero((found.found == wanted) & (givens != rows.givens).any(1))
        miss = np.full(len(rows), np.inf)
        most = np.where(rows.miss < UNPROVED, 1, rows.miss - UNPROVED).astype(np.int64)
        miss[others] = self._miss(givens[others], most[others], clock.left())
        return rows.bettered(found.solutions, givens, miss)

    def _seen(self, grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return grids with the cells of the pattern alone."""
        seen = np.zeros_like(grids)
        seen[:, self.cells] = grids[:, self.cells]
        return seen

    def _miss(self, givens: NDArray[np.uint8], most: NDArray[np.int64], limits: Limits) -> NDArray[np.float64]:
        """Return the miss of puzzles that have at most so many solutions: by how many there are, or by what else is asked."""
        clock = limits.started()
        found = probe(givens, most + 1, boxes=self.judge.boxes, most_nodes=COUNTING, limits=limits).found
        clock.check()
        miss = np.where((found < 0) | (found > most), np.inf, UNPROVED + found)
        unique = found == 1
        miss[unique] = self.judge.miss_in_time(givens[unique], clock)
        return miss
