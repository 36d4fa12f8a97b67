"""Links of SudokuPad that show a puzzle to people: its rules are drawn and told in words, which no program reads back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import Format
from sudoku_cp.formats.links import packed
from sudoku_cp.formats.pages import Page
from sudoku_cp.formats.sudokupad import KEEPS, OWN_LINK

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


def link_of(puzzle: Puzzle) -> str:
    """Return a link that holds the drawing of the puzzle."""
    from sudoku_cp.formats.sudokupad_drawing import document_of  # noqa: PLC0415  # to list the formats takes none of it

    return packed(OWN_LINK, document_of(puzzle))


FORMAT = Format(
    "sudokupad-drawing",
    "links of SudokuPad that draw the rules and tell them in words, for people: programs cannot read them back",
    (),
    lambda _head: False,
    None,
    partial(Page, link_of),
    KEEPS,
)
