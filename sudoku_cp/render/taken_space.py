"""Space that is taken: each text gets the first of its possible spots that is free, or a gap where none of them is."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, TypeVar

from sudoku_cp.render.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.grid import Place

S = TypeVar("S")

_MARGIN = 0.01
"""The space around what is placed in a gap, so that nothing touches."""


class TakenSpace:
    """The boxes that are taken, indexed by the cells they touch."""

    def __init__(self, taken: Iterable[Box] = ()) -> None:
        """Start with some boxes taken."""
        self._boxes: dict[Place, list[Box]] = {}
        for box in taken:
            self.take(box)

    def take(self, box: Box) -> None:
        """Mark a box as taken."""
        for place in _places(box):
            self._boxes.setdefault(place, []).append(box)

    def overlap(self, box: Box) -> float:
        """Return the area of a box that is taken."""
        return sum(box.shared(other) for place in _places(box) for other in self._boxes.get(place, ()))

    def place(self, spots: Iterable[S], boxes_of: Callable[[S], Sequence[Box]]) -> S:
        """Take the first spot whose boxes are free, or else the one with the least area taken, and return it."""
        best, least = None, float("inf")
        for spot in spots:
            taken = sum(map(self.overlap, boxes_of(spot)))
            if taken < least:
                best, least = spot, taken
            if not taken:
                break
        if best is None:
            raise ValueError("expected a spot to choose from, got none")
        for box in boxes_of(best):
            self.take(box)
        return best

    def gaps(self, area: Box) -> Iterator[Box]:
        """Yield free boxes in an area, every one that cannot be larger among them.

        Such a box reaches from side to side of what is taken: for each left and right edge that bounds it, it is what is left
        between the taken boxes that lie one below the other there.
        """
        near = {box.grown(_MARGIN) for place in _places(area) for box in self._boxes.get(place, ()) if box.meets(area)}
        lefts = sorted({area.left, *(box.right for box in near)})
        rights = sorted({area.right, *(box.left for box in near)})
        for left, right in product(lefts, rights):
            if area.left <= left < right <= area.right:
                top = area.top
                for box in sorted((box for box in near if box.left < right and left < box.right), key=lambda box: box.top):
                    if top < box.top:
                        yield Box(left, top, right, box.top)
                    top = max(top, box.bottom)
                if top < area.bottom:
                    yield Box(left, top, right, area.bottom)


def _places(box: Box) -> list[Place]:
    """Return the places that a box overlaps or touches."""
    return [
        (row, column)
        for row in range(int(box.top // 1), int(box.bottom // 1) + 1)
        for column in range(int(box.left // 1), int(box.right // 1) + 1)
    ]
