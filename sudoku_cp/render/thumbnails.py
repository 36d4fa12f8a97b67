"""The picture of a single rule, cut to a square around what it draws, as pages show it on a button."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.arguments import checked
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.render.geometry import Box, union
from sudoku_cp.render.page_layers import OF_RULES
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.render.svg_picture import MARGIN, item_elements
from sudoku_cp.render.svg_writer import UNITS

if TYPE_CHECKING:
    from sudoku_cp.grid import Place

_LEAST = 1.4
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
