"""The time in which this process loads or compiles code, which no question's limits pay for.

Theory of operation: code that loads says so with `loading`; Numba, which compiles and loads where a function is first called, is
heard through its events. Seconds in which several threads load count once. `working_time` is a clock that stands still meanwhile.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from threading import RLock, get_ident
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

_NUMBA = "numba:compiler_lock"


class _Loading:
    """The seconds in which this process has loaded or compiled anything, up to now."""

    def __init__(self) -> None:
        self._seconds, self._begun, self._hears = 0.0, 0.0, False
        self._inside: Counter[Hashable] = Counter()  # for each that loads, how deep it is in loads within others
        self._lock = RLock()

    def listen_to_numba(self) -> None:
        """Count what Numba compiles or loads from now on."""
        from numba.core import event  # noqa: PLC0415  # half a second, for those alone who compile

        begin, end = self.begin, self.end

        class Listener(event.Listener):  # type: ignore[misc]
            def on_start(self, _event: Any) -> None:
                begin(get_ident())

            def on_end(self, _event: Any) -> None:
                end(get_ident())

        with self._lock:
            if not self._hears:
                self._hears = True
                event.register(_NUMBA, Listener())

    def begin(self, who: Hashable) -> None:
        """Count from now on until ``who`` ends as often."""
        with self._lock:
            self._begun = self._begun if self._inside else perf_counter()
            self._inside[who] += 1

    def end(self, who: Hashable) -> None:
        """Count no longer for ``who``, once it has ended as often as it has begun."""
        with self._lock:
            self._leave(who, self._inside[who] - 1)

    def _leave(self, who: Hashable, deep: int) -> None:
        """Count the seconds since the outermost beginning; an end may be heard of which nobody heard the beginning."""
        if who not in self._inside:
            return
        self._inside[who] = deep
        if deep == 0:
            del self._inside[who]
            self._seconds += 0.0 if self._inside else perf_counter() - self._begun

    def seconds(self) -> float:
        """Return how many there were."""
        if not self._inside:
            return self._seconds
        with self._lock:
            self._leave(get_ident(), 0)  # who asks does not compile, though Ctrl-C may have come before the end was heard
            return self._seconds + (perf_counter() - self._begun if self._inside else 0.0)


_loading = _Loading()
listen_to_numba = _loading.listen_to_numba
"""Have what Numba compiles or loads count."""
loading_seconds = _loading.seconds
"""Returns for how many seconds this process has loaded or compiled code."""


@contextmanager
def loading() -> Iterator[None]:
    """Count the block as loading."""
    own = object()
    _loading.begin(own)
    try:
        yield
    finally:
        _loading.end(own)


def working_time() -> float:
    """Return a time to count seconds from, of which those do not count in which code is loaded or compiled."""
    return perf_counter() - loading_seconds()
