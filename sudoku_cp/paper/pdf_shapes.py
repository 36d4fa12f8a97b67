"""Shapes as operators of PDF, written straight into the content of a page.

Coordinates are those of the SVG writer: hundredths of a cell, downwards. The page's matrix turns them over, and texts turn back.
Colours, widths and dashes are written when they change; a `ShapeWriter` knows the state since the last ``q`` or ``Q``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, assert_never

from sudoku_cp.render.geometry import Circle, Curve, Point, Polygon, Polyline, Rectangle, Routes, Text, format_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sudoku_cp.paper.typefaces import Typefaces
    from sudoku_cp.render.geometry import Shape, Stroke

_ROUNDNESS = 0.5522847498
"""How far the control points of a cubic curve lie on its tangents, in radii, if it is to be a quarter of a circle."""
_BUTT, _ROUND, _SQUARE = "0 J", "1 J", "2 J"
_MITRED, _ROUNDED = "0 j", "1 j"


class TextEncoder:
    """Texts as strings of PDF in the subsets of fonts that a document embeds."""

    def __init__(self, document: Any, typefaces: Typefaces) -> None:
        """Encode for a document of reportlab."""
        self._document, self._typefaces = document, typefaces
        self._known: dict[tuple[str, bool], tuple[tuple[str, str], ...]] = {}
        self.width = typefaces.width

    def strings(self, text: str, *, bold: bool) -> tuple[tuple[str, str], ...]:
        """Return the parts of a text, each as the name of a font and a string in parentheses."""
        found = self._known.get((text, bold))
        if found is None:
            found = self._known[text, bold] = tuple(
                (run.font.getSubsetInternalName(subset, self._document), _escape(codes))
                for run in self._typefaces.runs(text, bold=bold)
                for subset, codes in run.font.splitString(run.text, self._document)
            )
        return found


def _escape(codes: bytes) -> str:
    """Return bytes as a string of PDF that consists of visible ASCII."""
    return f"({''.join(_ESCAPED[code] for code in codes)})"


_ESCAPED = [chr(code) if 32 <= code < 127 and chr(code) not in "()\\" else f"\\{code:03o}" for code in range(256)]  # noqa: PLR2004  # ASCII


class ShapeWriter:
    """Writes shapes as operators; `operators` are those written so far."""

    def __init__(self, encoder: TextEncoder) -> None:
        """Begin with the state of a new page."""
        self.operators: list[str] = []
        self._encoder = encoder
        self._state: dict[str, str] = {}
        self._saved: list[dict[str, str]] = []

    def save(self, *operators: str) -> None:
        """Save the state, and write operators that change it."""
        self._saved.append(dict(self._state))
        self.operators += ["q", *operators]

    def restore(self) -> None:
        """Return to the state last saved."""
        self._state = self._saved.pop()
        self.operators.append("Q")

    def _set(self, name: str, operator: str) -> None:
        if self._state.get(name) != operator:
            self._state[name] = operator
            self.operators.append(operator)

    def write(self, shape: Shape) -> None:
        """Write a shape."""
        match shape:
            case Circle(centre, radius, fill, stroke):
                self._paint(_circle_path(centre, radius), fill, stroke)
            case Rectangle(box, fill, stroke, radius):
                self._paint(_rectangle_path(*box, radius), fill, stroke)
            case Polygon(corners, fill, stroke):
                self._paint(f"{_line_path(corners)}h\n", fill, stroke)
            case Polyline(points, stroke):
                self._paint(_line_path(points), None, stroke, *_ends(stroke))
            case Curve(points, stroke):
                self._paint(_curve_path(*points), None, stroke, *_ends(stroke))
            case Routes(routes, fill, stroke, closed, extended):
                self._paint(_routes_path(routes, closed=closed), fill, stroke, _SQUARE if extended else _BUTT)
            case Text():
                self._write_text(shape)
            case _:
                assert_never(shape)

    def _paint(self, path: str, fill: str | None, stroke: Stroke | None, cap: str = _BUTT, join: str = _MITRED) -> None:
        if fill:
            self._set("fill", f"{_colour(fill)} rg")
        if stroke:
            self._set("stroke", f"{_colour(stroke.colour)} RG")
            self._set("width", f"{format_length(stroke.width)} w")
            self._set("dashes", f"[{' '.join(map(format_length, stroke.dashes))}] 0 d")
            self._set("cap", cap)
            self._set("join", join)
        operator = "B" if fill and stroke else "f" if fill else "S" if stroke else "n"
        self.operators.append(path + operator)

    def _write_text(self, shape: Text) -> None:
        left = shape.at.x - (self._encoder.width(shape.text, bold=shape.bold) * shape.size / 2 if shape.centred else 0)
        place = f"1 0 0 -1 {format_length(left)} {format_length(shape.at.y)} Tm"
        strings = self._encoder.strings(shape.text, bold=shape.bold)
        size = format_length(shape.size)
        shown = "\n".join(f"{font} {size} Tf {string} Tj" for font, string in strings)
        if shape.halo:
            self._set("stroke", "1 1 1 RG")
            self._set("width", f"{format_length(shape.halo)} w")
            self._set("join", _ROUNDED)
            self._set("dashes", "[] 0 d")
            # The halo is the text once more: a reader is told that it says nothing.
            self.operators.append(f"/Span <</ActualText ()>> BDC\nBT\n{place} 1 Tr\n{shown}\nET\nEMC")
        self._set("fill", f"{_colour(shape.colour)} rg")
        self.operators.append(f"BT\n{place} 0 Tr\n{shown}\nET" if shape.halo else f"BT\n{place}\n{shown}\nET")


# --- paths ------------------------------------------------------------------------------------------------------


def _ends(stroke: Stroke) -> tuple[str, str]:
    return (_BUTT, _MITRED) if stroke.dashes else (_ROUND, _ROUNDED)


@lru_cache(maxsize=4096)
def _colour(colour: str) -> str:
    """Return the three numbers of a colour ``#RRGGBB``."""
    return " ".join(f"{int(colour[start : start + 2], 16) / 255:.3f}".rstrip("0").rstrip(".") for start in (1, 3, 5))


def _pair(x: float, y: float) -> str:
    return f"{format_length(x)} {format_length(y)}"


def _line_path(points: Iterable[Point]) -> str:
    first, *others = (_pair(x, y) for x, y in points)
    return f"{first} m\n" + "".join(f"{one} l\n" for one in others)


def _cubic(control: Point, other: Point, end: Point) -> str:
    return f"{_pair(*control)} {_pair(*other)} {_pair(*end)} c\n"


def _curve_path(start: Point, towards: Point, end: Point) -> str:
    """Return a quadratic curve as a cubic one, whose control points lie two thirds of the way to that of the quadratic."""
    first, second = (Point(p.x + 2 / 3 * (towards.x - p.x), p.y + 2 / 3 * (towards.y - p.y)) for p in (start, end))
    return f"{_pair(*start)} m\n{_cubic(first, second, end)}"


def _circle_path(centre: Point, radius: float) -> str:
    return _rectangle_path(centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius, radius)


def _rectangle_path(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    """Return a rectangle whose corners are quarters of circles of this radius, or less if that is too large."""
    r = min(radius, (right - left) / 2, (bottom - top) / 2)
    if not r:
        return f"{_pair(left, top)} {_pair(right - left, bottom - top)} re\n"
    k = r * (1 - _ROUNDNESS)
    return (
        f"{_pair(left + r, top)} m\n{_pair(right - r, top)} l\n"
        + _cubic(Point(right - k, top), Point(right, top + k), Point(right, top + r))
        + f"{_pair(right, bottom - r)} l\n"
        + _cubic(Point(right, bottom - k), Point(right - k, bottom), Point(right - r, bottom))
        + f"{_pair(left + r, bottom)} l\n"
        + _cubic(Point(left + k, bottom), Point(left, bottom - k), Point(left, bottom - r))
        + f"{_pair(left, top + r)} l\n"
        + _cubic(Point(left, top + k), Point(left + k, top), Point(left + r, top))
        + "h\n"
    )


@lru_cache(maxsize=256)  # the lines of a grid come again in every picture
def _routes_path(routes: Sequence[tuple[Point, ...]], *, closed: bool) -> str:
    return "".join(_line_path(route) + "h\n" * closed for route in routes)
