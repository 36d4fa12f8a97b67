"""Points and boxes of the plane. Lengths are in cells; the first cell fills (0, 0) to (1, 1)."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_ROUNDING = 1e-9
"""Lengths below this come from rounding."""


class Point(NamedTuple):
    """A point of the plane: right, down."""

    x: float
    y: float

    def towards(self, other: Point, far: float) -> Point:
        """Return the point at distance ``far`` from here on the way to another."""
        length = hypot(other.x - self.x, other.y - self.y) or 1.0
        return Point(self.x + (other.x - self.x) * far / length, self.y + (other.y - self.y) * far / length)

    def moved(self, x: float, y: float) -> Point:
        """Return the point moved right by ``x`` and down by ``y``."""
        return Point(self.x + x, self.y + y)


class Box(NamedTuple):
    """An axis-aligned rectangle: its left, top, right and bottom edge."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether the two have more than an edge in common."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return min(across, down) > _ROUNDING

    def shared(self, other: Box) -> float:
        """Return the area that the two have in common."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(0.0, across) * max(0.0, down)

    def grown(self, by: float) -> Box:
        """Return the box, larger on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


def box_around(points: Iterable[Point], margin: float = 0.0) -> Box:
    """Return the bounding box of some points, with a margin."""
    across, down = zip(*points, strict=True)
    return Box(min(across), min(down), max(across), max(down)).grown(margin)


def union(boxes: Iterable[Box]) -> Box:
    """Return the bounding box of some boxes."""
    return box_around(Point(*corner) for box in boxes for corner in (box[:2], box[2:]))
