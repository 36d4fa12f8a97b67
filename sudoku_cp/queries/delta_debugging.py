"""Make something smaller while it still shows what it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sudoku_cp.backends import Limits

_T = TypeVar("_T")

STEP = 5.0
"""Seconds a question may take while something is shrunk: with fewer givens some never end, and then show nothing."""


def step_limits(limits: Limits) -> Limits:
    """Return the limits of one step of shrinking, within ``limits``."""
    return replace(limits, seconds=STEP if limits.seconds is None else min(STEP, limits.seconds))


def shrink(items: Iterable[_T], still: Callable[[list[_T]], bool]) -> list[_T]:
    """Return some of ``items``, none of which can be left out alone without losing ``still`` (which all items have).

    Halves, quarters and so on are tried first, so that few questions remove much (delta debugging; Zeller and
    Hildebrandt, 2002).
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
        # What is left out may make room for more, so single items are tried until none of them can go.
        if size > 1 or len(kept) == before:
            size //= 2
    return kept
