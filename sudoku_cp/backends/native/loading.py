"""How the compiled gear comes into the process: loaded where its code is kept, else compiled once a machine, in a child.

Rules of this file: nothing imports Numba before it is needed, and no trouble with files or children is trouble for a question.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from threading import Lock
from time import sleep
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from sudoku_cp.compile_lock import say_once, shown
from sudoku_cp.errors import BackendMissing
from sudoku_cp.kept import Code, cache_folder, folder_for
from sudoku_cp.load_time import loading

if TYPE_CHECKING:
    from sudoku_cp.backends.base import Clock

KERNEL = Path(__file__).parent / "kernel"
HOME = Path(__file__).parents[3]
"""Where a child finds the package."""
COMPILING = "sudoku_cp.backends.native.compiling"
"""What the child runs."""
WHOLE, LOCK = "whole", "lock"
"""The file that says that all the code is there, and the one that who compiles it holds."""
LOOK = 0.02
"""Seconds between two looks at the child."""
_loading = Lock()


def is_allowed() -> bool:
    """Say whether there may be compiled code at all."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}


def is_loaded() -> bool:
    """Say whether the code is in the process."""
    return is_allowed() and _code.cache_info().currsize > 0


@lru_cache(maxsize=1)
def _processor() -> str:
    """Return the name and abilities of the processor that code is compiled for."""
    from llvmlite import binding  # noqa: PLC0415  # 50 ms that a quick answer has no use for

    told = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    return f"{told} {binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def folder() -> Path | None:
    """Return the folder of the code, None where it cannot be kept."""
    # Numba takes code for stale when its file has been moved or touched, and would compile it anew in the middle of a question.
    called = KERNEL / "searching.py"
    return folder_for("native", sorted(KERNEL.glob("*.py")), _processor(), called, called.stat().st_mtime_ns)


def is_kept() -> bool:
    """Say whether the whole code is on disk."""
    own = folder()
    return own is not None and (own / WHOLE).exists()


def code() -> Code:
    """Return the kernel's code, one for the process, loaded or compiled when it is first called."""
    with _loading:
        return _code()


@lru_cache(maxsize=1)
def _code() -> Code:
    return Code(_kernel, folder, "the native engine's kernel")


def _kernel(own: Path | None) -> Any:
    from numba import njit  # noqa: PLC0415

    from sudoku_cp.backends.native.kernel.searching import search  # noqa: PLC0415

    return SimpleNamespace(search=njit(nogil=True, error_model="numpy", cache=own is not None)(search))


# --- the child --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _child() -> subprocess.Popen[bytes] | None:
    """Start the child that compiles, once a process; None where that cannot be or would be for nothing."""
    if folder() is None or not sys.executable or getattr(sys, "frozen", False):
        return None
    path = os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])])
    try:
        return subprocess.Popen(  # noqa: S603  # this very interpreter, and no word of anybody else's
            [sys.executable, "-c", f"from {COMPILING} import compile_and_keep; compile_and_keep()"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
    except OSError:
        return None


# --- who wants it -----------------------------------------------------------------------------------------------


def is_coming() -> bool:
    """Say whether the code is kept by now; where it is not, see that it is being compiled."""
    if is_kept():
        return True
    _child()
    return False


def wait(clock: Clock) -> None:
    """Return when the code can be loaded, or raise `LimitReached`; where no child can keep it, it will be compiled here.

    The clock stands still meanwhile. Nothing can interrupt what is compiled here, so a question with a limit is refused there.
    """
    if not is_allowed():
        raise BackendMissing("backend 'native:compiled' needs Numba's compiler, which NUMBA_DISABLE_JIT turns off")
    if is_loaded() or is_kept():
        return
    say_once("compiling the native engine's kernel", ": some 20 seconds, once where it can be kept")
    child = _child()
    with loading(), shown("compiling the native engine's kernel", is_kept):
        while child is not None and child.poll() is None and not is_kept() and clock.reached() is None:
            sleep(LOOK)
    clock.check()
    if not is_kept() and (clock.limits.seconds is not None or clock.limits.cancel is not None):
        raise BackendMissing(
            f"backend 'native:compiled' cannot keep its code in {cache_folder()}; set SUDOKU_CP_CACHE to a folder"
        )
