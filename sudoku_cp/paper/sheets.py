"""Puzzles as sheets: the function that makes the PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.paper.booklets import booklet_pages
from sudoku_cp.paper.page_ends import add_solutions, number_pages
from sudoku_cp.paper.page_items import PlacedPicture
from sudoku_cp.paper.page_sizes import POINTS_PER_MM
from sudoku_cp.paper.page_svg import page_svg
from sudoku_cp.paper.puzzle_panels import puzzle_panel
from sudoku_cp.paper.sheet_builder import TITLE, SheetBuilder
from sudoku_cp.paper.typefaces import Typefaces, require_reportlab

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from sudoku_cp.paper.page_items import Page
    from sudoku_cp.paper.printed_puzzle import PrintedPuzzle
    from sudoku_cp.paper.sheet_options import SheetOptions


class Preview(NamedTuple):
    """The first page as SVG, and how many pages there are."""

    svg: str
    pages: int


def make_pdf(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, *, fonts: Iterable[Path] = ()) -> bytes:
    """Return the puzzles as a PDF; ``fonts`` are TrueType files for signs that DejaVu lacks.

    Raises `InvalidInput` if there is no puzzle, or if no font has a sign, which is named.
    """
    require_reportlab()
    from sudoku_cp.paper.pdf_file import FileInfo, write_pdf  # noqa: PLC0415  # imports reportlab

    typefaces = Typefaces(fonts)
    pages = _checked_pages(puzzles, options, typefaces)
    about = FileInfo(options.title or puzzles[0].puzzle.title or "Sudoku", options.author)
    return write_pdf(pages, options.page_size, options.bleed * POINTS_PER_MM, typefaces, about)


def preview_pages(puzzles: Sequence[PrintedPuzzle], options: SheetOptions) -> Preview:
    """Return what `make_pdf` would print, for a preview: the first page; raises the same errors."""
    require_reportlab()
    pages = _checked_pages(puzzles, options, Typefaces())
    return Preview(page_svg(pages[0], options.page_size), len(pages))


def _checked_pages(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, typefaces: Typefaces) -> list[Page]:
    """Return the pages; raise `InvalidInput` if there is nothing to print, or no font has a sign."""
    if not puzzles:
        raise InvalidInput("expected at least one puzzle to print, got none")
    _refuse_missing_signs(puzzles, options, typefaces)
    pages = _sheet_pages(puzzles, options, typefaces)
    _refuse_missing_labels(pages, typefaces)
    return pages


def _sheet_pages(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, typefaces: Typefaces) -> list[Page]:
    if options.booklet:
        return booklet_pages(puzzles, options, typefaces)
    builder = SheetBuilder(options, typefaces)
    if options.title or options.author:
        builder.start_section(options.title or options.author, options.author if options.title else "", size=TITLE)
    for printed in puzzles:
        builder.add_panel(puzzle_panel(printed, options))
    add_solutions(builder, puzzles, options)
    number_pages(builder.pages, options, first=0)
    return builder.pages


def _refuse_missing_signs(puzzles: Sequence[PrintedPuzzle], options: SheetOptions, typefaces: Typefaces) -> None:
    """Raise `InvalidInput` that names each sign that no font has, and where it stands."""
    problems = [
        OptionProblem(f"{where}expected signs that a font has (others: `font` FILE), got {', '.join(missing[:5])}", option)
        for option, where, text in _texts(puzzles, options)
        if (missing := typefaces.missing(text))
    ]
    if problems:
        raise InvalidInput(problems)


def _texts(puzzles: Sequence[PrintedPuzzle], options: SheetOptions) -> Iterator[tuple[str, str, str]]:
    """Yield every text that is printed after the option, or else the place, that it is from."""
    yield "title", "", options.title
    yield "author", "", options.author
    for index, printed in enumerate(puzzles):
        puzzle = printed.puzzle
        yield "", f"puzzle {index}, symbols: ", puzzle.symbols.signs
        yield "", f"puzzle {index}, title: ", puzzle.title
        yield "", f"puzzle {index}, author: ", puzzle.author
        if options.rules_in_words:
            yield "", f"puzzle {index}, rules in words: ", puzzle.ruleset


def _refuse_missing_labels(pages: Iterable[Page], typefaces: Typefaces) -> None:
    """Raise `InvalidInput` that names each sign that rules draw, in letters of cages or in notes, and that no font has."""
    pictures = (item for page in pages for item in page.items if isinstance(item, PlacedPicture))
    labels = dict.fromkeys(piece.text for picture in pictures for item in picture.items for piece in item.pieces)
    missing = dict.fromkeys(sign for label in labels for sign in typefaces.missing(label))
    if missing:
        words = f"labels of rules: expected signs that a font has (others: `font` FILE), got {', '.join(missing)}"
        raise InvalidInput(OptionProblem(words))
