"""Points and boxes of the plane. Lengths are in cells; the first cell fills (0, 0) to (1, 1)."""

from __future__ import annotations

from functools import lru_cache
from math import cos, hypot, radians, sin
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.grid import Place


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

    def within(self, other: Box) -> Box:
        """Return the nearest part of another box that covers what the two have in common."""
        left, right = (max(other.left, min(x, other.right)) for x in (self.left, self.right))
        top, bottom = (max(other.top, min(y, other.bottom)) for y in (self.top, self.bottom))
        return Box(left, top, right, bottom)

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


# Lengths as files of pictures have them: in hundredths of a cell.


UNITS = 100
"""Units of a file per cell: some renderers draw letters badly if their size is below 1."""


@lru_cache(maxsize=1 << 14)  # the same few thousand lengths come again in every picture
def format_length(value: float) -> str:
    """Format a length, given in cells, in units of a file with as few digits as needed."""
    return f"{UNITS * value:.1f}".rstrip("0").rstrip(".")


# The seven shapes that pictures are made of, whatever they are written to. Lengths are in cells, colours ``#RRGGBB``.
#
# A writer for a kind of file knows these and nothing else; `svg_picture` has one.


class Stroke(NamedTuple):
    """How a line is drawn: its colour, its width, and the lengths of dashes and gaps in turn if it is dashed."""

    colour: str
    width: float
    dashes: tuple[float, ...] = ()


class Circle(NamedTuple):
    """A circle; ``fill`` is None if it is open."""

    centre: Point
    radius: float
    fill: str | None
    stroke: Stroke | None = None


class Rectangle(NamedTuple):
    """A rectangle with corners of a radius."""

    box: Box
    fill: str | None
    stroke: Stroke | None = None
    radius: float = 0.0


class Polygon(NamedTuple):
    """A closed form with straight sides."""

    corners: tuple[Point, ...]
    fill: str | None
    stroke: Stroke | None = None


class Polyline(NamedTuple):
    """Straight lines from point to point, with round ends and corners unless they are dashed."""

    points: tuple[Point, ...]
    stroke: Stroke


class Curve(NamedTuple):
    """A quadratic curve from the first point to the third that is drawn towards the second; with round ends unless dashed."""

    points: tuple[Point, Point, Point]
    stroke: Stroke


class Routes(NamedTuple):
    """Many routes along straight lines as one shape; ``closed`` ones return to their start.

    They are filled, or have a stroke with straight ends: flat, or ``extended`` by half the width.
    """

    routes: tuple[tuple[Point, ...], ...]
    fill: str | None = None
    stroke: Stroke | None = None
    closed: bool = False
    extended: bool = False


class Text(NamedTuple):
    """A line of text on a baseline that begins, or has its middle if ``centred``, at a point; perhaps with a white halo.

    An ``angle`` in degrees turns it clockwise around the point above ``at`` that is half as high as a digit.
    """

    at: Point
    text: str
    size: float
    colour: str
    bold: bool = False
    centred: bool = False
    halo: float = 0.0
    angle: float = 0.0

    @property
    def pivot(self) -> Point:
        """The point around which it is turned."""
        return self.at.moved(0, -DIGIT_HEIGHT * self.size / 2)


Shape: TypeAlias = Circle | Rectangle | Polygon | Polyline | Curve | Routes | Text


# Pieces of a picture: shapes with the boxes around them. Lengths are in cells.


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


def scaled(piece: Piece, around: Point, by: float) -> Piece:
    """Return a piece at another size; the point ``around`` stays where it is."""

    def at(point: Point) -> Point:
        return Point(around.x + by * (point.x - around.x), around.y + by * (point.y - around.y))

    def box(old: Box) -> Box:
        return Box(*at(Point(*old[:2])), *at(Point(*old[2:])))

    match piece.shape:
        case Circle(centre, radius) as shape:
            new: Shape = shape._replace(centre=at(centre), radius=by * radius, stroke=_scaled_stroke(shape.stroke, by))
        case Rectangle(old) as shape:
            new = shape._replace(box=box(old), radius=by * shape.radius, stroke=_scaled_stroke(shape.stroke, by))
        case Polygon(corners) as shape:
            new = shape._replace(corners=tuple(map(at, corners)), stroke=_scaled_stroke(shape.stroke, by))
        case Polyline(points, edge):
            new = Polyline(tuple(map(at, points)), _scaled_stroke(edge, by) or edge)
        case Curve((start, middle, end), edge):
            new = Curve((at(start), at(middle), at(end)), _scaled_stroke(edge, by) or edge)
        case Routes(routes) as shape:
            new = shape._replace(routes=tuple(tuple(map(at, route)) for route in routes), stroke=_scaled_stroke(shape.stroke, by))
        case Text(start) as shape:
            new = shape._replace(at=at(start), size=by * shape.size, halo=by * shape.halo)
        case _:
            assert_never(piece.shape)
    return piece._replace(shape=new, box=box(piece.box))


def _scaled_stroke(edge: Stroke | None, by: float) -> Stroke | None:
    return edge and Stroke(edge.colour, by * edge.width, tuple(by * dash for dash in edge.dashes))


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


def turned_text(at: Point, text: str, size: float, colour: str, angle: float) -> Piece:
    """Return a text of any length centred at a point and turned around it, clockwise by degrees."""
    half = DIGIT_HEIGHT * size / 2
    shape = Text(at.moved(0, half), printable(text), size, colour, centred=True, angle=angle)
    wide = text_width(shape.text, size) / 2
    return Piece(shape, box_around(turned([at.moved(x, y) for x in (-wide, wide) for y in (-half, half)], at, angle)))


def turned(points: Iterable[Point], around: Point, angle: float) -> list[Point]:
    """Return points turned around another one, clockwise by degrees."""
    along, across = cos(radians(angle)), sin(radians(angle))
    return [
        around.moved(along * (x - around.x) - across * (y - around.y), across * (x - around.x) + along * (y - around.y))
        for x, y in points
    ]


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
