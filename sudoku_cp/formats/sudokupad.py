"""The documents of SudokuPad (sudokupad.app), as JSON or packed into links.

SudokuPad shows puzzles to people: most of its own pieces are drawings without a meaning. It also opens the documents of
f-puzzles, which say rules; these are written wherever they can say the puzzle, SudokuPad's own exact pieces where those can.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.base import Format
from sudoku_cp.formats.links import looks_like, packed, read
from sudoku_cp.formats.pages import Page, as_they_are

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

OWN_LINK = "https://sudokupad.app/scl"
_LINK_OF_F_PUZZLES = "https://sudokupad.app/fpuzzles"
KEEPS = as_they_are("title", "author", "ruleset", "solution")


def link_of(puzzle: Puzzle) -> str:
    """Return a link that holds the puzzle as a document of f-puzzles, or else in SudokuPad's own pieces."""
    from sudoku_cp.formats import fpuzzles_document, sudokupad_native  # noqa: PLC0415  # sniffing alone needs none of it

    problems: list[str] = []
    for link, module in ((_LINK_OF_F_PUZZLES, fpuzzles_document), (OWN_LINK, sudokupad_native)):
        try:
            return packed(link, module.document_of(puzzle))
        except Unsupported as error:
            problems += error.problems
    expected = "expected for the format 'sudokupad' a puzzle that f-puzzles or SudokuPad itself can say"
    raise Unsupported([f"{expected} (json says everything, sudokupad-drawing draws the rest)", *problems])


FORMAT = Format(
    "sudokupad",
    "SudokuPad: JSON documents, packed texts and links, one a line",
    (".scl", ".sudokupad"),
    partial(looks_like, pad=True),
    read,
    partial(Page, link_of),
    KEEPS,
)
