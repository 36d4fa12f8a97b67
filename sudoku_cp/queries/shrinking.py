"""Make something smaller while it still shows what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_T = TypeVar("_T")


def shrunk(items: Iterable[_T], still: Callable[[list[_T]], bool]) -> list[_T]:
    """Return some of ``items``, none of which can be left out alone without losing ``still`` (which all items have).

    Halves, quarters and so on are tried first, so that few questions remove much (delta debugging; Zeller and
    Hildebrandt, 2002).
    """
    kept = list(items)
    size = len(kept)
    while size:
        start = 0
        while start < len(kept):
            fewer = kept[:start] + kept[start + size :]
            if still(fewer):
                kept = fewer
            else:
                start += size
        size //= 2
    return kept
