"""Each of the few drawable things as SVG. Lengths here are in cells, the first of which fills (0, 0) to (1, 1)."""

from __future__ import annotations

from html import escape
from math import hypot
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

from sudoku_cp.cosmetics import Arrow, Cage, Chevron, Clue, Dot, Line, Loop, Mark, Shade

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.cosmetics import Cosmetic, End
    from sudoku_cp.grid import Cell, Grid, Place

Element: TypeAlias = str
"""An SVG element."""

UNITS = 100
"""Units of the picture to a cell: some renderers draw letters badly whose size is below 1."""
INSET = 0.07
"""How far inside its cells a cage is drawn."""
BULB = 0.38
"""The radius of a circle that fills a cell."""


class Point(NamedTuple):
    """A point of the plane: right, down."""

    x: float
    y: float

    def towards(self, other: Point, far: float) -> Point:
        """Return the point that lies ``far`` from here on the way to another."""
        length = hypot(other.x - self.x, other.y - self.y) or 1.0
        return Point(self.x + (other.x - self.x) * far / length, self.y + (other.y - self.y) * far / length)


def shapes(thing: Cosmetic, grid: Grid) -> Iterator[Element]:
    """Yield the elements that draw ``thing``; clues stand outside, where `svg` places them."""
    middles = [_middle(grid, cell) for cell in thing.cells]
    match thing:
        case Shade():
            yield from (_shade(thing, middle) for middle in middles)
        case Line():
            yield from _line(thing, middles)
        case Arrow(_, colour):
            yield from _arrow(middles, colour)
        case Loop(_, colour):
            yield _loop(middles, colour)
        case Cage():
            yield from _cage(thing, [grid.places[cell] for cell in thing.cells])
        case Dot():
            yield from _dot(thing, _centre(middles))
        case Mark(_, said, colour):
            yield text(_centre(middles), said, 0.34 if len(middles) < 4 else 0.26, colour, halo=True)  # noqa: PLR2004
        case Chevron():
            yield from _chevron(*middles)
        case Clue():
            pass
        case _:
            assert_never(thing)


def text(at: Point, said: str, size: float, colour: str = "#000000", *, halo: bool = False, bold: bool = False) -> Element:
    """Return a text around a point, smaller where it would be wider than a cell."""
    size = min(size, 1.5 / max(1, len(said)))
    around = f' stroke="#FFFFFF" stroke-width="{number(0.08)}" paint-order="stroke" stroke-linejoin="round"' if halo else ""
    weight = ' font-weight="bold"' if bold else ""
    return _words(at, said, size, f'fill="{colour}"{weight}{around} text-anchor="middle"')


def label(at: Point, said: str, size: float, colour: str = "#000000") -> Element:
    """Return a text that begins at a point, however long it is."""
    return _words(at, said, size, f'fill="{colour}"')


def _words(at: Point, said: str, size: float, look: str) -> Element:
    where = f'x="{number(at.x)}" y="{number(at.y + 0.35 * size)}" font-size="{number(size)}"'
    return f"<text {where} {look}>{escape(printable(said))}</text>"


def printable(said: str) -> str:
    """Return the text with what XML has no sign for replaced."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in said)


def number(value: float) -> str:
    """Return a length, given in cells, in units of the picture, in as few digits as it needs."""
    return f"{UNITS * value:.1f}".rstrip("0").rstrip(".")


def arrow_head(tip: Point, before: Point, colour: str, size: float = 0.22) -> Element:
    """Return the two strokes of an arrow that comes from ``before``."""
    back = tip.towards(before, size)
    across = Point((back.y - tip.y) * 0.6, (tip.x - back.x) * 0.6)
    sides = [Point(back.x + across.x, back.y + across.y), tip, Point(back.x - across.x, back.y - across.y)]
    return stroke(sides, colour, 0.05)


def stroke(points: Sequence[Point], colour: str, width: float, dashes: str = "") -> Element:
    """Return a line through the points."""
    route = " ".join(f"{number(point.x)},{number(point.y)}" for point in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ' stroke-linecap="round" stroke-linejoin="round"'
    return f'<polyline points="{route}" fill="none" stroke="{colour}" stroke-width="{number(width)}"{dashed}/>'


def _middle(grid: Grid, cell: Cell) -> Point:
    row, column = grid.places[cell]
    return Point(column + 0.5, row + 0.5)


def _centre(points: Sequence[Point]) -> Point:
    return Point(sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points))


def circle(at: Point, radius: float, fill: str, edge: str = "", width: float = 0.04) -> Element:
    """Return a circle, with an edge if that has a colour."""
    around = f' stroke="{edge}" stroke-width="{number(width)}"' if edge else ""
    return f'<circle cx="{number(at.x)}" cy="{number(at.y)}" r="{number(radius)}" fill="{fill}"{around}/>'


def _diamond(at: Point, radius: float, fill: str, edge: str = "") -> Element:
    corners = [(at.x, at.y - radius), (at.x + radius, at.y), (at.x, at.y + radius), (at.x - radius, at.y)]
    return polygon([Point(*corner) for corner in corners], fill, edge)


def polygon(corners: Sequence[Point], fill: str, edge: str = "", width: float = 0.05) -> Element:
    """Return a polygon, with an edge if that has a colour."""
    route = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    around = f' stroke="{edge}" stroke-width="{number(width)}"' if edge else ""
    return f'<polygon points="{route}" fill="{fill}"{around}/>'


def _square(at: Point, half: float, fill: str) -> Element:
    side = number(2 * half)
    return f'<rect x="{number(at.x - half)}" y="{number(at.y - half)}" width="{side}" height="{side}" fill="{fill}"/>'


def _shade(thing: Shade, middle: Point) -> Element:
    match thing.shape:
        case "cell":
            return _square(middle, 0.5, thing.colour)
        case "square":
            return _square(middle, 0.36, thing.colour)
        case "circle":
            return circle(middle, 0.4, thing.colour)
        case "diamond":
            return _diamond(middle, 0.45, thing.colour)
        case _:
            assert_never(thing.shape)


def _line(thing: Line, middles: Sequence[Point]) -> Iterator[Element]:
    route = [*middles, *middles] if len(middles) == 1 else [*middles]
    if thing.beyond:
        route[0], route[-1] = route[0].towards(route[1], -thing.beyond), route[-1].towards(route[-2], -thing.beyond)
    yield stroke(route, thing.colour, thing.width)
    yield from _end(thing.start, middles[0], thing.colour)
    yield from _end(thing.end, middles[-1], thing.colour)


def _end(end: End, at: Point, colour: str) -> Iterator[Element]:
    match end:
        case "plain":
            pass
        case "bulb":
            yield circle(at, BULB, colour)
        case "circle":
            yield circle(at, BULB, "#FFFFFF", colour, 0.06)
        case "diamond":
            yield _diamond(at, 0.46, "#FFFFFF", colour)
        case _:
            assert_never(end)


def _arrow(middles: Sequence[Point], colour: str) -> Iterator[Element]:
    if len(middles) > 1:
        yield stroke([middles[0].towards(middles[1], BULB), *middles[1:]], colour, 0.06)
        yield arrow_head(middles[-1], middles[-2], colour)


def _loop(middles: Sequence[Point], colour: str) -> Element:
    left, top = min(point.x for point in middles) - BULB, min(point.y for point in middles) - BULB
    width, height = max(point.x for point in middles) + BULB - left, max(point.y for point in middles) + BULB - top
    size = f'width="{number(width)}" height="{number(height)}" rx="{number(BULB)}"'
    return f'<rect x="{number(left)}" y="{number(top)}" {size} fill="#FFFFFF" stroke="{colour}" stroke-width="{number(0.06)}"/>'


def _cage(thing: Cage, places: Sequence[Place]) -> Iterator[Element]:
    inside = frozenset(places)
    for place in dict.fromkeys(places):
        for side in _cage_sides(place, inside):
            yield stroke(side, thing.colour, 0.03, f"{number(0.09)} {number(0.06)}")
    if thing.text:
        row, column = min(inside)
        said = thing.text
        width, height = number(0.15 * len(said) + 0.06), number(0.26)
        where = f'x="{number(column + 0.03)}" y="{number(row + 0.03)}"'
        yield f'<rect {where} width="{width}" height="{height}" fill="#FFFFFF"/>'
        yield label(Point(column + 0.06, row + 0.156), said, 0.24, thing.colour)


def _cage_sides(place: Place, inside: frozenset[Place]) -> Iterator[tuple[Point, Point]]:
    """Yield the sides of a cell that the cage ends at, so long that they meet at every corner."""
    row, column = place

    def reach(along: Place, aslant: Place) -> float:
        """Return how far a side goes beyond its cell: not to its edge, to it, or over it, around an inner corner."""
        return -INSET if along not in inside else INSET if aslant in inside else 0.0

    for out in (-1, 1):
        edge = 0.5 + out * (0.5 - INSET)
        if (row + out, column) not in inside:
            left, right = (reach((row, column + step), (row + out, column + step)) for step in (-1, 1))
            yield Point(column - left, row + edge), Point(column + 1 + right, row + edge)
        if (row, column + out) not in inside:
            up, down = (reach((row + step, column), (row + step, column + out)) for step in (-1, 1))
            yield Point(column + edge, row - up), Point(column + edge, row + 1 + down)


_DOT_SIZES = {1: BULB, 2: 0.15, 4: 0.27}
"""The radius of a dot by the number of cells around it."""


def _dot(thing: Dot, at: Point) -> Iterator[Element]:
    radius = _DOT_SIZES.get(len(thing.cells), 0.27)
    fill = "#000000" if thing.filled else "#FFFFFF"
    edge, width = ("#A1A1A1", 0.06) if len(thing.cells) == 1 else ("#000000", 0.03)
    yield circle(at, radius, fill, edge, width)
    if not thing.text:
        return
    words = thing.text.split()
    rows = [thing.text] if len(thing.text) <= 3 else [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]  # noqa: PLR2004
    size = 0.4 if len(thing.cells) == 1 else 0.3 if len(thing.text) <= 2 and len(thing.cells) > 2 else 0.22  # noqa: PLR2004
    for line, said in enumerate(row for row in rows if row):
        down = (line - (len(rows) - 1) / 2) * 0.2
        yield text(Point(at.x, at.y + down), said, size, "#FFFFFF" if thing.filled else "#000000")


def _chevron(larger: Point, smaller: Point) -> Iterator[Element]:
    middle = _centre([larger, smaller])
    tip, back = middle.towards(smaller, 0.07), middle.towards(larger, 0.07)
    across = Point((back.y - tip.y) * 1.1, (tip.x - back.x) * 1.1)
    sides = [Point(back.x + across.x, back.y + across.y), tip, Point(back.x - across.x, back.y - across.y)]
    yield stroke(sides, "#FFFFFF", 0.13)  # the line it lies on may be as black and as thick
    yield stroke(sides, "#000000", 0.045)
