"""The first page to look at shows what is printed, and codes hold links of a bounded length."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from pypdf import PdfReader

from sudoku_cp import Position, Puzzle
from sudoku_cp.errors import InvalidInput
from sudoku_cp.paper import SheetOptions, make_pdf, prepare_puzzles, preview_pages
from sudoku_cp.paper.puzzle_panels import MOST_BYTES, QUIET, qr_svg

EASY = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("landscape", [False, True])
def test_the_first_page_shows_titles_puzzles_and_turned_solutions(landscape):
    """Every text of the page is there, pictures lie on the paper, and as many pages are told as the PDF has."""
    options = SheetOptions(per_page=2, title="A & <b>", solutions="upside-down", landscape=landscape)
    printed = prepare_puzzles([Position.of(EASY)] * 3, options)
    preview = preview_pages(printed, options)
    page = ET.fromstring(preview.svg)  # noqa: S314  # our own
    assert page.get("viewBox") == f"0 0 {options.page_size.width:g} {options.page_size.height:g}"
    assert next(one.text for one in page.iter(f"{SVG}text")) == "A & <b>"
    pictures = [one for one in page.iter(f"{SVG}svg") if one is not page]
    assert len(pictures) == 4
    for picture in pictures:
        assert 0 <= float(picture.get("x")) <= options.page_size.width - float(picture.get("width"))
    assert len([one for one in page.iter(f"{SVG}g") if "rotate(180" in one.get("transform", "")]) == 2
    assert len(PdfReader(BytesIO(make_pdf(printed, options))).pages) == preview.pages == 2


def test_nothing_to_print_is_refused():
    """As for the PDF, there must be a puzzle."""
    with pytest.raises(InvalidInput, match="at least one puzzle"):
        preview_pages([], SheetOptions())


def test_a_code_is_a_square_of_modules_on_white():
    """Its smallest form has 21 modules a side and three dark corners; a text that no code holds is refused."""
    code = ET.fromstring(qr_svg("HELLO"))  # noqa: S314  # our own
    side = 21 + 2 * QUIET
    assert code.get("viewBox") == f"{-100 * QUIET} {-100 * QUIET} {100 * side} {100 * side}"
    dark = code.find(f"{SVG}path").get("d")
    assert all(f"M{x} {y}h700v100h-700z" in dark for x, y in ((0, 0), (1400, 0), (0, 2000)))
    with pytest.raises(InvalidInput, match="at most 2,953 bytes"):
        qr_svg("x" * (MOST_BYTES + 1))
