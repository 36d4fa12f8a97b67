"""The SudokuPad document that shows a puzzle: its exact parts, and a drawing of its other rules.

Places are pairs of a row and a column in cells, from the top left corner of the grid; the middle of the first cell is
[0.5, 0.5]. Thickness and sizes of letters are in 64ths of a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, assert_never

from sudoku_cp.cosmetics import Cage, Chevron, Clue, Dot, DrawnArrow, Line, Mark, Pill, Shade, unconditional_drawables
from sudoku_cp.formats.sudokupad.exact_document import add_exact_rule, document_without_rules

if TYPE_CHECKING:
    from sudoku_cp.cosmetics import Drawable
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle import Puzzle

_PIXELS = 64
_INVISIBLE = "#00000000"
_WHITE, _BLACK = "#FFFFFF", "#000000"
_CHEVRONS = {(0, 1): ">", (0, -1): "<", (1, 0): "\N{LOGICAL OR}", (-1, 0): "\N{LOGICAL AND}"}
"""The characters that point right, left, down and up."""
_Point = tuple[float, float]


def draw_document(puzzle: Puzzle) -> dict[str, Any]:
    """Return the document of a puzzle; raise `Unsupported` with everything that SudokuPad has no place for."""
    data = document_without_rules(puzzle)
    for rule in puzzle.rules:
        if add_exact_rule(rule, puzzle.grid, data):
            continue
        for cosmetic in unconditional_drawables(rule.cosmetics(puzzle.grid)):
            for layer, drawn in _draw(cosmetic, puzzle.grid):
                data[layer].append(drawn)
    return data


# --- drawing ----------------------------------------------------------------------------------------------------


def _draw(cosmetic: Drawable, grid: Grid) -> Iterator[tuple[str, dict[str, Any]]]:  # noqa: C901  # one case each
    """Yield the pieces of a drawing, each with its layer."""
    points = [_centre(grid, cell) for cell in cosmetic.cells]
    if not points:
        return
    match cosmetic:
        case Line():
            yield "lines", _line(points, cosmetic.colour, cosmetic.width)
            yield from _draw_ends(cosmetic, points)
        case DrawnArrow():
            yield "arrows", _line(points, cosmetic.colour, 0.08) | {"headLength": 0.3}
        case Cage():
            cells = [list(grid.places[cell]) for cell in cosmetic.cells]
            yield "cages", {"cells": cells, "value": cosmetic.text, "unique": False, "outlineC": cosmetic.colour}
        case Pill():
            yield from _draw_loop(points, cosmetic.colour)
        case Dot():
            size = 0.35 if len(points) == 2 else 0.7  # noqa: PLR2004
            colours = (_BLACK, _WHITE) if cosmetic.filled else (_WHITE, _BLACK)
            ring = _shape(_middle(points), size, colours[0], _BLACK, rounded=True)
            yield "overlays", ring | _text(cosmetic.text, colours[1], size / max(1, (len(cosmetic.text) + 1) / 2))
        case Mark():
            size = 0.35 if len(points) > 1 else 0.6
            yield "overlays", _shape(_middle(points), 0.3) | _text(cosmetic.text, cosmetic.colour, size)
        case Chevron():
            (row, column), (other, across) = points
            sign = _CHEVRONS.get((_sign(other - row), _sign(across - column)), ">")
            yield "overlays", _shape(_middle(points), 0.3) | _text(sign, _BLACK, 0.4)
        case Clue():
            yield from _draw_clue(cosmetic.text, points, grid)
        case Shade():
            size = 1 if cosmetic.shape == "cell" else 0.75
            for point in points:
                shape = _shape(point, size, cosmetic.colour, rounded=cosmetic.shape == "circle")
                yield "underlays", shape | ({"angle": 45} if cosmetic.shape == "diamond" else {})
        case _:
            assert_never(cosmetic)


def _draw_ends(line: Line, points: Sequence[_Point]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the bulbs, circles and diamonds at the ends of a line, and its text in a corner of the first cell."""
    if line.text:
        corner = (points[0][0] - 0.32, points[0][1] - 0.32)
        yield "overlays", _shape(corner, 0.3) | _text(line.text, _BLACK, 0.25)
    for end, point in ((line.start, points[0]), (line.end, points[-1])):
        if end == "bulb":
            yield "underlays", _shape(point, 0.85, line.colour, line.colour, rounded=True)
        elif end == "circle":
            yield "overlays", _shape(point, 0.75, _INVISIBLE, line.colour, rounded=True)
        elif end == "diamond":
            yield "overlays", _shape(point, 0.6, _INVISIBLE, line.colour) | {"angle": 45}


def _draw_loop(points: Sequence[_Point], colour: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a pill around cells in a row or column; around others, a thick line with a thinner white one on it."""
    height, width = (max(numbers) - min(numbers) for numbers in zip(*points, strict=True))
    if not height or not width:
        pill = _shape(_middle(points), 0.75, _INVISIBLE, colour, rounded=True)
        yield "overlays", pill | {"width": 0.75 + width, "height": 0.75 + height}
        return
    yield "lines", _line(points, colour, 0.75)
    yield "lines", _line(points, _WHITE, 0.65)


def _draw_clue(text: str, points: Sequence[_Point], grid: Grid) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the number before the first cell, or small in its corner if a cell is there; then, or diagonally, with an arrow."""
    (row, column), (other, across) = points[0], points[min(1, len(points) - 1)]
    down, right = _sign(other - row), _sign(across - column)
    if not (down or right):
        down = 1
    place, size, tail = (row - down, column - right), 0.5, 0.3
    inside = (int(place[0] // 1), int(place[1] // 1)) in grid.cell_at
    if inside:
        place, size, tail = (row - 0.32, column - 0.32), 0.25, 0.15
    yield "overlays", _shape(place, 0.3) | _text(text, _BLACK, size)
    if inside or (down and right):
        ends = [(place[0] + far * down, place[1] + far * right) for far in (tail, tail + 0.18)]
        yield "arrows", _line(ends, _BLACK, 0.03) | {"headLength": 0.1}


def _centre(grid: Grid, cell: Cell) -> _Point:
    row, column = grid.places[cell]
    return row + 0.5, column + 0.5


def _middle(points: Sequence[_Point]) -> _Point:
    rows, columns = zip(*points, strict=True)
    return sum(rows) / len(points), sum(columns) / len(points)


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def _line(points: Sequence[_Point], colour: str, width: float) -> dict[str, Any]:
    return {"color": colour, "thickness": max(1, round(width * _PIXELS)), "wayPoints": [list(point) for point in points]}


def _shape(
    centre: _Point, size: float, inside: str = _INVISIBLE, border: str = _INVISIBLE, *, rounded: bool = False
) -> dict[str, Any]:
    colours = {"backgroundColor": inside, "borderColor": border}
    return {"center": list(centre), "width": size, "height": size, "rounded": rounded} | colours


def _text(text: str, colour: str, size: float) -> dict[str, Any]:
    return {"text": text, "color": colour, "fontSize": max(8, round(size * _PIXELS))} if text else {}
