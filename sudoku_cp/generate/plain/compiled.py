"""The compiled loops around the lane kernel: `philox`, `trials`, `rounds` and `changes`, compiled once and kept."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from threading import RLock
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from llvmlite import binding
from numba import config, njit

from sudoku_cp.errors import BackendMissing
from sudoku_cp.generate.plain import changes, philox, rounds, tables, trials
from sudoku_cp.kept import Code, folder_for

if TYPE_CHECKING:
    from types import ModuleType

LOOPS: tuple[ModuleType, ...] = (philox, trials, rounds, changes)
ENTRIES = ("propose", "accept", "draw_small", "draw_orders", "ready", "ask", "learn", "draw_words", "give_back")
"""What is called from outside, and so kept."""
_starting = RLock()


def call(function: str, *arguments: Any) -> Any:
    """Call one of `ENTRIES`; raise `BackendMissing` where Numba may not compile."""
    with _starting:
        code = _code()
    return code.call(function, *arguments)


@lru_cache(maxsize=1)
def _code() -> Code:
    if config.DISABLE_JIT:
        raise BackendMissing("many puzzles at a time need Numba's compiler, which NUMBA_DISABLE_JIT turns off")
    return Code(_made, _folder, "the loops of the generator")


def _folder() -> Path | None:
    sources = [Path(__file__), *(Path(str(module.__file__)) for module in (*LOOPS, tables))]
    features = binding.get_host_cpu_features().flatten()
    # Numba throws away what it kept of a file that has changed its time.
    times = [source.stat().st_mtime_ns for source in sources]
    return folder_for("generating", sources, binding.get_host_cpu_name(), features, *sources, *times)


def _made(folder: Path | None) -> Any:
    """Return the functions, each of which calls the compiled others."""
    namespaces = {module: dict(vars(module)) for module in LOOPS}
    compiled: dict[str, Any] = {}
    for module, namespace in namespaces.items():
        namespace.update(compiled)
        for name in module.FUNCTIONS:
            own = FunctionType(namespace[name].__code__, namespace, name)
            # What is not inlined counts the uses of each array it is given: that took most of the time.
            how = {"cache": folder is not None} if name in ENTRIES else {"forceinline": True}
            namespace[name] = compiled[name] = njit(nogil=True, error_model="numpy", **how)(own)
    return SimpleNamespace(**compiled)
