"""The seven shapes that pictures are made of, whatever they are written to. Lengths are in cells, colours ``#RRGGBB``.

A writer for a kind of file knows these and nothing else; `svg_writer` is one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from sudoku_cp.render.geometry import Box, Point


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
    """A line of text on a baseline that begins, or has its middle if ``centred``, at a point; perhaps with a white halo."""

    at: Point
    text: str
    size: float
    colour: str
    bold: bool = False
    centred: bool = False
    halo: float = 0.0


Shape: TypeAlias = Circle | Rectangle | Polygon | Polyline | Curve | Routes | Text
