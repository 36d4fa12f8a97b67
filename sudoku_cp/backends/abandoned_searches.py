"""Stopping searches in threads, and abandoning those that do not react, so that no caller waits for them.

A search does not react while its library checks no flag: Glucose between two restarts, CP-SAT while it reads a large model.
It ends by itself, and its result is dropped.
"""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Thread

PATIENCE = 0.1
"""Seconds in which an interrupted search must end."""
MOST = 2
"""The most searches abandoned at a time; any more are waited for, so that they do not fill the machine."""

_abandoned: list[Thread] = []


def stop_or_abandon(thread: Thread, interrupt: Callable[[], object]) -> bool:
    """Stop a search by calling ``interrupt``; return False if it did not react and was abandoned."""
    patience = perf_counter() + PATIENCE
    while thread.is_alive() and (perf_counter() < patience or len(abandoned_threads()) >= MOST):
        interrupt()
        with suppress(KeyboardInterrupt):  # a second Ctrl-C, while the first one ends the search
            thread.join(PATIENCE / 2)
    if thread.is_alive():
        _abandoned.append(thread)
        return False
    return True


def abandoned_threads() -> list[Thread]:
    """Return the abandoned searches that are still running."""
    _abandoned[:] = [thread for thread in _abandoned if thread.is_alive()]
    return _abandoned
