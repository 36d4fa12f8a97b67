"""What pages end with: solutions behind the puzzles, and a number on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.paper.page_items import TextBlock
from sudoku_cp.paper.page_sizes import POINTS_PER_MM
from sudoku_cp.paper.puzzle_panels import solution_drawing
from sudoku_cp.paper.sheet_builder import FOOTER, SheetBuilder
from sudoku_cp.render.geometry import Point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.paper.page_items import Page
    from sudoku_cp.paper.printed_puzzle import PrintedPuzzle
    from sudoku_cp.paper.sheet_options import SheetOptions

PAGE_NUMBER = 8.0
"""The size of the font of page numbers."""


def add_solutions(builder: SheetBuilder, puzzles: Sequence[PrintedPuzzle], options: SheetOptions) -> None:
    """Add the solutions at the end, if they are wanted there; each has the number of its puzzle."""
    if options.solutions == "end" and any(printed.solution for printed in puzzles):
        builder.start_section("Solutions")
        builder.add_solutions((printed.name, solution_drawing(printed)) for printed in puzzles if printed.solution)


def number_pages(pages: Sequence[Page], options: SheetOptions, *, first: int) -> None:
    """Number pages from that index on, if there are several: in the middle, in booklets at the outer edge."""
    width, height = options.page_size
    margin = options.margin * POINTS_PER_MM
    base = height - margin - FOOTER / 2
    for index, page in enumerate(pages):
        if index >= first and len(pages) > 1:
            x = width / 2
            if options.booklet:
                x = margin + PAGE_NUMBER if index % 2 else width - margin - PAGE_NUMBER
            page.items.append(TextBlock(Point(x, base), (str(index + 1),), PAGE_NUMBER, "Artifact", align="centre"))
