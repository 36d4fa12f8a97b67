"""Pieces of a picture: shapes with the boxes around them. Lengths are in cells."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.render.geometry import Box, Point, box_around
from sudoku_cp.render.shapes import Circle, Curve, Polygon, Polyline, Rectangle, Routes, Stroke, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.grid import Place
    from sudoku_cp.render.shapes import Shape

LETTER_WIDTH, DIGIT_HEIGHT = 0.62, 0.7
"""The width reserved for a letter, and the height of a digit, relative to the font size."""
HALO = 0.08


class Piece(NamedTuple):
    """A shape and its bounding box, or the circle within the box if it is ``round``; an ``opaque`` piece hides what is below."""

    shape: Shape
    box: Box
    opaque: bool = False
    round: bool = False

    @property
    def text(self) -> str:
        """Its letters, which nothing may cover."""
        return self.shape.text if isinstance(self.shape, Text) else ""

    def hides(self, box: Box) -> bool:
        """Return whether this piece would hide a part of that box."""
        if not self.opaque or not self.box.meets(box):
            return False
        if not self.round:
            return True
        x, y = (self.box.left + self.box.right) / 2, (self.box.top + self.box.bottom) / 2
        across, down = x - max(box.left, min(x, box.right)), y - max(box.top, min(y, box.bottom))
        return hypot(across, down) < self.box.right - x


# --- letters ----------------------------------------------------------------------------------------------------


def text_width(text: str, size: float) -> float:
    """Return the width of a text, with a little to spare as fonts differ."""
    return LETTER_WIDTH * size * len(text)


def centred_text(at: Point, text: str, size: float, colour: str = "#000000", *, halo: bool = False, bold: bool = False) -> Piece:
    """Return a text centred at a point, smaller if it would be wider than a cell."""
    size = min(size, 0.93 / (LETTER_WIDTH * max(1, len(text))))
    half = DIGIT_HEIGHT * size / 2
    shape = Text(at.moved(0, half), printable(text), size, colour, bold, centred=True, halo=HALO * halo)
    return Piece(shape, _text_box(at, shape, at.x - text_width(text, size) / 2))


def left_text(at: Point, text: str, size: float, colour: str = "#000000", *, bold: bool = False) -> Piece:
    """Return a text of any length that begins at a point."""
    shape = Text(at.moved(0, DIGIT_HEIGHT * size / 2), printable(text), size, colour, bold)
    return Piece(shape, _text_box(at, shape, at.x))


def _text_box(at: Point, shape: Text, left: float) -> Box:
    half = DIGIT_HEIGHT * shape.size / 2
    return Box(left, at.y - half, left + text_width(shape.text, shape.size), at.y + half)


def printable(text: str) -> str:
    """Return the text with characters that XML does not allow replaced."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


# --- forms ------------------------------------------------------------------------------------------------------


def stroke(points: Sequence[Point], colour: str, width: float, dashes: tuple[float, ...] = ()) -> Piece:
    """Return a line through the points."""
    return Piece(Polyline(tuple(points), Stroke(colour, width, dashes)), box_around(points, width / 2))


def curve(start: Point, middle: Point, end: Point, colour: str, width: float, dashes: tuple[float, ...] = ()) -> Piece:
    """Return a quadratic curve from ``start`` to ``end`` that is drawn towards ``middle``."""
    points = (start, middle, end)
    return Piece(Curve(points, Stroke(colour, width, dashes)), box_around(points, width / 2))


def arrow_head(tip: Point, before: Point, colour: str, size: float = 0.22) -> Piece:
    """Return the two strokes of the head of an arrow that comes from ``before``."""
    back = tip.towards(before, size)
    across = Point((back.y - tip.y) * 0.6, (tip.x - back.x) * 0.6)
    return stroke([back.moved(*across), tip, back.moved(-across.x, -across.y)], colour, 0.05)


def circle(at: Point, radius: float, fill: str | None, edge: str = "", width: float = 0.04) -> Piece:
    """Return a circle, with an edge if ``edge`` is a colour."""
    box = box_around([at], radius + (width / 2 if edge else 0))
    return Piece(Circle(at, radius, fill, _edge(edge, width)), box, opaque=fill is not None, round=True)


def polygon(corners: Sequence[Point], fill: str | None, edge: str = "", width: float = 0.05) -> Piece:
    """Return a polygon, with an edge if ``edge`` is a colour."""
    box = box_around(corners, width / 2 if edge else 0)
    return Piece(Polygon(tuple(corners), fill, _edge(edge, width)), box, opaque=fill is not None)


def diamond(at: Point, radius: float, fill: str | None, edge: str = "", width: float = 0.05) -> Piece:
    """Return a square standing on a corner."""
    corners = [at.moved(0, -radius), at.moved(radius, 0), at.moved(0, radius), at.moved(-radius, 0)]
    return polygon(corners, fill, edge, width)


def rectangle(box: Box, fill: str | None, edge: str = "", width: float = 0.06, round_by: float = 0.0) -> Piece:
    """Return a rectangle, with round corners if ``round_by`` is positive."""
    shape = Rectangle(box, fill, _edge(edge, width), round_by)
    return Piece(shape, box.grown(width / 2 if edge else 0), opaque=fill is not None)


def squares(places: Iterable[Place], fill: str | None, edge: Stroke | None = None) -> Piece:
    """Return the cells at some places as one piece, which hides nothing."""
    routes = tuple(tuple(Point(column + x, row + y) for x, y in _CORNERS) for row, column in places)
    return Piece(Routes(routes, fill, edge, closed=True), box_around(corner for route in routes for corner in route[::2]))


def segments(routes: Iterable[tuple[Point, Point]], edge: Stroke, *, extended: bool = False) -> Piece:
    """Return lines between pairs of points as one piece, ``extended`` at their ends by half the width."""
    shape = Routes(tuple(routes), None, edge, extended=extended)
    return Piece(shape, box_around(point for route in shape.routes for point in route))


_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def _edge(colour: str, width: float) -> Stroke | None:
    return Stroke(colour, width) if colour else None
