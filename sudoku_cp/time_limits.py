"""Time limits, for work that lies many calls below the question that has them: its tick, and the time that does not count.

Theory of operation: whoever asks a question has limits, and a function that raises once they are reached, such as a clock's
``check``. Work that may take long calls it now and then. Where that work is near, it is handed the ``tick`` as an argument. Rules
that are lowered, passes over a model and tables that are cached lie too deep: a tick among the arguments of every rule would say
nothing about rules, and among those of a cached function it would be part of the key. They call `tick`, which reaches what
`ticking` has set around them in this thread (a context variable). A block of `ticking` has no ``yield`` in it: a generator would
leave its tick behind for what runs next.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock, get_ident
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator


_T = TypeVar("_T")

EVERY = 32
"""Items between two ticks: a tick takes as long as some of the quickest items, a microsecond."""

_current: ContextVar[Callable[[], object]] = ContextVar("tick", default=int)


def tick() -> None:
    """Call the tick of the question in progress, which may raise to stop the work; without a question, do nothing."""
    _current.get()()


@contextmanager
def ticking(own: Callable[[], object]) -> Iterator[None]:
    """Let ``own`` be called whenever work in the block ticks, besides the ticks of the blocks around it."""
    outer = _current.get()

    def both() -> None:
        outer()
        own()

    token = _current.set(both)
    try:
        yield
    finally:
        _current.reset(token)


def ticked(items: Iterable[_T], every: int = EVERY) -> Iterator[_T]:
    """Yield the items, with a tick before the first and then before each ``every``-th."""
    for number, item in enumerate(items):
        if number % every == 0:
            tick()
        yield item


# The time this process spends loading or compiling code, which does not count against any limit.
#
# Theory of operation: code that loads something does so within `loading`; Numba, which compiles and loads when a function is
# first called, reports that through its events. Seconds in which several threads load count once. `time_without_loading` is a
# clock that stands still meanwhile.


_NUMBA = "numba:compiler_lock"


class _Loading:
    """The seconds in which this process has loaded or compiled anything, up to now."""

    def __init__(self) -> None:
        self._seconds, self._start, self._listens = 0.0, 0.0, False
        self._inside: Counter[Hashable] = Counter()  # how many nested loads each loader is in
        self._lock = RLock()

    def listen_to_numba(self) -> None:
        """Count what Numba compiles or loads from now on."""
        from numba.core import event  # noqa: PLC0415  # half a second, only for callers that compile

        begin, end = self.begin, self.end

        class Listener(event.Listener):  # type: ignore[misc]
            def on_start(self, _event: Any) -> None:
                begin(get_ident())

            def on_end(self, _event: Any) -> None:
                end(get_ident())

        with self._lock:
            if not self._listens:
                self._listens = True
                event.register(_NUMBA, Listener())

    def begin(self, who: Hashable) -> None:
        """Count the time until each `begin` of ``who`` has had its `end`."""
        with self._lock:
            self._start = self._start if self._inside else perf_counter()
            self._inside[who] += 1

    def end(self, who: Hashable) -> None:
        """End the innermost load of ``who``."""
        with self._lock:
            self._leave(who, self._inside[who] - 1)

    def _leave(self, who: Hashable, deep: int) -> None:
        """Set how many loads ``who`` is in, and at 0 add the seconds since the start. Numba may report an end without a start."""
        if who not in self._inside:
            return
        self._inside[who] = deep
        if deep == 0:
            del self._inside[who]
            self._seconds += 0.0 if self._inside else perf_counter() - self._start

    def seconds(self) -> float:
        """Return the seconds so far."""
        return self._both()[0]

    def time_without(self) -> float:
        """Return the time now, less these seconds: it never goes back, wherever the loads of other threads begin and end."""
        seconds, now = self._both()
        return now - seconds

    def _both(self) -> tuple[float, float]:
        """Return the seconds so far, and when that was."""
        before, now = self._seconds, perf_counter()
        if not self._inside and self._seconds == before:  # no load has begun or ended in between: no lock is needed
            return before, now
        with self._lock:
            self._leave(get_ident(), 0)  # a thread that calls this does not compile, even if Ctrl-C hid the end of a load
            now = perf_counter()
            return self._seconds + (now - self._start if self._inside else 0.0), now


_loading = _Loading()
listen_to_numba = _loading.listen_to_numba
"""Counts what Numba compiles or loads from now on."""
loading_seconds = _loading.seconds
"""Returns the seconds that this process has spent loading or compiling code."""
time_without_loading = _loading.time_without
"""Returns the time of a clock, in seconds, that stands still while code is loaded or compiled."""


@contextmanager
def loading() -> Iterator[None]:
    """Count the time spent in the block as loading."""
    own = object()
    _loading.begin(own)
    try:
        yield
    finally:
        _loading.end(own)
