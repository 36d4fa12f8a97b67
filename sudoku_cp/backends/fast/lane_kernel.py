"""The lane kernel for a shape of grid: its compiled code, and the arrays that it works on."""

from __future__ import annotations

import sys
from array import array
from ctypes import addressof, c_char
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from math import prod
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.fast import LOADED
from sudoku_cp.backends.fast.kernel import search_state
from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet, host_instruction_set
from sudoku_cp.backends.fast.kernel.search_state import CheckTask, SearchMemory, SearchTask
from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout
from sudoku_cp.compile_cache import CachedModule, cache_dir_for, has_code, require_compiler
from sudoku_cp.compile_child import start_compiler

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

    from sudoku_cp.backends.fast import Boxes


_ALIGNED = 64
"""Bytes of the widest vector, and of a cache line."""
_FOLDED = 9
"""The largest side for which folding pays: on larger boards too many vectors are waiting meanwhile."""
_creating = Lock()


class LaneKernel:
    """The kernel for one shape of boxes, with memory for as many searches as have run at the same time.

    The kernel for ``probing`` uses the counting rules on every processor, so that it makes the same guesses on all of them.
    """

    def __init__(self, height: int, width: int, *, probing: bool = False) -> None:
        """Choose the code for boxes of ``height`` x ``width``; it is loaded or compiled when it is first called."""
        require_compiler("backend 'fast:lanes'")
        instruction_set = host_instruction_set()
        self.layout = kernel_layout(height, width, instruction_set, probing=probing)
        self._probing = probing
        self._search = template_code("probing" if probing else "search", self.layout, instruction_set)
        self._check = template_code("check", self.layout, instruction_set)
        self._idle: list[_SearchArrays] = []
        self._idle_planes: list[NDArray[Any]] = []

    def search(self, fields: dict[str, Any]) -> NDArray[np.int64]:
        """Answer the puzzles that no thread has taken; return where the shares begin that this call took (not of probes).

        ``fields`` are those of a `SearchTask` but ``starts``, with arrays for addresses.
        """
        try:
            memory = self._idle.pop()
        except IndexError:
            memory = _SearchArrays(self._search.module)
        starts = np.empty(0 if self._probing else -(-fields["number"] // max(1, fields["share"])), np.int64)
        numbers: dict[str, Any] = {name: _as_number(one) for name, one in fields.items()}
        task = array("q", SearchTask(**numbers, starts=_as_number(starts)))
        shares = self._search.call("search", task.buffer_info()[0], memory.address)
        if not self._probing:
            LOADED.add((self.layout.height, self.layout.width))
        self._idle.append(memory)
        return starts[:shares]

    def check(
        self,
        puzzles: NDArray[Any],
        solutions: NDArray[np.uint8],
        counts: NDArray[np.int64],
        right: NDArray[np.bool_],
        starts: NDArray[np.int64],
        share: int,
    ) -> None:
        """Write for each filled grid (N, cells) of some shares whether it solves its puzzle, bytes of values or sets of 32 bits.

        Where a count is 0, there is nothing to check. The shares begin at ``starts`` and are ``share`` grids long.
        """
        try:
            planes = self._idle_planes.pop()
        except IndexError:
            planes = aligned_zeros((self._check.module.VECTORS, self._check.module.GRIDS), np.dtype(np.uint8))
        fields = CheckTask(
            puzzles=_as_number(puzzles),
            candidates=puzzles.dtype != np.uint8,
            solutions=_as_number(solutions),
            counts=_as_number(counts),
            right=_as_number(right),
            number=len(right),
            starts=_as_number(starts),
            shares=len(starts),
            share=share,
        )
        task = array("q", fields)
        self._check.call("check", task.buffer_info()[0], _as_number(planes))
        self._idle_planes.append(planes)


def lane_kernel(height: int, width: int, *, probing: bool = False) -> LaneKernel:
    """Return the kernel for boxes of that shape, the same object for all threads: a second copy would not find its code."""
    with _creating:
        return _cached_kernel(height, width, probing=probing)


_cached_kernel = lru_cache(LaneKernel)


def is_cached(boxes: Boxes) -> bool:
    """Return whether the compiled search for grids with such boxes is on disk."""
    instruction_set = host_instruction_set()
    return has_code(kernel_cache_dir(kernel_layout(*boxes, instruction_set), instruction_set))


def cached_or_started(boxes: Boxes) -> bool:
    """Return whether the compiled search is on disk; if not, start a child that compiles it."""
    if is_cached(boxes):
        return True
    start_compiler(f"from sudoku_cp.backends.fast.lane_solver import compile_search; compile_search({tuple(boxes)})")
    return False


def kernel_layout(height: int, width: int, instruction_set: InstructionSet, *, probing: bool = False) -> BoardLayout:
    """Return the layout for boxes of that shape with the rules that pay with these instructions; with all of them for probes."""
    if probing:
        return BoardLayout(height, width, counting=True, chained=not instruction_set.counting)
    return BoardLayout(height, width, instruction_set.counting, folded=height * width <= _FOLDED)


class _SearchArrays:
    """The arrays of a `SearchMemory`, and their addresses."""

    def __init__(self, code: ModuleType) -> None:
        layout, lanes, room = code.LAYOUT, code.LANES, code.ROOM
        item = np.dtype(f"uint{layout.bits}")
        arrays = {
            "board": aligned_zeros((layout.vectors, lanes), item),
            "current": aligned_zeros((lanes,), np.dtype(np.int64)),
            "saved": aligned_zeros((lanes * code.DEPTH, room), item),
            "owner": aligned_zeros((lanes * code.DEPTH,), np.dtype(np.int64)),
            "bottom": aligned_zeros((lanes,), np.dtype(np.int64)),
            "top": aligned_zeros((lanes,), np.dtype(np.int64)),
            "column": aligned_zeros((lanes, room), item),
            "boards": aligned_zeros((lanes, code.BOARDS), np.dtype(np.uint64)),
            "open": aligned_zeros((lanes, code.WORDS), np.dtype(np.uint64)),
            "lane": aligned_zeros((lanes,), np.dtype(np.int64)),
            "size": aligned_zeros((lanes,), np.dtype(np.int64)),
            "peers": _peers(layout, room),
        }
        fields = array("q", SearchMemory(**{name: _as_number(one) for name, one in arrays.items()}))
        self._kept = arrays, fields
        self.address = fields.buffer_info()[0]


def _as_number(field: NDArray[Any] | int) -> int:
    """Return the address of an array, and a number as it is."""
    if not isinstance(field, np.ndarray):
        return field
    if field.size and field.flags.writeable:  # a third of the time of ``field.ctypes.data``
        return addressof(c_char.from_buffer(field.data))
    return field.ctypes.data


def aligned_zeros(shape: tuple[int, ...], item: np.dtype[Any]) -> NDArray[Any]:
    """Return zeros that start on a cache line and share none with other such arrays, to which another thread may write."""
    size = prod(shape) * item.itemsize
    memory = np.zeros(size + _ALIGNED, np.uint8)
    start = -memory.ctypes.data % _ALIGNED
    return memory[start : start + size].view(item).reshape(shape)


def _houses(shape: BoardLayout) -> NDArray[np.int64]:
    """Return the cells of every row, every column and every box, as an array (houses, side)."""
    cells = np.arange(shape.cells)
    rows = cells.reshape(shape.side, shape.side)
    boxes = cells.reshape(shape.width, shape.height, shape.height, shape.width).swapaxes(1, 2).reshape(shape.side, shape.side)
    return np.concatenate([rows, rows.T, boxes]).astype(np.int64)


def _peers(shape: BoardLayout, room: int) -> NDArray[np.uint8]:
    """Return for each cell the set of its peers as bits."""
    sets = np.zeros((shape.cells, room), np.bool_)
    for house in _houses(shape):
        sets[np.ix_(house, house)] = True
    np.fill_diagonal(sets, val=False)
    return np.packbits(sets, axis=1, bitorder="little")


# The templates of the lane kernel (`search_template`, `check_template`): run once for each shape of grid, their code cached.


SOURCES = Path(__file__).parent / "kernel"
"""The source files of the templates' code."""

_DURATIONS = {9: "some seconds", 16: "up to half a minute"}
"""How long it takes to compile a kernel, by the largest number of values."""


def template_code(name: str, layout: BoardLayout, instruction_set: InstructionSet) -> CachedModule:
    """Return the functions of a template for a layout and an instruction set, compiled when they are first called.

    ``name`` is ``search``, ``check``, or ``probing``: the search template run for probes.
    """
    kind = f"{instruction_set.name} kernel{' of probes' * (name == 'probing')}"
    description = f"the {kind} for boxes of {layout.height}x{layout.width}"
    return CachedModule(
        lambda cache_dir: _run(name, layout, instruction_set, cache_dir),
        lambda: kernel_cache_dir(layout, instruction_set, name),
        description,
        _duration(layout),
    )


def _duration(layout: BoardLayout) -> str:
    """Return how long a kernel takes to compile: longer for more values, and on a busy machine."""
    values = layout.height * layout.width
    return next((words for most, words in _DURATIONS.items() if values <= most), "up to two minutes")


def kernel_cache_dir(layout: BoardLayout, instruction_set: InstructionSet, name: str = "search") -> Path | None:
    """Return the directory of a kernel, named after its parameters; None if it cannot be made.

    The kernel for probes has its own, as it caches the same functions of the same file.
    """
    lanes, suffix = instruction_set.lanes(layout.bits), "-probing" if name == "probing" else ""
    full = f"{layout.height}x{layout.width}-{instruction_set.name}-{lanes}{suffix}"
    return cache_dir_for(full, sorted(SOURCES.glob("*.py")), instruction_set, layout)


def _run(name: str, layout: BoardLayout, instruction_set: InstructionSet, cache_dir: Path | None) -> ModuleType:
    """Run the template and return it as a module."""
    full = f"sudoku_cp.backends.fast.kernel.{name}_{layout.height}x{layout.width}"  # cached code finds its types by this name
    file = "check_template.py" if name == "check" else "search_template.py"
    spec = spec_from_file_location(full, SOURCES / file)
    assert spec  # noqa: S101  # the file lies beside this one
    assert spec.loader  # noqa: S101
    code = sys.modules[full] = module_from_spec(spec)
    search_state.LAYOUT, search_state.INSTRUCTION_SET = layout, instruction_set
    search_state.CACHED, search_state.PROBING = cache_dir is not None, name == "probing"
    spec.loader.exec_module(code)
    return code
