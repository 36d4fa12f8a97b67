"""Shapes as elements of SVG."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias, assert_never

from sudoku_cp.render.lengths import format_length
from sudoku_cp.render.shapes import Circle, Curve, Polygon, Polyline, Rectangle, Routes, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.render.geometry import Point
    from sudoku_cp.render.shapes import Shape, Stroke

Element: TypeAlias = str
"""An SVG element."""


def svg_element(shape: Shape) -> Element:
    """Return the element of a shape."""
    match shape:
        case Circle(centre, radius, fill, stroke):
            where = f'cx="{format_length(centre.x)}" cy="{format_length(centre.y)}" r="{format_length(radius)}"'
            return f'<circle {where} fill="{fill or "none"}"{_edge(stroke)}/>'
        case Rectangle(box, fill, stroke, radius):
            where = f'x="{format_length(box.left)}" y="{format_length(box.top)}"'
            size = f'width="{format_length(box.right - box.left)}" height="{format_length(box.bottom - box.top)}"'
            corners = f' rx="{format_length(radius)}"' if radius else ""
            return f'<rect {where} {size}{corners} fill="{fill or "none"}"{_edge(stroke)}/>'
        case Polygon(corners, fill, stroke):
            return f'<polygon points="{_points(corners)}" fill="{fill or "none"}"{_edge(stroke)}/>'
        case Polyline(points, stroke):
            ends = _dashes(stroke) or ' stroke-linecap="round" stroke-linejoin="round"'
            return f'<polyline points="{_points(points)}" fill="none"{_edge(stroke)}{ends}/>'
        case Curve(points, stroke):
            (x0, y0), (x1, y1), (x2, y2) = (map(format_length, point) for point in points)
            ends = _dashes(stroke) or ' stroke-linecap="round"'
            return f'<path d="M{x0} {y0}Q{x1} {y1} {x2} {y2}" fill="none"{_edge(stroke)}{ends}/>'
        case Routes():
            return _routes_element(shape)
        case Text():
            return _text_element(shape)
        case _:
            assert_never(shape)


def _points(points: Iterable[Point]) -> str:
    return " ".join(f"{format_length(x)},{format_length(y)}" for x, y in points)


def _edge(stroke: Stroke | None) -> str:
    return f' stroke="{stroke.colour}" stroke-width="{format_length(stroke.width)}"' if stroke else ""


def _dashes(stroke: Stroke) -> str:
    return f' stroke-dasharray="{" ".join(map(format_length, stroke.dashes))}"' if stroke.dashes else ""


def _routes_element(shape: Routes) -> Element:
    end = "z" if shape.closed else ""
    data = "".join(
        f"M{format_length(route[0].x)} {format_length(route[0].y)}{''.join(_step(*step) for step in pairwise(route))}{end}"
        for route in shape.routes
    )
    ends = ' stroke-linecap="square"' if shape.extended else ""
    return f'<path d="{data}" fill="{shape.fill or "none"}"{_edge(shape.stroke)}{ends}/>'


def _step(start: Point, end: Point) -> str:
    """Return the shortest command of a path from point to point."""
    if start.y == end.y:
        return f"h{format_length(end.x - start.x)}"
    if start.x == end.x:
        return f"v{format_length(end.y - start.y)}"
    return f"L{format_length(end.x)} {format_length(end.y)}"


def _text_element(shape: Text) -> Element:
    where = f'x="{format_length(shape.at.x)}" y="{format_length(shape.at.y)}" font-size="{format_length(shape.size)}"'
    weight = ' font-weight="bold"' if shape.bold else ""
    halo = f'{_halo(shape.halo)} paint-order="stroke" stroke-linejoin="round"' if shape.halo else ""
    middle = ' text-anchor="middle"' if shape.centred else ""
    return f'<text {where} fill="{shape.colour}"{weight}{halo}{middle}>{escape(shape.text)}</text>'


def _halo(width: float) -> str:
    return f' stroke="#FFFFFF" stroke-width="{format_length(width)}"'
