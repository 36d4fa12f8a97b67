"""Approximately uniform full grids of plain boards of any shape, by Gibbs sampling: moves that keep a uniform sample uniform.

It starts from a shuffled cyclic grid. A move blanks some values, lines of a band or boxes, and goes to completion number j of the
rest, j drawn for each move; it stays where there is none within a few guesses. Every search is bounded, so no grid ever hangs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast.box_shapes import side_of
from sudoku_cp.backends.fast.prober import probe
from sudoku_cp.generate.plain.random_words import below, random_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.box_shapes import Boxes

GUESSES = 100
"""A move that takes more guesses leaves the grid as it is."""


class Moves(NamedTuple):
    """What the moves blank, in turn, and how much of it; all rows are of one band, all columns of one stack.

    A move goes to one of the first ``completions``: where there are more, the others are never chosen.
    """

    kinds: tuple[str, ...]
    values: int
    boxes: int
    lines: int
    completions: int


SMALL = Moves(("values", "boxes", "values", "rows", "values", "columns"), 3, 3, 2, 32)
MOVES = {
    0: SMALL,
    12: SMALL._replace(values=4),
    16: Moves(("values", "boxes", "rows", "values", "boxes", "columns"), 4, 4, 3, 16),
}
"""The moves from each side on. Fewer values leave hardly any completion but the grid itself from side 12 on; on larger boards
a move of boxes or lines takes a quarter of the time of one of values, so there are more of them, and they are larger."""
STEPS = {8: 80, 12: 60, 15: 60, 16: 40, 25: 36}
"""Moves for a grid of each side. Rectangles of two values in two rows of a band and two columns measure the mixing: per grid
there are 4.2, 8.1, 10.3, 14.6 and 29.1 after these moves; after twice as many, 4.1, 8.1, 10.3, 14.8 and 28.6 (standard errors
0.05, 0.1, 0.16, 0.13 and 0.3). So grids are as mixed as this can show. Early completions are favoured a little: for the last two
sides there are 14.4 and 28.9 with 4 completions, and 14.9 and 29.9 with 32, which takes half as long again."""


class CellLines(NamedTuple):
    """The row, the column and the box (cells,) of each cell, and the band of each row and the stack of each column (side,)."""

    row: NDArray[np.int64]
    column: NDArray[np.int64]
    box: NDArray[np.int64]
    band: NDArray[np.int64]
    stack: NDArray[np.int64]


@lru_cache(maxsize=16)
def lines_of(boxes: Boxes) -> CellLines:
    """Return where the cells of a plain board lie."""
    height, width = boxes
    side = side_of(boxes)
    row, column = np.divmod(np.arange(side**2), side)
    line = np.arange(side)
    return CellLines(row, column, row // height * height + column // width, line // height, line // width)


def gibbs_grids(
    boxes: Boxes,
    seed: int,
    numbers: Sequence[int] | NDArray[np.int64],
    tries: NDArray[np.int64] | None = None,
    *,
    steps: int | None = None,
    limits: Limits = UNLIMITED,
) -> NDArray[np.uint8]:
    """Return an approximately uniform grid (N, cells) for each number, after the `STEPS` of its side, or after ``steps``.

    Each depends on the seed, its number and its try alone. Raises `LimitReached`.
    """
    clock = limits.started()
    who = np.asarray(numbers, np.int64)
    attempt = np.zeros(len(who), np.int64) if tries is None else tries
    grids = shuffled_grids(boxes, seed, who, attempt)
    for step in range(STEPS[side_of(boxes)] if steps is None else steps):
        clock.check()
        _move_grids(grids, boxes, step, random_words(seed, who, attempt, f"move {step}", side_of(boxes) + 2), clock.left())
    return grids


def shuffled_grids(boxes: Boxes, seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the cyclic grid with bands, stacks, lines within them and values shuffled, for each number."""
    side = side_of(boxes)
    height, width = boxes
    lines = lines_of(boxes)
    chance = random_words(seed, numbers, tries, "shuffled", 5 * side)
    parts = [chance[:, start : start + side] for start in range(0, 5 * side, side)]
    rows = _shuffle_lines(parts[0][:, : side // height], parts[1], lines.band)
    columns = _shuffle_lines(parts[2][:, : side // width], parts[3], lines.stack)
    values = parts[4].argsort(1) + 1
    row, column = rows[:, lines.row], columns[:, lines.column]
    cyclic = (width * (row % height) + row // height + column) % side
    return np.take_along_axis(values, cyclic, 1).astype(np.uint8, order="C")


def _shuffle_lines(groups: NDArray[np.uint32], singles: NDArray[np.uint32], group: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the lines (N, side) in an order that keeps those of a band together."""
    return np.lexsort((singles, groups[:, group]), axis=1)


def _move_grids(grids: NDArray[np.uint8], boxes: Boxes, step: int, chance: NDArray[np.uint32], limits: Limits) -> None:
    """Move each grid, in place, by the random words drawn for it (N, side + 2)."""
    lines = lines_of(boxes)
    order, extra = chance[:, :-2].copy(), chance[:, -2]
    moves = MOVES[max(least for least in MOVES if least <= side_of(boxes))]
    kind = moves.kinds[step % len(moves.kinds)]
    number = {"values": moves.values, "boxes": moves.boxes}.get(kind, moves.lines)
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
    wanted = below(chance[:, -1], moves.completions) + 1
    found = probe(left, wanted, boxes=boxes, most_nodes=GUESSES, limits=limits)
    moved = found.found == wanted
    grids[moved] = found.solutions[moved]
