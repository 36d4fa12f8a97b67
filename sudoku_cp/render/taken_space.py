"""Space that is taken: each text gets the first of its possible spots that is free."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sudoku_cp.grid import Place
    from sudoku_cp.render.geometry import Box

S = TypeVar("S")


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


def _places(box: Box) -> list[Place]:
    """Return the places that a box overlaps or touches."""
    return [
        (row, column)
        for row in range(int(box.top // 1), int(box.bottom // 1) + 1)
        for column in range(int(box.left // 1), int(box.right // 1) + 1)
    ]
