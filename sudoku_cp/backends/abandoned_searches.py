"""Searches in threads that are told to end, and left behind where they do not hear it: nobody waits for a deaf search.

A search is deaf where its library looks at no flag: Glucose between two restarts, CP-SAT while it reads a large model.
It ends by itself, and its result is nobody's.
"""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Thread

PATIENCE = 0.1
"""Seconds that a search which is told to end has for that."""
MOST = 2
"""So many searches may be left behind at a time; past that they are waited for, so that they do not fill the machine."""

_abandoned: list[Thread] = []


def stop_or_abandon(thread: Thread, interrupt: Callable[[], object]) -> bool:
    """Have a search end by ``interrupt``; return False where it was left behind because it did not hear."""
    patience = perf_counter() + PATIENCE
    while thread.is_alive() and (perf_counter() < patience or len(abandoned_threads()) >= MOST):
        interrupt()
        with suppress(KeyboardInterrupt):  # whoever hears of it a second time is ending already
            thread.join(PATIENCE / 2)
    if thread.is_alive():
        _abandoned.append(thread)
        return False
    return True


def abandoned_threads() -> list[Thread]:
    """Return the searches that were left behind and still run."""
    _abandoned[:] = [thread for thread in _abandoned if thread.is_alive()]
    return _abandoned
