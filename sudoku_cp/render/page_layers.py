"""A puzzle's picture in layers of SVG, whole and by rule, for pages that draw cells and values themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.arguments import checked
from sudoku_cp.model import different_board_cells, members
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.puzzle.puzzle import stated_constraints
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.render.lengths import UNITS
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.render.svg_picture import MARGIN, item_elements

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.render.picture_layers import LayerName, Picture, PictureItem

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
    """
    picture = make_picture(Position.of(puzzle))
    frame = picture.frame.grown(MARGIN)
    grid = puzzle.grid
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
    }


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
