"""What a SudokuPad document draws that is no rule: lines, arrows, shapes and texts under and over the grid, cages.

Places are pairs of a row and a column in cells, from the top left corner of the grid; the middle of the first cell is [0.5,
0.5]. Thickness and sizes of letters are in 64ths of a cell.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from sudoku_cp.cosmetics import DrawnCage, DrawnLine, DrawnShape, DrawnText
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.document_fields import is_empty, iter_elements, short_repr
from sudoku_cp.formats.drawing_fields import INVISIBLE, parse_colour, parse_number, parse_words, rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.cosmetics import Drawing, DrawnForm, DrawnPoint
    from sudoku_cp.formats.drawing_fields import DrawingCollector
    from sudoku_cp.grid import Cell, Grid

PIXELS = 64
"""The units of thickness and of sizes of letters in a cell."""
DRAWN = ("lines", "arrows", "underlays", "overlays")
"""The keys of what is only drawn; each has objects."""


# --- reading ----------------------------------------------------------------------------------------------------


def read_drawings(data: Mapping[str, Any], collector: DrawingCollector) -> None:
    """Collect what a document draws under its drawing keys."""
    for key in DRAWN:
        items = data.get(key)
        for one in items if isinstance(items, list) else ():
            if not isinstance(one, dict):
                collector.lose(key[:-1])
            elif one:
                collector.add(key[:-1], partial(_lines if key in {"lines", "arrows"} else _shapes, key, one))


def drawn_cage(cells: tuple[Cell, ...], cage: Mapping[str, Any]) -> Iterator[Drawing]:
    """Yield a cage that is only drawn."""
    colour, _opaque = parse_colour(cage.get("outlineC") or cage.get("borderColor"), "#000000")
    if colour:
        yield DrawnCage(tuple(dict.fromkeys(cells)), parse_words(cage.get("value")), colour)


def _lines(key: str, entry: Mapping[str, Any]) -> Iterator[Drawing]:
    points = [_parse_point(point, path) for path, point in iter_elements(entry.get("wayPoints"), "wayPoints")]
    colour, _opaque = parse_colour(entry.get("color"), "#000000")
    fill, _opaque = parse_colour(entry.get("fill"))
    width = parse_number(entry.get("thickness"), 0.1, PIXELS) if colour else 0.0
    head = parse_number(entry.get("headLength"), 0.3) if key == "arrows" else 0.0
    if points and (fill or width):
        yield DrawnLine(tuple(points), colour or fill, width, fill, head, over=entry.get("target") == "overlay")


def _shapes(key: str, entry: Mapping[str, Any]) -> Iterator[Drawing]:
    at = _parse_point(entry.get("center"), "center")
    width, height = (parse_number(entry.get(name), 1.0) for name in ("width", "height"))
    angle = parse_number(entry.get("angle"), 0.0)
    (fill, opaque), (edge, _opaque) = (parse_colour(entry.get(name)) for name in ("backgroundColor", "borderColor"))
    over = key == "overlays"
    if fill or edge:
        form: DrawnForm = "rectangle" if not entry.get("rounded") else "ellipse" if width == height else "pill"
        yield DrawnShape(at, form, width, height, fill, edge, angle, over and opaque)
    ink, _opaque = parse_colour(entry.get("color"), "#000000")
    words = parse_words(entry.get("text"))
    if words and ink:
        yield DrawnText(at, words, parse_number(entry.get("fontSize"), 0.4, PIXELS), ink, angle, over)


def _parse_point(raw: Any, path: str) -> DrawnPoint:
    if not isinstance(raw, list) or len(raw) != 2 or any(is_empty(number) for number in raw):  # noqa: PLR2004
        raise InvalidInput(f"{path}: expected a row and a column, got {short_repr(raw)}")
    return parse_number(raw[0], 0.0), parse_number(raw[1], 0.0)


# --- writing ----------------------------------------------------------------------------------------------------


def drawn_piece(drawing: Drawing, grid: Grid) -> tuple[str, dict[str, Any]]:
    """Return the key of a drawing, and its entry."""
    match drawing:
        case DrawnLine():
            points = {"wayPoints": [list(point) for point in drawing.points]}
            entry: dict[str, Any] = {"color": drawing.colour, "thickness": rounded(drawing.width * PIXELS)} | points
            entry |= {"fill": drawing.fill} if drawing.fill else {}
            entry |= {"target": "overlay"} if drawing.over else {}
            return ("arrows", entry | {"headLength": drawing.head}) if drawing.head else ("lines", entry)
        case DrawnShape():
            sizes = {"center": list(drawing.at), "width": drawing.width, "height": drawing.height}
            colours = {"backgroundColor": drawing.fill or INVISIBLE, "borderColor": drawing.colour or INVISIBLE}
            entry = sizes | colours | {"rounded": drawing.shape != "rectangle"}
            return _over(drawing), entry | ({"angle": drawing.angle} if drawing.angle else {})
        case DrawnText():
            sizes = {"center": list(drawing.at), "width": 0.3, "height": 0.3, "angle": drawing.angle}
            colours = {"backgroundColor": INVISIBLE, "borderColor": INVISIBLE, "color": drawing.colour}
            entry = sizes | colours | {"text": drawing.text, "fontSize": rounded(drawing.size * PIXELS)}
            return _over(drawing), entry
        case DrawnCage():
            cells = [list(grid.places[cell]) for cell in drawing.cells]
            return "cages", {"cells": cells, "value": drawing.text, "unique": False, "outlineC": drawing.colour}
        case _:
            assert_never(drawing)


def _over(drawing: DrawnShape | DrawnText) -> str:
    return "overlays" if drawing.over else "underlays"
