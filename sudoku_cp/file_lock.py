"""File locks of the operating system (flock): they end with the process that holds them, so none is ever stale."""

from __future__ import annotations

from typing import IO


def try_lock(file: int | IO[bytes]) -> bool:
    """Lock an open file; return False if another process has locked it.

    Where there are no such locks (Windows, some network file systems), return True: other processes cannot be detected.
    """
    try:
        import fcntl  # noqa: PLC0415  # not on every system
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
