"""Several pictures in rows, each with words below it, as one self-contained SVG element."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.cosmetics import Annotation
from sudoku_cp.render.lengths import format_length
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.render.svg_picture import FONT, picture_elements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.puzzle import Position
    from sudoku_cp.render.picture_layers import Picture

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
