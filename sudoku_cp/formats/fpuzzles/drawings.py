"""What an f-puzzles document draws apart from its rules: lines, rectangles, circles, texts, cages, colours of cells.

A shape or a text has its middle between the middles of its cells, which may lie outside the grid.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from math import floor
from typing import TYPE_CHECKING, Any

from sudoku_cp.cosmetics import DrawnCage, DrawnLine, DrawnShape, DrawnText
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.document_fields import is_empty, iter_elements
from sudoku_cp.formats.drawing_fields import INVISIBLE, DrawingCollector, parse_colour, parse_number, parse_words, rounded
from sudoku_cp.formats.fpuzzles.clues import cell_names, parse_place, place_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sudoku_cp.cosmetics import Drawing, DrawnForm, DrawnPoint
    from sudoku_cp.grid import Grid, Place
    from sudoku_cp.puzzle import Puzzle

DRAWING_KEYS = ("line", "rectangle", "circle", "text", "cage")
COLOUR_KEYS = ("c", "cArray")
"""The keys of cells that have colours as such; others have numbers of a palette."""

_OF_A_RULE = ("isNewConstraint", "fromRangskSolver", "fromConstraint")
"""How tools mark drawings of rules that the document states as well."""
_ROOT = re.compile(r"\s*DR[0-9]{1,2}\s*", re.IGNORECASE)
_NOTE = re.compile(r"[^: ]+:\s")
"""SudokuPad keeps notes such as ``msgcorrect: well done`` in cages."""
_FORMS: Mapping[str, DrawnForm] = {"rectangle": "rectangle", "circle": "ellipse"}
_FIRST = -1
"""The row or column before the grid, R0 or C0, is the first that has names."""
_MOST_COLOURS = 16
_PAPER = "#FFFFFF"
_MOST_CELLS = 1000
"""More cells have no line or shape of a puzzle."""


def is_root(cage: Any) -> bool:
    """Return whether a drawn cage is a clue for a digital root."""
    return isinstance(cage, dict) and _ROOT.fullmatch(str(cage.get("value"))) is not None


def is_note(cage: Any) -> bool:
    """Return whether a drawn cage is a note and no drawing."""
    return isinstance(cage, dict) and _NOTE.match(str(cage.get("value"))) is not None


# --- reading ----------------------------------------------------------------------------------------------------


def read_drawings(data: Mapping[str, Any], grid: Grid, warnings: list[str]) -> tuple[Drawing, ...]:
    """Return the drawings of a document whose cells have been checked; those that are not kept add a warning."""
    collector = DrawingCollector(grid)
    makers = {"line": _lines, "rectangle": _shapes, "circle": _shapes, "text": _texts, "cage": _cages}
    for place, entry in zip(grid.places, (entry or {} for row in data.get("grid") or [] for entry in row), strict=False):
        if not all(is_empty(entry.get(key)) for key in COLOUR_KEYS):
            collector.add("coloured cell", partial(_colours, place, entry))
    for key in DRAWING_KEYS:
        items = data.get(key)
        for one in items if isinstance(items, list) else ():
            if key == "cage" and (is_root(one) or is_note(one)):
                continue
            if not isinstance(one, dict):
                collector.lose(key)
            elif not any(one.get(name) for name in _OF_A_RULE):
                collector.add(key, partial(makers[key], key, one, grid))
    warnings += collector.loss_warnings()
    return collector.drawings()


def _lines(_: str, entry: Mapping[str, Any], __: Grid) -> Iterator[Drawing]:
    colour, _opaque = parse_colour(entry.get("outlineC"), "#CFCFCF")
    width = parse_number(entry.get("width"), 0.25)
    for path, cells in iter_elements(entry.get("lines"), "lines", "an array of lines"):
        points = tuple(_middle_of(place) for place in _parse_places(cells, path))
        if colour:
            yield DrawnLine(points, colour, width)


def _shapes(key: str, entry: Mapping[str, Any], _: Grid) -> Iterator[Drawing]:
    at = _parse_middle(entry)
    width, height = (parse_number(entry.get(name), 0.5) for name in ("width", "height"))
    angle = parse_number(entry.get("angle"), 0)
    (fill, _opaque), (edge, _opaque) = parse_colour(entry.get("baseC")), parse_colour(entry.get("outlineC"))
    if fill or edge:
        yield DrawnShape(at, _FORMS[key], width, height, fill, edge, angle, _lies_over(at, width, height))
    yield from _words(entry, at, min(0.6, 0.75 * min(width, height)))


def _lies_over(at: DrawnPoint, width: float, height: float) -> bool:
    """Return whether a shape hides the lines of the grid: a small one on an edge or a corner does."""
    return not _is_middle(at) and max(width, height) < 1


def _is_middle(point: DrawnPoint) -> bool:
    return all(number % 1 == 0.5 for number in point)  # noqa: PLR2004  # as cells have it


def _texts(_: str, entry: Mapping[str, Any], __: Grid) -> Iterator[Drawing]:
    yield from _words(entry, _parse_middle(entry), 0.5)


def _words(entry: Mapping[str, Any], at: DrawnPoint, size: float) -> Iterator[Drawing]:
    ink, _opaque = parse_colour(entry.get("fontC"), "#000000")
    words = parse_words(entry.get("value"))
    if words and ink:
        yield DrawnText(at, words, parse_number(entry.get("size"), rounded(size)), ink, parse_number(entry.get("angle"), 0))


def _cages(_: str, entry: Mapping[str, Any], grid: Grid) -> Iterator[Drawing]:
    places = dict.fromkeys(_parse_places(entry.get("cells"), "cells"))
    if outside := [place for place in places if place not in grid.cell_at]:
        raise InvalidInput(f"expected a cage of cells of the grid, got R{outside[0][0] + 1}C{outside[0][1] + 1}")
    colour, _opaque = parse_colour(entry.get("outlineC"), "#000000")
    if colour:
        yield DrawnCage(tuple(grid.cell_at[place] for place in places), parse_words(entry.get("value")), colour)


def _colours(place: Place, entry: Mapping[str, Any]) -> Iterator[Drawing]:
    """Yield the colour of a cell, or several side by side."""
    several = entry.get("cArray")
    raw = [entry.get("c")] if is_empty(several) else [one for _, one in iter_elements(several, "cArray")]
    if len(raw) > _MOST_COLOURS:
        raise InvalidInput(f"expected at most {_MOST_COLOURS} colours in a cell, got {len(raw)}")
    colours = [colour for colour, _opaque in map(parse_colour, raw) if colour]
    if colours == [_PAPER]:
        return
    row, column = _middle_of(place)
    for number, colour in enumerate(colours):
        at = (row, rounded(column - 0.5 + (number + 0.5) / len(colours)))
        yield DrawnShape(at, "rectangle", rounded(1 / len(colours)), 1.0, colour)


def _middle_of(place: Place) -> DrawnPoint:
    return place[0] + 0.5, place[1] + 0.5


def _parse_middle(entry: Mapping[str, Any]) -> DrawnPoint:
    places = _parse_places(entry.get("cells"), "cells")
    row, column = (rounded(sum(place[axis] for place in places) / len(places) + 0.5) for axis in (0, 1))
    return row, column


def _parse_places(raw: Any, path: str) -> list[Place]:
    """Parse names of cells, which may lie outside the grid."""
    found = [parse_place(name) for _, name in iter_elements(raw, path, "an array of cells")]
    if not 1 <= len(found) <= _MOST_CELLS:
        raise InvalidInput(f"{path}: expected 1 to {_MOST_CELLS} cells, got {len(found)}")
    return found


# --- writing ----------------------------------------------------------------------------------------------------


def add_drawings(puzzle: Puzzle, data: dict[str, Any]) -> None:
    """Add to a document those drawings of a puzzle that it has a place for."""
    grid = puzzle.grid
    for one in puzzle.drawings:
        cell = _coloured_cell(one, grid)
        entry = data["grid"][cell[0]][cell[1]] if cell else {}
        if cell and isinstance(one, DrawnShape) and "c" not in entry:
            entry["c"] = one.fill
        elif written := _entry(one, grid):
            key, fields = written
            data.setdefault(key, []).append(fields)


def _coloured_cell(drawing: Drawing, grid: Grid) -> Place | None:
    """Return the place of the cell that a drawing colours, if it is just that."""
    match drawing:
        case DrawnShape(at, "rectangle", 1, 1, colour="", angle=0, over=False):
            place = (floor(at[0]), floor(at[1]))
            return place if _is_middle(at) and place in grid.cell_at else None
    return None


def _entry(drawing: Drawing, grid: Grid) -> tuple[str, dict[str, Any]] | None:
    """Return the key and the entry of a drawing; None where f-puzzles cannot draw it."""
    match drawing:
        case DrawnLine(points, colour, width, fill="", head=0, over=False) if all(map(_is_middle, points)):
            places = [(floor(row), floor(column)) for row, column in points]
            lines = {"lines": [[*map(place_name, places)]], "outlineC": colour, "width": width}
            return ("line", lines) if min(map(min, places)) >= _FIRST else None
        case DrawnShape(at, form, width, height, fill, colour, angle, over) if over == _lies_over(at, width, height):
            key = next((key for key, one in _FORMS.items() if one == form), None)
            cells = _cells_around(at)
            fields: dict[str, Any] = {"cells": cells, "baseC": fill or INVISIBLE, "outlineC": colour or INVISIBLE}
            sizes = {"width": width, "height": height} | ({"angle": angle} if angle else {})
            return (key, fields | sizes) if key and cells else None
        case DrawnText(at, text, size, colour, angle, over=True) if cells := _cells_around(at):
            fields = {"cells": cells, "value": text, "fontC": colour, "size": size}
            return "text", fields | ({"angle": angle} if angle else {})
        case DrawnCage(cells, text, colour) if not (is_root({"value": text}) or is_note({"value": text})):
            return "cage", {"cells": cell_names(grid, cells), "value": text, "outlineC": colour, "fontC": "#000000"}
    return None


def _cells_around(at: DrawnPoint) -> list[str]:
    """Return the names of a few cells whose middles have their middle at a point; none if there are no such cells."""
    rows, columns = (_numbers_around(number, 2) for number in at)
    if len(rows) == len(columns) == 2 and rows[0] < rows[1] and columns[0] < columns[1]:  # noqa: PLR2004  # on a corner
        places = [*product(rows, columns)]
    else:
        count = next((count for count in range(1, 9) if all(_numbers_around(number, count) for number in at)), 0)
        places = [*zip(*(_numbers_around(number, count) for number in at), strict=True)] if count else []
    return [*map(place_name, places)] if places and min(map(min, places)) >= _FIRST else []


def _numbers_around(number: float, count: int) -> Sequence[int]:
    """Return ``count`` numbers of rows whose middles have their middle at a number; none if there are none."""
    total = round((number - 0.5) * count)
    low, more = divmod(total, count)
    return [low] * (count - more) + [low + 1] * more if rounded(total / count + 0.5) == number else ()
