"""Strings and documents as the tools' own users write them: what is left out, spread over lines, or written in another form."""

from __future__ import annotations

import json
from io import StringIO

import pytest

from sudoku_cp.errors import ParseError
from sudoku_cp.formats import records_of_text, sniff, write_puzzles
from sudoku_cp.formats.lzstring import compress
from sudoku_cp.puzzle import Puzzle, solution_to_short_json
from sudoku_cp.queries import solve
from sudoku_cp.rules import (
    AntiKing,
    AntiKnight,
    AnyOf,
    Arrow,
    Difference,
    DisjointGroups,
    Houses,
    KillerCage,
    LittleKiller,
    Sandwich,
    SumCage,
    Thermometer,
)

SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
GIVENS = "".join(f"~R{cell // 9 + 1}C{cell % 9 + 1}_{value}" for cell, value in enumerate(SOLUTION) if cell % 7)


def _all(text, name):
    records = list(records_of_text(text, format=name))
    return [(record.line, record.puzzle and [rule for rule in record.puzzle.rules if rule != Houses()]) for record in records]


def _document(**keys):
    grid = keys.pop("grid", None) or [[{} for _ in range(9)] for _ in range(9)]
    return {"size": 9, "grid": grid, **keys}


def _rules(**keys):
    (record,) = records_of_text(json.dumps(_document(**keys)), format="fpuzzles")
    if record.error:
        raise record.error
    return [rule for rule in record.puzzle.rules if rule != Houses()]


# --- strings of the Interactive Sudoku Solver -------------------------------------------------------------------


@pytest.mark.parametrize("line", [".AntiKnight.", ".AntiKnight..", "  .AntiKnight .", ".AntiKnight.~R1C1_5."])
def test_a_dot_with_nothing_behind_it_says_nothing(line):
    """Many strings end with a dot."""
    assert sniff(line + "\n").name == "iss"
    assert _all(line, "iss") == [(1, [AntiKnight()])]


CHOICE = AnyOf((KillerCage((0, 1), 5), KillerCage((0, 1), 6)))
SPREAD = {
    "a word a line": (".Cage~5~R1C1~R1C2\n# cages\n.AntiKing\n.~R9C9_5\n", [(1, [KillerCage((0, 1), 5), AntiKing()])]),
    "a choice": (".Or\n .Cage~5~R1C1~R1C2\n\n .Cage~6~R1C1~R1C2\n.End\n.AntiKing", [(1, [CHOICE, AntiKing()])]),
    "a choice in a line": (".Or.Cage~5~R1C1~R1C2.Cage~6~R1C1~R1C2.End\n.AntiKing\n", [(1, [CHOICE, AntiKing()])]),
    "givens apart": (".~R1C1_5\n.~R1C2_6\n.AntiKing\n", [(1, [AntiKing()])]),
    "an empty line between": (".AntiKing\n.AntiKnight\n\n.AntiKing\n", [(1, [AntiKing(), AntiKnight()]), (4, [AntiKing()])]),
    "whole strings": (".AntiKing.AntiKnight\n.AntiKing\n", [(1, [AntiKing(), AntiKnight()]), (2, [AntiKing()])]),
    "dots": (".AntiKing.\n.AntiKnight.\n", [(1, [AntiKing()]), (2, [AntiKnight()])]),
    "shapes": (".Shape~4x4\n.AntiKing\n.Shape~4x4\n.AntiKnight\n", [(1, [AntiKing()]), (3, [AntiKnight()])]),
    "plain puzzles": (f".{GIVENS}\n.{GIVENS}\n", [(1, []), (2, [])]),
    "one broken": (
        ".Or.Cage~5~R1C1~R1C2.Cage~6~R1C1~R1C2.AntiKing.End\n.AntiKing.AntiKnight",
        [(1, None), (2, [AntiKing(), AntiKnight()])],
    ),
}


@pytest.mark.parametrize("name", SPREAD)
def test_a_string_may_be_spread_over_lines(name):
    """Lines of one word each are one string; a line of several words, or of many values, is a string of its own."""
    text, found = SPREAD[name]
    assert _all(text, "iss") == found


def test_cells_beside_the_board_are_unknown_values():
    """Var makes cells that no rule about the whole grid reaches; an answer shows the board."""
    words = ".Var~A~a%20sum~2.Sum~0_=_1_-1~R1C1~VA1.~VA2_5_6.SameValues~2~VA1~VA2.AntiTaxicab"
    (record,) = records_of_text(words, format="iss")
    one, two = 81, 82
    assert record.puzzle.rules[1:3] == (SumCage((0, one), 0, (1, -1)), *record.puzzle.rules[2:3])
    assert record.puzzle.candidates == {two: 0b1100000}
    assert not [pair for pair in record.puzzle.grid.pairs((0, 1), (1, 0), (1, 2), (0, 2)) if max(pair) > 80]
    (record,) = records_of_text(f".Var~X.Sum~0_=_1_-1~R1C1~VX.{GIVENS}", format="iss")
    answer = solve(record.puzzle, backend="native")
    assert answer.status == "unique"
    assert [solution_to_short_json(record.puzzle, solution) for solution in answer.solutions] == [SOLUTION]


@pytest.mark.parametrize(
    ("word", "pairs"),
    [
        (".Var~A~~10", [(81, 82), (88, 89), (81, 90)]),
        (".Var~A~~2x2", [(81, 82), (83, 84), (81, 83), (82, 84)]),
    ],
)
def test_cells_beside_the_board_lie_in_rows(word, pairs):
    """They touch each other as they would in rows as long as the board's, or of the stated length."""
    (record,) = records_of_text(f"{word}.WhiteDot~" + "~".join(f"VA{1 + cell - 81}" for cell in (81, 82, 83, 84)), format="iss")
    found = [rule.cells for rule in record.puzzle.rules if isinstance(rule, Difference)]
    near = [pair for pair in pairs if max(pair) < 85]
    assert set(near) <= set(found)
    assert len(found) == (4 if "x" in word else 3)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (".ChaosConstruction.ChaosArrow~R1C1~CC1", "ChaosArrow.*0 or 1"),
        (".Var~A.Var~A", "'VA' to be declared once"),
        (".ConnectedValues~VA~1", "ConnectedValues.*'VA'"),
    ],
)
def test_what_is_not_supported_is_named(line, named):
    """An error names the word and the part of it that is not read."""
    (record,) = records_of_text(line, format="iss")
    with pytest.raises(ParseError, match=named):
        raise record.error


def test_a_cell_may_be_named_several_times():
    """A cell counts as often as it is named on the shaft of an arrow."""
    (record,) = records_of_text(".Arrow~R2C2~R2C1~R2C1~R1C1~R1C2", format="iss")
    (arrow,) = (rule for rule in record.puzzle.rules if isinstance(rule, Arrow))
    values = [0] * 81
    values[10], values[9], values[0], values[1] = 9, 3, 1, 2
    assert arrow.holds(record.puzzle.grid, values)


# --- documents of f-puzzles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", ["?", " ?? "])
def test_a_question_mark_is_a_number_nobody_tells(sign):
    """A cage of unknown total has none; an empty clue outside is ignored."""
    assert _rules(killercage=[{"cells": ["R1C1", "R1C2"], "value": sign}]) == [KillerCage((0, 1))]
    assert not _rules(sandwichsum=[{"cell": "R0C1", "value": sign}])
    assert not _rules(littlekillersum=[{"cell": "R0C1", "direction": "DR", "value": sign}])
    with pytest.raises(ParseError, match=r"difference\[1\]: value"):
        _rules(difference=[{"cells": ["R1C1", "R1C2"], "value": sign}])


def test_clues_outside_are_numbers_or_texts_at_any_side():
    """A sandwich of 0 is a clue, a little killer of 0 is not."""
    assert _rules(sandwichsum=[{"cell": "R10C1", "value": 0}]) == [Sandwich(tuple(range(72, -1, -9)), 0)]
    assert _rules(littlekillersum=[{"cell": "R0C7", "direction": "DR", "value": "9"}]) == [LittleKiller((7, 17), 9)]
    assert not _rules(littlekillersum=[{"cell": "R0C7", "direction": "DR", "value": "0"}])


def test_a_single_line_may_stand_in_cells():
    """An entry of a line without ``lines`` is not dropped."""
    assert _rules(thermometer=[{"cells": ["R1C1", "R1C2"]}]) == [Thermometer((0, 1))]
    assert not _rules(arrow=[{"cells": ["R1C1"], "lines": []}])


def test_disjoint_groups_count_the_cells_of_irregular_regions():
    """The first cells of all regions differ, and so on, as in SudokuSolver; for boxes that is the same place in the box."""
    layout = ["AAB", "ABB", "CCC"]
    grid = [[{"region": "ABC".index(sign)} for sign in row] for row in layout]
    (rule,) = _rules(size=3, grid=grid, disjointgroups=True)
    assert rule == DisjointGroups()
    (record,) = records_of_text(json.dumps({"size": 3, "grid": grid, "disjointgroups": True}), format="fpuzzles")
    groups = [set(constraint.cells) for _, constraint in rule.lower(record.puzzle.grid)]
    assert groups == [{0, 2, 6}, {1, 4, 7}, {3, 5, 8}]
    assert rule.holds(record.puzzle.grid, [1, 1, 2, 1, 2, 2, 3, 3, 3])
    assert not rule.holds(record.puzzle.grid, [1, 1, 2, 1, 2, 2, 1, 3, 3])


@pytest.mark.parametrize("behind", ["", "#", "?setting-nogrid=1", "&x=1"])
def test_a_link_may_say_more_than_the_puzzle(behind):
    """What follows the packed document in an address is not part of it."""
    packed = compress(json.dumps(_document(antiknight=True)))
    for link in (f"https://f-puzzles.com/?load={packed}{behind}", f"https://sudokupad.app/fpuzzles{packed}{behind}"):
        assert _all(link, "fpuzzles") == [(1, [AntiKnight()])]


MARKDOWN = ["[My puzzle]({})", "- [easy (1)]({}) by me", "![]({})", "[{}]({})"]


@pytest.mark.parametrize("around", ["{}", "<{}>", '"{}"', "{}.", "({})", "Try this: {} (hard)", "see {}, please", *MARKDOWN])
def test_a_link_is_found_in_what_people_write_around_it(around):
    """A link pasted with its brackets, quotes, stops and words is the same puzzle."""
    puzzle = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    target = StringIO()
    write_puzzles([puzzle], target, "fpuzzles")
    link = target.getvalue().strip()
    for written in (link, link.replace("=", "=3D")):
        (record,) = records_of_text(around.format(written, written))
        assert record.puzzle is not None, record.error
        assert record.puzzle.givens == puzzle.givens
