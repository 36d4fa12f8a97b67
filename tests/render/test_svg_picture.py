"""Every rule's picture is well-formed SVG that shows everything it was given, and nothing else."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from sudoku_cp import Board, Grid, Position, Puzzle
from sudoku_cp.cosmetics import Cage, Chevron, Clue, Cosmetic, Dot, DrawnArrow, Line, Mark, Pill, Shade
from sudoku_cp.render import svg
from sudoku_cp.render.geometry import UNITS
from sudoku_cp.render.ground_pieces import RuleCosmetic, ground_pieces
from sudoku_cp.render.picture_layers import place_signs
from sudoku_cp.render.svg_picture import svg_element
from sudoku_cp.rules import RULES, Houses
from sudoku_cp.rules.wording import title_of

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
    *(Line((0,)), DrawnArrow((0, 1)), Cage(CORNER, "10"), Pill((0, 1)), Mark((0, 1), "X"), Chevron((0, 1))),
)


def read(picture):
    """Parse a picture and return its root."""
    return ET.fromstring(picture)  # noqa: S314  # our own


KINDS = sorted(kind for kind, rule in RULES.items() if rule.__module__.startswith("sudoku_cp."))


@pytest.mark.parametrize(
    ("kind", "shape"),
    [
        pytest.param(kind, shape, marks=[] if place == number % len(GRIDS) else [pytest.mark.slow])
        for number, kind in enumerate(KINDS)
        for place, shape in enumerate(GRIDS)
    ],
)
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
    one = RuleCosmetic(thing, 0, "it")
    signed = [piece for _, pieces in place_signs([one], GRID) for piece in pieces]
    pieces = signed or [piece for _, piece in ground_pieces(one, GRID)]
    assert pieces
    for piece in pieces:
        assert piece.box.left < piece.box.right
        assert piece.box.top < piece.box.bottom
        assert read(svg_element(piece.shape)).tag in {"polyline", "polygon", "circle", "rect", "text"}


def test_clues_stand_outside_one_beside_the_other():
    """Two clues on the same row do not cover each other, and a diagonal one has an arrow."""
    row = GRID.lines[0]
    puzzle = Puzzle(
        GRID, (RULES["skyscraper"](row, 3), RULES["skyscraper"](row, 4), RULES["little-killer"]((1, 8, 15, 22, 29), 9))
    )
    texts = {one.text: (float(one.attrib["x"]), float(one.attrib["y"])) for one in read(svg(puzzle)).iter(f"{NAMES}text")}
    assert texts["4"][0] < texts["3"][0] < 0 <= texts["3"][1] <= UNITS
    assert texts["9"][1] < 0
    assert Clue(row, "").cells == row
    assert "sandwich" not in svg(Puzzle(GRID, (RULES["sandwich"](row, 3),)))


def outside(*kinds):
    """Return the picture of a clue "3" of each kind, one per row."""
    return svg(Puzzle(GRID, tuple(RULES[kind](GRID.lines[row], 3) for row, kind in enumerate(kinds))))


def around(picture):
    """Return the shapes around each clue, without colours."""
    elements = [one for one in read(picture) if one.tag.removeprefix(NAMES) in {"polygon", "circle", "text"}]
    forms, found = [], []
    for one in elements:
        if one.tag == f"{NAMES}text":
            found += [tuple(forms)] if one.text == "3" else []
            forms = []
        elif "points" in one.attrib:
            points = [tuple(map(float, point.split(","))) for point in one.attrib["points"].split()]
            forms.append(tuple((round(x - points[0][0]), round(y - points[0][1])) for x, y in points))
        else:
            forms.append(one.attrib["r"])
    return found


def test_one_kind_of_clues_outside_is_plain():
    """Clues of one kind alone are bare numbers, and no legend says what they are."""
    picture = outside("sandwich", "sandwich")
    assert around(picture) == [(), ()]
    assert [one.text for one in read(picture).iter(f"{NAMES}text")] == ["3", "3"]


def test_kinds_of_clues_outside_are_told_apart():
    """Each kind has a form of its own, whatever the colours, the same for all its clues, and a line in the legend."""
    kinds = ("skyscraper", "sandwich", "x-sum", "hidden-skyscraper", "numbered-room", "full-rank")
    picture = outside(*kinds)
    forms = around(picture)
    assert len({*forms, ()}) == len(kinds) + 1
    said = [one.text for one in read(picture).iter(f"{NAMES}text")]
    assert sorted(said) == sorted(["3"] * 6 + ["n"] * 6 + [*map(title_of, kinds)])
    first, second, third = around(outside("x-sum", "sandwich", "x-sum"))
    assert first == third != second


def test_a_kind_with_arrows_needs_nothing_around_it():
    """If arrows mark one kind, only the other has a ring; the legend lies in the frame, below all else."""
    little = RULES["little-killer"]((1, 8, 15, 22, 29), 3)
    picture = svg(Puzzle(GRID, (RULES["sandwich"](GRID.lines[0], 3), little)))
    assert sorted(map(len, around(picture))) == [0, 1]
    _, top, _, height = map(float, read(picture).attrib["viewBox"].split())
    lines = {one.text: float(one.attrib["y"]) for one in read(picture).iter(f"{NAMES}text")}
    named = {name: lines[name] for name in ("Little killer", "Sandwich")}
    assert 6 * UNITS < min(named.values()) <= max(named.values()) < top + height


def test_a_clue_aslant_and_a_straight_one_do_not_cover_each_other():
    """The clues of a diagonal and of the column beside its first cell belong in one place: the straight one gives way."""
    puzzle = Puzzle(GRID, (RULES["skyscraper"](GRID.lines[6], 4), RULES["little-killer"]((1, 8, 15, 22, 29), 9)))
    texts = {one.text: (float(one.attrib["x"]), float(one.attrib["y"])) for one in read(svg(puzzle)).iter(f"{NAMES}text")}
    assert texts["4"][1] < texts["9"][1] - UNITS / 2


def test_no_letter_is_small():
    """Letters are well above one unit, as some renderers round below; the picture is as many pixels as asked for."""
    puzzle = Puzzle(Grid.square(36), (RULES["killer-cage"]((0, 1), 5),), candidates={5: 0b1110})
    root = read(svg(puzzle, cell=10))
    assert min(float(one.attrib["font-size"]) for one in root.iter(f"{NAMES}text")) > 10
    assert float(root.attrib["width"]) == pytest.approx(36 * 10 + 2)


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
