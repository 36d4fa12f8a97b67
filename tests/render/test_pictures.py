"""Pictures: every rule's is well-formed SVG that shows all there is, and says nothing but what it was given."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from sudoku_cp import Board, Grid, Position, Puzzle
from sudoku_cp.cosmetics import Arrow, Cage, Chevron, Clue, Cosmetic, Dot, Line, Loop, Mark, Shade
from sudoku_cp.render import svg
from sudoku_cp.render.shapes import shapes
from sudoku_cp.rules import RULES, Houses

GRIDS = {
    "4x4": Grid.square(4),
    "6x6": Grid.square(6),
    "two boards": Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5)),
}
NAMES = "{http://www.w3.org/2000/svg}"
GRID = Grid.square(6)
CORNER = (0, 1, 6, 7)
THINGS = (
    *(Line((0, 1), start=end, end=end) for end in ("plain", "bulb", "circle", "diamond")),
    *(Shade((0,), shape=shape) for shape in ("cell", "circle", "square", "diamond")),
    *(Dot(CORNER[:number], "1 2 3 4") for number in (1, 2, 4)),
    *(Line((0,)), Arrow((0, 1)), Cage(CORNER, "10"), Loop((0, 1)), Mark((0, 1), "X"), Chevron((0, 1))),
)


def read(picture):
    """Parse a picture and return its root."""
    return ET.fromstring(picture)  # noqa: S314  # our own


@pytest.mark.parametrize("shape", GRIDS)
@pytest.mark.parametrize("kind", sorted(kind for kind, rule in RULES.items() if rule.__module__.startswith("sudoku_cp.")))
def test_every_rule_has_a_picture(kind, shape):
    """The example of every rule is drawn as well-formed XML, and all texts and circles lie in the frame."""
    grid = GRIDS[shape]
    rule = RULES[kind].example(grid)
    if [*rule.problems(grid)]:
        pytest.skip("the rule cannot be on this grid")
    root = read(svg(Puzzle(grid, (rule,), givens={0: grid.values[0]})))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for one in root.iter():
        for x, y in (("x", "y"), ("cx", "cy")):
            if x in one.attrib:
                assert left <= float(one.attrib[x]) <= left + width
                assert top <= float(one.attrib[y]) <= top + height
    drawn = [thing for thing in rule.cosmetics(grid) if thing.cells]
    plain = read(svg(Puzzle(grid, (), givens={0: grid.values[0]})))
    assert (len([*root.iter()]) > len([*plain.iter()])) == bool(drawn)


@pytest.mark.parametrize("thing", THINGS, ids=repr)
def test_every_drawable_thing_is_drawn(thing: Cosmetic):
    """Each thing, in each of its forms, gives elements that are well-formed."""
    elements = [*shapes(thing, GRID)]
    assert elements
    for element in elements:
        assert read(element).tag in {"polyline", "polygon", "circle", "rect", "text"}


def test_clues_stand_outside_one_beside_the_other():
    """Two clues on the same row do not cover each other, and a slanting one has an arrow."""
    row = GRID.lines[0]
    puzzle = Puzzle(GRID, (RULES["skyscraper"](row, 3), RULES["skyscraper"](row, 4), RULES["little-killer"]((1, 8, 15), 9)))
    texts = {one.text: (float(one.attrib["x"]), float(one.attrib["y"])) for one in read(svg(puzzle)).iter(f"{NAMES}text")}
    assert texts["4"][0] < texts["3"][0] < 0 <= texts["3"][1] <= 1
    assert texts["9"][1] < 0
    assert Clue(row, "").cells == row


def test_values_are_told_apart_by_their_origin():
    """Givens are bold and black, forced values blue, candidates small."""
    puzzle = Puzzle(Grid.square(4), (Houses(),), givens={0: 1}, candidates={5: 0b10010})
    shown = Position.of(puzzle, [1, 2, None, None] + [None] * 12)
    texts = list(read(svg(shown)).iter(f"{NAMES}text"))
    assert [(one.text, one.attrib["fill"], one.attrib.get("font-weight")) for one in texts] == [
        ("1", "#000000", "bold"),
        ("2", "#1D6AE5", None),
        ("1", "#555555", None),
        ("4", "#555555", None),
    ]


def test_titles_cannot_break_out():
    """A title with markup and control characters stays a title."""
    root = read(svg(Puzzle(title='</title><script>alert("x")</script>\x00\x1b[31m', author="&")))
    assert [one.tag for one in root.iter() if "script" in one.tag] == []
    assert "<script>" in root.find(f"{NAMES}title").text


def test_notebooks_show_pictures():
    """Puzzles and positions have the method that notebooks ask for, with their picture."""
    puzzle = Puzzle()
    assert puzzle._repr_svg_() == svg(puzzle) == Position.of(puzzle)._repr_svg_()
