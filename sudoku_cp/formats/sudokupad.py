"""The documents of SudokuPad (sudokupad.app), as JSON or packed into links: what they say exactly, and our drawing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import Format
from sudoku_cp.formats.links import looks_like, packed, read
from sudoku_cp.formats.pages import Page, as_they_are

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_LINK = "https://sudokupad.app/scl"


def link_of(puzzle: Puzzle) -> str:
    """Return a link that holds the document of the puzzle."""
    from sudoku_cp.formats.sudokupad_drawing import document_of  # noqa: PLC0415  # sniffing alone needs none of it

    return packed(_LINK, document_of(puzzle))


FORMAT = Format(
    "sudokupad",
    "SudokuPad: JSON documents, packed texts and links, one a line; rules are drawn and told in words",
    (".scl", ".sudokupad"),
    partial(looks_like, pad=True),
    read,
    partial(Page, link_of),
    as_they_are("title", "author", "ruleset", "solution"),
)
