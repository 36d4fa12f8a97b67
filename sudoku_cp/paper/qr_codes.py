"""QR codes as drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput
from sudoku_cp.paper.panels import Drawing
from sudoku_cp.render.geometry import Box, Point
from sudoku_cp.render.picture_layers import PictureItem
from sudoku_cp.render.pieces import Piece
from sudoku_cp.render.shapes import Routes

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
