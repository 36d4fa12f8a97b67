"""Locks between processes: those of the operating system on files; and one process compiles while the others wait."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import monotonic, sleep
from typing import IO, TYPE_CHECKING, TypeAlias

from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Locks on files (flock) end with the process that holds them, so none is ever stale.


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


# One process compiles, and the others wait for it; a watcher may show that to users.
#
# Theory of operation. Code is cached in a directory, and the process that compiles it locks a file there. The lock is the
# operating system's (flock), so it ends with the process that holds it, however that ends: no lock is ever stale. A waiting
# process polls for the code, which is there before the lock is free, as a first call also runs what it has compiled. After
# `LONGEST_WAIT` it compiles for itself, since the other process may be suspended. Where there are no such locks, no process
# waits.


Watcher: TypeAlias = Callable[[str, Callable[[], bool]], AbstractContextManager[object]]
"""Shows a text about an operation until the block ends or the function returns True."""

LOCK_NAME = "compiling.lock"
"""The file that is locked."""
POLL_SECONDS, LONGEST_WAIT = 0.05, 300.0
"""Seconds between two checks of another process, and the most to wait for it."""

_watchers: list[Watcher] = []
_announced: set[str] = set()
"""The announcements of this process."""


def set_compile_watcher(watcher: Watcher | None) -> None:
    """Show every compilation of this process with this watcher, and no other; None shows nothing."""
    _watchers[:] = [] if watcher is None else [watcher]


def show_progress(words: str, is_done: Callable[[], bool]) -> AbstractContextManager[object]:
    """Return a block during which the watcher shows these words, until it ends or ``is_done`` returns True."""
    return _watchers[0](words, is_done) if _watchers else nullcontext()


def announce_once(words: str, more: str = "") -> None:
    """Log a warning, once in this process, that an operation takes a while, with ``more`` details."""
    if words not in _announced:
        import logging  # noqa: PLC0415  # 4 ms that few calls need

        _announced.add(words)
        logging.getLogger("sudoku_cp").warning("%s%s", words, more)


def forget_announcement(words: str) -> None:
    """Let these words be announced again, since the operation has to be repeated."""
    _announced.discard(words)


@contextmanager
def exclusive_compile(folder: Path, what: str, is_done: Callable[[], bool]) -> Iterator[bool]:
    """Wait while another process compiles ``what`` into ``folder``; yield whether this process has to compile it.

    Ctrl-C ends the wait.
    """
    try:
        file = (folder / LOCK_NAME).open("ab")
    except OSError:  # then nothing can be cached there either
        yield not is_done()
        return
    with file:
        if not try_lock(file) and not is_done():
            _wait(file, f"waiting for another process that is compiling {what}", is_done)
        yield not is_done()


def _wait(file: IO[bytes], words: str, is_done: Callable[[], bool]) -> None:
    """Wait for the code, or for the lock."""
    announce_once(words)
    until = monotonic() + LONGEST_WAIT
    with loading(), show_progress(words, is_done):
        while not (is_done() or try_lock(file) or monotonic() > until):
            sleep(POLL_SECONDS)
