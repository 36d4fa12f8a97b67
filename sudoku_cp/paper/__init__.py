"""Puzzles on paper: sheets and booklets as PDF. Pictures come from `render` as shapes, and nothing here knows a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.paper.puzzle_panels import prepare_puzzles
    from sudoku_cp.paper.sheet_options import PrintedPuzzle, SheetOptions, parse_numbering
    from sudoku_cp.paper.sheets import Preview, make_pdf, preview_pages

__all__ = ["Preview", "PrintedPuzzle", "SheetOptions", "make_pdf", "parse_numbering", "prepare_puzzles", "preview_pages"]

EXPORTS = {
    "sheets": "Preview make_pdf preview_pages",
    "puzzle_panels": "prepare_puzzles",
    "sheet_options": "PrintedPuzzle SheetOptions parse_numbering",
}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
