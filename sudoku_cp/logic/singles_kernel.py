"""Singles on many boards at a time, in Numba's language: a row of an array is one cell, a column (a *lane*) one board.

Candidates and placed values are sets of bits, so that LLVM turns the inner loops, which run over the lanes, into vectors.
An open cell has candidates and nothing placed, a filled one the other way round. Two bits placed in a cell, or one value twice
in a group, happen only on boards without a solution; `wrong` finds them.

Rules of this file: ``cells[starts[g] : starts[g + 1]]`` are the cells of group g, the first ``houses`` groups are houses;
``rows`` is room for as many rows as its functions name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sudoku_cp.logic.vector_singles import settle_group

BITS = 64
"""The widest set."""


def sweep(candidates: Any, placed: Any, cells: Any, starts: Any, houses: int, naked: bool) -> bool:  # noqa: FBT001
    """Go through the groups once, take what is placed from their candidates and place singles; return whether there were any."""
    some = False
    for group in range(len(starts) - 1):
        some |= settle_group(candidates, placed, cells, starts[group], starts[group + 1], group < houses, naked)
    return some


def place_singles(candidates: Any, placed: Any, cells: Any, starts: Any, houses: int, naked: bool) -> None:  # noqa: FBT001
    """Place hidden singles, and naked ones if wanted, until no board has any; a last sweep updates all groups."""
    quiet = 0
    while quiet < 2:  # noqa: PLR2004
        quiet = 0 if sweep(candidates, placed, cells, starts, houses, naked) else quiet + 1


def begin(candidates: Any, placed: Any, given: Any, lane: int, domains: Any, first: int) -> None:
    """Write a board's givens, 0 in blank cells, into a lane; ``first`` is the value of the lowest bit."""
    for cell in range(len(given)):
        bit = given[cell] - first
        candidates[cell, lane] = domains[cell]
        placed[cell, lane] = 0
        if given[cell]:
            candidates[cell, lane] = 0
            if 0 <= bit < BITS:
                placed[cell, lane] = domains[cell] & np.uint64(1) << np.uint64(bit)


def left_open(placed: Any, lane: int) -> int:
    """Return how many cells of a board are open."""
    number = 0
    for cell in range(placed.shape[0]):
        number += placed[cell, lane] == 0
    return number


def wrong(placed: Any, cells: Any, starts: Any, rows: Any) -> Any:
    """Return for each board a number that is not 0 if it has a value twice in a group, or two in a cell."""
    lanes = placed.shape[1]
    seen, twice = rows[0], rows[1]
    twice[:] = 0
    for group in range(len(starts) - 1):
        seen[:] = 0
        for cell in cells[starts[group] : starts[group + 1]]:
            for lane in range(lanes):
                own = placed[cell, lane]
                twice[lane] |= (seen[lane] & own) | (own & (own - np.uint64(1)))
                seen[lane] |= own
    return twice


def survey(givens: Any, domains: Any, first: int, cells: Any, starts: Any, houses: int, lanes: int, left: Any) -> None:
    """Fill ``left`` (N, 2): how many cells of each board stay open after hidden singles, and after all singles."""
    number, size = givens.shape
    candidates = np.zeros((size, lanes), domains.dtype)
    placed = np.zeros((size, lanes), domains.dtype)
    rows = np.zeros((2, lanes), domains.dtype)
    for start in range(0, number, lanes):
        here = min(lanes, number - start)
        for lane in range(lanes):
            begin(candidates, placed, givens[start + min(lane, here - 1)], lane, domains, first)
        for stage in range(2):
            place_singles(candidates, placed, cells, starts, houses, stage == 1)
            clashes = wrong(placed, cells, starts, rows)
            for lane in range(here):
                opened = left_open(placed, lane)
                left[start + lane, stage] = size if opened == 0 and clashes[lane] else opened
