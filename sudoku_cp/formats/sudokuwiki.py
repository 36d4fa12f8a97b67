"""Links that open a puzzle in SudokuWiki's solver: ``...sudoku.htm?bd=`` and 81 digits."""

from __future__ import annotations

from sudoku_cp.formats.digit_links import link_format

FORMAT = link_format(
    "sudokuwiki",
    "links to SudokuWiki's solver with the puzzle in them",
    r"(?:https?://)?(?:www\.)?sudokuwiki\.org/\S*?[?&]bd=([^&#\s]*)",
    "https://www.sudokuwiki.org/sudoku.htm?bd=",
)
