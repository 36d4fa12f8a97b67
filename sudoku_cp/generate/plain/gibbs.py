"""Full grids of plain boards of any shape, approximately uniform: a shuffled pattern, then moves that keep uniform grids uniform.

A move blanks some values, lines of a band or boxes, and goes to completion number j of what is left, j drawn anew each time; it
stays where there is none within a few guesses. Nothing searches without an end, so that no grid ever hangs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast.probing import probe
from sudoku_cp.backends.fast.shape import side_of
from sudoku_cp.generate.plain.draws import below, draws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.shape import Boxes

COMPLETIONS = 32
"""A move goes to one of so many completions: where there are more, those that come first are favoured."""
GUESSES = 100
"""A move that takes more guesses stays where it is."""
KINDS = ("values", "boxes", "values", "rows", "values", "columns")
"""What moves blank, in turn."""
AMOUNTS = {"values": 3, "boxes": 3, "rows": 2, "columns": 2}
"""How many of them, all rows of one band and all columns of one stack."""
MANY_VALUES = 12
"""From this side on a move blanks one value more: fewer leave hardly any completion but the grid itself."""
STEPS = {8: 80, 12: 60, 15: 60, 16: 50, 25: 50}
"""Moves for a grid of each side. Rectangles of two values in two rows of a band and two columns tell how far grids are from the
pattern: per grid there are 4.2, 8.1, 10.3, 14.9 and 28.7 after so many moves; after twice as many, 4.1, 8.1, 10.3, 15.1 and 30.8
(standard errors 0.05, 0.1, 0.16, 0.17 and 0.6). So all sides but 25 are as mixed as this can tell, and that nearly."""


class Lines(NamedTuple):
    """The row, the column and the box (cells,) of each cell, and the band of each row and the stack of each column (side,)."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    box: NDArray[np.int64]
    band: NDArray[np.int64]
    stack: NDArray[np.int64]


@lru_cache(maxsize=16)
def lines_of(boxes: Boxes) -> Lines:
    """Return where the cells of a plain board lie."""
    height, width = boxes
    side = side_of(boxes)
    row, column = np.divmod(np.arange(side**2), side)
    line = np.arange(side)
    return Lines(row, column, row // height * height + column // width, line // height, line // width)


def gibbs_grids(
    boxes: Boxes,
    seed: int,
    numbers: Sequence[int] | NDArray[np.int64],
    tries: NDArray[np.int64] | None = None,
    *,
    steps: int | None = None,
    limits: Limits = UNLIMITED,
) -> NDArray[np.uint8]:
    """Return a full grid (N, cells) for each number, approximately uniform: after the `STEPS` of its side, or so many ``steps``.

    Each hangs on the seed, its number and its try alone. Raises `LimitReached`.
    """
    clock = limits.started()
    who = np.asarray(numbers, np.int64)
    attempt = np.zeros(len(who), np.int64) if tries is None else tries
    grids = shuffled(boxes, seed, who, attempt)
    for step in range(STEPS[side_of(boxes)] if steps is None else steps):
        clock.check()
        _move(grids, boxes, step, draws(seed, who, attempt, f"move {step}", side_of(boxes) + 2), clock.left())
    return grids


def shuffled(boxes: Boxes, seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the cyclic grid with bands, stacks, lines within them and values shuffled, for each number."""
    side = side_of(boxes)
    height, width = boxes
    lines = lines_of(boxes)
    chance = draws(seed, numbers, tries, "shuffled", 5 * side)
    parts = [chance[:, start : start + side] for start in range(0, 5 * side, side)]
    rows = _shuffled_lines(parts[0][:, : side // height], parts[1], lines.band)
    columns = _shuffled_lines(parts[2][:, : side // width], parts[3], lines.stack)
    values = parts[4].argsort(1) + 1
    row, column = rows[:, lines.row], columns[:, lines.column]
    cyclic = (width * (row % height) + row // height + column) % side
    return np.take_along_axis(values, cyclic, 1).astype(np.uint8, order="C")


def _shuffled_lines(groups: NDArray[np.uint32], singles: NDArray[np.uint32], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lines (N, side) in an order that keeps those of a band together."""
    return np.lexsort((singles, groups[:, group]), axis=1)


def _move(grids: NDArray[np.uint8], boxes: Boxes, step: int, chance: NDArray[np.uint32], limits: Limits) -> None:
    """Move each grid, in place, by what is drawn for it (N, side + 2)."""
    lines = lines_of(boxes)
    order, extra = chance[:, :-2].copy(), chance[:, -2]
    kind = KINDS[step % len(KINDS)]
    number = AMOUNTS[kind] + (kind == "values" and side_of(boxes) >= MANY_VALUES)
    if kind == "values":
        label = grids.astype(np.int64) - 1
    elif kind == "boxes":
        label = np.broadcast_to(lines.box, grids.shape)
    else:
        line, group = (lines.row, lines.band) if kind == "rows" else (lines.column, lines.stack)
        label = np.broadcast_to(line, grids.shape)
        order[group[None] != below(extra, group[-1] + 1)[:, None]] = np.iinfo(np.uint32).max
    chosen = np.zeros(order.shape, np.bool_)
    np.put_along_axis(chosen, order.argpartition(number - 1, 1)[:, :number], values=True, axis=1)
    left = np.where(np.take_along_axis(chosen, label, 1), np.uint8(0), grids)
    wanted = below(chance[:, -1], COMPLETIONS) + 1
    found = probe(left, wanted, boxes=boxes, most_nodes=GUESSES, limits=limits)
    moved = found.found == wanted
    grids[moved] = found.solutions[moved]
