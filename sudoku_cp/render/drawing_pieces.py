"""The drawings of a puzzle as pieces: lines, shapes and texts at points, as their source has them."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, assert_never

from sudoku_cp.cosmetics import DrawnLine, DrawnShape, DrawnText
from sudoku_cp.render.geometry import Box, Piece, Point, circle, polygon, rectangle, stroke, turned, turned_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import DrawnPoint

EDGE = 0.04
"""The width of the edge of a shape."""
_STEPS = 12
"""The corners that a quarter of an ellipse is drawn with."""


def drawing_pieces(drawing: DrawnLine | DrawnShape | DrawnText) -> Iterator[Piece]:
    """Yield the pieces of a drawing, the lowest first."""
    match drawing:
        case DrawnLine():
            yield from _line(drawing)
        case DrawnShape():
            yield _shape(drawing)
        case DrawnText():
            yield turned_text(_point(drawing.at), drawing.text, drawing.size, drawing.colour, drawing.angle)
        case _:
            assert_never(drawing)


def _point(point: DrawnPoint) -> Point:
    return Point(point[1], point[0])


def _line(line: DrawnLine) -> Iterator[Piece]:
    points = [*map(_point, line.points)]
    if line.fill:
        yield polygon(points, line.fill)
    if line.width:
        yield stroke(points if len(points) > 1 else points * 2, line.colour, line.width)
    if line.head and line.width:
        tip, before = points[-1], points[-2:][0]
        back = tip.towards(before, 0.7 * line.head)
        across = Point(0.7 * (back.y - tip.y), 0.7 * (tip.x - back.x))
        yield stroke([back.moved(*across), tip, back.moved(-across.x, -across.y)], line.colour, line.width)


def _shape(shape: DrawnShape) -> Piece:
    at, fill = _point(shape.at), shape.fill or None
    across, down = shape.width / 2, shape.height / 2
    if shape.shape != "rectangle" and across == down:
        return circle(at, across, fill, shape.colour, EDGE)
    if shape.shape == "ellipse" or shape.angle:
        return polygon(turned(_corners(shape, at), at, shape.angle), fill, shape.colour, EDGE)
    box = Box(at.x - across, at.y - down, at.x + across, at.y + down)
    return rectangle(box, fill, shape.colour, EDGE, round_by=min(across, down) if shape.shape == "pill" else 0)


def _corners(shape: DrawnShape, at: Point) -> list[Point]:
    """Return the corners of a shape that is not turned, as many as make its curves look smooth."""
    across, down = shape.width / 2, shape.height / 2
    round_across, round_down = {
        "rectangle": (0.0, 0.0),
        "ellipse": (across, down),
        "pill": (min(across, down), min(across, down)),
    }[shape.shape]
    steps = range(_STEPS + 1) if round_across or round_down else range(1)
    found = []
    for quarter, (right, below) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        middle = at.moved(right * (across - round_across), below * (down - round_down))
        for step in steps:
            angle = pi / 2 * (quarter + step / _STEPS)
            found.append(middle.moved(round_across * cos(angle), round_down * sin(angle)))
    return found
