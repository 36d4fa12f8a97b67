"""The tick of the question in progress, for work that lies many calls below it.

Theory of operation: whoever asks a question has limits, and a function that raises once they are reached, such as a clock's
``check``. Work that may take long calls it now and then. Where that work is near, it is handed the ``tick`` as an argument. Rules
that are lowered, passes over a model and tables that are cached lie too deep: a tick among the arguments of every rule would say
nothing about rules, and among those of a cached function it would be part of the key. They call `tick`, which reaches what
`ticking` has set around them in this thread (a context variable). A block of `ticking` has no ``yield`` in it: a generator would
leave its tick behind for what runs next.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
