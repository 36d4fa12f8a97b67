"""What is drawn means the same in every theme: dots stay black and white, colours keep their hue, letters can be read."""

from __future__ import annotations

import colorsys
import io

import pytest
from PIL import Image

from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.questions.listings import example_grid
from sudoku_cp.render.colours import FORMS
from sudoku_cp.render.ground_pieces import cosmetics_of
from sudoku_cp.rules import RULES
from sudoku_cp.rules.houses import Houses

NINE = Grid.square(9)


def example(kind):
    """Return a puzzle with the example of a kind of rule."""
    grid = example_grid(RULES[kind], 9)
    return Puzzle(grid, (RULES[kind].example(grid),))


DOTS = Puzzle(
    NINE,
    (Houses(), RULES["difference"]((0, 1)), RULES["ratio"]((9, 10)), RULES["difference"]((2, 3), 4), RULES["ratio"]((11, 12), 4)),
)
CLUES = tuple(
    RULES[kind](NINE.lines[row], 3) for row, kind in enumerate(("skyscraper", "sandwich", "x-sum", "numbered-room", "full-rank"))
)
THEMES = [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"color_scheme": "dark", "forced_colors": "active"}]
COLOURS = sorted(
    {colour for traits in FORMS.values() for colour in traits.palette}
    | {getattr(one.drawn, "colour", "#000000") for kind in RULES for one in cosmetics_of(example(kind))}
)
COLOURS = [colour for colour in COLOURS if len({colour[1:3], colour[3:5], colour[5:]}) > 1]


def picture_of(page, puzzle):
    """Show a puzzle without a game; return the picture of its board."""
    page.evaluate("json => app.show(json)", to_json(puzzle))
    return Image.open(io.BytesIO(page.locator("#board").screenshot())).convert("RGB")


def light(pixel):
    """Return how light a pixel is, from 0 to 1."""
    return (0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]) / 255


def hue_of(pixel):
    """Return the hue of a pixel, from 0 to 1, and its saturation."""
    hue, saturation, _ = colorsys.rgb_to_hsv(*(part / 255 for part in pixel))
    return hue, saturation


def at(page, image, row, column):
    """Return the pixel of the board at a place in cells."""
    place = page.evaluate(
        "([r, c]) => { const m = app.board.svg.getScreenCTM(), b = document.getElementById('board').getBoundingClientRect();"
        " return [m.e + 100 * c * m.a - b.left, m.f + 100 * r * m.d - b.top]; }",
        [row, column],
    )
    return image.getpixel(tuple(map(round, place)))


@pytest.mark.parametrize("theme", THEMES, ids=["light", "dark", "forced"])
def test_dots_are_black_and_white_in_every_theme(open_page, theme):
    """A black dot is dark in its middle and a white one light, and both stand out from the paper; their numbers can be read."""
    page = open_page(**theme)
    image = picture_of(page, DOTS)
    assert light(at(page, image, 0.5, 1)) > 0.9
    assert light(at(page, image, 1.5, 1)) < 0.15
    for row in (0, 1):
        box = [at(page, image, row + 0.5 + down / 50, 3 + right / 50) for down in range(-5, 6) for right in range(-5, 6)]
        assert max(map(light, box)) - min(map(light, box)) > 0.6


@pytest.mark.parametrize("theme", THEMES[1:], ids=["dark", "forced"])
def test_colours_keep_their_hue(open_page, theme):
    """Each colour in which a kind of rule may be drawn has its hue in the dark too, and stands out from the paper."""
    page = open_page(**theme)
    page.evaluate("json => app.show(json)", to_json(Puzzle()))
    swatches = "".join(
        f'<path d="M{10 + at % 9 * 100} {50 + at // 9 * 100}h80" stroke="{colour}" stroke-width="60"/>'
        for at, colour in enumerate(COLOURS)
    )
    page.evaluate(
        "async (text) => { const { s, svgNodes } = await import('/static/dom.js');"
        " app.board.overlay('ghost', [s('g', { class: 'pic under' }, svgNodes(text))]); }",
        swatches,
    )
    image = Image.open(io.BytesIO(page.locator("#board").screenshot())).convert("RGB")
    paper = light(at(page, image, 8.75, 8.5))
    for number, colour in enumerate(COLOURS):
        wanted, _ = hue_of(int(colour[start : start + 2], 16) for start in (1, 3, 5))
        pixel = at(page, image, number // 9 + 0.5, number % 9 + 0.5)
        found, saturation = hue_of(pixel)
        assert abs((found - wanted + 0.5) % 1 - 0.5) < 1 / 12, colour
        assert saturation > 0.1, colour
        assert light(pixel) > paper + 0.08, colour


@pytest.mark.parametrize("theme", THEMES[1:], ids=["dark", "forced"])
def test_clues_outside_and_labels_can_be_read(open_page, theme):
    """Framed clues and the labels of groups have letters that differ from their ground by half of all lightness."""
    clones = tuple(RULES["clone"]((first, first + 1), ((first + 40, first + 41),)) for first in (0, 9, 18))
    page = open_page(**theme)
    for puzzle, texts in ((Puzzle(NINE, (Houses(), *CLUES)), 5), (Puzzle(NINE, (Houses(), *clones)), 6)):
        image = picture_of(page, puzzle)
        boxes = page.evaluate(
            "() => { const b = document.getElementById('board').getBoundingClientRect();"
            " return [...document.querySelectorAll('#board .pic:not(.legend) text')].map((t) => t.getBoundingClientRect())"
            ".map((r) => [r.left - b.left, r.top - b.top, r.right - b.left, r.bottom - b.top]); }"
        )
        assert len(boxes) >= texts
        for box in boxes:
            found = [light(pixel) for _, pixel in image.crop(tuple(map(round, box))).getcolors(1 << 24)]
            assert max(found) - min(found) > 0.5
