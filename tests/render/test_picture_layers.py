"""Layers of pictures: nothing covers a text, and what would look the same is distinguished."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import combinations, pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp import Grid, Position, Puzzle, read_puzzles
from sudoku_cp.puzzle.rules_in_words import describe_rules
from sudoku_cp.questions.listings import example_grid
from sudoku_cp.render.geometry import Box, union
from sudoku_cp.render.ground_pieces import draw_cage
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.render.svg_picture import svg_element
from sudoku_cp.rules import RULES, AllOf, AnyOf, EqualSums, KillerCage, Quadruple, SumCage, SumLine, rule_from_json
from sudoku_cp.rules.base import move_rule
from sudoku_cp.rules.descriptions import describe_part
from sudoku_cp.rules.wording import title_of

NINE = Grid.square(9)
EXAMPLES = Path(__file__).parents[2] / "examples/variants"
COLOUR = re.compile("#[0-9A-F]{6}")
POINTS = re.compile('points="([^"]*)"')
DRAWN = sorted(
    kind
    for kind, rule in RULES.items()
    if rule.__module__.startswith("sudoku_cp.") and any(True for _ in rule.example(NINE).cosmetics(NINE))
)


def shifted(down, right, cell):
    """Return the cell that far down and right, or raise KeyError."""
    row, column = NINE.places[cell]
    return NINE.cell_at[row + down, column + right]


def elsewhere(kind, down, right):
    """Return the example of a rule, moved; where it would leave the grid, as it is."""
    rule = RULES[kind].example(NINE)
    try:
        there = move_rule(rule, partial(shifted, down, right))
    except KeyError:
        return rule
    return rule if [*there.problems(NINE)] else there


def covered(made):
    """Return every text that is covered, with what covers it."""
    pieces = [*made.pieces()]
    found = []
    for (at, (item, piece)), (later, (other, above)) in combinations(enumerate(pieces), 2):
        if item is other or not (piece.text or above.text):
            continue
        if piece.text and (above.hides(piece.box) or (above.text and above.box.meets(piece.box))):
            found.append((at, piece.text, later, svg_element(above.shape)))
    return found


MIXTURES = st.lists(
    st.builds(elsewhere, st.sampled_from(DRAWN), st.integers(-1, 6), st.integers(-1, 6)), min_size=1, max_size=9, unique=True
)
CELLS = st.sets(st.sampled_from(NINE.cells), max_size=20)


@given(rules=MIXTURES, filled=CELLS, marked=CELLS)
@settings(max_examples=15)
def test_nothing_covers_a_text(rules, filled, marked):
    """In mixtures of any kinds no value, total, clue, sign or pencil mark is covered, by another text or by a form."""
    givens = {cell: 1 + cell % 9 for cell in filled}
    candidates = dict.fromkeys(sorted(marked - filled), 0b1111111110)
    made = make_picture(Position.of(Puzzle(NINE, tuple(rules), givens, candidates)))
    assert covered(made) == []


def test_where_no_usual_spot_is_free_a_gap_is_taken():
    """Signs of six notes and an arrow on each side crowd two cells: their pencil marks keep clear, smaller than elsewhere."""
    notes = [AnyOf((KillerCage((40, 41), total), KillerCage((49, 50), total))) for total in range(3, 9)]
    puzzle = Puzzle(NINE, (RULES["maximum"]((40, 41)), *notes), candidates={40: 0b1111111110, 41: 0b1111111110, 9: 0b1111111110})
    made = make_picture(Position.of(puzzle))
    assert covered(made) == []
    heights = {round(piece.box.bottom - piece.box.top, 3) for item in made.layers["values"] for piece in item.pieces}
    assert len(heights) > 1


def below(puzzle, layer="over"):
    """Return the pieces of a layer."""
    return [piece for item in make_picture(Position.of(puzzle)).layers[layer] for piece in item.pieces]


def texts(puzzle, layer="over"):
    """Return the texts of a layer."""
    return [piece.text for piece in below(puzzle, layer) if piece.text]


def test_a_circle_on_the_corner_of_a_total_leaves_it_readable():
    """A quadruple at the corner in which a cage has its total: the total makes way, and stays in the cell."""
    corner = (12, 13, 21, 22)
    puzzle = Puzzle(NINE, (KillerCage((22, 23), 15), Quadruple(corner, (4, 5, 8))))
    made = make_picture(Position.of(puzzle))
    assert covered(made) == []
    (total,) = [piece for piece in below(puzzle) if piece.text == "15"]
    left, top, right, bottom = total.box
    assert 4 < left < right < 5
    assert 2 < top < bottom < 3


def test_pictures_are_the_same_each_time():
    """The same puzzle has the same picture, whatever was drawn before."""
    puzzle = Puzzle(NINE, tuple(elsewhere(kind, number % 5, number % 3) for number, kind in enumerate(DRAWN)))
    assert make_picture(Position.of(puzzle)) == make_picture(Position.of(puzzle))


def test_a_rule_that_is_there_twice_is_drawn_once():
    """The same clue twice is drawn once; two rules that draw alike in one cell are both seen."""
    clue, circles = elsewhere("sandwich", 0, 0), RULES["counting-circles"]
    assert texts(Puzzle(NINE, (clue, clue)), "outside") == ["2"]
    puzzle = Puzzle(NINE, (circles((0, 1)), circles((1, 2))))
    rings = [piece.box for piece in below(puzzle, "under")]
    assert len(set(rings)) == len(rings) == 4


# --- colours ----------------------------------------------------------------------------------------------------


def colours(puzzle):
    """Return the colours of lines and shades by the kind of the rule that draws them."""
    found = {}
    for item in make_picture(Position.of(puzzle)).layers["under"]:
        kind = puzzle.rules[item.rule].kind
        found.setdefault(kind, set()).update(one for piece in item.pieces for one in COLOUR.findall(svg_element(piece.shape)))
    return found


GREYS = ("thermometer", "palindrome", "between-line", "sum-line", "odd", "extra-region", "windoku")


@pytest.mark.parametrize(("one", "other"), [*pairwise((*GREYS, GREYS[0]))])
def test_kinds_drawn_in_one_colour_get_another_when_both_are_there(one, other):
    """Each alone has its own colour and no legend; together they differ, and the legend names both."""
    rules = elsewhere(one, 0, 0), elsewhere(other, 4, 1)
    alone = [colours(Puzzle(NINE, (rule,)))[rule.kind] for rule in rules]
    assert texts(Puzzle(NINE, rules[:1]), "legend") == []
    both = colours(Puzzle(NINE, rules))
    assert not (both[one] & both[other]) - {"#FFFFFF"}
    assert both[one] == alone[0] or both[other] == alone[1]
    assert texts(Puzzle(NINE, rules), "legend") == sorted(map(title_of, (one, other)))


def test_shapes_that_differ_share_a_colour():
    """Circles and squares in cells are distinguished by their form."""
    both = colours(Puzzle(NINE, (elsewhere("odd", 0, 0), elsewhere("even", 4, 1))))
    assert both["odd"] == both["even"]


def test_groups_of_rules_of_one_kind_are_told_apart():
    """Clones have a colour per rule and a letter in each group; where regions overlap, a cell shows all their colours."""
    puzzle = Puzzle(NINE, tuple(elsewhere("clone", down, right) for down, right in ((0, 0), (0, 3), (4, 4))))
    assert len({COLOUR.search(svg_element(piece.shape))[0] for piece in below(puzzle, "under")}) == len(puzzle.rules)
    assert sorted(texts(puzzle)) == ["a", "a", "b", "b", "c", "c"]
    regions = Puzzle(NINE, (elsewhere("extra-region", 0, 0), elsewhere("extra-region", 1, 1)))
    wedges = [svg_element(piece.shape) for piece in below(regions, "under") if svg_element(piece.shape).startswith("<polygon")]
    assert len({COLOUR.search(wedge)[0] for wedge in wedges}) == len(wedges) == 2


# --- each of the things -----------------------------------------------------------------------------------------


def test_overlapping_cages_lie_within_one_another():
    """Of cages that share a cell each is drawn farther inside than those before it; others are not."""
    cages = [KillerCage((0, 1, 2), 6), KillerCage((1, 10), 7), KillerCage((1, 2), 8), KillerCage((40, 41), 9)]
    items = make_picture(Position.of(Puzzle(NINE, tuple(cages)))).layers["under"]
    tops = {item.rule: round(min(piece.box.top for piece in item.pieces) % 1, 3) for item in items}
    assert tops[0] == tops[3] < tops[1] < tops[2]


def test_colours_of_cages_mean_their_kind_where_there_are_several():
    """Each kind has one colour, that of the legend, however deep its cages lie; those of one kind differ in their dashes."""
    rules = (KillerCage((72, 73), 5), SumCage((72, 73), 5), SumCage((0, 1), 6), SumCage((1, 2), 7), KillerCage((3, 4), 8))
    items = make_picture(Position.of(Puzzle(NINE, rules))).layers
    found = {item.rule: {*COLOUR.findall("".join(svg_element(piece.shape) for piece in item.pieces))} for item in items["under"]}
    assert all(len(colours) == 1 for colours in found.values())
    assert found[0] == found[4] != found[1] == found[2] == found[3]
    samples = {item.pieces[-1].text: {*COLOUR.findall(svg_element(item.pieces[0].shape))} for item in items["legend"]}
    assert samples == {"Killer cage": found[0], "Sum cage": found[1]}
    dashes = {item.rule: re.search('dasharray="([^"]*)"', svg_element(item.pieces[0].shape))[1] for item in items["under"]}
    assert dashes[2] != dashes[3]


def test_a_legend_names_all_lines_or_none():
    """Where two kinds of lines need a legend, it names a third as well; where none needs it there is none."""
    palindrome, total, renban = (RULES[kind].example(NINE) for kind in ("palindrome", "sum-line", "renban"))
    renban = replace(renban, cells=(40, 41, 42))
    cage = KillerCage((60, 61), 5)
    assert texts(Puzzle(NINE, (palindrome, renban, cage)), "legend") == []
    assert texts(Puzzle(NINE, (palindrome, total, renban, cage)), "legend") == ["Palindrome", "Renban", "Sum line"]


def test_parts_of_a_cage_that_lie_apart_are_linked():
    """A cage of three parts has two links, each from one part to another; a cage in one piece has none."""
    whole = len([*draw_cage([(0, 0), (0, 1)], "#000000", 0)])
    assert whole == 6
    assert len([*draw_cage([(0, 0), (1, 1), (5, 5)], "#000000", 0)]) == 3 * 4 + 2


@pytest.mark.parametrize(
    ("bulb", "shaft"),
    [
        (["r1c1", "r1c2"], ["r2c3", "r3c4"]),
        (["r1c1", "r1c2"], ["r2c1", "r3c1"]),
        (["r5c5", "r6c5", "r7c5"], ["r6c6", "r6c7"]),
        (["r5c5", "r6c5", "r7c5"], ["r5c4", "r4c4"]),
        (["r5c5"], ["r4c4"]),
    ],
)
def test_the_shaft_of_a_pill_arrow_begins_at_the_pill(bulb, shaft):
    """It begins on the pill's edge, neither inside nor beyond, wherever it leaves."""
    rule = rule_from_json({"kind": "pill-arrow", "bulb": bulb, "shafts": [shaft]}, NINE)
    pill, line, _ = (piece for piece in below(Puzzle(NINE, (rule,)), "under"))
    x, y = (float(one) / 100 for one in POINTS.search(svg_element(line.shape))[1].split()[0].split(","))
    rows, columns = zip(*(NINE.places[cell] for cell in rule.bulb), strict=True)
    down = y - max(min(rows) + 0.5, min(max(rows) + 0.5, y))
    across = x - max(min(columns) + 0.5, min(max(columns) + 0.5, x))
    assert (down**2 + across**2) ** 0.5 == pytest.approx(0.38, abs=0.002)
    assert "rect" in svg_element(pill.shape)


def test_a_sum_line_shows_its_total():
    """The total stands in the first cell of the line, on a ground of its colour."""
    ground, total = below(Puzzle(NINE, (SumLine((40, 41, 42), 12),)))
    assert total.text == "12"
    assert Box(4, 4, 5, 5).meets(total.box)
    assert "#CFCFCF" in svg_element(ground.shape)


def test_only_the_first_of_several_alternatives_is_drawn_and_faintly():
    """What need not hold is faint, has a sign, and the legend names all alternatives; with another they have letters."""
    one = AnyOf((KillerCage((0, 1), 7), KillerCage((9, 10), 8)))
    puzzle = Puzzle(NINE, (one,))
    items = [item for item in make_picture(Position.of(puzzle)).layers["under"] if item.rule == 0]
    assert all(item.faint for item in items)
    assert max(piece.box.bottom for item in items for piece in item.pieces) < 1
    assert texts(puzzle) == ["7", "?"]
    assert " ".join(texts(puzzle, "legend")) == "? any of: Killer cage r1c1 r1c2, total 7; or Killer cage r2c1 r2c2, total 8"
    both = Puzzle(NINE, (one, AnyOf((KillerCage((40, 41), 7),))))
    assert [said for said in texts(both, "legend") if said.startswith("?")] == ["?a", "?b"]


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[] if number % 2 == 0 else [pytest.mark.slow])
        for number, kind in enumerate(DRAWN)
        if kind not in {"any-of", "all-of", "region-count", "repeated"}
    ],
)
def test_whatever_need_not_hold_is_faint(kind):
    """Whatever a rule among alternatives draws is faint, except the sign of the note."""
    puzzle = Puzzle(NINE, (AnyOf((AllOf((RULES[kind].example(NINE),)),)),))
    layers = make_picture(Position.of(puzzle)).layers
    items = [item for name in ("under", "over", "outside") for item in layers[name]]
    assert {piece.text for item in items if not item.faint for piece in item.pieces} <= {"", "?"}
    assert any(item.faint for item in items)
    assert layers["legend"][0].pieces[0].text == "?"


def test_groups_without_a_shade_are_told_in_the_legend():
    """More groups than there are shades, and houses with the same values, are named."""
    many = Puzzle(NINE, (EqualSums(tuple((cell, cell + 1) for cell in range(0, 24, 3))),))
    assert below(many, "under") == []
    assert "r1c1 r1c2, r1c4 r1c5" in " ".join(texts(many, "legend"))
    same = Puzzle(NINE, (RULES["same-value-sets"]((NINE.regions[0], NINE.regions[4])),))
    assert texts(same, "legend") == ["the same values: box 1, box 5"]


def test_equal_sums_of_houses_are_told_in_the_legend():
    """Groups that are rows, columns, boxes or whole diagonals are named and not shaded; others are shaded and not named."""
    diagonal = tuple(10 * step for step in range(9))
    puzzle = Puzzle(NINE, (EqualSums((NINE.lines[0], NINE.lines[12], NINE.regions[4], diagonal, (3, 12))),))
    assert below(puzzle, "under") == []
    said = " ".join(texts(puzzle, "legend"))
    assert said == "equal sums: row 1, column 4, box 5, diagonal r1c1 to r9c9, r1c4 r2c4"
    shaded = Puzzle(NINE, (EqualSums(((0, 1), (20, 21))),))
    assert below(shaded, "under")
    assert texts(shaded, "legend") == []


def test_lines_on_the_same_way_run_side_by_side():
    """A line that shares a stretch with another is moved off it, whatever the direction; one that branches off a bulb is not."""
    lines = [rule_from_json({"kind": "renban", "cells": cells}, NINE) for cells in (ROUTE, ROUTE[1:], ROUTE[:-1])]
    starts = [piece.box for piece in below(Puzzle(NINE, tuple(lines)), "under") if "#F067F0" in svg_element(piece.shape)]
    assert len({(round(box.left % 1, 3), round(box.top % 1, 3)) for box in starts}) == 3
    thermometers = [rule_from_json({"kind": "thermometer", "cells": cells}, NINE) for cells in (ROUTE, [*ROUTE[:2], "r1c2"])]
    drawn = below(Puzzle(NINE, tuple(thermometers)), "under")
    starts = [POINTS.search(svg_element(piece.shape))[1].split()[0] for piece in drawn if "points" in svg_element(piece.shape)]
    assert starts == ["150,150"] * 2


ROUTE = ["r2c2", "r2c3", "r3c4", "r4c4", "r5c3"]


ROUND = ("odd", "thermometer", "index-line", "arrow", "counting-circles", "between-line", "lockout-line", "successor-arrow")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(one, other, marks=[] if (number + place) % 3 == 0 else [pytest.mark.slow])
        for (number, one), (place, other) in permutations(enumerate(ROUND), 2)
    ],
)
def test_nothing_round_is_hidden(one, other):
    """Of two things in one cell neither covers the other, whichever comes first: the upper is smaller, or open."""
    rules = elsewhere(one, 0, 0), elsewhere(other, 0, 0)
    pieces = below(Puzzle(NINE, rules), "under")
    for lower, upper in combinations(pieces, 2):
        if upper.opaque:
            assert not inside(lower.box, upper.box), (svg_element(lower.shape), svg_element(upper.shape))


def inside(box, other):
    """Return whether a box lies within another."""
    return other.left <= box.left and other.top <= box.top and box.right <= other.right and box.bottom <= other.bottom


def test_letters_are_as_large_as_others():
    """The digits of a quadruple, the total of a lunchbox and that of a cage have the same size, on white and in black."""
    rules = (Quadruple((0, 1, 9, 10), (2, 3, 4)), KillerCage((40, 41), 8), RULES["lunchbox"]((60, 61), 7))
    pieces = {piece.text: piece for piece in below(Puzzle(NINE, rules)) if piece.text}
    sizes = {said: piece.box.bottom - piece.box.top for said, piece in pieces.items()}
    assert all(size == pytest.approx(sizes["8"]) for size in sizes.values())
    assert all('fill="#000000"' in svg_element(piece.shape) for piece in pieces.values())


def test_clues_that_begin_within_the_grid_stand_in_their_first_cell():
    """A diagonal that does not begin at the border has its total, with an arrow, in a corner of its first cell."""
    puzzle = Puzzle(NINE, (RULES["little-killer"](tuple(range(10, 81, 10)), 9),), givens={0: 5, 10: 4})
    assert texts(puzzle) == ["9↘"]
    assert texts(puzzle, "outside") == []
    assert covered(make_picture(Position.of(puzzle))) == []


@pytest.mark.parametrize(
    "rule",
    [
        *(RULES[kind](NINE.lines[0][:5], 10) for kind in ("skyscraper", "sandwich", "x-sum", "little-killer")),
        RULES["little-killer"]((1, 11, 21), 10),
        RULES["pair-sum"]((18, 29), 10),
        RULES["difference"]((36, 44), 10),
        RULES["ratio"]((0, 10), 10),
        RULES["inequality"]((0, 2)),
        RULES["quadruple"]((0, 1, 2, 9), (1, 2)),
    ],
)
def test_a_clue_that_would_look_like_another_is_a_note(rule):
    """Signs between cells that do not touch, and clues that stop short of the edge, stand in their cells and in the legend."""
    puzzle = Puzzle(NINE, (rule, RULES["pair-sum"]((60, 70), 9)))
    assert sorted(texts(puzzle)) == ["*a"] * len(rule.cells) + ["*b"] * 2
    assert texts(puzzle, "outside") == []
    said = " ".join(texts(puzzle, "legend"))
    assert f"*a {title_of(rule.kind)} {describe_part(rule, NINE)}" in said
    assert all(name in describe_rules([rule], NINE) for name in map(NINE.cell_name, rule.cells))


@pytest.mark.parametrize("pair", [(18, 19), (19, 18), (18, 27)])
@pytest.mark.parametrize("corners", [(), ((9, 10, 18, 19), (18, 19, 27, 28))])
def test_signs_on_one_edge_stand_side_by_side(pair, corners):
    """A dot of each colour, a letter and an inequality sign on one edge, with circles at its ends, keep clear of each other."""
    kinds = [RULES[kind](pair) for kind in ("difference", "ratio", "inequality")] + [RULES["pair-sum"](pair[::-1], 10)]
    circles = [RULES["quadruple"](cells, (number, 5)) for number, cells in enumerate(corners, 1)]
    items = make_picture(Position.of(Puzzle(NINE, (*kinds, *circles)))).layers["over"]
    boxes = [union(piece.box for piece in item.pieces) for item in items]
    assert len(boxes) == len(kinds) + len(circles)
    assert not [pair for pair in combinations(boxes, 2) if pair[0].shared(pair[1]) > 0.001]


def test_words_stand_below():
    """A heading and paragraphs, in lines that are no wider than the grid and lie in the frame."""
    made = make_picture(Position.of(Puzzle(NINE)), heading="A title", words="One rule.\n" + "Another rule with many words. " * 9)
    (item,) = made.layers["words"]
    said = [piece.text for piece in item.pieces]
    assert said[:2] == ["A title", "One rule."]
    assert len(said) > 4
    assert all(9 < piece.box.top < piece.box.bottom < made.frame.bottom + 0.01 for piece in item.pieces)
    assert made.frame.right == 9


# --- the size of legends ----------------------------------------------------------------------------------------------


def legend_share(puzzle):
    """Return the part of the board's area that a picture has more for its legend."""
    picture = make_picture(Position.of(puzzle))
    others = [item for name, items in picture.layers.items() if name != "legend" for item in items]
    rest = union([piece.box for item in others for piece in item.pieces])
    legend = [piece.box.bottom for item in picture.layers["legend"] for piece in item.pieces]
    return (max(legend, default=rest.bottom) - rest.bottom) * (picture.frame.right - picture.frame.left) / len(puzzle.grid.places)


@pytest.mark.parametrize("kind", sorted(RULES))
def test_a_legend_takes_a_tenth_of_the_board(kind):
    """The legend of each kind of rule takes a tenth of the board's area at most."""
    grid = example_grid(RULES[kind], 9)
    assert legend_share(Puzzle(grid, (RULES[kind].example(grid),))) <= 0.1 + 1e-9


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_an_example_has_a_legend_like_a_caption(path):
    """The legend of each example takes a tenth of its board's area at most."""
    for puzzle in read_puzzles(path):
        assert legend_share(puzzle) <= 0.1 + 1e-9


def test_a_legend_of_many_kinds_shrinks_before_it_leaves_out_any():
    """Twelve kinds are all named in a tenth of the board; of more the last entry counts those that have no room."""
    names = """arrow pill-arrow palindrome renban whisper between-line lockout-line region-sum-line modular-line thermometer
        skyscraper sandwich x-sum numbered-room maximum odd extra-region repeated"""
    rules = [RULES[kind].example(example_grid(RULES[kind], 9)) for kind in names.split()]
    twelve, all_of_them = Puzzle(NINE, tuple(rules[:12])), Puzzle(NINE, tuple(rules))
    assert legend_share(twelve) <= 0.1 + 1e-9
    assert len([said for said in texts(twelve, "legend") if said != "n"]) == 12
    assert legend_share(all_of_them) <= 0.1 + 1e-9
    assert [said for said in texts(all_of_them, "legend") if re.fullmatch(r"and \d+ more", said)]
