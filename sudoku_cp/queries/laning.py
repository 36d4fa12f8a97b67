"""Counting the solutions of one plain grid by the lane kernel, which keeps none but the first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends.fast.lane_kernel import is_cached
from sudoku_cp.backends.fast.shape import shape_of
from sudoku_cp.queries.many import solve_many

if TYPE_CHECKING:
    from sudoku_cp.backends import Clock
    from sudoku_cp.puzzle import Puzzle

LANES = "fast:lanes"
WIDEST = 16
"""The kernel's largest grid that is worth it."""


def takes(puzzle: Puzzle, clock: Clock) -> bool:
    """Say whether the kernel takes the puzzle; under a time limit only where it need not be compiled first."""
    boxes = shape_of(puzzle.model())
    if boxes is None or boxes[0] * boxes[1] > WIDEST:
        return False
    return clock.limits.seconds is None or is_cached(boxes)


def counted(puzzle: Puzzle, limit: int | None, clock: Clock, seconds: float | None) -> tuple[int, bool]:
    """Return how many solutions there are up to ``limit``, and True; or how many were found in time, and False."""
    model, assume = puzzle.model(), puzzle.assume()
    domains = [domain & assume.get(cell, domain) for cell, domain in enumerate(model.domains)]
    times = [time for time in (seconds, clock.seconds_left) if time is not None]
    limits = replace(clock.left(), seconds=min(times, default=None))
    if not all(domains):
        return 0, True
    number = int(
        solve_many(np.array([domains], np.uint32), limit, boxes=shape_of(model), candidates=True, limits=limits).counts[0]
    )
    return (number, True) if number >= 0 else (~number, False)
