"""Loads the kernel of the compiled tier: from the cache, or else compiled once a machine, in a child process.

Rules of this file: nothing imports Numba before it is needed, and a failure of files or child processes never fails a question.
"""

from __future__ import annotations

from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sudoku_cp.compile_cache import CachedModule, cache_dir_for, cache_root, can_compile, require_compiler
from sudoku_cp.compile_child import start_compiler
from sudoku_cp.errors import BackendMissing
from sudoku_cp.process_locks import announce_once, show_progress
from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    import subprocess

    from sudoku_cp.backends.base import Clock

KERNEL_SOURCES = Path(__file__).parent / "kernel"
CHILD_MODULE = "sudoku_cp.backends.native.compiled_session"
POLL_SECONDS = 0.02
"""Seconds between two checks of the child."""


def kernel_cache_dir() -> Path | None:
    """Return the directory of the code, None where it cannot be cached."""
    return cache_dir_for("native", sorted(KERNEL_SOURCES.glob("*.py")))


def _build(cache_dir: Path | None) -> Any:
    from numba import njit  # noqa: PLC0415

    from sudoku_cp.backends.native.kernel.search import search  # noqa: PLC0415

    return SimpleNamespace(search=njit(nogil=True, error_model="numpy", cache=cache_dir is not None)(search))


KERNEL = CachedModule(_build, kernel_cache_dir, "the native engine's kernel", "some 20 seconds")


def is_loaded() -> bool:
    """Return whether the kernel is loaded in this process."""
    return can_compile() and KERNEL.is_loaded


def is_cached() -> bool:
    """Return whether the code is on disk."""
    return KERNEL.is_cached("search")


# --- the child --------------------------------------------------------------------------------------------------


def _start_child() -> subprocess.Popen[bytes] | None:
    """Start the child that compiles, at most once in this process; return None if that is impossible or useless."""
    return None if kernel_cache_dir() is None else start_compiler(f"from {CHILD_MODULE} import compile_kernel; compile_kernel()")


# --- callers ----------------------------------------------------------------------------------------------------


def cached_or_started() -> bool:
    """Return whether the code is on disk; if not, start a child that compiles it."""
    if is_cached():
        return True
    _start_child()
    return False


def wait_for_kernel(clock: Clock) -> None:
    """Wait until the code can be loaded, or raise `LimitReached`; where it cannot be cached, this process will compile it.

    The clock stands still meanwhile. Nothing can interrupt a compilation in this process, so a question with limits is refused if
    one would be needed.
    """
    require_compiler("backend 'native:compiled'")
    if is_loaded() or is_cached():
        return
    announce_once("compiling the native engine's kernel", ": some 20 seconds, once where it can be cached")
    child = _start_child()
    with loading(), show_progress("compiling the native engine's kernel", is_cached):
        while child is not None and child.poll() is None and not is_cached() and clock.reached() is None:
            sleep(POLL_SECONDS)
    clock.check()
    if not is_cached() and (clock.limits.seconds is not None or clock.limits.cancel is not None):
        raise BackendMissing(f"backend 'native:compiled' cannot keep its code in {cache_root()}; set SUDOKU_CP_CACHE to a folder")
