"""What the child does that compiles the kernel and keeps its code."""

from __future__ import annotations

import os
from typing import IO

from sudoku_cp.backends.native.compiled import CompiledSession
from sudoku_cp.backends.native.loading import LOCK, WHOLE, folder, is_kept
from sudoku_cp.model import AllDifferent, build

ROOM = 4_000_000
"""Bytes that the code may take: where there is no room for them it is not compiled in vain."""
NICE = 10


def compile_and_keep() -> None:
    """Compile the code and keep it, once nobody else is about it: what the child does."""
    own = folder()
    if own is None:
        return
    with (own / LOCK).open("w") as lock:
        _wait_for(lock)
        if is_kept():
            return
        # Where there is no room, it is better to find out now.
        try:
            (own / LOCK).write_bytes(bytes(ROOM))
        finally:
            os.truncate(own / LOCK, 0)
        if hasattr(os, "nice"):
            os.nice(NICE)
        compile_now()
        (own / WHOLE).touch()


def _wait_for(lock: IO[str]) -> None:
    """Take the lock, which ends with the process that has it, however it ends."""
    try:
        import fcntl  # noqa: PLC0415  # not on every system; there, some may compile the same
    except ImportError:
        return
    fcntl.flock(lock, fcntl.LOCK_EX)


def compile_now() -> None:
    """Compile the code in this process, by asking it something small."""
    list(CompiledSession(build([0b110] * 2, [("warm", [("up", AllDifferent((0, 1)))])])).solutions())
