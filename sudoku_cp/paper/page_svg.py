"""A page as SVG, to preview it before printing. Lengths are in points, as in its items."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sudoku_cp.paper.page_items import LEADING, PlacedPicture, TextBlock
from sudoku_cp.render.lengths import UNITS
from sudoku_cp.render.pieces import printable
from sudoku_cp.render.svg_picture import item_elements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.paper.page_items import Page
    from sudoku_cp.paper.page_sizes import PageSize

_ANCHORS = {"left": "start", "centre": "middle", "right": "end"}
_ASCENT = 0.95
"""From the top of a line to its baseline, in sizes of the font."""


def page_svg(page: Page, size: PageSize) -> str:
    """Return the trimmed page as one element of SVG."""
    width, height = f"{size.width:g}", f"{size.height:g}"
    fonts = "DejaVu Sans, Verdana, sans-serif"
    letters = f'font-family="{fonts}" text-rendering="geometricPrecision"'  # lines are as wide as they were measured
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {letters}>'
    return "".join([head, f'<rect width="{width}" height="{height}" fill="#FFFFFF"/>', *_elements(page), "</svg>"])


def _elements(page: Page) -> Iterator[str]:
    for item in page.items:
        if isinstance(item, TextBlock):
            yield from _lines(item)
        elif isinstance(item, PlacedPicture):
            yield _picture(item)


def _lines(block: TextBlock) -> Iterator[str]:
    weight = ' font-weight="bold"' if block.bold else ""
    style = f'font-size="{block.size:g}" fill="{block.colour}" text-anchor="{_ANCHORS[block.align]}"{weight}'
    for number, line in enumerate(block.lines):
        baseline = block.at.y + (number * LEADING + _ASCENT) * block.size
        yield f'<text x="{block.at.x:g}" y="{baseline:g}" {style}>{escape(printable(line))}</text>'


def _picture(picture: PlacedPicture) -> str:
    """Return the picture in a box of its own; what lies beyond its frame shows unless it is clipped."""
    frame, at = picture.frame, picture.at
    wide, high = frame.right - frame.left, frame.bottom - frame.top
    width, height = picture.scale * wide, picture.scale * high
    view = " ".join(f"{UNITS * length:g}" for length in (frame.left, frame.top, wide, high))
    overflow = "hidden" if picture.clipped else "visible"
    place = f'x="{at.x:g}" y="{at.y:g}" width="{width:g}" height="{height:g}"'
    drawn = "".join(element for item in picture.items for element in item_elements(item))
    whole = f'<svg {place} viewBox="{view}" overflow="{overflow}">{drawn}</svg>'
    turn = f"rotate(180 {at.x + width / 2:g} {at.y + height / 2:g})"
    return f'<g transform="{turn}">{whole}</g>' if picture.upside_down else whole
