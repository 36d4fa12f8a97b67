"""The panels of puzzles: their pictures, their small solutions and codes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sudoku_cp.paper.panels import Drawing, Extra, Panel
from sudoku_cp.paper.qr_codes import qr_drawing
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.render.geometry import Point, box_around
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.render.shapes import Text

if TYPE_CHECKING:
    from sudoku_cp.paper.printed_puzzle import PrintedPuzzle
    from sudoku_cp.paper.sheet_options import SheetOptions
    from sudoku_cp.render.picture_layers import PictureItem

BLACK = "#000000"
EDGE = 0.04
"""Around a picture, in cells, so that its outer lines are whole."""
SMALL_CELL = 6.6
"""Points of a cell of a solution next to its puzzle."""
MODULE = 0.85
"""Points of a module of a QR code: 0.3 mm, which telephones read from a hand's distance."""


def puzzle_panel(printed: PrintedPuzzle, options: SheetOptions) -> Panel:
    """Return what is printed of a puzzle."""
    ours = options.rules_in_words and not printed.puzzle.ruleset
    picture = make_picture(printed.position, keyed=ours)
    items = [item for layer in picture.layers.values() for item in layer]
    drawing = Drawing(items, picture.frame.grown(EDGE), printed.description)
    extras = []
    if options.solutions in {"same", "upside-down"} and printed.solution:
        turned = options.solutions == "upside-down"
        extras.append(Extra(solution_drawing(printed), SMALL_CELL, turned))
    if printed.link:
        extras.append(Extra(qr_drawing(printed.link, f"Link to {printed.name}"), MODULE, link=printed.link))
    words = "\n".join(part for part in (ruleset_text(printed.puzzle) if options.rules_in_words else "", printed.note) if part)
    return Panel(printed.heading, drawing, words, tuple(extras))


def solution_drawing(printed: PrintedPuzzle) -> Drawing:
    """Return the solution: the grid and its values, without what rules draw."""
    picture = make_picture(printed.solved())
    items = [*picture.layers["paper"], *picture.layers["lines"], *map(_in_black, picture.layers["values"])]
    places = printed.puzzle.grid.places
    frame = box_around([Point(column + corner, row + corner) for row, column in places for corner in (0, 1)], EDGE)
    return Drawing(items, frame, f"Solution of {printed.name}")


def _in_black(item: PictureItem) -> PictureItem:
    """Return an item whose texts are black, as givens already stand out by being bold."""
    pieces = (
        piece._replace(shape=piece.shape._replace(colour=BLACK)) if isinstance(piece.shape, Text) else piece
        for piece in item.pieces
    )
    return replace(item, pieces=tuple(pieces))
