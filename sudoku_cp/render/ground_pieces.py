"""What lies on the grid's ground, as pieces: lines, arrows, outlines, shades. `edge_signs` places what has letters."""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise
from math import hypot
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Cage, Chevron, Clue, Dot, DrawnArrow, Line, Mark, NestedDrawing, Note, Pill, Shade
from sudoku_cp.render.cage_outlines import draw_cage
from sudoku_cp.render.geometry import Point, box_around
from sudoku_cp.render.pieces import Piece, arrow_head, circle, diamond, polygon, rectangle, stroke
from sudoku_cp.render.rule_cosmetics import BROAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import End
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.render.line_offsets import Offset
    from sudoku_cp.render.rule_cosmetics import RuleCosmetic

BULB = 0.38
"""The radius of a circle that fills a cell."""
STEP, DISC_STEP = 0.055, 0.1
"""How much smaller an outline, or a disc, is for each other one around it."""
EDGED = 0.08
"""The white edge on both sides of a line that meets another."""
DIAMOND = 0.46
"""The distance from the centre of a diamond to its corners."""


def cell_centre(grid: Grid, cell: Cell) -> Point:
    """Return the centre of a cell."""
    row, column = grid.places[cell]
    return Point(column + 0.5, row + 0.5)


def centroid(points: Sequence[Point]) -> Point:
    """Return the centroid of some points."""
    return Point(sum(point.x for point in points) / len(points), sum(point.y for point in points) / len(points))


class Depth(IntEnum):
    """Drawing order, lowest first, so that of several things in one cell each can be seen."""

    GROUND = 0
    PILL = 1
    DISC = 2
    BROAD = 3
    THIN = 4
    RING = 5
    OUTLINE = 6


def ground_pieces(
    thing: RuleCosmetic, grid: Grid, shared: Mapping[Cell, Sequence[str]] = MappingProxyType({}), aside: Offset | None = None
) -> Iterator[tuple[Depth, Piece]]:
    """Yield the pieces of what a thing draws on the ground, each with its depth.

    ``shared`` has the colours of each cell's ground; a line that meets another is moved ``aside`` and has a white edge.
    """
    drawn, level = thing.drawn, thing.level
    middles = [cell_centre(grid, cell).moved(*aside or (0, 0)) for cell in drawn.cells]
    match drawn:
        case Shade():
            depth = Depth.GROUND if drawn.shape == "cell" else Depth.DISC
            for cell in dict.fromkeys(drawn.cells):
                yield depth, _shade(drawn, cell_centre(grid, cell), shared.get(cell, ()), level)
        case Line():
            yield from _line(drawn, middles, level, edged=aside is not None)
        case DrawnArrow():
            bulb = [cell_centre(grid, cell) for cell in drawn.bulb] or middles[:1]
            yield from ((Depth.THIN, piece) for piece in _arrow(middles, bulb, drawn.colour, edged=aside is not None))
        case Pill():
            yield from ((Depth.PILL, piece) for piece in _loop(middles, drawn.colour))
        case Cage():
            places = [grid.places[cell] for cell in drawn.cells]
            yield from ((Depth.OUTLINE, piece) for piece in draw_cage(places, drawn.colour, level))
        case Dot((_,)):
            inside = drawn.colour if drawn.filled else None
            yield Depth.RING, circle(middles[0], BULB - STEP * level, inside, drawn.colour, 0.06)
        case Dot() | Mark() | Chevron() | Clue() | Note() | NestedDrawing():
            pass


def ground_colours(things: Sequence[RuleCosmetic]) -> dict[Cell, list[str]]:
    """Return the ground colours of each cell that has any."""
    found: dict[Cell, dict[str, None]] = {}
    for thing in things:
        if isinstance(thing.drawn, Shade) and thing.drawn.shape == "cell":
            for cell in thing.drawn.cells:
                found.setdefault(cell, {})[thing.drawn.colour] = None
    return {cell: [*colours] for cell, colours in found.items()}


def _shade(thing: Shade, at: Point, shared: Sequence[str], level: int) -> Piece:
    smaller = DISC_STEP * min(level, 3)
    match thing.shape:
        case "cell" if len(shared) > 1:
            return polygon(_wedge(at, shared.index(thing.colour), len(shared)), thing.colour)
        case "cell":
            return rectangle(box_around([at], 0.5), thing.colour)
        case "circle":
            return circle(at, 0.4 - smaller, thing.colour)
        case "diamond":
            return diamond(at, 0.45 - smaller, thing.colour)
        case "square":
            return rectangle(box_around([at], 0.36 - smaller), thing.colour)


def _wedge(at: Point, number: int, parts: int) -> list[Point]:
    """Return the corners of wedge ``number`` of ``parts`` that a cell is cut into around its centre."""
    corners = [at.moved(x / 2, y / 2) for x, y in ((-1, 1), (-1, -1), (1, -1), (1, 1))]

    def rim(turn: float) -> Point:
        side, along = divmod(turn % 4, 1)
        one, other = corners[int(side)], corners[(int(side) + 1) % 4]
        return Point(one.x + along * (other.x - one.x), one.y + along * (other.y - one.y))

    start, end = 4 * number / parts, 4 * (number + 1) / parts
    between = [rim(turn) for turn in range(int(start) + 1, int(end) + (end % 1 > 0))]
    return [at, rim(start), *between, rim(end)]


def _line(thing: Line, middles: Sequence[Point], level: int, *, edged: bool) -> Iterator[tuple[Depth, Piece]]:
    route = [*middles, *middles] if len(middles) == 1 else [*middles]
    if thing.beyond:
        route[0], route[-1] = route[0].towards(route[1], -thing.beyond), route[-1].towards(route[-2], -thing.beyond)
    ring, depth = BULB - STEP * level, Depth.BROAD if thing.width >= BROAD else Depth.THIN
    wide = thing.width + EDGED
    if edged:  # round ends of a white edge would show within a bulb
        yield depth, stroke(_trim_ends(thing, route, ring, BULB + wide / 2), "#FFFFFF", wide)
    yield depth, stroke(_trim_ends(thing, route, ring, 0), thing.colour, thing.width)
    for end, at in ((thing.start, middles[0]), (thing.end, middles[-1])):
        match end:
            case "bulb":
                yield Depth.DISC, circle(at, BULB - DISC_STEP * min(level, 3), thing.colour)
            case "circle":
                yield Depth.RING, circle(at, ring, None, thing.colour, 0.06)
            case "diamond":
                yield Depth.RING, diamond(at, DIAMOND, None, thing.colour)
            case "plain":
                pass


def _trim_ends(thing: Line, route: Sequence[Point], ring: float, bulb: float) -> list[Point]:
    """Return a route without the part inside open ends, and without ``bulb`` from the centre of a bulb."""
    radii = {"circle": ring, "bulb": bulb}
    first = _line_start(thing.start, route[0], route[1], radii.get(thing.start, 0))
    return [first, *route[1:-1], _line_start(thing.end, route[-1], route[-2], radii.get(thing.end, 0))]


def _line_start(end: End, at: Point, towards: Point, radius: float) -> Point:
    """Return where a line begins: at the edge of an open end, so that nothing below it is hidden."""
    match end:
        case "circle" | "bulb":
            return at.towards(towards, radius)
        case "diamond":
            sides = abs(towards.x - at.x) + abs(towards.y - at.y)
            return at.towards(towards, DIAMOND * hypot(towards.x - at.x, towards.y - at.y) / sides if sides else 0)
        case "plain":
            return at


def _arrow(middles: Sequence[Point], bulb: Sequence[Point], colour: str, *, edged: bool) -> Iterator[Piece]:
    if len(middles) > 1:
        route = _route_outside(middles, bulb)
        if edged:
            yield stroke(route, "#FFFFFF", 0.06 + EDGED)
        yield stroke(route, colour, 0.06)
        yield arrow_head(route[-1], route[-2], colour)


def _route_outside(route: Sequence[Point], spine: Sequence[Point]) -> list[Point]:
    """Return the rest of a route from the point where it leaves the pill around a spine."""
    for place in range(len(route) - 1):
        inside, beyond = route[place], route[place + 1]
        if _distance(beyond, spine) <= BULB:
            continue
        for _ in range(20):  # bisection finds the edge to a millionth of a cell
            half = centroid([inside, beyond])
            inside, beyond = (half, beyond) if _distance(half, spine) <= BULB else (inside, half)
        return [beyond, *route[place + 1 :]]
    return [*route]


def _distance(point: Point, spine: Sequence[Point]) -> float:
    """Return the distance from a point to a polyline."""
    found = [hypot(point.x - at.x, point.y - at.y) for at in spine]
    for one, other in pairwise(spine):
        across, down = other.x - one.x, other.y - one.y
        along = ((point.x - one.x) * across + (point.y - one.y) * down) / (across**2 + down**2 or 1)
        if 0 < along < 1:
            found.append(hypot(point.x - one.x - along * across, point.y - one.y - along * down))
    return min(found)


def _loop(middles: Sequence[Point], colour: str) -> Iterator[Piece]:
    box = box_around(middles, BULB)
    if min(box.right - box.left, box.bottom - box.top) <= 2 * BULB + 0.01:
        yield rectangle(box, None, colour, round_by=BULB)
    else:  # cells that are not in one row or column: a broad line with a white one on it
        yield stroke(middles, colour, 2 * BULB + 0.06)
        yield stroke(middles, "#FFFFFF", 2 * BULB - 0.06)
