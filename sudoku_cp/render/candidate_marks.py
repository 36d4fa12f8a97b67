"""What an annotation draws: shapes around candidates, strokes through them, curves between them, grounds of cells."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product, starmap
from math import ceil, cos, dist, pi, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.model import members
from sudoku_cp.render.cell_labels import STRIP
from sudoku_cp.render.geometry import (
    LETTER_WIDTH,
    Box,
    Piece,
    Point,
    Stroke,
    box_around,
    centred_text,
    circle,
    curve,
    diamond,
    polygon,
    rectangle,
    segments,
    squares,
    stroke,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import Annotation, Candidate, CandidateLink, CandidateMark, CellGround, MarkShape
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Position, Puzzle
    from sudoku_cp.render.cell_labels import TakenSpace


_EDGE = 0.022
"""The width of the edge of a shape, in cells."""
_PALE = 0.28
"""How much of its colour a shape has inside; the rest is white."""
_BOND = "#DDDDDD"
"""The colour of the band that joins the candidates of a group."""
_BOW, _MOST_BOW = 0.14, 0.55
"""How far a link bows aside, in parts of its length, and at most in cells."""
_SMALLER = 0.78
"""The size of a shape within another one."""
_DASHES = (0.09, 0.07)
"""The dashes of a weak link, and the gaps between them."""
_HATCHES = 4
"""Strokes of a hatched cell."""


def pale(colour: str, part: float = _PALE) -> str:
    """Return a pale tint of ``#RRGGBB``."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - one) * part):02X}" for one in parts)


# --- shapes and strokes -----------------------------------------------------------------------------------------------


def shape_pieces(marks: Iterable[CandidateMark], pencil: Mapping[Candidate, PencilMark]) -> Iterator[Piece]:
    """Yield the shapes around candidates; a second one around the same candidate is smaller."""
    seen: Counter[Candidate] = Counter()
    for mark in marks:
        if mark.candidate in pencil:
            one = pencil[mark.candidate]
            yield mark_shape(mark, one.at, one.radius * _SMALLER ** seen[mark.candidate])
            seen[mark.candidate] += 1


def mark_shape(mark: CandidateMark, at: Point, radius: float) -> Piece:
    """Return the shape of a mark around a point."""
    inside, edge = pale(mark.colour), mark.colour
    match mark.shape:
        case "circle":
            return circle(at, radius - _EDGE / 2, inside, edge, _EDGE)
        case "square":
            return rectangle(box_around([at], 0.88 * radius - _EDGE / 2), inside, edge, _EDGE)
        case "diamond":
            return diamond(at, 1.15 * radius - _EDGE, inside, edge, _EDGE)
        case "hexagon":
            turns = (pi * number / 3 for number in range(6))
            return polygon([at.moved(radius * cos(turn), radius * sin(turn)) for turn in turns], inside, edge, _EDGE)
        case "filled":
            return circle(at, radius, mark.colour)
        case "struck":
            return rectangle(box_around([at], 0.88 * radius), pale(mark.colour, 0.18))


def strike_pieces(marks: Iterable[CandidateMark], pencil: Mapping[Candidate, PencilMark]) -> Iterator[Piece]:
    """Yield the strokes through candidates that are struck out."""
    for mark in marks:
        if mark.shape == "struck" and mark.candidate in pencil:
            one = pencil[mark.candidate]
            yield strike(mark, one.at, one.radius)


def strike(mark: CandidateMark, at: Point, radius: float) -> Piece:
    """Return the stroke through a candidate."""
    reach = 0.8 * radius
    return stroke([at.moved(-reach, reach), at.moved(reach, -reach)], mark.colour, 0.035)


# --- links ------------------------------------------------------------------------------------------------------------


def link_pieces(
    links: Sequence[CandidateLink], pencil: Mapping[Candidate, PencilMark], board: Box
) -> Iterator[tuple[Piece, ...]]:
    """Yield the bands of groups, then the curves of links, which stay within the board."""
    for group in dict.fromkeys(group for link in links for group in (link.starts, link.ends)):
        marks = [pencil[one] for one in group if one in pencil]
        if len(marks) > 1:
            yield tuple(stroke([one.at, other.at], _BOND, 1.5 * one.radius) for one, other in pairwise(marks))
    for link in links:
        starts, ends = ([pencil[one] for one in group if one in pencil] for group in (link.starts, link.ends))
        if starts and ends:
            start, end = min(product(starts, ends), key=lambda pair: dist(pair[0].at, pair[1].at))
            yield (_link_curve(link, start, end, board),)


def _link_curve(link: CandidateLink, start: PencilMark, end: PencilMark, board: Box) -> Piece:
    """Return a curve from edge to edge of two marks, bowed to its left."""
    across, down = end.at.x - start.at.x, end.at.y - start.at.y
    length = dist(start.at, end.at) or 1.0
    bow = min(_BOW * length, _MOST_BOW) / length
    middle = Point((start.at.x + end.at.x) / 2 + bow * down, (start.at.y + end.at.y) / 2 - bow * across)
    middle = Point(min(max(middle.x, board.left), board.right), min(max(middle.y, board.top), board.bottom))
    reach = min(start.radius, end.radius, 0.45 * length)
    return curve(
        start.at.towards(middle, reach), middle, end.at.towards(middle, reach), link.colour, 0.035, _DASHES if link.dashed else ()
    )


# --- grounds ----------------------------------------------------------------------------------------------------------


def ground_piece(ground: CellGround, grid: Grid) -> Piece:
    """Return the coloured or hatched ground of some cells."""
    places = [grid.places[cell] for cell in ground.cells]
    if not ground.hatched:
        return squares(places, ground.colour)
    return segments((hatch for row, column in places for hatch in _hatches(column, row)), Stroke(ground.colour, 0.025))


def _hatches(left: int, top: int) -> Iterator[tuple[Point, Point]]:
    """Yield slanting strokes over a cell whose corner is there."""
    along = [(2 * number + 1) / _HATCHES for number in range(_HATCHES // 2)]
    yield from ((Point(left, top + at), Point(left + at, top)) for at in along)
    yield from ((Point(left + at, top + 1), Point(left + 1, top + at)) for at in along)


# Pencil marks: each at its own place in a cell, in the widest area that values, signs and labels leave.
#
# Few areas are tried first, so that most cells look alike; where none of them is free, the largest gap is taken.


INK, BOLD_INK, WHITE_INK = "#555555", "#000000", "#FFFFFF"
_PENCIL_EDGE = 0.03
"""The distance of pencil marks from the edges of their cell."""
_AREAS = sorted(
    starmap(Box, product((_PENCIL_EDGE, 0.3), (_PENCIL_EDGE, STRIP, 0.3), (1 - _PENCIL_EDGE, 0.7), (1 - _PENCIL_EDGE, 0.7))),
    key=lambda box: (-(box.right - box.left) * (box.bottom - box.top), box),
)
"""The areas of a cell for pencil marks, widest first."""


class PencilMark(NamedTuple):
    """A pencil mark, its middle, and the radius of the circle that it has for itself."""

    piece: Piece
    at: Point
    radius: float


def place_pencil_marks(position: Position, annotation: Annotation, room: TakenSpace) -> dict[Candidate, PencilMark]:
    """Return the pencil marks of cells without a value, or the candidates that the puzzle restricts them to."""
    shapes = {mark.candidate: mark.shape for mark in annotation.marks}
    added: dict[Cell, Domain] = {}
    for cell, marked in shapes:
        added[cell] = added.get(cell, 0) | 1 << marked
    found: dict[Candidate, PencilMark] = {}
    for cell, value in enumerate(position.values):
        marks = (position.marks[cell] if position.marks else 0) or position.puzzle.candidates.get(cell, 0)
        marks |= added.get(cell, 0)
        if value is None and marks:
            areas = _areas_for(position.puzzle, cell, room)
            layouts = (dict(_marks_in_area(position.puzzle, cell, marks, area, shapes)) for area in areas)
            chosen: dict[Candidate, PencilMark] = room.place(layouts, lambda layout: [one.piece.box for one in layout.values()])
            found |= chosen
    return found


def _areas_for(puzzle: Puzzle, cell: Cell, room: TakenSpace) -> Iterator[Box]:
    """Yield areas for the pencil marks of a cell, best first: the usual ones, then the gap in which they are largest."""
    yield from _AREAS
    row, column = puzzle.grid.places[cell]
    letters = max(len(puzzle.symbols.sign(value)) for value in puzzle.grid.values)
    gaps = room.gaps(Box(column, row, column + 1, row + 1).grown(-_PENCIL_EDGE))
    best = max(gaps, key=lambda gap: _letter_size(gap.right - gap.left, gap.bottom - gap.top, letters), default=None)
    if best is not None:
        yield Box(best.left - column, best.top - row, best.right - column, best.bottom - row)


def _marks_in_area(
    puzzle: Puzzle, cell: Cell, marks: Domain, area: Box, shapes: Mapping[Candidate, MarkShape]
) -> Iterator[tuple[Candidate, PencilMark]]:
    """Yield pencil marks, each at its own place within an area of the cell."""
    row, column = puzzle.grid.places[cell]
    across = max(3, ceil(sqrt(len(puzzle.grid.values))))
    wide, high = (area.right - area.left) / across, (area.bottom - area.top) / across
    for mark in members(marks):
        down, right = divmod(mark - puzzle.grid.values[0], across)
        at = Point(column + area.left + (right + 0.5) * wide, row + area.top + (down + 0.5) * high)
        text = puzzle.symbols.sign(mark)
        shape = shapes.get((cell, mark))
        ink = INK if shape is None else WHITE_INK if shape == "filled" else BOLD_INK
        size = _letter_size(wide, high, len(text))
        yield (cell, mark), PencilMark(centred_text(at, text, size, ink), at, 0.48 * min(wide, high))


def _letter_size(wide: float, high: float, letters: int) -> float:
    """Return the size of the letters of a pencil mark that has so much space."""
    return min(0.75 * high, wide / (LETTER_WIDTH * letters))
