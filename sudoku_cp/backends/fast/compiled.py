"""The kernel compiled for a shape of grid and this processor, kept on disk, and its memory.

Numba keeps compiled code by the file of the function that was called, and would not notice a change in the rules behind it. So
the folder it is kept in is named after everything that the code depends on: a kernel can never run that its sources did not make.
"""

from __future__ import annotations

import logging
import os
import sys
from functools import lru_cache
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import llvmlite
import numba
import numpy as np

from sudoku_cp.backends.fast import template
from sudoku_cp.backends.fast.machine import machine
from sudoku_cp.backends.fast.rules import Shape

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    from sudoku_cp.backends.fast.machine import Machine

_HERE = Path(__file__).parent
_SOURCES = ("checking", "columns", "kernels", "lanes", "machine", "rules", "search", "vectors")
_ALIGNED = 64
"""Bytes of the widest vector, and of a cache line."""
_log = logging.getLogger("sudoku_cp")
_loading = Lock()


class Kernel:
    """The kernel for boxes of ``height`` x ``width``, with memory for as many searches as have run at a time."""

    def __init__(self, height: int, width: int) -> None:
        """Load the compiled code, or compile it and say so."""
        host = machine()
        self.shape = Shape(height, width, host.counting)
        self._search = _run("search", self.shape, host)
        self._checking = _run("checking", self.shape, host)
        self._houses = _houses(self.shape)
        self._idle: list[_Memory] = []

    def search(self, asked: dict[str, Any], start: int, stop: int) -> None:
        """Answer the puzzles from ``start`` to ``stop``; ``asked`` is what `search.Work` names, arrays as they are."""
        try:
            memory = self._idle.pop()
        except IndexError:
            memory = _Memory(self._search)
        told = {name: one.ctypes.data if isinstance(one, np.ndarray) else one for name, one in asked.items()}
        self._search.search(self._search.Work(**told), memory.addresses, start, stop)
        self._idle.append(memory)

    def right(self, puzzles: NDArray[Any], solutions: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Say of each filled grid (N, cells) whether it solves its puzzle, given as bytes of values or sets of 32 bits."""
        number, lanes = len(solutions), self._checking.LANES
        if number < lanes:  # there is no whole vector of them
            puzzles, solutions = (np.resize(array, (lanes, self.shape.cells)) for array in (puzzles, solutions))
        found = np.zeros(len(solutions), np.bool_)
        board = _aligned((self._checking.VECTORS, lanes), np.dtype(f"uint{self.shape.bits}"))
        check = self._checking.check_values if puzzles.dtype == np.uint8 else self._checking.check_candidates
        arrays = [array.ctypes.data for array in (puzzles, solutions, found)]
        check(*arrays, len(found), board.ctypes.data, self._houses.ctypes.data)
        return found[:number]


def kernel(height: int, width: int) -> Kernel:
    """Return the kernel for boxes of that shape, one for all threads: a second copy would not find its code."""
    with _loading:
        return _kernel(height, width)


_kernel = lru_cache(Kernel)


class _Memory:
    """The arrays of `search.Memory`, and their addresses."""

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
        self.addresses = code.Memory(**{name: array.ctypes.data for name, array in arrays.items()})


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


# --- keeping compiled code --------------------------------------------------------------------------------------


def _run(name: str, shape: Shape, host: Machine) -> ModuleType:
    """Run a template for a shape; Numba looks for its kept code, and where to keep it, while that happens."""
    full = f"sudoku_cp.backends.fast.{name}_{shape.height}x{shape.width}"
    spec = spec_from_file_location(full, _HERE / f"{name}.py")
    assert spec  # noqa: S101  # the file lies beside this one
    assert spec.loader  # noqa: S101
    code = sys.modules[full] = module_from_spec(spec)
    folder = _folder(shape, host)
    template.SHAPE, template.MACHINE, template.KEPT = shape, host, folder is not None
    if name == "search" and not (folder and any(folder.rglob("*.nbi"))):
        once = "" if folder else f", and not kept: {cache_folder()} cannot be written"
        _log.warning(
            "compiling the %s kernel for boxes of %dx%d: a few seconds, once%s", host.name, shape.height, shape.width, once
        )
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder or "")
    try:
        spec.loader.exec_module(code)
    finally:
        numba.config.CACHE_DIR = before
    return code


def cache_folder() -> Path:
    """Return where compiled kernels are kept: ``$SUDOKU_CP_CACHE``, or a folder of the user's own cache."""
    told = os.environ.get("SUDOKU_CP_CACHE")
    return Path(told) if told else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sudoku_cp"


def _folder(shape: Shape, host: Machine) -> Path | None:
    """Return the folder of a kernel, named after what it is made of; None where none can be made."""
    made_of = [(_HERE / f"{name}.py").read_bytes() for name in _SOURCES]
    made_of += [f"{numba.__version__} {llvmlite.__version__} {sys.version} {host} {shape}".encode()]
    digest = sha256(b"\0".join(made_of)).hexdigest()[:16]
    folder = cache_folder() / f"{shape.height}x{shape.width}-{host.name}-{host.lanes(shape.bits)}-{digest}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
