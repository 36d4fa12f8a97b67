"""QR codes as drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput
from sudoku_cp.paper.panels import Drawing
from sudoku_cp.paper.typefaces import require_reportlab
from sudoku_cp.render.geometry import Box, Point
from sudoku_cp.render.lengths import UNITS
from sudoku_cp.render.picture_layers import PictureItem
from sudoku_cp.render.pieces import Piece
from sudoku_cp.render.shapes import Routes
from sudoku_cp.render.svg_picture import item_elements

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 2953
"""Bytes of the largest code with the least correction of errors."""
QUIET = 2
"""White modules around a code: the paper around it is white too."""


def qr_drawing(text: str, alt: str) -> Drawing:
    """Return the code of a text, a cell of the drawing for each module."""
    modules = _modules(text)
    side = len(modules)
    runs = [run for row, line in enumerate(modules) for run in _runs(row, line)]
    frame = Box(-QUIET, -QUIET, side + QUIET, side + QUIET)
    return Drawing([PictureItem((Piece(Routes(tuple(runs), "#000000", closed=True), frame),))], frame, alt)


def qr_svg(text: str) -> str:
    """Return the code of a text as one element of SVG, on white; raise `InvalidInput` if it is too long."""
    require_reportlab()
    drawing = qr_drawing(text, "")
    frame = drawing.frame
    box = [round(UNITS * length) for length in (frame.left, frame.top, drawing.width, drawing.height)]
    paper = '<rect x="{}" y="{}" width="{}" height="{}" fill="#FFFFFF"/>'.format(*box)
    dark = "".join(element for item in drawing.items for element in item_elements(item))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(map(str, box))}">{paper}{dark}</svg>'


def _modules(text: str) -> list[list[Any]]:
    from reportlab.graphics.barcode import qrencoder  # noqa: PLC0415  # only who prints codes needs it

    if len(text.encode()) > MOST_BYTES:
        raise InvalidInput(f"expected a link of at most {MOST_BYTES:,} bytes for a QR code, got {len(text.encode()):,}")
    code: Any = qrencoder.QRCode(None, qrencoder.QRErrorCorrectLevel.L)
    code.addData(text)
    code.make()
    found: list[list[Any]] = code.modules
    return found


def _runs(row: int, line: list[Any]) -> Iterator[tuple[Point, ...]]:
    """Yield the dark stretches of a row as rectangles."""
    start = None
    for column, dark in enumerate([*line, False]):
        if dark and start is None:
            start = column
        elif not dark and start is not None:
            yield Point(start, row), Point(column, row), Point(column, row + 1), Point(start, row + 1)
            start = None
