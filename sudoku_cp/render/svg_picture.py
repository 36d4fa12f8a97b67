"""A puzzle or a position as a self-contained SVG element."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.cosmetics import Annotation
from sudoku_cp.grid import Cell
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.render.lengths import format_length
from sudoku_cp.render.picture_layers import FAINT, make_picture
from sudoku_cp.render.pieces import printable
from sudoku_cp.render.svg_writer import Element, svg_element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.render.picture_layers import Picture, PictureItem

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
