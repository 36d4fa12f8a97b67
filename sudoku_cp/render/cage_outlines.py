"""Dashed outlines around cells: one around each connected part, and links between parts."""

from __future__ import annotations

from itertools import product
from math import dist
from typing import TYPE_CHECKING

from sudoku_cp.render.geometry import Point
from sudoku_cp.render.pieces import Piece, stroke

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.grid import Place

INSET, STEP, DEEPEST = 0.07, 0.055, 4
"""How far inside its cells a cage is drawn, how much farther for each cage around it, and up to how many of these."""
DASHES = ((0.09, 0.06), (0.2, 0.05), (0.035, 0.045), (0.14, 0.04, 0.035, 0.04))
"""The dashes of a cage by its level, so that each of several nested cages can be followed."""


def draw_cage(places: Sequence[Place], colour: str, level: int) -> Iterator[Piece]:
    """Yield the sides of a cage, and links between its parts."""
    inside, inset = frozenset(places), INSET + STEP * (level % DEEPEST)
    dashes = DASHES[level % DEEPEST]
    for place in dict.fromkeys(places):
        for side in _sides(place, inside, inset):
            yield stroke(side, colour, 0.03, dashes)
    for link in _links(_connected_parts(inside), 0.5 - inset):
        yield stroke(link, colour, 0.03, dashes)


def _sides(place: Place, inside: frozenset[Place], inset: float) -> Iterator[tuple[Point, Point]]:
    """Yield the sides of a cell that lie on the border of the cage, long enough to meet at every corner."""
    row, column = place

    def reach(along: Place, aslant: Place) -> float:
        """Return how far a side extends beyond its cell: less than to its edge, to it, or past it around an inner corner."""
        return -inset if along not in inside else inset if aslant in inside else 0.0

    for out in (-1, 1):
        edge = 0.5 + out * (0.5 - inset)
        if (row + out, column) not in inside:
            left, right = (reach((row, column + step), (row + out, column + step)) for step in (-1, 1))
            yield Point(column - left, row + edge), Point(column + 1 + right, row + edge)
        if (row, column + out) not in inside:
            up, down = (reach((row + step, column), (row + step, column + out)) for step in (-1, 1))
            yield Point(column + edge, row - up), Point(column + edge, row + 1 + down)


def _connected_parts(inside: Iterable[Place]) -> list[list[Place]]:
    """Return the places in parts that are connected by edges."""
    left, found = {*inside}, []
    while left:
        part = [min(left)]
        left.discard(part[0])
        for row, column in part:  # grows while it is walked
            near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
            part += [place for place in near if place in left]
            left.difference_update(near)
        found.append(part)
    return found


def _links(parts: list[list[Place]], half: float) -> Iterator[tuple[Point, Point]]:
    """Yield the shortest link of each part to one before it, from edge to edge; ``half`` is from a cell's middle to the cage."""
    joined: list[Place] = []
    for part in parts:
        if joined:
            one, other = min(product(joined, part), key=lambda pair: (dist(*pair), pair))
            yield _nearest_point(one, other, half), _nearest_point(other, one, half)
        joined += part


def _nearest_point(place: Place, other: Place, half: float) -> Point:
    """Return the point of a cell's outline that is nearest to another cell."""
    down, across = (max(-half, min(half, far - near)) for near, far in zip(place, other, strict=True))
    return Point(place[1] + 0.5 + across, place[0] + 0.5 + down)
