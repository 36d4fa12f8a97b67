"""The smallest forms of many boards at a time: `minlex`, compiled by Numba."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.compile_cache import CachedModule, can_compile
from sudoku_cp.puzzle.isomorphism import interchangeable_lines, minlex
from sudoku_cp.puzzle.isomorphism.interchangeable_lines import equal_lines_size
from sudoku_cp.puzzle.isomorphism.plain_board_symmetries import orders_of, smallest, turns_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.puzzle.isomorphism.interchangeable_lines import Shape

ENOUGH, MANY = 500, 10_000
"""The least numbers of boards for which it pays to load the compiled code, and to compile it."""
STATES = 4096
"""States that there is room for; a board that needs more is left to plain Python."""
PIECE = 1000
"""Boards between two ticks."""

_kernel = CachedModule.of_functions("minlex", (interchangeable_lines, minlex), ("many",), "the kernel of smallest forms")


def is_worthwhile(number: int) -> bool:
    """Return whether the compiled code saves more time on so many boards than loading or compiling it takes."""
    if number < ENOUGH or not can_compile():
        return False
    return number >= MANY or _kernel.is_loaded or _kernel.is_cached()


def smallest_of(boards: Sequence[Sequence[int]], shape: Shape, tick: Any = int) -> list[bytes]:
    """Return the smallest form of each board, one byte per cell."""
    import numpy as np  # noqa: PLC0415  # only the compiled code needs it

    turns, size = turns_of(shape), minlex.size_of(shape)
    cells = np.array(boards, np.int64).reshape(len(boards), shape[0], shape[1])
    given = np.stack([cells, cells.swapaxes(1, 2)], 1) if turns > 1 else cells
    given = np.ascontiguousarray(given).reshape(len(boards), -1)
    best = np.zeros((len(boards), shape[0] * shape[1] + 1), np.int64)
    orders = np.array(orders_of(shape))
    rooms = [equal_lines_size(turns, shape), minlex.scratch_of(shape), *[size * max(STATES, turns * len(orders))] * 2]
    after, scratch, states, kept = (np.zeros(room, np.int64) for room in rooms)
    for start in range(0, len(boards), PIECE):
        tick()
        piece = slice(start, start + PIECE)
        _kernel.call("many", given[piece], turns, orders, after, scratch, states, kept, best[piece], shape)
    found = [row.tobytes() for row in best[:, :-1].astype(np.uint8)]
    for board in np.flatnonzero(best[:, -1] < 0).tolist():
        found[board] = bytes(smallest(boards[board], shape, tick).cells)
    return found
