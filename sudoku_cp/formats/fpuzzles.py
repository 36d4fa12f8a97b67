"""The documents of f-puzzles.com, as JSON or packed into links: nearly every variant there is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import Format
from sudoku_cp.formats.links import looks_like, packed, read
from sudoku_cp.formats.pages import Page, as_they_are

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_LINK = "https://f-puzzles.com/?load="


def link_of(puzzle: Puzzle) -> str:
    """Return a link that holds the document of the puzzle."""
    from sudoku_cp.formats.fpuzzles_document import document_of  # noqa: PLC0415  # sniffing alone needs none of it

    return packed(_LINK, document_of(puzzle))


FORMAT = Format(
    "fpuzzles",
    "f-puzzles.com: JSON documents, packed texts and links (also SudokuPad's fpuzzles...), one a line",
    (".fpuzzles",),
    partial(looks_like, pad=False),
    read,
    partial(Page, link_of),
    as_they_are("title", "author", "ruleset", "solution"),
)
