"""How often each client asks: requests in progress, and requests in a minute."""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW = 60.0
"""Seconds for which requests are counted."""


class RequestRates:
    """Counts the requests of clients, in windows of a minute that begin for all of them together."""

    def __init__(self, a_minute: int, at_once: int, clock: Callable[[], float] = monotonic) -> None:
        """Let each client ask so many times ``a_minute``, and have so many requests in progress ``at_once``."""
        self._a_minute, self._at_once, self._clock = a_minute, at_once, clock
        self._window = clock()
        self._asked: Counter[str] = Counter()
        self._in_progress: Counter[str] = Counter()

    def begin(self, client: str) -> dict[str, str]:
        """Count a request and return the ``RateLimit`` fields for its answer; raise a `HttpProblem` if it is one too many."""
        now = self._clock()
        if now >= self._window + WINDOW:
            self._window = now
            self._asked.clear()
        seconds = max(1, round(self._window + WINDOW - now))
        left = self._a_minute - self._asked[client]
        headers = self._headers(max(left - 1, 0), seconds)
        if left <= 0:
            raise _too_many(f"expected at most {self._a_minute} requests a minute, got one more", seconds, headers)
        if self._in_progress[client] >= self._at_once:
            raise _too_many(f"expected at most {self._at_once} requests at once, got one more", 1, headers)
        self._asked[client] += 1
        self._in_progress[client] += 1
        return headers

    def end(self, client: str) -> None:
        """Count a request no longer as in progress."""
        self._in_progress[client] -= 1
        if not self._in_progress[client]:
            del self._in_progress[client]

    def _headers(self, left: int, seconds: int) -> dict[str, str]:
        return {"RateLimit-Limit": str(self._a_minute), "RateLimit-Remaining": str(left), "RateLimit-Reset": str(seconds)}


def _too_many(detail: str, seconds: int, headers: dict[str, str]) -> HttpProblem:
    return HttpProblem("rate-limit", detail, headers=headers | {"Retry-After": str(seconds)})
