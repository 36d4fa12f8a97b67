"""A puzzle on paper looks as it does on a screen: every kind of rule, drawn by both writers and compared as pictures."""

from __future__ import annotations

import io
from types import MappingProxyType

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from sudoku_cp import Position, Puzzle
from sudoku_cp.answer_json.listings import example_grid
from sudoku_cp.paper.pdf_file import FileInfo, write_pdf
from sudoku_cp.paper.sheet_options import Page, PageSize, PlacedPicture
from sudoku_cp.paper.typefaces import Typefaces
from sudoku_cp.render import svg
from sudoku_cp.render.geometry import Point
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.render.png_picture import svg_to_png
from sudoku_cp.render.svg_picture import MARGIN
from sudoku_cp.rules import RULES, Houses

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
