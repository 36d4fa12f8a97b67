"""Delta debugging: make something smaller while it keeps a property."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sudoku_cp.backends import Limits

_T = TypeVar("_T")

STEP = 5.0
"""Seconds for each question during shrinking: with fewer givens, some never end, and so decide nothing."""


def step_limits(limits: Limits, seconds: float = STEP) -> Limits:
    """Return the limits of one step of a longer question: at most ``seconds``, within ``limits``."""
    return replace(limits, seconds=seconds if limits.seconds is None else min(seconds, limits.seconds))


def shrink(items: Iterable[_T], still: Callable[[list[_T]], bool]) -> list[_T]:
    """Return some of ``items`` for which ``still`` holds, but fails without any single one of them; it must hold for all items.

    Halves, quarters and so on are removed first, so that few calls remove many items (Zeller and Hildebrandt, 2002).
    """
    kept = list(items)
    size = len(kept)
    while size:
        start, before = 0, len(kept)
        while start < len(kept):
            fewer = kept[:start] + kept[start + size :]
            if still(fewer):
                kept = fewer
            else:
                start += size
        # Removing one item may allow removing another, so single items are tried until none can go.
        if size > 1 or len(kept) == before:
            size //= 2
    return kept
