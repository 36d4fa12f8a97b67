"""How far a puzzle is from the request, under any rules, also with values from 0."""

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
    from sudoku_cp.generate.base import GenerateRequest
    from sudoku_cp.grid import Cell

SLACK = (-2, 4)
"""Where a puzzle need not be minimal, the next one is dug to this many fewer or more givens."""


class PuzzleJudge:
    """Measures puzzles by the difficulty, the number of givens and the minimality of a request."""

    def __init__(self, request: GenerateRequest) -> None:
        """Check that the difficulty requested is defined under the rules."""
        self._request = request
        self._target = make_target(request)
        # Units larger than a cell, and patterns, can leave givens that are not needed.
        self._checks_minimal = request.minimal and (request.symmetry != "none" or request.pattern is not None)
        self._shift = int(request.grid.values.start == 0)
        if self._shift and request.has_difficulty and not Puzzle(request.grid, request.rules).model().is_houses:
            raise Unsupported("expected values from 1 for the difficulty of puzzles of such rules, got values from 0")

    def aim(self, random: Random, before: int | None) -> int:
        """Return the number of givens at which to stop digging; ``before`` is the last puzzle's, None at first."""
        request = self._request
        if request.minimal:
            return 0
        least, most = request.givens or (0, None)
        if before is None or not request.has_difficulty:
            return least if most is None else random.randint(least, most)
        aim = max(least, before + random.randint(*SLACK))
        return aim if most is None else min(aim, most)

    def miss(self, base: Puzzle, solution: Solution, givens: Mapping[Cell, int], clock: Clock) -> tuple[float, str]:
        """Return the distance of a puzzle from the request, 0 where it is fulfilled, and in words what is missing."""
        clock.check()
        missing: list[str] = []
        miss = 0.0
        if self._request.has_difficulty or self._request.givens:
            row = np.zeros((1, len(base.grid.cells)), np.uint8)
            for cell, value in givens.items():
                row[0, cell] = value + self._shift
            miss = float(with_limits(self._target, clock.left()).miss(self._as_rated(base), row)[0])
            missing += [f"{len(givens)} givens, {miss:.3g} from what was asked for"] * (miss > 0)
        if self._checks_minimal:
            spare = len(givens) - len(dig_with_cores(base, solution, [(cell,) for cell in givens], limits=clock.left()).givens)
            miss += spare
            missing += [f"{spare} of {len(givens)} givens can be left out"] * (spare > 0)
        return miss, "; ".join(missing)

    def _as_rated(self, base: Puzzle) -> Puzzle:
        """Return the board with values from 1, since targets take 0 for blank cells."""
        if not self._shift:
            return base
        values = base.grid.values
        return Puzzle(Grid.of(base.grid.boards, range(1, values.stop + 1)), base.rules)
