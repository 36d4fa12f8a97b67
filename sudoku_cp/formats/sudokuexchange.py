"""Links that open a puzzle in SudokuExchange: ``...?s=`` and 81 digits."""

from __future__ import annotations

from sudoku_cp.formats.digit_links import link_format

FORMAT = link_format(
    "sudokuexchange",
    "links to SudokuExchange with the puzzle in them",
    r"(?:https?://)?(?:www\.)?sudokuexchange\.com/\S*?[?&]s=([^&#\s]*)",
    "https://sudokuexchange.com/play/?s=",
)
