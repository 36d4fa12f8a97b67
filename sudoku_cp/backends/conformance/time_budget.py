"""The time the kit gives an engine, and the question it is waiting for.

Every check asks its questions through `iter_answers`. Inside `within_time` a check ends with `CheckTimeout` at the first
question, or the first solution, after its time; a question that neither answers nor stops is reported, since nothing can end it.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from threading import Timer
from time import perf_counter
from typing import TYPE_CHECKING

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Limits, Session, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class CheckTimeout(AssertionError):  # a verdict on the engine, like the kit's other assertions
    """The engine took too long for a check; all its answers until then were right."""


class _Patience:
    """The time for one check, and its progress."""

    def __init__(self, seconds: float) -> None:
        """Allow the check ``seconds`` from now on."""
        self.seconds = seconds
        self._until = perf_counter() + seconds
        self._questions = 0
        self.question = "its first question"

    @property
    def left(self) -> float:
        """The seconds that are left, 0 or less once they are spent."""
        return self._until - perf_counter()

    def begin(self, question: str) -> None:
        """Record the current question; raise if there is no time for it."""
        self.question = question
        self.check()
        self._questions += 1

    def check(self) -> None:
        """Raise once the time is spent."""
        if self.left <= 0:
            raise CheckTimeout(
                f"expected an end within {self.seconds:.3g} s, got {self._questions} questions asked until then, "
                f"waiting for {self.question}; give the check more patience"
            )


_current: ContextVar[_Patience] = ContextVar("patience")


@contextmanager
def within_time(name: str, seconds: float, report: Callable[[str], object]) -> Iterator[None]:
    """End the check called ``name`` after ``seconds``; ``report`` what it is waiting for if it cannot be ended."""
    own = _Patience(seconds)
    timer = Timer(seconds, lambda: report(f"{name}: after {seconds:.3g} s still waiting for {own.question}"))
    timer.daemon = True
    timer.start()
    token = _current.set(own)
    try:
        yield
    finally:
        _current.reset(token)
        timer.cancel()


def iter_answers(session: Session, assume: Assumed = NOTHING, limits: Limits = UNLIMITED) -> Iterator[Solution]:
    """Yield the session's solutions; raise `CheckTimeout` when the patience ends."""
    own = _current.get(None) or _Patience(inf)
    own.begin(f"solutions under {dict(assume)!s:.200} within {limits}")
    for solution in session.solutions(assume, limits=limits):
        own.check()
        yield solution


def remaining_limits() -> Limits:
    """Return limits that end a hard question when the patience ends; none outside `within_time`."""
    own = _current.get(None)
    return UNLIMITED if own is None else Limits(seconds=max(0.0, own.left))
