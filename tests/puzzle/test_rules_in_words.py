"""Rules in words: together with the drawing, they state everything that a rule says."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import partial

import pytest

from sudoku_cp.cosmetics import NestedDrawing
from sudoku_cp.grid import Board, Cell, Grid
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.puzzle.rules_in_words import describe_cells, describe_rules
from sudoku_cp.render import svg
from sudoku_cp.render.colours import FORMS
from sudoku_cp.render.ground_pieces import _colour_use, cosmetics_of
from sudoku_cp.render.picture_layers import make_picture
from sudoku_cp.rules import RULES
from sudoku_cp.rules.base import Rule
from sudoku_cp.rules.cages import TIMES, KillerCage, SumCage
from sudoku_cp.rules.chess import Nonconsecutive
from sudoku_cp.rules.clones import Clone
from sudoku_cp.rules.composite import AllOf, AnyOf
from sudoku_cp.rules.counting import CountingCircles
from sudoku_cp.rules.houses import Houses
from sudoku_cp.rules.lines import Thermometer, Whisper
from sudoku_cp.rules.marked_cells import Even, Odd
from sudoku_cp.rules.neighbour_pairs import Difference, Ratio
from sudoku_cp.rules.outside_clues import Sandwich
from sudoku_cp.rules.wording import title_of
from sudoku_cp.symbols import Symbols

NINE = Grid.square(9)
NUMBERS = [
    (kind, field.name)
    for kind, rule in sorted(RULES.items())
    if rule.__module__.startswith("sudoku_cp.")
    for field in fields(rule)
    if "Cell" not in str(field.type) and "Rule" not in str(field.type) and "str" not in str(field.type)
]


def changed(value, by):
    """Return a field's value with all its numbers changed; one that has none gets some."""
    match value:
        case bool():
            return value if by == 1 else not value
        case int():
            return value + by
        case None:
            return by + 2
        case ():
            return by + 1, by + 3
        case tuple():
            return tuple(changed(one, by) for one in value)
    raise AssertionError(value)


def drawn(rule):
    """Return the rule's drawing on the grid, without colours, and the letters of the notes about it."""
    things = [thing.thing if isinstance(thing, NestedDrawing) else thing for thing in rule.cosmetics(NINE)]
    return [replace(thing, colour="") if hasattr(thing, "colour") else thing for thing in things]


def letters(rule):
    """Return all letters of a rule's picture."""
    return [piece.text for _, piece in make_picture(Position.of(Puzzle(NINE, (rule,)))).pieces() if piece.text]


@pytest.mark.parametrize(("kind", "name"), NUMBERS)
def test_a_number_is_drawn_or_told(kind, name):
    """Two rules of any kind that differ in a number, in any field, differ in the letters of the picture or in the words."""
    rule = RULES[kind].example(NINE)
    one, other = (replace(rule, **{name: changed(getattr(rule, name), by)}) for by in (1, 2))
    assert [drawn(one), describe_rules([one], NINE)] != [drawn(other), describe_rules([other], NINE)]


def test_rules_of_one_kind_say_which_is_which():
    """Where hidden numbers differ their cells are named; where all have the same they are not; joined rules read the same."""
    usual, four, three = Whisper((0, 1, 2)), Whisper((9, 10), 4), Whisper((18, 19), 3)
    words = describe_rules([usual, four, three], NINE).splitlines()
    assert words == [
        "Neighbouring digits along the line differ by at least 5 (r1c1 r1c2 r1c3).",
        "Neighbouring digits along the line differ by at least 4 (r2c1 r2c2).",
        "Neighbouring digits along the line differ by at least 3 (r3c1 r3c2).",
    ]
    assert describe_rules([four, replace(four, cells=(3, 4))], NINE).endswith("by at least 4.")
    assert describe_rules([AllOf((usual, four)), three], NINE).splitlines() == words
    assert describe_rules([replace(four, difference=0)], NINE).endswith("by at least 0.")
    row, below = NINE.lines[:2]
    said = describe_rules([Sandwich(row, 10, (2, 3)), Sandwich(below, 10)], NINE)
    assert "between the 2 and the 3" in said
    assert "between the 1 and the 9" in said
    assert "r1c1" in said


@pytest.mark.parametrize("cage", [SumCage((36, 37, 38), 12, (2, 1, 1)), SumCage((36, 37, 38, 36), 12)])
def test_cells_that_count_twice_are_marked(cage):
    """A factor and a cell listed twice appear in the picture, in its legend and in the words."""
    said = letters(cage)
    assert said.count(f"{TIMES}2") == 2
    assert "counts" in " ".join(said)
    assert "r5c1 r5c2 r5c3" in describe_rules([cage], NINE)
    assert letters(SumCage((36, 37, 38), 12)) == ["12"]


def sorts(rule):
    """Return the sorts of things that the rule's example is drawn with: shades, lines, cages."""
    things = cosmetics_of(Puzzle(NINE, (rule.example(NINE),)))
    return {FORMS[use.form].sort for use in map(partial(_colour_use, by_level=False), things) if use and use.name == rule.kind}


FIT = [kind for kind, rule in sorted(RULES.items()) if rule is not AllOf and not [*rule.example(NINE).problems(NINE)]]
KINDS = {sort: [kind for kind in FIT if sort in sorts(RULES[kind])] for sort in ("shade", "line", "cage")}
PAIRS = [(one, other) for kinds in KINDS.values() for one, other in zip(kinds, [*kinds[1:], kinds[0]], strict=True)]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_words_about_things_that_are_drawn_alike_have_a_key(one, other):
    """Of two kinds of lines, of shades or of cages, the legend shows which is which, and the words use its names."""
    puzzle = Puzzle(NINE, tuple(RULES[kind].example(NINE) for kind in (one, other)))
    words = describe_rules(puzzle.rules, NINE)
    titles = {*map(title_of, (one, other))}
    assert titles <= {line.partition(": ")[0] for line in words.splitlines()}
    assert titles <= {piece.text for _, piece in make_picture(Position.of(puzzle), keyed=True).pieces()}
    assert all(f">{title}</text>" in svg(puzzle, words=words) for title in titles)


def test_words_about_one_drawing_need_no_key():
    """A puzzle with one kind of thing on it has neither names before its sentences nor a legend."""
    puzzle = Puzzle(NINE, (Whisper((0, 1, 2)),))
    assert describe_rules(puzzle.rules, NINE).startswith("Neighbouring digits along the line")
    assert ">Whisper<" not in svg(puzzle, words=describe_rules(puzzle.rules, NINE))
    assert ">Even<" not in svg(Puzzle(NINE, (Even((0,)), Odd((1,))), ruleset="Squares are even."), words="Squares are even.")


OURS = [kind for kind, rule in sorted(RULES.items()) if rule.__module__.startswith("sudoku_cp.")]


@pytest.mark.parametrize("kind", OURS)
def test_a_sentence_names_no_parameter(kind):
    """Nobody who solves a puzzle knows what a field is called: no sentence has ``(name: value)``, an underscore or a backtick."""
    said = describe_rules([RULES[kind].example(NINE)], NINE)
    assert not re.search(r"`|_|\(\w+: ", said)
    assert RULES[kind].sentence is not Rule.sentence, "a rule of this package has a sentence of its own"
    assert said.endswith(".")


@pytest.mark.parametrize("kind", OURS)
def test_a_sentence_is_written_in_the_board_s_alphabet(kind):
    """On a board of letters no sentence says "digit", and values are written as letters."""
    letters = Grid((Board(4, 4, (2, 2)),), range(1, 5))
    rule = RULES[kind].example(letters)
    said = describe_rules([rule], letters, Symbols("PQRS"))
    assert "digit" not in said.lower()
    assert "digit" in describe_rules([rule], letters).lower() or "value" not in said.lower()


def test_pairs_without_a_sign_are_exempt_by_name():
    """A rule about neighbours without dots says so where dots are drawn at all its exceptions, and names them elsewhere."""
    negative, dot = Nonconsecutive(((0, 1),)), Difference((0, 1))
    assert describe_rules([negative], NINE) == "Neighbouring cells never hold consecutive digits except r1c1 r1c2."
    assert "unless a white dot is drawn between them" in describe_rules([negative, dot], NINE)
    assert "except r1c1 r1c2" in describe_rules([negative, dot, Difference((5, 6))], NINE)
    assert "unless a dot is drawn" in describe_rules([replace(negative, exempt=((0, 1), (9, 10))), dot, Ratio((9, 10))], NINE)


def test_sets_that_are_drawn_alike_are_told_apart():
    """Several sets of counting circles name their cells; lines of one kind with one number share a sentence."""
    circles = CountingCircles((0, 10, 20)), CountingCircles((40, 50, 60))
    assert describe_rules(circles[:1], NINE) == "A digit in a circle is the number of circles that hold it."
    assert describe_rules(circles, NINE) == (
        "A digit in a circle is the number of circles of its set that hold it (r1c1 r2c2 r3c3 / r5c5 r6c6 r7c7)."
    )
    lines = [Whisper((first, first + 1)) for first in (0, 9, 18)]
    said = describe_rules([*lines, Whisper((27, 28), 4)], NINE).splitlines()
    assert [line.count("/") for line in said] == [2, 0]


def test_a_choice_tells_each_of_its_rules():
    """A choice of rules is a list of sentences with their cells."""
    said = describe_rules([AnyOf((Odd((0, 1)), Difference((1, 2))))], NINE)
    assert said == (
        "At least one of these is true: a grey circle marks an odd digit (r1c1 r1c2); "
        "or digits on either side of a white dot are consecutive (r1c2 r1c3)."
    )


def test_cells_speak_of_their_rules():
    """Whoever hears the board hears of cages, lines and clues with each cell, with their numbers and places."""
    cage, line, dot = KillerCage((0, 1, 9), 14), Thermometer((20, 21, 22)), Difference((40, 41), 3)
    clones, clue = Clone((60, 61), ((70, 71),)), Sandwich(NINE.lines[8], 12)
    large = KillerCage((54, 55, 56, 63, 64, 65, 72), 30)
    spoken = describe_cells([Houses(), cage, line, dot, clones, clue, large], NINE)
    said = {cell: [one.text for one in rules] for cell, rules in spoken.items()}
    assert said[0] == ["killer cage, total 14, with row 1 column 2 and row 2 column 1"]
    assert said[64] == ["killer cage, total 30, with row 7 columns 1 2 3, row 8 columns 1 3 and row 9 column 1"]
    assert said[21] == ["thermometer, cell 2 of 3, previous left, next right"]
    assert said[41] == ["difference, difference 3, with row 5 column 5"]
    assert (said[60], said[70]) == (["clone"], ["clone, copy"])
    assert said[74][-1] == "sandwich, total 12, cell 3 of 9, previous left, next right"
    assert 5 not in said


@pytest.mark.parametrize(
    ("rule", "terms", "total"),
    [
        (KillerCage((0, 1, 9), 14), ((0, 1), (1, 1), (9, 1)), 14),
        (RULES["little-killer"]((1, 11, 21), 9), ((1, 1), (11, 1), (21, 1)), 9),
        (RULES["pair-sum"]((0, 1), 10), ((0, 1), (1, 1)), 10),
        (RULES["arrow"](0, ((1, 2),)), ((1, 1), (2, 1), (0, -1)), 0),
    ],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_a_cell_knows_the_sums_that_bind_it(rule, terms, total):
    """Rules that fix a sum give its cells and its total, whatever constraint they lower to, so that what is left can be said."""
    spoken = describe_cells([rule], NINE)
    assert [one.sums for one in spoken[terms[0][0]]] == [((terms, total),)]


@pytest.mark.parametrize("kind", OURS)
def test_every_rule_with_cells_is_heard(kind):
    """Each cell that a kind's example has in a field speaks of it; cells that are exempt from a rule about the board do not."""
    rule = RULES[kind].example(NINE)
    own = [(one, getattr(rule, name)) for name, one in rule.field_types.items() if one.plain is Cell]
    cells = {cell for one, value in own for cell in one.plain_values(value)}
    assert {*describe_cells([rule], NINE)} >= (set() if rule.gesture == "switch" else cells)
