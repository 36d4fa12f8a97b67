"""A memory of searches that found nothing: on a path, a step leaves most of what the techniques look at as it was."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudoku_cp.logic.step import Step

_MOST = 10_000
"""Searches remembered; one more, and all are forgotten."""


class BarrenSearches:
    """Searches known to find nothing, each by all that it depends on: layout, cells, candidates and what is looked for."""

    def __init__(self) -> None:
        """Begin with no search known."""
        self._searches: set[Hashable] = set()

    def __contains__(self, search: Hashable) -> bool:
        """Return whether a search is known to find nothing."""
        return search in self._searches

    def add(self, search: Hashable) -> None:
        """Remember a search that found nothing to its end."""
        if len(self._searches) >= _MOST:
            self._searches.clear()
        self._searches.add(search)

    def steps_of(self, search: Hashable, find: Callable[[], Iterable[Step]]) -> Iterator[Step]:
        """Yield the steps that a search finds, unless it is known to find none; remember it if it finds none to its end."""
        if search in self:
            return
        found = False
        for step in find():
            found = True
            yield step
        if not found:
            self.add(search)
