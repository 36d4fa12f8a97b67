"""Booklets: a cover, contents, a section for each level, solutions, and an even number of pages."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.paper.page_ends import add_solutions, number_pages
from sudoku_cp.paper.page_items import LEADING, PlacedLink, PlacedPicture, TextBlock
from sudoku_cp.paper.puzzle_panels import puzzle_panel
from sudoku_cp.paper.sheet_builder import SheetBuilder
from sudoku_cp.paper.text_lines import shortened_lines, wrap_text
from sudoku_cp.render.geometry import Box, Point

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.paper.page_items import Page
    from sudoku_cp.paper.panels import Drawing
    from sudoku_cp.paper.printed_puzzle import PrintedPuzzle
    from sudoku_cp.paper.sheet_options import SheetOptions
    from sudoku_cp.paper.typefaces import Typefaces

COVER_TITLE, COVER_AUTHOR, ENTRY = 34.0, 16.0, 10.5
"""Sizes of fonts."""
DEFAULT_TITLE = "Sudoku"


class _Entry(NamedTuple):
    """A line of the contents: its words, the index of its page, and whether it is a section."""

    words: str
    page: int
    is_section: bool


def booklet_pages(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, typefaces: Typefaces) -> list[Page]:
    """Return the pages: puzzles of one level stand together, in their order."""
    builder = SheetBuilder(options, typefaces)
    _add_cover(builder.start_page(), builder.area, puzzles, puzzle_panel(puzzles[0], options).drawing, options, typefaces)
    contents = builder.start_page()
    entries = []
    for level, members in groupby(puzzles, lambda printed: printed.level):
        section = [*members]
        builder.start_section(level or "Puzzles")
        entries.append(_Entry(f"{level or 'Puzzles'}  ({len(section)})", len(builder.pages) - 1, is_section=True))
        for printed in section:
            page = builder.add_panel(puzzle_panel(printed, options))
            if printed.puzzle.title:
                entries.append(_Entry(printed.heading, page, is_section=False))
    before = len(builder.pages)
    add_solutions(builder, puzzles, options)
    if len(builder.pages) > before:
        entries.append(_Entry("Solutions", before, is_section=True))
    _add_contents(contents, builder.area, entries, typefaces)
    if len(builder.pages) % 2:
        builder.start_page()
    number_pages(builder.pages, options, first=1)
    return builder.pages


def _add_cover(
    page: Page,
    area: Box,
    puzzles: Sequence[PrintedPuzzle],
    sample: Drawing,
    options: SheetOptions,
    typefaces: Typefaces,
) -> None:
    """Add title, author, the first puzzle as a picture, and how many puzzles there are."""
    middle, top = (area.left + area.right) / 2, area.top + (area.bottom - area.top) * 0.08
    texts = [(options.title or DEFAULT_TITLE, COVER_TITLE, True), (options.author, COVER_AUTHOR, False)]
    for text, size, bold in texts:
        lines = shortened_lines(wrap_text(text, area.right - area.left, size, typefaces, bold=bold), 4)
        block = TextBlock(Point(middle, top), lines, size, "H1" if bold else "P", bold, "centre")
        page.items += [block] * bool(lines)
        top += block.height + size / 2
    count = f"{len(puzzles):,} puzzle{'s' * (len(puzzles) > 1)}"
    bottom = area.bottom - 3 * COVER_AUTHOR
    scale = min((area.right - area.left) * 0.62 / sample.width, max(0.0, bottom - top - COVER_AUTHOR) / sample.height)
    if scale > 1:
        left, high = middle - scale * sample.width / 2, scale * sample.height
        at = Point(left, top + max(0.0, (bottom - top - high) / 2))
        page.items.append(PlacedPicture(at, scale, sample.frame, sample.items))  # decoration: it comes again inside
    page.items.append(TextBlock(Point(middle, bottom + COVER_AUTHOR), (count,), COVER_AUTHOR, align="centre"))


def _add_contents(page: Page, area: Box, entries: Sequence[_Entry], typefaces: Typefaces) -> None:
    """Add lines with page numbers that are links; if titles are too many for the page, sections alone."""
    page.items.append(TextBlock(Point(area.left, area.top), ("Contents",), 1.6 * ENTRY, "H1", bold=True))
    top, step = area.top + 4 * ENTRY, ENTRY * LEADING * 1.15
    most = int((area.bottom - top) / step)
    shown = entries if len(entries) <= most else [entry for entry in entries if entry.is_section]
    for place, entry in enumerate(shown[:most]):
        y, bold = top + place * step, entry.is_section
        left = area.left + (0 if bold else ENTRY)
        lines = wrap_text(entry.words, area.right - left - 4 * ENTRY, ENTRY, typefaces, bold=bold)
        page.items.append(TextBlock(Point(left, y), shortened_lines(lines, 1), ENTRY, "P", bold))
        page.items.append(TextBlock(Point(area.right, y), (str(entry.page + 1),), ENTRY, "P", bold, "right"))
        page.items.append(PlacedLink(Box(left, y, area.right, y + step), entry.page))
