"""A puzzle on paper looks as it does on a screen: every kind of rule, drawn by both writers and compared as pictures."""

from __future__ import annotations

import io
from io import BytesIO
from types import MappingProxyType
from xml.etree import ElementTree as ET

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat
from pypdf import PdfReader

from sudoku_cp import Position, Puzzle
from sudoku_cp.errors import InvalidInput
from sudoku_cp.paper import SheetOptions, make_pdf, prepare_puzzles, preview_pages
from sudoku_cp.paper.pdf_file import FileInfo, write_pdf
from sudoku_cp.paper.puzzle_panels import MOST_BYTES, QUIET, qr_svg
from sudoku_cp.paper.sheet_options import Page, PageSize, PlacedPicture, Typefaces
from sudoku_cp.questions.listings import example_grid
from sudoku_cp.render import svg
from sudoku_cp.render.geometry import Point
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.render.png_picture import svg_to_png
from sudoku_cp.render.svg_picture import MARGIN
from sudoku_cp.rules import RULES, Houses

# --- page pictures ----------------------------------------------------------------------------------------------------


CELL = 40
"""Pixels, and points, of a cell."""
ALIKE = 40
"""How much a pixel may differ, of 255, where edges have been blurred; a missing digit or line differs by 100 and more."""
VALUES = MappingProxyType({0: 5, 7: 2, 21: 6, 35: 1})


def puzzle_of(kind: str) -> Puzzle:
    """Return a puzzle with the example of a rule and some givens."""
    grid = example_grid(RULES[kind], 6)
    return Puzzle(grid, rules=(Houses(), RULES[kind].example(grid)), givens=VALUES)


def on_screen(puzzle: Puzzle) -> Image.Image:
    """Return the SVG of a puzzle as a picture."""
    return Image.open(io.BytesIO(svg_to_png(svg(puzzle, cell=CELL)))).convert("RGB")


def on_paper(puzzle: Puzzle) -> Image.Image:
    """Return the PDF of a puzzle, on a page that is as large as its picture, as a picture."""
    picture = make_picture(Position.of(puzzle))
    frame = picture.frame.grown(MARGIN)
    items = [item for items in picture.layers.values() for item in items]
    page = Page([PlacedPicture(Point(0, 0), CELL, frame, items)])
    size = PageSize(CELL * (frame.right - frame.left), CELL * (frame.bottom - frame.top))
    pdf = pypdfium2.PdfDocument(write_pdf([page], size, 0, Typefaces(), FileInfo("a puzzle")))
    return pdf[0].render(scale=1).to_pil().convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return how much two pictures differ where they differ most, after both have been blurred a little."""
    assert max(abs(a - b) for a, b in zip(one.size, other.size, strict=True)) <= 1
    both = [picture.crop((0, 0, *map(min, one.size, other.size))).filter(ImageFilter.BoxBlur(3)) for picture in (one, other)]
    return max(high for _, high in ImageStat.Stat(ImageChops.difference(*both)).extrema)


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=[pytest.mark.slow] * (kind != "killer-cage")) for kind in RULES])
def test_paper_looks_like_the_screen(kind: str) -> None:
    """Wherever one looks, the page has what the SVG has."""
    assert difference(on_screen(puzzle_of(kind)), on_paper(puzzle_of(kind))) < ALIKE


def test_what_is_missing_is_seen() -> None:
    """A puzzle without its rule, or with another digit, differs by more than is allowed."""
    puzzle = puzzle_of("killer-cage")
    shown = on_screen(puzzle)
    assert difference(shown, on_screen(puzzle.with_givens({**VALUES, 21: 3}))) > ALIKE
    assert difference(shown, on_screen(Puzzle(puzzle.grid, givens=VALUES))) > ALIKE


# --- page svg ---------------------------------------------------------------------------------------------------------


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
