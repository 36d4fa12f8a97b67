"""How puzzles lie to a span of ratings of an Explainer, found with no step beyond the span.

Theory of operation. Techniques are tried in the order of a program, and its order is that of their least ratings. So where no
hint of a rating within the span is left, the rating is beyond it, and nothing more is searched: a puzzle beyond 5.5 costs no
chain, one beyond 8.4 no dynamic chain. Where the steps fill the grid, the highest of their ratings is the ER of the program.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.logic.rating.explainer import PROGRAMS, STEPS_AT_A_TIME, Program, RatedBoard, find_on_rungs, ladder_code, net_code
from sudoku_cp.logic.rating.kernel.grid import CELL, HINT_FIELDS, RATING
from sudoku_cp.logic.rating.kernel.ladder import (
    CYCLES,
    GRAVES,
    LOOPS_AND_QUADS,
    PAIRS,
    TRIPLETS,
    WINGS,
    find_forcing_chains,
)
from sudoku_cp.logic.rating.levels import SpanPath

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import Clock


LEAST: Mapping[tuple[str, int], int] = {
    ("find_rung", WINGS): 42,
    ("find_rung", LOOPS_AND_QUADS): 45,
    ("find_rung", GRAVES): 56,
    ("find_rung", PAIRS): 62,
    ("find_rung", CYCLES): 65,
    ("find_rung", TRIPLETS): 75,
    ("find_strong_links", 2): 40,
    ("find_strong_links", 3): 54,
    ("find_strong_links", 4): 58,
    ("find_bent_wing", 3): 55,
    ("find_bent_wing", 4): 62,
    ("find_bent_wing", 5): 66,
    ("find_bent_wing", 6): 75,
}
"""The least rating of each rung, in tenths."""


def walk_within(
    givens: NDArray[np.integer[Any]], board: RatedBoard, scale: str, least: float, most: float, clock: Clock
) -> SpanPath:
    """Return the path of a puzzle with one solution on a board, given as values from 1 (0: blank). Raises `LimitReached`."""
    grid = board.make_grid(ascending=PROGRAMS[scale].ascending)
    clock.check()
    ladder_code(board.name).call("begin", grid, givens.astype(np.int64))
    return _walk(PROGRAMS[scale], board, grid, (round(10 * least), round(10 * most)), clock)


def _walk(program: Program, board: RatedBoard, grid: Any, span: tuple[int, int], clock: Clock) -> SpanPath:
    (lowest, highest), code = span, ladder_code(board.name)
    hints = np.zeros((STEPS_AT_A_TIME, HINT_FIELDS), np.int64)
    removed = np.zeros((STEPS_AT_A_TIME, len(grid["values"])), np.int64)
    top, met = 0, False
    while True:
        left = int((grid["values"] == 0).sum())
        count = code.call("advance", grid, hints, removed)
        ratings = hints[:count, RATING]
        beyond = np.flatnonzero(ratings > highest)
        if len(beyond):
            ratings = ratings[: beyond[0]]
            left -= int((hints[: beyond[0], CELL] >= 0).sum())
        top, met = max(top, int(ratings.max(initial=0))), met or bool((ratings >= lowest).any())
        if len(beyond):
            return SpanPath(top / 10, left, met)
        clock.check()
        if count == STEPS_AT_A_TIME:
            continue
        left = int((grid["values"] == 0).sum())
        if not left:
            return SpanPath(top / 10, 0, met)
        if not _find(program, board, grid, highest, clock) or grid["hint"][RATING] > highest:
            return SpanPath(top / 10, left, met)
        rating = int(grid["hint"][RATING])
        top, met = max(top, rating), met or rating >= lowest
        code.call("take", grid)


def _find(program: Program, board: RatedBoard, grid: Any, highest: int, clock: Clock) -> bool:
    """Leave the next hint beyond hidden triplets in the grid, if one may be within the span; return whether there is one."""
    within = [rung for rung in program.rungs if LEAST[rung] <= highest]
    if find_on_rungs(program.rungs[: program.rungs.index(within[-1]) + 1 if within else 0], board, grid, clock):
        return True
    work = board.make_grid(ascending=False)
    return find_forcing_chains(partial(net_code, board.name), grid, work, clock, highest=highest) is not None
