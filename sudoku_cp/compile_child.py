"""Child processes that compile code into the cache, so that no question waits for it; a child that fails costs no answer."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from sudoku_cp.compile_cache import cache_root, can_compile

PACKAGE_ROOT = Path(__file__).parents[1]
"""The directory in which a child finds the package."""
NICENESS = 10


@lru_cache(maxsize=32)
def start_compiler(statement: str) -> subprocess.Popen[bytes] | None:
    """Start a child that runs a statement, at most once in this process; return None where that is impossible or useless."""
    if not can_compile() or cache_root() is None or not sys.executable or getattr(sys, "frozen", False):
        return None
    path = os.pathsep.join([str(PACKAGE_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    nice = f"import os; hasattr(os, 'nice') and os.nice({NICENESS}); "
    try:
        child = subprocess.Popen(  # noqa: S603  # this interpreter, with arguments of our own
            [sys.executable, "-P", "-c", nice + statement],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
    except OSError:
        return None
    atexit.register(_release, child)
    return child


def _release(child: subprocess.Popen[bytes]) -> None:
    """Reap the child if it has ended; else leave it alone, without the warning about children that still run."""
    if child.poll() is None:
        child.returncode = 0
