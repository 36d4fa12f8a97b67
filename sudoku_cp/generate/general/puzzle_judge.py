"""How far a puzzle is from what is wished, under any rules and with values from 0 too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.errors import Unsupported
from sudoku_cp.generate.general.dig_with_cores import dig_with_cores
from sudoku_cp.generate.targets import make_target, with_limits
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.generate.base import Wishes
    from sudoku_cp.grid import Cell

SLACK = (-2, 4)
"""Where a puzzle need not be minimal, it is dug again to so many fewer or more givens."""


class PuzzleJudge:
    """What is wished of difficulty, the number of givens, and minimality."""

    def __init__(self, wishes: Wishes) -> None:
        """Check that difficulty means something under the rules."""
        self._wishes = wishes
        self._rated = bool(wishes.difficulty or wishes.guesses or wishes.singles_only)
        self._target = make_target(wishes)
        # Dug by units larger than a cell, or not dug at all, givens may be left that are not needed.
        self._pared = wishes.minimal and (wishes.symmetry != "none" or wishes.pattern is not None)
        self._shift = int(wishes.grid.values.start == 0)
        if self._shift and self._rated and not Puzzle(wishes.grid, wishes.rules).model().is_houses:
            raise Unsupported("expected values from 1 for the difficulty of puzzles of such rules, got values from 0")

    def aim(self, random: Random, before: int | None) -> int:
        """Return at how many givens to stop digging; ``before`` is how many there were, None at first."""
        wishes = self._wishes
        if wishes.minimal:
            return 0
        least, most = wishes.givens or (0, None)
        if before is None or not self._rated:
            return least if most is None else random.randint(least, most)
        aim = max(least, before + random.randint(*SLACK))
        return aim if most is None else min(aim, most)

    def miss(self, base: Puzzle, solution: Solution, givens: Mapping[Cell, int], clock: Clock) -> tuple[float, str]:
        """Return how far a puzzle is from what is wished, 0 where it is as wished, and what of it is not."""
        clock.check()
        said: list[str] = []
        miss = 0.0
        if self._rated or self._wishes.givens:
            row = np.zeros((1, len(base.grid.cells)), np.uint8)
            for cell, value in givens.items():
                row[0, cell] = value + self._shift
            miss = float(with_limits(self._target, clock.left()).miss(self._as_rated(base), row)[0])
            said += [f"{len(givens)} givens, {miss:.3g} from what was asked for"] * (miss > 0)
        if self._pared:
            spare = len(givens) - len(dig_with_cores(base, solution, [(cell,) for cell in givens], limits=clock.left()).givens)
            miss += spare
            said += [f"{spare} of {len(givens)} givens can be left out"] * (spare > 0)
        return miss, "; ".join(said)

    def _as_rated(self, base: Puzzle) -> Puzzle:
        """Return the board with values from 1, since 0 stands for blank cells where it is rated."""
        if not self._shift:
            return base
        values = base.grid.values
        return Puzzle(Grid.of(base.grid.boards, range(1, values.stop + 1)), base.rules)
