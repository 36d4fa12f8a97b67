"""The number of givens of each puzzle that could be removed singly: 0 in a minimal one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast.prober import EXCEPT, probe

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.box_shapes import Boxes

AT_A_TIME = 1 << 15
"""Probes in one call: more would only take memory."""


def count_redundant(givens: NDArray[np.uint8], *, boxes: Boxes, limits: Limits = UNLIMITED) -> NDArray[np.int64]:
    """Return for each puzzle (N, cells) with one solution how many of its givens are not needed for that.

    A given is needed if there is a solution with any other value in its cell. Raises `LimitReached`.
    """
    clock = limits.started()
    found = np.zeros(len(givens), np.int64)
    row, cell = np.nonzero(givens)
    for start in range(0, len(row), AT_A_TIME):
        rows, cells = row[start : start + AT_A_TIME], cell[start : start + AT_A_TIME]
        asked = givens[rows]
        asked[np.arange(len(rows)), cells] |= EXCEPT
        answers = probe(asked, 1, boxes=boxes, limits=clock.left())
        clock.check()
        found += np.bincount(rows[answers.found == 0], minlength=len(givens))
    return found
