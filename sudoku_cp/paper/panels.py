"""A puzzle on a page: heading, picture, rules in words, with a small solution and a QR code next to it or below."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.paper.page_items import LEADING, PlacedLink, PlacedPicture, TextBlock
from sudoku_cp.paper.text_lines import shortened_lines, wrap_text
from sudoku_cp.render.geometry import Box, Point

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.paper.page_items import Item
    from sudoku_cp.paper.typefaces import Typefaces
    from sudoku_cp.render.picture_layers import PictureItem

LEAST_CELL, MOST_CELL = 10.3, 56.7
"""Points of a cell: below the first, values would have less than 7 points; the second (20 mm) lets a 9x9 reach across A4."""
GAP = 7.0
"""Between the parts of a panel, in points."""
HEADING_LINES = 2


class Drawing(NamedTuple):
    """Items of a picture, the frame around them in cells, and words for those who cannot see it."""

    items: Sequence[PictureItem]
    frame: Box
    alt: str = ""

    @property
    def width(self) -> float:
        """The width of the frame."""
        return self.frame.right - self.frame.left

    @property
    def height(self) -> float:
        """The height of the frame."""
        return self.frame.bottom - self.frame.top


class Extra(NamedTuple):
    """A small drawing that goes with a puzzle, in its final size; perhaps it leads to an address."""

    drawing: Drawing
    scale: float
    upside_down: bool = False
    link: str = ""

    @property
    def width(self) -> float:
        """Its width in points."""
        return self.scale * self.drawing.width

    @property
    def height(self) -> float:
        """Its height in points."""
        return self.scale * self.drawing.height

    def items(self, at: Point) -> Iterator[Item]:
        """Yield it at a point."""
        yield PlacedPicture(at, self.scale, self.drawing.frame, self.drawing.items, self.drawing.alt, self.upside_down)
        if self.link:
            yield PlacedLink(Box(at.x, at.y, at.x + self.width, at.y + self.height), self.link)


class Panel(NamedTuple):
    """What is printed of a puzzle."""

    heading: str
    drawing: Drawing
    words: str = ""
    extras: tuple[Extra, ...] = ()


class PanelStyle(NamedTuple):
    """Sizes of the fonts of a panel, in points."""

    heading: float
    words: float


class PanelLayout(NamedTuple):
    """A panel that fits: its items, how large its cells are, and where it ends."""

    items: tuple[Item, ...]
    scale: float
    bottom: float


def lay_out_panel(panel: Panel, slot: Box, style: PanelStyle, typefaces: Typefaces) -> PanelLayout | None:
    """Return the panel in a slot with cells as large as possible; None if they would be too small to read.

    Extras are below the picture, to the right of the words, or beside it: whichever leaves more room.
    """
    ways = [_lay_out(panel, slot, style, typefaces, beside=beside) for beside in ((False, True) if panel.extras else (False,))]
    best = max(ways, key=lambda layout: layout.scale)
    return best if best.scale >= LEAST_CELL else None


def _lay_out(panel: Panel, slot: Box, style: PanelStyle, typefaces: Typefaces, *, beside: bool) -> PanelLayout:
    wide = slot.right - slot.left
    heading = wrap_text(panel.heading, wide, style.heading, typefaces, bold=True)
    title = TextBlock(Point(slot.left, slot.top), shortened_lines(heading, HEADING_LINES), style.heading, "H2", bold=True)
    top = slot.top + (title.height + GAP / 2 if title.lines else 0)
    aside = max((extra.width for extra in panel.extras), default=-GAP) if beside else -GAP
    row = -GAP if beside else sum(extra.width + GAP for extra in panel.extras) - GAP
    lines = wrap_text(panel.words, wide - max(0.0, row + GAP), style.words, typefaces)
    written = len(lines) * style.words * LEADING
    below = max(written, 0 if beside else max((extra.height for extra in panel.extras), default=0))
    room = Point(wide - aside - GAP, slot.bottom - top - below - GAP * bool(below))
    drawing = panel.drawing
    scale = min(room.x / drawing.width, room.y / drawing.height, MOST_CELL)
    if scale <= 0 or (beside and sum(extra.height + GAP for extra in panel.extras) - GAP > slot.bottom - top - written):
        return PanelLayout((), 0.0, slot.bottom)
    left = slot.left + (room.x - scale * drawing.width) / 2
    bottom = top + scale * drawing.height
    picture = PlacedPicture(Point(left, top), scale, drawing.frame, drawing.items, drawing.alt)
    middle = left + scale * drawing.width / 2
    first = title._replace(at=Point(middle, slot.top), align="centre")
    if beside:
        bottom = max(bottom, top + sum(extra.height + GAP for extra in panel.extras) - GAP)
        extras = [*_stack(panel.extras, Point(left + scale * drawing.width + GAP, bottom))]
    else:
        extras = [*_row(panel.extras, Point(slot.right, bottom + GAP))]
    text = TextBlock(Point(slot.left, bottom + GAP), lines, style.words)
    items = (*[first] * bool(title.lines), picture, *[text] * bool(lines), *extras)
    return PanelLayout(items, scale, bottom + below + GAP * bool(below))


def _row(extras: Sequence[Extra], right_top: Point) -> Iterator[Item]:
    """Yield extras side by side, the last one at the right."""
    x = right_top.x
    for extra in reversed(extras):
        x -= extra.width
        yield from extra.items(Point(x, right_top.y))
        x -= GAP


def _stack(extras: Sequence[Extra], left_bottom: Point) -> Iterator[Item]:
    """Yield extras below each other, the last one at the bottom."""
    y = left_bottom.y
    for extra in reversed(extras):
        y -= extra.height
        yield from extra.items(Point(left_bottom.x, y))
        y -= GAP
