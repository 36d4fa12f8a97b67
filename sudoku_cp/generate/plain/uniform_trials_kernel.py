"""Numba kernel: trials for uniform grids of 9x9, which fill boxes 1, 2, 3, 4, 7 and 5 and draw one of their completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.generate.plain.philox_kernel import begin, below
from sudoku_cp.generate.plain.uniform_tables import ORDERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.generate.plain.philox_kernel import Stream
    from sudoku_cp.generate.plain.uniform_tables import Tables

PATTERNS = 56
BANDS = PATTERNS * 6**6
"""The ways to complete a band after its first box: sets of three values, and an order of each."""
MOST_FILLS = 448
"""The most fills that box 5 has for any kind."""
NAMES = 362_880
"""The orders of nine values."""
COMPLETIONS = 32
"""More completions than any trial is known to have; see `uniform_grids`."""
LAST = NAMES * COMPLETIONS
BLOCKS = 64
"""Blocks of random words reserved for a trial, which takes one or two."""


def fill_rows(grid: NDArray[np.uint8], pattern: Any, box: int, order: int, column: NDArray[np.int64]) -> int:
    """Fill a box next to box 1 with values as cells of box 1 (from 1), in some order; note the column of each."""
    for row in range(3):
        own = order % 6
        order //= 6
        for place in range(3):
            value = pattern[9 * (box - 1) + 3 * row + ORDERS[own, place]]
            grid[9 * row + 3 * box + place] = value + 1
            column[value] = place
    return order


def fill_columns(grid: NDArray[np.uint8], pattern: Any, box: int, order: int, row: NDArray[np.int64]) -> int:
    """Do the same below box 1, transposed."""
    for column in range(3):
        own = order % 6
        order //= 6
        for place in range(3):
            turned = pattern[9 * (box - 1) + 3 * column + ORDERS[own, place]]
            value = turned % 3 * 3 + turned // 3
            grid[9 * (3 * box + place) + column] = value + 1
            row[value] = place
    return order


def fill_middle(grid: NDArray[np.uint8], fill: NDArray[np.int64], row: Any, column: Any, room: NDArray[np.int64]) -> None:
    """Fill box 5 by a ``fill`` for values sorted by their row in box 4 and their column in box 2."""
    for place in range(10):
        room[place] = 0
    for value in range(9):
        room[row[value] * 3 + column[value] + 1] += 1
    for place in range(9):
        room[place + 1] += room[place]
    for value in range(9):
        place = row[value] * 3 + column[value]
        room[10 + room[place]] = value + 1
        room[place] += 1
    for cell in range(9):
        grid[9 * (3 + cell // 3) + 3 + cell % 3] = room[10 + fill[cell]]


def rename(grid: NDArray[np.uint8], order: int, names: NDArray[np.int64]) -> None:
    """Rename the values by one of their orders."""
    for value in range(10):
        names[value] = value
    for last in range(9, 1, -1):
        other = 1 + order % last
        order //= last
        names[last], names[other] = names[other], names[last]
    for cell in range(81):
        grid[cell] = names[grid[cell]]


def trial(stream: Stream, grid: NDArray[np.uint8], tables: Tables, room: NDArray[np.int64]) -> Any:
    """Fill six boxes and return which completion to take (from 1); 0 if the trial is rejected.

    Box 1, and a band and a stack that fit it, are uniform, then box 5 among its fills. A trial is accepted with a probability
    proportional to the number of these fills, so all ways to fill the six boxes are equally likely.
    """
    patterns, kinds, starts, counts, fills = tables
    row, column = room[0], room[1]
    band, stack, fill, last = below(stream, BANDS), below(stream, BANDS), below(stream, MOST_FILLS), below(stream, LAST)
    across, down = patterns[band % PATTERNS], patterns[stack % PATTERNS]
    rows, columns = fill_rows(grid, across, 1, band // PATTERNS, column), fill_columns(grid, down, 1, stack // PATTERNS, row)
    overlap = 0
    for value in range(9):
        overlap += 1 << 2 * (8 - row[value] * 3 - column[value])
    kind = kinds[overlap]
    if fill >= counts[kind]:
        return 0
    fill_middle(grid, fills[starts[kind] + fill], row, column, room[2])
    fill_rows(grid, across, 2, rows, column)
    fill_columns(grid, down, 2, columns, row)
    for value in range(9):
        grid[9 * (value // 3) + value % 3] = value + 1
    rename(grid, last % NAMES, room[2])
    return 1 + last // NAMES


def propose(
    stream: Stream,
    who: NDArray[np.int64],
    left: NDArray[np.int64],
    each: int,
    grids: NDArray[np.uint8],
    wanted: NDArray[np.int64],
    tables: Tables,
    room: NDArray[np.int64],
) -> None:
    """Write ``each`` trials for every puzzle that is ``left``; ``who`` holds number, try and trials so far of each.

    In ``grids`` the boxes that no trial fills stay blank.
    """
    here = 0
    for one in left:
        for _ in range(each):
            wanted[here] = 0
            while wanted[here] == 0:
                begin(stream, who[0, one], who[1, one], who[2, one] * BLOCKS)
                who[2, one] += 1
                wanted[here] = trial(stream, grids[here], tables, room)
            here += 1


def accept(
    left: NDArray[np.int64],
    each: int,
    found: NDArray[np.int64],
    wanted: NDArray[np.int64],
    solutions: NDArray[np.uint8],
    grids: NDArray[np.uint8],
) -> int:
    """Store the first trial of each puzzle that has the completion wanted; return how many are left, moved to the front."""
    still = 0
    for place in range(len(left)):
        one = left[place]
        done = False
        for here in range(place * each, (place + 1) * each):
            if found[here] == wanted[here]:
                grids[one] = solutions[here]
                done = True
                break
        if not done:
            left[still] = one
            still += 1
    return still


def draw_4x4_grids(
    stream: Stream, numbers: NDArray[np.int64], tries: NDArray[np.int64], every: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> None:
    """Write a random one of ``every`` grid for each puzzle."""
    for one in range(len(numbers)):
        begin(stream, numbers[one], tries[one], 0)
        grids[one] = every[below(stream, len(every))]
