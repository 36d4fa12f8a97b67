"""The kernel for a shape of grid: compiled code and the arrays it works on."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.fast.asked import Memory, Work
from sudoku_cp.backends.fast.kept import template_code
from sudoku_cp.backends.fast.machine import machine
from sudoku_cp.backends.fast.rules import Shape
from sudoku_cp.backends.fast.shape import LOADED
from sudoku_cp.compile_cache import require_compiler

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

_ALIGNED = 64
"""Bytes of the widest vector, and of a cache line."""
_loading = Lock()


class Kernel:
    """The kernel for boxes of ``height`` x ``width``, with memory for as many searches as have run at a time.

    That for ``probing`` has the rules that count on every processor, so that it guesses alike on all of them.
    """

    def __init__(self, height: int, width: int, *, probing: bool = False) -> None:
        """Find the code, which is loaded or compiled when it is first called."""
        require_compiler("backend 'fast:lanes'")
        host = machine()
        self.shape = Shape(height, width, probing or host.counting)
        self._probing = probing
        self._search = template_code("probing" if probing else "search", self.shape, host)
        self._checking = template_code("checking", self.shape, host)
        self._houses = _houses(self.shape)
        self._idle: list[_Memory] = []

    def search(self, asked: dict[str, Any], start: int, stop: int) -> None:
        """Answer the puzzles from ``start`` to ``stop``; ``asked`` is what `asked.Work` names, arrays as they are."""
        try:
            memory = self._idle.pop()
        except IndexError:
            memory = _Memory(self._search.module)
        told: dict[str, Any] = {name: one.ctypes.data if isinstance(one, np.ndarray) else one for name, one in asked.items()}
        self._search.call("search", Work(**told), memory.addresses, start, stop)
        if not self._probing:
            LOADED.add((self.shape.height, self.shape.width))
        self._idle.append(memory)

    def right(self, puzzles: NDArray[Any], solutions: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Say of each filled grid (N, cells) whether it solves its puzzle, given as bytes of values or sets of 32 bits."""
        number, lanes = len(solutions), self._checking.module.LANES
        if number < lanes:  # there is no whole vector of them
            puzzles, solutions = (np.resize(array, (lanes, self.shape.cells)) for array in (puzzles, solutions))
        found = np.zeros(len(solutions), np.bool_)
        board = _aligned((self._checking.module.VECTORS, lanes), np.dtype(f"uint{self.shape.bits}"))
        check = "check_values" if puzzles.dtype == np.uint8 else "check_candidates"
        arrays = [array.ctypes.data for array in (puzzles, solutions, found)]
        self._checking.call(check, *arrays, len(found), board.ctypes.data, self._houses.ctypes.data)
        return found[:number]


def kernel(height: int, width: int, *, probing: bool = False) -> Kernel:
    """Return the kernel for boxes of that shape, one for all threads: a second copy would not find its code."""
    with _loading:
        return _kernel(height, width, probing=probing)


_kernel = lru_cache(Kernel)


class _Memory:
    """The arrays of `asked.Memory`, and their addresses."""

    def __init__(self, code: ModuleType) -> None:
        shape, lanes, room = code.SHAPE, code.LANES, code.ROOM
        item = np.dtype(f"uint{shape.bits}")
        arrays = {
            "board": _aligned((shape.vectors, lanes), item),
            "current": np.zeros(lanes, np.int64),
            "saved": _aligned((lanes * code.DEPTH, room), item),
            "owner": np.zeros(lanes * code.DEPTH, np.int64),
            "bottom": np.zeros(lanes, np.int64),
            "top": np.zeros(lanes, np.int64),
            "column": _aligned((lanes, room), item),
            "boards": _aligned((lanes, code.BOARDS), np.dtype(np.uint64)),
            "open": np.zeros((lanes, code.WORDS), np.uint64),
            "lane": np.zeros(lanes, np.int64),
            "size": np.zeros(lanes, np.int64),
            "peers": _peers(shape, room),
        }
        self._arrays = arrays
        self.addresses = Memory(**{name: array.ctypes.data for name, array in arrays.items()})


def _aligned(shape: tuple[int, int], item: np.dtype[Any]) -> NDArray[Any]:
    """Return zeros that start on a cache line."""
    size = shape[0] * shape[1] * item.itemsize
    memory = np.zeros(size + _ALIGNED, np.uint8)
    start = -memory.ctypes.data % _ALIGNED
    return memory[start : start + size].view(item).reshape(shape)


def _houses(shape: Shape) -> NDArray[np.int64]:
    """Return the cells of every row, every column and every box (houses, side)."""
    cells = np.arange(shape.cells)
    rows = cells.reshape(shape.side, shape.side)
    boxes = cells.reshape(shape.width, shape.height, shape.height, shape.width).swapaxes(1, 2).reshape(shape.side, shape.side)
    return np.concatenate([rows, rows.T, boxes]).astype(np.int64)


def _peers(shape: Shape, room: int) -> NDArray[np.uint8]:
    """Return for each cell the set of its peers as bits, twice: for the two bitboards of a value."""
    sets = np.zeros((shape.cells, room), np.bool_)
    for house in _houses(shape):
        sets[np.ix_(house, house)] = True
    np.fill_diagonal(sets, val=False)
    return np.packbits(np.hstack([sets, sets]), axis=1, bitorder="little")
