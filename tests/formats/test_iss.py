"""The constraint string of the Interactive Sudoku Solver."""

from __future__ import annotations

import random
from dataclasses import fields
from io import StringIO
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput, ParseError, Unsupported
from sudoku_cp.formats import records_of_text, sniff, write_puzzles
from sudoku_cp.formats.iss.automaton_words import (
    PackedAutomaton,
    automaton_text,
    pairs_text,
    parse_automaton,
    parse_pairs,
    parse_set,
    set_text,
)
from sudoku_cp.formats.iss.board_layout import box_sides
from sudoku_cp.formats.iss.string_reader import IGNORED, KINDS, SHAPES, STRICT_WORDS, TIES, WORDS
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import RULES, AllOf, AnyOf, FullRank, Houses, KillerCage, Quadruple, rule_from_json

GRIDS = {
    "9x9": Grid.square(9),
    "4x4": Grid.square(4),
    "values from 0": Grid.square(6, values=range(6)),
    "6x8": Grid.rectangle(6, 8, (2, 4)),
    "jigsaw": Grid.jigsaw("AAAB ACBB CCDB CDDD"),
    "no boxes": Grid.rectangle(4, 4),
}
OURS = sorted(kind for kind, rule in RULES.items() if rule.__module__.startswith("sudoku_cp.rules."))

CHANCE = random.Random(7)  # noqa: S311  # for tests
SAME = """
.Shape~4x4.Or.Cage~3~R1C1~R1C2.End
.And.X~R1C1~R1C2.End
.Replicate~BIAB.SameValues~2~R1C1~R3C3.End
.Replicate~BE~R1C2.Thermo~R1C2~R2C2.End
.NoBoxes.Jigsaw~000111222000111222000111222333444555333444555333444555666777888666777888666787878
.Shape~6x6.RegionSize~4
.Shape~10x10~~Raw.Thermo~R1Ca~RaC1
.Shape~9x9~0-9.Doppelganger
.Shape~16x16.Thermo~RgCg~RfCf
.Thermo~R1C1~R1C2~R1C3
.Whisper~R1C1~R1C2~R1C3
.Whisper~4~R1C1~R1C2~R1C3
.Renban~R1C1~R1C2~R1C3
.Modular~3~R1C1~R1C2~R1C3
.Entropic~R1C1~R1C2~R1C3
.RegionSumLine~R1C2~R2C2~R3C4
.Between~R1C1~R1C2~R1C3
.Lockout~4~R1C1~R1C2~R1C3
.Palindrome~R1C1~R1C2~R1C3
.Zipper~R1C1~R1C2~R1C3~R1C4
.SumLine~10~R1C1~R1C2~R1C3
.SumLine~10~R1C1~R1C2~R2C2~R2C1~LOOP
.Regex~WzEtNV0q~R1C1~R1C2
.NoBoxes
.NoBoxes.ChaosConstruction
.RegionSameValues
.Windoku
.Diagonal~1
.Diagonal~1.Diagonal~-1
.AntiKnight.AntiKing.AntiConsecutive.AntiTaxicab.DisjointSets.GlobalEntropy.GlobalMod.DutchFlatmates
.StrictKropki.WhiteDot~R1C1~R1C2.BlackDot~R5C5~R6C5
.StrictXV.X~R1C1~R1C2.V~R2C1~R2C2
.GreaterThan~R1C1~R1C2
.ValueIndexing~R1C4~R2C4~R2C3
.Arrow~R1C1~R1C2~R1C3
.DoubleArrow~R1C1~R1C2~R1C3
.PillArrow~2~R1C1~R1C2~R1C3
.Cage~10~R1C1~R1C2
.Cage~0~R1C1~R1C2
.RellikCage~8~R1C1~R2C1
.EqualityCage~R1C1~R1C2
.Sum~0_=_1_1_-1~R5C1~R5C2~R6C1
.Sum~9~R5C1~R5C2~R6C1
.Lunchbox~5~R1C1~R1C2~R1C3
.LittleKiller~10~R1C1
.XSum~C1~10~
.Sandwich~15~R1
.Skyscraper~C5~5~
.HiddenSkyscraper~R8~~4
.NumberedRoom~C1~4~
.FullRank~C1~33~
.FullRankTies~any.FullRank~C1~33~
.AllDifferent~R1C1~R1C2~R2C2
.ContainAtLeast~1_2~R3C4~R3C5
.ContainExact~2~R1C2~R2C2
.LookAndSay~1223~R1C1~R1C2~R1C3
.SameValues~2~R2C2~R3C3
.EqualSum~R1C1~R2C2~-~R3C3~R4C4
.Quad~R1C1~1~2
.ConnectedValues~~1_2~5
.Pair~8H_xf8H_xf8H_B~_~R1C1~R1C2
.PairX~8H_xf8H_xf8H_B~_~R4C1~R5C1
.Indexing~C~R1C1
.CountingCircles~R1C1~R1C2~R2C2
.CountDistinct~R3C3~R3C2~R2C2
.~R1C1_1
.~R1C2_1_2
""".split()  # noqa: SIM905  # one a line

OTHERWISE = {
    ".~R1C1_1_2.~R1C1_2_3": ".~R1C1_2",
    ".And.~R1C1_5.End": ".~R1C1_5",
    ".Replicate~D.~R1C1_5_6.End": ".~R1C1_5_6~R1C2_5_6",
    ".Diagonal~-1.AntiKing.Diagonal~1": ".Diagonal~1.Diagonal~-1.AntiKing",
    ".SearchPriority~10~R1C1": ".Shape~9x9",
    ".Whisper~5~R1C1~R1C2": ".Whisper~5~R1C1~R1C2",
    ".WhiteDot~R1C1~R1C2~R2C2": ".WhiteDot~R1C1~R1C2.WhiteDot~R1C2~R2C2",
    ".Regex~WzEtNV0q~R1C1~R1C2~~R2C1": ".Regex~WzEtNV0q~R1C1~R1C2.Regex~WzEtNV0q~R2C1",
    ".HiddenSkyscraper~R8~7~4": ".HiddenSkyscraper~R8~7~.HiddenSkyscraper~R8~~4",
    ".Binary~8H-xf8H-xf8H-B~_a~R1C1~R1C2": ".Pair~8H_xf8H_xf8H_B~_~R1C1~R1C2",
    ".Jigsaw~9x9~" + "0" * 81: ".Shape~9x9",
    ".RegionSize~3": ".NoBoxes",
    ".Replicate~H~R1C2.Thermo~R1C2~R2C1.End": ".Replicate~H.Thermo~R1C2~R2C1.End",
}


def _read(line):
    (record,) = records_of_text(line + "\n", format="iss")
    if record.error:
        raise record.error
    return record.puzzle


def _text_of(puzzle):
    target = StringIO()
    write_puzzles([puzzle], target, "iss")
    return target.getvalue().strip().removesuffix(".")  # it ends a string of one word


# --- words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", SAME)
def test_a_string_is_written_as_it_was_read(line):
    """Every word is recognised, read, and written as it was."""
    assert sniff(line + "\n").name == "iss"
    assert sorted(_text_of(_read(line)).split(".")) == sorted(line.split("."))


@pytest.mark.parametrize("line", OTHERWISE)
def test_other_ways_to_say_it_are_understood(line):
    """Older forms, and words that mean several rules, are read, and written in the usual form."""
    assert _text_of(_read(line)) == OTHERWISE[line]


def test_every_word_is_tried():
    """The strings above contain every word of the table."""
    said = "".join([*SAME, *OTHERWISE])
    assert {name for name in WORDS if f".{name}" not in said} <= {"Given", "BinaryX", "NFA", "ChaosArrow", "ChaosCount"}


def test_rules_know_their_words():
    """The word that a rule names as its own can be read."""
    known = {*WORDS, "Or", "And", "Replicate", "StrictKropki", "StrictXV"}
    for kind in OURS:
        assert {*RULES[kind].elsewhere.get("ISS", "Or").split(", ")} <= known


def test_links_are_read():
    """A link holds the string after ``q=``, its signs escaped."""
    line = "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Cage%7E10~R1C1~R1C2.~R9C9_5&mode=x"
    assert sniff(line).name == "iss"
    assert _read(line) == Puzzle(rules=(Houses(), KillerCage((0, 1), 10)), givens={80: 5})


def test_a_file_has_a_puzzle_a_line():
    """Each line is a puzzle except comments and empty lines, and an error has its line."""
    records = list(records_of_text("# two\n.AntiKing.AntiKnight\n\n.Nonsense~1.AntiKing\n.~R1C1_1\n"))
    assert [(record.line, record.puzzle is None) for record in records] == [(2, False), (4, True), (5, False)]


SPREAD = """
    .Shape~4x4
      .Or.Cage~3~R1C1~R1C2
          .And
            # one of these
            .Cage~4~R1C1~R1C2

            .Cage~7~R1C3
             ~R1C4
          .End
      .End
      .~R2C1_1~R2C2_2~R2C3_3~R2C4_4
    .Shape~6x6.AntiKing
"""


@pytest.mark.parametrize("format_name", ["iss", None])
@pytest.mark.parametrize("text", [SPREAD, SPREAD.strip(), SPREAD.replace("    ", "\t")])
def test_lines_that_are_indented_are_one_string(text, format_name):
    """What is indented more than the first line of a string belongs to it, whatever it is."""
    if text != SPREAD:
        text = text.replace("\n    .Shape~6x6", "\n.Shape~6x6")
    one, other = records_of_text(text, format=format_name)
    together = ".Shape~4x4.Or.Cage~3~R1C1~R1C2.And.Cage~4~R1C1~R1C2.Cage~7~R1C3~R1C4.End.End.~R2C1_1~R2C2_2~R2C3_3~R2C4_4"
    assert one.error is None
    assert one.puzzle == _read(together)
    assert other.puzzle == _read(".Shape~6x6.AntiKing")


@pytest.mark.parametrize("line", ["..Shape~4x4.~R1C1_1", "...~R1C1_1", "..AntiKing", "..Or.Cage~3~R1C1.End"])
def test_dots_before_a_string_say_nothing(line):
    """A string that begins with several dots is recognised, and is the one without them."""
    assert sniff(line + "\n").name == "iss"
    assert _read(line) == _read("." + line.lstrip("."))


def test_values_that_clash_are_a_puzzle_without_solution():
    """Two given values of one cell are not an error; there is no solution."""
    puzzle = _read(".Shape~4x4.~R1C1_1.~R1C1_2")
    assert not list(puzzle.solutions(backend="native"))


def test_a_clue_said_twice_counts_once():
    """Of two clues in one place the last counts, with a warning; two such rules of ours are both written."""
    (record,) = records_of_text(".XSum~C1~10~.XSum~C1~12~", format="iss")
    assert [rule.total for rule in record.puzzle.rules[1:]] == [12]
    assert "more than once" in record.warnings[0]
    column = tuple(range(0, 81, 9))
    rules = [
        rule_from_json({"kind": "x-sum", "cells": [f"r{row + 1}c1" for row in range(9)], "total": n}, Grid.square())
        for n in (10, 12)
    ]
    assert rules[0].cells == column
    assert _text_of(Puzzle(rules=(Houses(), *rules))) == ".XSum~C1~10~.And.XSum~C1~12~.End"


@pytest.mark.parametrize("word", ["And", "Replicate~D"])
def test_a_clue_said_twice_inside_another_word_counts_once(word):
    """The last counts among those in one And, as at the top level; two such rules are both written."""
    (record,) = records_of_text(f".{word}.Quad~R1C1~1~2.Quad~R1C1~3.End", format="iss")
    (_, rule) = record.puzzle.rules
    assert [one.digits for one in rule.rules] == [(3,)]
    assert "more than once" in record.warnings[0]
    both = Puzzle(rules=(Houses(), AllOf((Quadruple((0, 1, 9, 10), (1,)), Quadruple((0, 1, 9, 10), (3,))))))
    assert _text_of(both) == ".And.Quad~R1C1~1.And.Quad~R1C1~3.End.End"
    _means_the_same(both, _read(_text_of(both)), 100)


def test_lines_without_regions_mean_nothing():
    """On a board without regions, a line of equal sums in each region means nothing."""
    puzzle = _read(".Shape~2x3.NoBoxes.RegionSumLine~R1C1~R1C2~R2C2")
    assert len(list(puzzle.solutions(backend="native"))) == len(list(_read(".Shape~2x3.NoBoxes").solutions(backend="native")))


def test_boxes_are_those_of_the_solver():
    """The usual boxes are as square as they can be, rather wide than high, and turned if the board requires it."""
    assert [box_sides(n, n, n) for n in (4, 6, 7, 8, 9, 10, 12, 16)] == [
        (2, 2), (2, 3), None, (2, 4), (3, 3), (2, 5), (3, 4), (4, 4),
    ]  # fmt: skip
    assert (box_sides(6, 8, 8), box_sides(8, 6, 8)) == ((2, 4), (4, 2))


def test_an_automaton_reads_several_runs():
    """Between two runs of cells an automaton reads the symbol after all values; here every run rises."""
    rising = [(low, value - 1, value) for low in range(5) for value in range(low + 1, 5)] + [(low, 4, 0) for low in range(5)]
    letters = automaton_text(PackedAutomaton(5, (0,), tuple(rising), tuple(range(5))))
    puzzle = _read(f".Shape~4x4~~Raw.NFA~{letters}~_~R1C1~R1C2~-~R1C3~R1C4")
    (rule,) = puzzle.rules
    for values in product(range(1, 5), repeat=4):
        assert rule.holds(puzzle.grid, (*values, *[1] * 12)) == (values[0] < values[1] and values[2] < values[3])


# --- letters ----------------------------------------------------------------------------------------------------


@given(st.sets(st.integers(0, 300)))
def test_sets_survive(numbers):
    """A set of numbers comes back from its letters."""
    assert parse_set(set_text(numbers)) == sorted(numbers)


@given(st.data(), st.sampled_from([range(1, 10), range(4), range(1, 17)]))
def test_pairs_survive(data, values):
    """A table of pairs comes back from its letters."""
    pairs = data.draw(st.sets(st.tuples(st.sampled_from(values), st.sampled_from(values))))
    assert parse_pairs(pairs_text(pairs, values), values) == tuple(sorted(pairs))


@given(st.data(), st.integers(1, 9), st.integers(1, 4))
@settings(max_examples=30)
def test_automata_survive(data, states, signs):
    """An automaton comes back from its letters with the same language."""
    state = st.integers(0, states - 1)
    edges = data.draw(st.sets(st.tuples(state, st.integers(0, signs - 1), state), max_size=20))
    before = PackedAutomaton(
        signs, tuple(data.draw(st.sets(state, min_size=1, max_size=2))), tuple(edges), tuple(data.draw(st.sets(state)))
    )
    after = parse_automaton(automaton_text(before))
    for length in range(4):
        for word in product(range(signs), repeat=length):
            assert _accepts(before, word) == _accepts(after, word)


def _accepts(machine, word):
    states = set(machine.start)
    for sign in word:
        states = {after for before, read, after in machine.edges if before in states and read == sign}
    return bool(states & set(machine.accepting))


# --- rules ------------------------------------------------------------------------------------------------------


def _means_the_same(puzzle, back, tries):
    """Compare all but the houses on arbitrary grids."""
    rules = [rule for rule in puzzle.rules if rule.kind != "houses"]
    again = Puzzle(back.grid, tuple(rule for rule in back.rules if rule.kind != "houses"), back.givens, back.candidates)
    for _ in range(tries):
        values = [CHANCE.choice(puzzle.grid.values) for _ in puzzle.grid.cells]
        assert all(rule.holds(puzzle.grid, values) for rule in rules) == again.holds(values)


@pytest.mark.parametrize("kind", OURS)
def test_every_rule_is_said(kind):
    """The example of each rule is written on every kind of board, and means the same when it is read again."""
    for grid in GRIDS.values():
        try:
            puzzle = Puzzle(grid, tuple(dict.fromkeys((Houses(), RULES[kind].example(grid)))))
        except InvalidInput:
            continue
        back = _read(_text_of(puzzle))
        assert back.grid == grid
        _means_the_same(puzzle, back, 12)


_NUMBERS = st.integers(0, 12)


def _field(kind, grid):
    cell = st.sampled_from(grid.cells)
    cells = (st.lists(cell, max_size=4) | st.lists(cell, max_size=4, unique=True)).map(tuple)
    values = st.lists(st.sampled_from(grid.values), max_size=3).map(tuple)
    known = {
        "Cell": cell,
        "Cells": cells,
        "tuple[Cells, ...]": st.lists(cells, max_size=3).map(tuple),
        "int": _NUMBERS,
        "int | None": st.none() | _NUMBERS,
        "bool": st.booleans(),
        "tuple[int, ...]": values,
        "tuple[tuple[int, ...], ...]": st.lists(st.lists(st.sampled_from(grid.values), min_size=2, max_size=2).map(tuple)).map(
            tuple
        ),
    }
    return known.get(kind)


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"automaton", "regular-expression", "full-rank", "chaos-construction"}))
@given(data=st.data())
@settings(max_examples=4)
def test_any_rule_is_said_or_refused(kind, data):
    """A rule with any fields is written so that it means the same, or refused."""
    grid = GRIDS[data.draw(st.sampled_from(["4x4", "values from 0", "jigsaw"]))]
    own = {field.name: _field(str(field.type), grid) for field in fields(RULES[kind])}
    try:
        puzzle = Puzzle(grid, (Houses(), RULES[kind](**{name: data.draw(strategy) for name, strategy in own.items()})))
        text = _text_of(puzzle)
    except InvalidInput:
        return
    _means_the_same(puzzle, _read(text), 20)


@pytest.mark.parametrize("name", GRIDS)
def test_boards_survive(name):
    """The shape of a board, its values and its regions come back, with givens and candidates."""
    puzzle = Puzzle(GRIDS[name], givens={0: 1, 3: 2}, candidates={1: 0b1110})
    assert _read(_text_of(puzzle)) == puzzle


def test_odd_regions_are_areas():
    """Regions that strings cannot express, with too few cells, are written as areas, and lines through them as their meaning."""
    grid = Grid.jigsaw("AAB. CCB. CCDD EEDD")
    line = rule_from_json({"kind": "region-sum-line", "cells": ["r1c1", "r1c2", "r1c3"]}, grid)
    puzzle = Puzzle(grid, (Houses(), line))
    back = _read(_text_of(puzzle))
    for _ in range(300):
        values = [CHANCE.choice(grid.values) for _ in grid.cells]
        assert puzzle.holds(values) == back.holds(values)


@pytest.mark.parametrize(
    ("puzzle", "named"),
    [
        (Puzzle(Grid.square(25)), "at most 16"),
        (Puzzle(Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))), "one board"),
        (Puzzle(Grid.square(4, values=range(2, 6))), "values from 0 or 1"),
        (Puzzle(rules=(Houses(), *(FullRank(tuple(range(9)), 1, ties) for ties in ("any", "none")))), "same ties"),
    ],
    ids=["25x25", "boards", "values", "ties"],
)
def test_what_strings_cannot_say_is_refused(puzzle, named):
    """Boards and rules that strings cannot express are named."""
    with pytest.raises(Unsupported, match=named):
        _text_of(puzzle)


# --- errors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (".Nonsense~R1C1", "Nonsense at column 2: expected a word of the Interactive Sudoku Solver, got 'Nonsense'"),
        (".Cage~5~R1C1~R0C9.Thermo~R1C1~X.~R1C1_12", "R0C9.*Thermo at column 19.*'X'.*Given at column 33.*'12'"),
        (".Cage~5~R1C1~VA1", "VA1.*no word declares"),
        (".Var~a", "Var: expected letters"),
        (".Var~A~x~920", "at most 1000 cells, those of the board counted, got 1001"),
        (".Or.Cage~3~R1C1", "expected '.End' after 'Or' at column 2"),
        (".AntiKing.End", "before '.End' at column 11, got none"),
        (".Replicate~D.LittleKiller~5~R1C1.End", "expected no clue outside the board inside Replicate, got '5~R1C1'"),
        (".Replicate~D.Sandwich~5~R1.End", "expected no clue outside the board inside Replicate, got 'R1'"),
        (".Or.AntiKing.End", "AntiKing at column 5: expected outside of Or"),
        (".Or" * 5000 + ".End" * 5000, "at most 8 words inside each other"),
        (".Shape~999x999", "expected 1 to 16 rows and columns, got 999x999"),
        (".Shape~9x9~1-99999999", "Shape: expected sides and values"),
        (".Shape~0x9", "1 to 16"),
        (".Pair~!!~_~R1C1~R1C2", "base64.*'!'"),
        (".Pair~" + "_" * 60000 + "~_~R1C1~R1C2", "at most 14 letters"),
        (".NFA~U~_~R1C1", "breaks off"),
        (".NFA~____~_~R1C1", "layout 0 or 1"),
        (".Regex~" + "A" * 9000 + "~R1C1", "at most"),
        (".Regex~KCgo~R1C1", "pattern"),
        (".Jigsaw~012", "a sign for each of 81 cells, got 3"),
        (".Jigsaw~" + "0" * 40 + "1" * 41, "regions of 9 cells"),
        (".Replicate~____________________.Thermo~R1C1~R1C2.End", "expected targets on"),
        (".Replicate~D.Thermo~R1C9~R2C9.End", "as it is repeated"),
        (".Sum~5_=_1~R1C1~R1C2", "a factor for each of 2 cells"),
        (".LittleKiller~5~R5C5", "first cell of a diagonal"),
        (".XSum~R10~5~", "a row or column of"),
        (".WhiteDot~R1C1~R3C3", "share an edge"),
        (".FullRankTies~none", "clues of FullRank"),
        (".Cage~5", "expected cells, got none"),
        (".Shape~4x4.Var~A~~8.Quad~VA4~1", "expected the top-left cell of four, got 'VA4' on the border"),
        (".Shape~4x4.Shape~6x6", "Shape: expected once, got it twice"),
        (".Var~A~~2.Indexing~R~R1C1~VA2", "cells of the board, which have a row and a column, got VA2"),
        (".Cage~" + "9" * 5000 + "~R1C1", "expected a whole number"),
        ("Cage", "begins with '.'"),
    ],
)
def test_errors_name_the_word_and_what_is_wrong(line, named, count_calls):
    """A wrong string is an error that states what was expected, what came and where, after a bounded number of calls."""
    ((record,), calls) = count_calls(lambda: list(records_of_text(line, format="iss")))
    assert calls < 200_000
    with pytest.raises(ParseError, match=named) as caught:
        raise record.error
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize(
    "line",
    [
        ".Replicate~" + "_" * 13 + "H" + (".Replicate~" + "_" * 13 + "H") * 4 + ".~R1C1_1_2_3" * 50 + ".End" * 5,
        ".Or" + ".Thermo~R1C1~R1C2" * 3500 + ".End",
    ],
)
def test_repetitions_come_to_an_end(line, count_calls):
    """Repetitions inside repetitions end in an error, or a puzzle, after a bounded number of calls."""
    _, calls = count_calls(lambda: list(records_of_text(line, format="iss")))
    assert calls < 5_000_000


def test_any_rules_inside_any_rules_survive():
    """Alternatives of alternatives come back as they were."""
    one = KillerCage((0, 1), 5)
    puzzle = Puzzle(rules=(Houses(), AnyOf((one, AnyOf((KillerCage((2, 3), 7), one))))))
    assert _read(_text_of(puzzle)) == puzzle


@given(st.text(st.sampled_from(".~_-R1C29ENdOrCageSumShape0x=AaQq"), max_size=60))
@settings(max_examples=60)
def test_any_string_is_a_puzzle_or_an_error(text):
    """However strange the string, a reader yields a puzzle or one of our errors."""
    for record in records_of_text("." + text, format="iss"):
        assert (record.puzzle is None) != (record.error is None)


ARGUMENTS = [
    *("", "1", "2", "0", "5", "-1", "-", "1_2", "5_=_1_-1", "C1", "R1", "D", "B", "LOOP", "_", "8H_x", "any", "A", "2x3", "6"),
    *(
        "R1C1",
        "R1C2",
        "R2C1",
        "R4C4",
        "R5C1",
        "VA",
        "VA1",
        "VA2",
        "VA3",
        "VA6",
        "CC1",
        "CC2",
        "CC6",
        "DGZ",
        "DGR1",
        "DGC4",
        "DGB1",
    ),
    *("R1C1_2", "VA1_1_2", "CC1_2", "4x4", "4x4~0-4", "4x4~~Raw", "0011001122332233"),
]
_WORDS = st.tuples(
    st.sampled_from(sorted({*WORDS, *SHAPES, *STRICT_WORDS, *IGNORED, TIES})), st.lists(st.sampled_from(ARGUMENTS), max_size=5)
)
_TREES = st.recursive(
    _WORDS.map(lambda word: ".".join(["", "~".join([word[0], *word[1]])])),
    lambda inner: st.tuples(st.sampled_from(["Or", "And", "Replicate~D", "Replicate~D~VA1"]), st.lists(inner, max_size=3)).map(
        lambda word: f".{word[0]}{''.join(word[1])}.End"
    ),
    max_leaves=4,
)


APART = pairs_text(((one, other) for one in range(1, 10) for other in range(1, 10) if abs(one - other) > 1), range(1, 10))
NO_BLOW_UPS = {
    "line": ({"kind": "nabner", "cells": ["r1c1", "r1c2", "r1c3", "r2c1"]}, f".PairX~{APART}~_~R1C1~R1C2~R1C3~R2C1"),
    "cell twice": ({"kind": "nabner", "cells": ["r1c1", "r1c2", "r1c1"]}, f".PairX~{APART}~_~R1C1~R1C2"),
    "totals": (
        {"kind": "multi-sum-cage", "cells": ["r1c1", "r1c2"], "totals": [9, 4, 99]},
        ".Or.Cage~4~R1C1~R1C2.Cage~9~R1C1~R1C2",
    ),
    "root": ({"kind": "digital-root-cage", "cells": ["r1c1", "r1c2"], "root": 3}, ".Or.Cage~3~R1C1~R1C2.Cage~12~R1C1~R1C2"),
    "one total": ({"kind": "multi-sum-cage", "cells": ["r1c1", "r1c2"], "totals": [9, 99]}, ".Cage~9~R1C1~R1C2"),
    "no total": ({"kind": "multi-sum-cage", "cells": ["r1c1", "r1c2", "r1c3"], "totals": [1, 99]}, ".Sum~-1~R1C1"),
}


@pytest.mark.parametrize(("rule", "text"), NO_BLOW_UPS.values(), ids=NO_BLOW_UPS)
def test_sets_of_values_are_not_listed(rule, text):
    """Rules are written as pairs of values or totals: a list of all sets would be too hard to solve when it is read."""
    grid = Grid.square(9)
    assert _text_of(Puzzle(grid, (Houses(), rule_from_json(rule, grid)))).strip().removesuffix(".End") == text


@pytest.mark.parametrize("word", ["NoBoxes~CC1", "SearchPriority~1~CC1"])
def test_words_without_meaning_bring_no_cells(word):
    """Only words that are rules create the cells that they name: others are not written, so those cells would be lost."""
    puzzle = _read(f".Shape~4x4.ChaosConstruction.{word}")
    assert len(puzzle.grid.cells) == len(_read(_text_of(puzzle)).grid.cells) == 16


@given(st.lists(_TREES, max_size=5), st.sampled_from(["", ".Var~A~~6", ".Shape~4x4.Var~A~~2x3", ".Shape~4x4.ChaosConstruction"]))
@settings(max_examples=60)
def test_any_words_are_a_puzzle_or_an_error_and_are_written_or_refused(words, first):
    """Any words together are a puzzle or one of our errors; a puzzle is written so that it can be read."""
    for record in records_of_text(first + "".join(words) + ".", format="iss"):
        assert (record.puzzle is None) != (record.error is None)
        if record.puzzle:
            try:
                text = _text_of(record.puzzle)
            except Unsupported:
                continue
            assert len(_read(text).grid.cells) == len(record.puzzle.grid.cells)


INDENTED = """
    .Shape~4x4.
    .Cage~3~R1C1~R1C2.~R4C4_1
    .Thermo~R2C1~R2C2.AntiKing
      .~R3C3_2

    .Shape~4x4.~R1C1_1
"""


@pytest.mark.parametrize("prefix", ["    ", "\t", " "])
def test_lines_that_are_all_indented_are_one_string(prefix):
    """A line that begins with white space goes on with the one before it, unless an empty line parts them."""
    records = list(records_of_text(INDENTED.replace("    ", prefix), format="iss"))
    whole = ".Shape~4x4.Cage~3~R1C1~R1C2.~R4C4_1.Thermo~R2C1~R2C2.AntiKing.~R3C3_2"
    assert [record.puzzle for record in records] == [_read(whole), _read(".Shape~4x4.~R1C1_1")]


@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
@pytest.mark.parametrize("rows", [False, True])
def test_boards_in_signs_are_read_as_this_format_too(rows, gap):
    """A board and its regions, which that solver takes as well, are read by the name of its format."""
    parts = ["1..............4", "AAABACBBCCDBCDDD"]
    if rows and gap == " ":
        pytest.skip("rows stand below each other")
    if rows:
        parts = ["\n".join(part[at : at + 4] for at in range(0, 16, 4)) for part in parts]
    (record,) = records_of_text(gap.join(parts), format="iss")
    assert record.puzzle == Puzzle(Grid.jigsaw("AAABACBBCCDBCDDD"), givens={0: 1, 15: 4})
