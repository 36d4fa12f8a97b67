"""A puzzle or a position as a self-contained SVG element."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, assert_never

from sudoku_cp.arguments import checked
from sudoku_cp.cosmetics import Annotation
from sudoku_cp.grid import Cell, Place
from sudoku_cp.model import different_board_cells, members
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.puzzle.puzzle import stated_constraints
from sudoku_cp.puzzle.rules_in_words import FixedSum, SpokenRule, describe_cells, ruleset_text
from sudoku_cp.render.geometry import (
    UNITS,
    Box,
    Circle,
    Curve,
    Polygon,
    Polyline,
    Rectangle,
    Routes,
    Text,
    format_length,
    printable,
    union,
)
from sudoku_cp.render.picture_layers import FAINT, LayerName, Picture, PictureItem, make_picture

if TYPE_CHECKING:
    from sudoku_cp.render.geometry import Point, Shape, Stroke


CELL = 50
"""The default side of a cell in pixels."""
MARGIN = 0.1
"""The white margin, in cells."""
FONT = 'font-family="Helvetica, Arial, sans-serif"'


@checked
def svg(
    shown: Puzzle | Position,
    *,
    cell: int = CELL,
    pointed: Collection[Cell] = (),
    annotation: Annotation | None = None,
    words: str | None = None,
) -> str:
    """Return the picture as one SVG element: what the rules draw, the grid, the values, the marks; ``cell`` pixels per cell.

    ``pointed`` cells get a red ground; an ``annotation`` marks candidates. Kinds of things that would look the same get
    different colours, and a legend below says which is which. With ``words`` the title and these paragraphs, one per line, are
    below it, and the legend has every kind that another is drawn like, unless the puzzle has words of its own for its rules.
    """
    position = Position.of(shown) if isinstance(shown, Puzzle) else shown
    puzzle = position.puzzle
    name = " by ".join(part for part in (puzzle.title, puzzle.author) if part)
    heading, drawn = "" if words is None else name, annotation or Annotation()
    keyed = bool(words) and not puzzle.ruleset
    picture = make_picture(position, pointed=pointed, annotation=drawn, heading=heading, words=words or "", keyed=keyed)
    box = picture.frame.grown(MARGIN)
    width, height = box.right - box.left, box.bottom - box.top
    view = " ".join(map(format_length, (box.left, box.top, width, height)))
    size = f'width="{width * cell:g}" height="{height * cell:g}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" {size} {FONT} role="img">'
    title = f"<title>{escape(printable(name or f'A sudoku on {puzzle.grid}'))}</title>"
    return "\n".join([opening, title, *picture_elements(picture), "</svg>"])


def picture_elements(picture: Picture) -> Iterator[Element]:
    """Yield the elements of a picture, the lowest first."""
    for items in picture.layers.values():
        for item in items:
            yield from item_elements(item)


def item_elements(item: PictureItem) -> list[Element]:
    """Return the elements of an item; what need not hold is faint."""
    elements = [svg_element(piece.shape) for piece in item.pieces]
    return [f'<g opacity="{FAINT}">', *elements, "</g>"] if item.faint else elements


# Shapes as elements of SVG.


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
    turn = f' transform="rotate({shape.angle:g} {" ".join(map(format_length, shape.pivot))})"' if shape.angle else ""
    return f'<text {where} fill="{shape.colour}"{weight}{halo}{middle}{turn}>{escape(shape.text)}</text>'


def _halo(width: float) -> str:
    return f' stroke="#FFFFFF" stroke-width="{format_length(width)}"'


# Several pictures in rows, each with words below it, as one self-contained SVG element.


GAP = 0.6
"""The space between pictures, and around them all, in cells."""


class StripPanel(NamedTuple):
    """A position, what is drawn on it, and a heading and words below."""

    position: Position
    annotation: Annotation = Annotation()
    heading: str = ""
    words: str = ""


def svg_strip(panels: Iterable[StripPanel], *, columns: int = 4, cell: int = 36) -> str:
    """Return the pictures of panels in rows of ``columns``, ``cell`` pixels per cell."""
    pictures = [
        make_picture(panel.position, annotation=panel.annotation, heading=panel.heading, words=panel.words) for panel in panels
    ]
    elements: list[str] = []
    right, top = GAP, GAP
    for start in range(0, len(pictures), columns):
        left, high = GAP, 0.0
        for picture in pictures[start : start + columns]:
            elements += _moved(picture, left, top)
            left += picture.frame.right - picture.frame.left + GAP
            high = max(high, picture.frame.bottom - picture.frame.top)
        right, top = max(right, left), top + high + GAP
    size = f'viewBox="0 0 {format_length(right)} {format_length(top)}" width="{right * cell:g}" height="{top * cell:g}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT} role="img">', *elements, "</svg>"])


def _moved(picture: Picture, left: float, top: float) -> list[str]:
    """Return the elements of a picture whose frame begins at a point."""
    across, down = format_length(left - picture.frame.left), format_length(top - picture.frame.top)
    return [f'<g transform="translate({across} {down})">', *picture_elements(picture), "</g>"]


# The picture of a single rule, cut to a square around what it draws, as pages show it on a button.


_LEAST = 2.0
"""The least side of the square, in cells; what is smaller is shown with some of the board around it."""


@checked
def thumbnail(puzzle: Puzzle) -> dict[str, Any] | None:
    """Return what a puzzle's first rule draws, as plain data; None if it draws nothing. Lengths are in hundredths of a cell.

    - ``box``: left, top, width and height of a square around it; ``cells``: row and column of each cell that the square meets.
    - ``under``, ``over``, ``outside``: elements of SVG as one text each, to be drawn in this order.
    """
    picture = make_picture(Position.of(puzzle))
    own = {name: [item for item in picture.layers[name] if item.rule == 0] for name in OF_RULES}
    boxes = [piece.box for items in own.values() for item in items for piece in item.pieces]
    if not boxes:
        return None
    square = _square_around(union(boxes).grown(MARGIN))
    return {
        "box": [round(UNITS * length) for length in (*square[:2], square.right - square.left, square.bottom - square.top)],
        "cells": [list(place) for place in puzzle.grid.places if square.meets(_box_of_place(place))],
        **{name: "".join(element for item in items for element in item_elements(item)) for name, items in own.items()},
    }


def _box_of_place(place: Place) -> Box:
    row, column = place
    return Box(column, row, column + 1, row + 1)


def _square_around(box: Box) -> Box:
    """Return the smallest square with the same middle that covers a box, but at least ``_LEAST`` wide."""
    half = max(box.right - box.left, box.bottom - box.top, _LEAST) / 2
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return Box(x - half, y - half, x + half, y + half)


# A puzzle's picture in layers of SVG, whole and by rule, for pages that draw cells and values themselves.


WHOLE: tuple[LayerName, ...] = ("under", "lines", "over", "outside", "legend")
"""The layers of a page, lowest first; between "outside" and "legend" the page draws its own digits and marks."""
OF_RULES: tuple[LayerName, ...] = ("under", "over", "outside")
"""The layers in which rules draw."""
_CORNER = 0.3
"""How near to the top left corner of its cell a label is in the way of the first pencil mark."""


@checked
def layers(puzzle: Puzzle) -> dict[str, Any]:
    """Return what a page needs to draw a puzzle, as plain data. Lengths are in hundredths of a cell.

    - ``box``: left, top, width and height of the picture; ``cells``: row and column of each cell; ``values``, and a ``sign`` of
      each; the ``givens`` by cell.
    - ``under``, ``lines``, ``over``, ``outside``, ``legend``: elements of SVG as one text each, to be drawn in this order.
    - ``parts``: by the index of a rule, those elements of ``under``, ``over`` and ``outside`` that it draws.
    - ``labelled``: the cells with a label in their top left corner.
    - ``sees``: for each cell those that must hold another value, from houses and from other rules.
    - ``words``: the rules in words, a paragraph each.
    - ``spoken``: by cell the rules that speak of it, in words; ``sums``: what such rules fix, each the cells with their factors
      and the total; ``summed``: by cell, for each of its rules, the numbers of its sums.
    """
    picture = make_picture(Position.of(puzzle))
    frame = picture.frame.grown(MARGIN)
    grid = puzzle.grid
    spoken = describe_cells(puzzle.rules, grid)
    sums = {one: number for number, one in enumerate(dict.fromkeys(_all_sums(spoken)))}
    return {
        "box": [round(UNITS * length) for length in (*frame[:2], frame.right - frame.left, frame.bottom - frame.top)],
        "cells": [list(place) for place in grid.places],
        "values": list(grid.values),
        "signs": [puzzle.symbols.sign(value) for value in grid.values],
        "givens": {str(cell): value for cell, value in puzzle.givens.items()},
        **{name: _joined(picture.layers[name]) for name in WHOLE},
        "parts": {str(rule): _elements_of_rule(picture, rule) for rule in range(len(puzzle.rules))},
        "labelled": sorted({*_labelled_cells(puzzle, picture)}),
        "sees": [members(seen) for seen in different_board_cells(stated_constraints(puzzle), len(grid.places))],
        "words": ruleset_text(puzzle).splitlines(),
        "spoken": {str(cell): [one.text for one in said] for cell, said in spoken.items()},
        "sums": [[[list(term) for term in terms], total] for terms, total in sums],
        "summed": {
            str(cell): [[sums[one] for one in rule.sums] for rule in said]
            for cell, said in spoken.items()
            if any(rule.sums for rule in said)
        },
    }


def _all_sums(spoken: Mapping[Cell, Iterable[SpokenRule]]) -> Iterator[FixedSum]:
    return (one for said in spoken.values() for rule in said for one in rule.sums)


def _joined(items: Iterable[PictureItem]) -> str:
    return "".join(element for item in items for element in item_elements(item))


def _elements_of_rule(picture: Picture, rule: int) -> dict[str, str]:
    """Return the elements of each layer that a rule draws; empty layers are left out."""
    found = {name: _joined(item for item in picture.layers[name] if item.rule == rule) for name in OF_RULES}
    return {name: elements for name, elements in found.items() if elements}


def _labelled_cells(puzzle: Puzzle, picture: Picture) -> Iterator[Cell]:
    for item in picture.layers["over"]:
        for piece in item.pieces:
            place = int(piece.box.top // 1), int(piece.box.left // 1)
            if piece.text and place in puzzle.grid.cell_at and max(piece.box.left % 1, piece.box.top % 1) < _CORNER:
                yield puzzle.grid.cell_at[place]
