"""`minlex`, compiled, for many boards at a time."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from threading import RLock
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from sudoku_cp.kept import Code, folder_for, has_code
from sudoku_cp.puzzle.identity import alike, minlex
from sudoku_cp.puzzle.identity.alike import likes_of
from sudoku_cp.puzzle.identity.boxed import orders_of, smallest, turns_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.puzzle.identity.alike import Shape

ENOUGH, MANY = 500, 10_000
"""So many boards are worth loading the compiled code for, and so many are worth compiling it."""
STATES = 4096
"""States that there is room for; a board that needs more is left to the plain method."""
PIECE = 1000
"""Boards between two ticks."""
_running = RLock()


def is_worthwhile(number: int) -> bool:
    """Say whether so many boards take longer without the compiled code than to have it."""
    if number < ENOUGH or os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}:
        return False
    return number >= MANY or _code.cache_info().currsize > 0 or _is_kept()


def smallest_of(boards: Sequence[Sequence[int]], shape: Shape, tick: Any = int) -> list[bytes]:
    """Return the smallest form of each board, a byte a cell."""
    import numpy as np  # noqa: PLC0415  # only the compiled code needs it

    turns, size = turns_of(shape), minlex.size_of(shape)
    cells = np.array(boards, np.int64).reshape(len(boards), shape[0], shape[1])
    given = np.stack([cells, cells.swapaxes(1, 2)], 1) if turns > 1 else cells
    given = np.ascontiguousarray(given).reshape(len(boards), -1)
    best = np.zeros((len(boards), shape[0] * shape[1] + 1), np.int64)
    orders = np.array(orders_of(shape))
    rooms = [likes_of(turns, shape), minlex.scratch_of(shape), *[size * max(STATES, turns * len(orders))] * 2]
    after, scratch, states, kept = (np.zeros(room, np.int64) for room in rooms)
    for start in range(0, len(boards), PIECE):
        tick()
        piece = slice(start, start + PIECE)
        with _running:
            _code().call("many", given[piece], turns, orders, after, scratch, states, kept, best[piece], shape)
    found = [row.tobytes() for row in best[:, :-1].astype(np.uint8)]
    for board in np.flatnonzero(best[:, -1] < 0).tolist():
        found[board] = bytes(smallest(boards[board], shape, tick).cells)
    return found


@lru_cache(maxsize=1)
def _code() -> Code:
    return Code(_made, _folder, "the kernel of smallest forms")


def _folder() -> Path | None:
    from llvmlite import binding  # noqa: PLC0415

    source, lines = Path(minlex.__file__), Path(alike.__file__)
    features = binding.get_host_cpu_features().flatten()
    return folder_for("minlex", [source, lines], binding.get_host_cpu_name(), features, source, source.stat().st_mtime_ns)


def _is_kept() -> bool:
    return has_code(_folder())


def _made(folder: Path | None) -> Any:
    """Return the functions of `minlex`, each of which calls the compiled others."""
    from numba import njit  # noqa: PLC0415

    namespace = vars(alike) | vars(minlex)
    for function in minlex.FUNCTIONS:
        keep = folder is not None and function is minlex.many
        own = FunctionType(function.__code__, namespace, function.__name__)
        namespace[function.__name__] = njit(nogil=True, error_model="numpy", cache=keep)(own)
    return SimpleNamespace(many=namespace["many"])
