"""Pieces of a picture: SVG elements with their boxes. Lengths are in cells; the first cell fills (0, 0) to (1, 1)."""

from __future__ import annotations

from html import escape
from math import hypot
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Element: TypeAlias = str
"""An SVG element."""

UNITS = 100
"""Units of the SVG per cell: some renderers draw letters badly if their size is below 1."""
_ROUNDING = 1e-9
"""Lengths below this come from rounding."""
LETTER_WIDTH, DIGIT_HEIGHT = 0.62, 0.7
"""The width reserved for a letter, and the height of a digit, relative to the font size."""


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
        """Say whether the two have more than an edge in common."""
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


class SvgPiece(NamedTuple):
    """An element and its bounding box, or the circle within the box if it is ``round``.

    ``text`` is its letters, which nothing may cover; an ``opaque`` piece hides what is below.
    """

    element: Element
    box: Box
    text: str = ""
    opaque: bool = False
    round: bool = False

    def hides(self, box: Box) -> bool:
        """Say whether this piece would hide a part of that box."""
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


def centred_text(
    at: Point, text: str, size: float, colour: str = "#000000", *, halo: bool = False, bold: bool = False
) -> SvgPiece:
    """Return a text centred at a point, smaller if it would be wider than a cell."""
    size = min(size, 0.93 / (LETTER_WIDTH * max(1, len(text))))
    around = (
        f' stroke="#FFFFFF" stroke-width="{format_length(0.08)}" paint-order="stroke" stroke-linejoin="round"' if halo else ""
    )
    weight = ' font-weight="bold"' if bold else ""
    half = text_width(text, size) / 2
    return _text_piece(at, text, size, f'fill="{colour}"{weight}{around} text-anchor="middle"', at.x - half)


def left_text(at: Point, text: str, size: float, colour: str = "#000000", *, bold: bool = False) -> SvgPiece:
    """Return a text of any length that begins at a point."""
    weight = ' font-weight="bold"' if bold else ""
    return _text_piece(at, text, size, f'fill="{colour}"{weight}', at.x)


def _text_piece(at: Point, text: str, size: float, look: str, left: float) -> SvgPiece:
    half = DIGIT_HEIGHT * size / 2
    where = f'x="{format_length(at.x)}" y="{format_length(at.y + half)}" font-size="{format_length(size)}"'
    shown = printable(text)
    box = Box(left, at.y - half, left + text_width(text, size), at.y + half)
    return SvgPiece(f"<text {where} {look}>{escape(shown)}</text>", box, shown)


def printable(text: str) -> str:
    """Return the text with characters that XML does not allow replaced."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def format_length(value: float) -> str:
    """Format a length, given in cells, in SVG units with as few digits as needed."""
    return f"{UNITS * value:.1f}".rstrip("0").rstrip(".")


# --- forms ------------------------------------------------------------------------------------------------------


def stroke(points: Sequence[Point], colour: str, width: float, dashes: str = "") -> SvgPiece:
    """Return a line through the points."""
    route = " ".join(f"{format_length(point.x)},{format_length(point.y)}" for point in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ' stroke-linecap="round" stroke-linejoin="round"'
    drawn = f'<polyline points="{route}" fill="none" stroke="{colour}" stroke-width="{format_length(width)}"{dashed}/>'
    return SvgPiece(drawn, box_around(points, width / 2))


def curve(start: Point, middle: Point, end: Point, colour: str, width: float, dashes: str = "") -> SvgPiece:
    """Return a quadratic curve from ``start`` to ``end`` that is drawn towards ``middle``."""
    (x0, y0), (x1, y1), (x2, y2) = (map(format_length, point) for point in (start, middle, end))
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ' stroke-linecap="round"'
    look = f'fill="none" stroke="{colour}" stroke-width="{format_length(width)}"{dashed}'
    return SvgPiece(f'<path d="M{x0} {y0}Q{x1} {y1} {x2} {y2}" {look}/>', box_around([start, middle, end], width / 2))


def arrow_head(tip: Point, before: Point, colour: str, size: float = 0.22) -> SvgPiece:
    """Return the two strokes of the head of an arrow that comes from ``before``."""
    back = tip.towards(before, size)
    across = Point((back.y - tip.y) * 0.6, (tip.x - back.x) * 0.6)
    return stroke([back.moved(*across), tip, back.moved(-across.x, -across.y)], colour, 0.05)


def circle(at: Point, radius: float, fill: str, edge: str = "", width: float = 0.04) -> SvgPiece:
    """Return a circle, with an edge if ``edge`` is a colour."""
    where = f'cx="{format_length(at.x)}" cy="{format_length(at.y)}" r="{format_length(radius)}"'
    drawn = f'<circle {where} fill="{fill}"{_edge_attributes(edge, width)}/>'
    return SvgPiece(drawn, box_around([at], radius + (width / 2 if edge else 0)), opaque=fill != "none", round=True)


def polygon(corners: Sequence[Point], fill: str, edge: str = "", width: float = 0.05) -> SvgPiece:
    """Return a polygon, with an edge if ``edge`` is a colour."""
    route = " ".join(f"{format_length(x)},{format_length(y)}" for x, y in corners)
    drawn = f'<polygon points="{route}" fill="{fill}"{_edge_attributes(edge, width)}/>'
    return SvgPiece(drawn, box_around(corners, width / 2 if edge else 0), opaque=fill != "none")


def diamond(at: Point, radius: float, fill: str, edge: str = "", width: float = 0.05) -> SvgPiece:
    """Return a square standing on a corner."""
    corners = [at.moved(0, -radius), at.moved(radius, 0), at.moved(0, radius), at.moved(-radius, 0)]
    return polygon(corners, fill, edge, width)


def rectangle(box: Box, fill: str, edge: str = "", width: float = 0.06, round_by: float = 0.0) -> SvgPiece:
    """Return a rectangle, with round corners if ``round_by`` is positive."""
    where = f'x="{format_length(box.left)}" y="{format_length(box.top)}"'
    size = f'width="{format_length(box.right - box.left)}" height="{format_length(box.bottom - box.top)}"'
    corners = f' rx="{format_length(round_by)}"' if round_by else ""
    drawn = f'<rect {where} {size}{corners} fill="{fill}"{_edge_attributes(edge, width)}/>'
    return SvgPiece(drawn, box.grown(width / 2 if edge else 0), opaque=fill != "none")


def _edge_attributes(colour: str, width: float) -> str:
    return f' stroke="{colour}" stroke-width="{format_length(width)}"' if colour else ""
