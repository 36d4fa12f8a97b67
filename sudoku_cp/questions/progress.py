"""Reports of what is known so far, a few times a second."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PAUSE = 0.2
"""Seconds between two reports, at least."""


class PacedReports:
    """Passes reports on, but not more often than somebody can follow."""

    def __init__(self, report: Callable[[int, Any], None]) -> None:
        """Report nothing yet."""
        self._report = report
        self._due = monotonic() + PAUSE

    def show(self, number: int, make_part: Callable[[], Any]) -> None:
        """Report how many have been counted, and what ``make_part`` returns, if it is time for it."""
        if monotonic() >= self._due:
            self._due = monotonic() + PAUSE
            self._report(number, make_part())
