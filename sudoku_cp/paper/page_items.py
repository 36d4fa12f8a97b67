"""What a page consists of, before it is written. Lengths are in points; pages begin at their top left corner."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.render.geometry import Box, Point
    from sudoku_cp.render.picture_layers import PictureItem

Tag: TypeAlias = Literal["H1", "H2", "P", "Caption", "Artifact"]
"""What a text is, for those who have a page read to them; artifacts (page numbers) are not read."""
Align: TypeAlias = Literal["left", "centre", "right"]
LEADING = 1.3
"""From line to line, in sizes of the font."""


class TextBlock(NamedTuple):
    """Lines of text below a point, each ending at, beginning at, or centred on it."""

    at: Point
    lines: tuple[str, ...]
    size: float
    tag: Tag = "P"
    bold: bool = False
    align: Align = "left"
    colour: str = "#000000"

    @property
    def height(self) -> float:
        """The height of all lines."""
        return len(self.lines) * self.size * LEADING


class PlacedPicture(NamedTuple):
    """Items of a picture, ``scale`` points per cell, whose ``frame`` (in cells) begins at a point.

    It may be turned ``upside_down`` in its place, or cut at the frame (``clipped``). Without words in ``alt`` it is decoration.
    """

    at: Point
    scale: float
    frame: Box
    items: Sequence[PictureItem]
    alt: str = ""
    upside_down: bool = False
    clipped: bool = False


class PlacedLink(NamedTuple):
    """A box that leads to a page, by its index, or to an address."""

    box: Box
    target: int | str


Item: TypeAlias = TextBlock | PlacedPicture | PlacedLink


@dataclass
class Page:
    """A page, to which items are added."""

    items: list[Item] = field(default_factory=list)
