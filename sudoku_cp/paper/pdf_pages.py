"""The items of a page as its content: operators, with a mark around each part that has a place in the structure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.paper.page_items import LEADING, PlacedPicture, TextBlock
from sudoku_cp.paper.pdf_shapes import ShapeWriter
from sudoku_cp.render.geometry import Point
from sudoku_cp.render.lengths import UNITS
from sudoku_cp.render.shapes import Text

if TYPE_CHECKING:
    from sudoku_cp.paper.page_items import Page
    from sudoku_cp.paper.pdf_shapes import TextEncoder

FAINT_STATE = "/Faint"
"""The graphics state of what need not hold."""
_ASCENT = 0.95
"""From the top of a line to its baseline, in sizes of the font."""


class MarkedContent(NamedTuple):
    """A marked part of a page: its tag in the structure, and words instead of it if it is a picture."""

    tag: str
    alt: str = ""


class PageContent(NamedTuple):
    """The operators of a page, and the marks in them in the order of their numbers."""

    operators: str
    marks: tuple[MarkedContent, ...]


def page_content(page: Page, height: float, bleed: float, encoder: TextEncoder) -> PageContent:
    """Return the content of a page of this height (its bleed included), whose items begin within the bleed."""
    writer, marks = ShapeWriter(encoder), list[MarkedContent]()
    # Downwards, as shapes are; a point is what a cell is in a picture.
    writer.save(f"{1 / UNITS:g} 0 0 {-1 / UNITS:g} {_number(bleed)} {_number(height - bleed)} cm")
    for item in page.items:
        if isinstance(item, TextBlock):
            _open_mark(writer, marks, MarkedContent("" if item.tag == "Artifact" else item.tag))
            _write_block(writer, item, encoder)
            writer.operators.append("EMC")
        elif isinstance(item, PlacedPicture):
            _open_mark(writer, marks, MarkedContent("Figure" if item.alt else "", item.alt))
            _write_picture(writer, item)
            writer.operators.append("EMC")
    writer.restore()
    return PageContent("\n".join(writer.operators), tuple(marks))


def _open_mark(writer: ShapeWriter, marks: list[MarkedContent], mark: MarkedContent) -> None:
    if mark.tag:
        writer.operators.append(f"/{mark.tag} <</MCID {len(marks)}>> BDC")
        marks.append(mark)
    else:
        writer.operators.append("/Artifact BMC")


def _write_block(writer: ShapeWriter, block: TextBlock, encoder: TextEncoder) -> None:
    share = {"left": 0.0, "centre": 0.5, "right": 1.0}[block.align]
    for number, line in enumerate(block.lines):
        x = block.at.x - share * encoder.width(line, bold=block.bold) * block.size
        y = block.at.y + (number * LEADING + _ASCENT) * block.size
        writer.write(Text(Point(x, y), line, block.size, block.colour, block.bold))


def _write_picture(writer: ShapeWriter, picture: PlacedPicture) -> None:
    """Write the items of a picture in its own coordinates."""
    frame, scale = picture.frame, picture.scale
    left, top = UNITS * (picture.at.x - scale * frame.left), UNITS * (picture.at.y - scale * frame.top)
    matrix = f"{_number(scale)} 0 0 {_number(scale)} {_number(left)} {_number(top)} cm"
    if picture.upside_down:
        right, bottom = UNITS * (picture.at.x + scale * frame.right), UNITS * (picture.at.y + scale * frame.bottom)
        matrix = f"{_number(-scale)} 0 0 {_number(-scale)} {_number(right)} {_number(bottom)} cm"
    writer.save(matrix)
    if picture.clipped:
        box = (frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)
        writer.operators.append(f"{' '.join(_number(UNITS * length) for length in box)} re W n")
    for item in picture.items:
        if item.faint:
            writer.save(f"{FAINT_STATE} gs")
        for piece in item.pieces:
            writer.write(piece.shape)
        if item.faint:
            writer.restore()
    writer.restore()


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")
