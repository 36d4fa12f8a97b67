"""The verb ``hint``: each level tells what it promises and nothing more; what is wrong comes first."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest

from sudoku_cp.logic.step import Technique
from sudoku_cp.logic.words import announce_technique

SVG = "{http://www.w3.org/2000/svg}"
SHADE = "#FBEFD9"
PAIR = ":0110:x:6453..+27+19.+7..163..+3+17+6....1.6.......7+3...1+64+4.+9+136+7...+1.+6..8...9......63+6.2.59.+7::::"
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TOLD_FROM = {"place": 1, "technique": 2, "code": 2, "cells": 3, "step": 4, "values": 5, "candidates": 5}
"""The level from which on each field is there."""

NEARLY = "534678912672195348198342567859761423426853791713924856961537284287419635345286..."


@pytest.mark.parametrize("level", range(1, 6))
def test_a_level_tells_no_more(call, level: int) -> None:
    """Fields of later levels are missing, and the words do not name what they hold."""
    ended = call("hint", "--json", "--level", level, EASY)
    (told,) = ended.json_lines
    assert (told["index"], told["status"], told["level"]) == (0, "step", level)
    assert {field for field in TOLD_FROM if field in told} == {field for field, least in TOLD_FROM.items() if least <= level}
    full = call("hint", "--json", "--level", 5, EASY).json_lines[0]
    assert ("single" in told["text"]) == (level >= 2)
    assert (full["cells"][0] in told["text"]) == (level >= 3)
    assert ended.code == 0


@pytest.mark.parametrize("level", range(1, 6))
def test_a_picture_shows_no_more_than_its_level(call, tmp_path, level: int) -> None:
    """Values and pencil marks are the position's own up to level 3; level 4 marks candidates, level 5 has the new value."""
    file = tmp_path / "hint.svg"
    assert call("hint", "--svg", file, "--level", level, EASY).code == 0
    drawn = fromstring(file.read_text())  # noqa: S314  # our own
    texts = sorted(one.text for one in drawn.iter(f"{SVG}text") if one.text)
    givens = sorted(EASY.replace(".", ""))
    if level <= 3:
        assert texts == givens
    else:
        assert len(texts) > len(givens)
    shades = [one.get("d", "") for one in drawn.iter() if one.get("fill") == SHADE]
    assert [shade.count("M") for shade in shades] == [[9], [9], [1], [2], []][level - 1], "a house, the cell, what blocks"


def test_pictures_are_numbered_and_refused(call, tmp_path) -> None:
    """The second puzzle has a file of its own, wrong entries are drawn too, and other endings are refused before any work."""
    file = tmp_path / "hint.svg"
    wrong = f":0000:x:{EASY[:2]}+9{EASY[3:]}::::"
    assert call("hint", "--svg", file, "--from", "hodoku", wrong, wrong).code == 1
    for path in (file, tmp_path / "hint-2.svg"):
        fromstring(path.read_text())  # noqa: S314  # our own
    ended = call("hint", "--svg", tmp_path / "hint.png", EASY)
    assert ended.code == 2
    assert "expected a picture that ends in .svg, got" in ended.err


def test_the_grid_after_the_step(call) -> None:
    """Level 5 has the value that the step places, and draws it."""
    (told,) = call("hint", "--json", "--level", 5, EASY).json_lines
    ((cell, value),) = told["step"]["placements"]
    assert told["values"][cell] == value
    assert len(told["values"]) == 31
    assert "│" in call("hint", "--level", 5, EASY).out


def test_technique_and_cells_are_whole_sentences(call) -> None:
    """A technique has its article, and one cell is not several."""
    one = "Look at box 9. The next step is a hidden single. Its cell is r9c7."
    assert call("hint", "--level", 3, EASY).out == f"{one}\n"
    pair = call("hint", "--level", 3, "--from", "hodoku", PAIR).out
    assert re.fullmatch(r"Look at .*\. The next step is a locked pair\. Its cells are r\dc\d and r\dc\d\.\n", pair)


@pytest.mark.parametrize("technique", Technique)
def test_every_technique_can_be_announced(technique: Technique) -> None:
    """A step that is found is an X-wing; a method is used; vowels take "an"."""
    words = announce_technique(technique)
    assert re.fullmatch(r"The next step (is an? |uses (the )?)", words.removesuffix(technique.title))


@pytest.mark.parametrize(
    ("technique", "words"),
    [
        (Technique.X_WING, "The next step is an X-wing"),
        (Technique.ALS_XZ, "The next step is an ALS-XZ"),
        (Technique.UNIQUE_RECTANGLE_1, "The next step is a unique rectangle 1"),
        (Technique.HOUSE_TOTAL, "The next step uses the 45 rule"),
        (Technique.POINTING, "The next step uses locked candidates (pointing)"),
    ],
)
def test_articles_of_techniques(technique: Technique, words: str) -> None:
    """What sounds like a vowel takes "an"; plurals and methods take no article."""
    assert announce_technique(technique) == words


def test_givens_that_clash_are_shown_rather_than_entries(call) -> None:
    """A puzzle without a solution is so by its givens: two entries that clash as well are not why."""
    line = f":0000:x:11{'.' * 41}+3+3{'.' * 36}::::"
    (told,) = call("hint", "--json", "--from", "hodoku", line).json_lines
    assert told["status"] == "none"
    assert told["clash"]["givens"] == ["r1c1=1", "r1c2=1"]
    assert "r1c1=1 and r1c2=1 cannot both stand in row 1." in told["text"]


def test_wrong_entries_come_first(call) -> None:
    """A placed digit that is wrong is named with the smallest clash, whatever the level, and no step is told."""
    line = f":0000:x:{EASY[:2]}+9{EASY[3:]}::::"
    ended = call("hint", "--json", "--level", 5, "--from", "hodoku", line)
    (told,) = ended.json_lines
    assert told["status"] == "wrong"
    assert told["wrong_values"] == [["r1c3", 9]]
    assert set(told["clash"]["givens"]) == {"r1c3=9", "r3c2=9"}
    assert told["clash"]["smallest"]
    assert "step" not in told
    assert ended.code == 1
    assert "r1c3 = 9 is wrong. Clash: r1c3=9 and r3c2=9 cannot both stand in box 1." in call("hint", "--from", "hodoku", line).out


def test_not_this_one(call) -> None:
    """Steps that are passed over come with none of their effects, those of higher rungs later; behind the last there is none."""
    told = [call("hint", "--json", "--level", 4, "--skip", skip, EASY).json_lines[0] for skip in (0, 1, 2, 30)]
    effects = [str(one["step"]["placements"] + one["step"]["eliminations"]) for one in told]
    assert len(set(effects)) == 4
    assert [one["technique"] for one in told[:2]] == ["hidden single"] * 2
    (told,) = call("hint", "--json", "--skip", 1_000, NEARLY).json_lines
    assert (told["status"], told["text"]) == ("stuck", "No other step is possible.")


def test_back_to_where_it_was_right(call) -> None:
    """On a wrong position the values without those that are wrong are told, and candidates that were eliminated and are true."""
    line = f":0000:x:{EASY[:2]}+9{EASY[3:]}:124:::"
    (told,) = call("hint", "--json", "--from", "hodoku", line).json_lines
    assert "r1c3" not in told["values"]
    assert len(told["values"]) == 30
    assert 1 in told["candidates"]["r2c4"]


def test_entries_of_which_no_solution_has_all(call) -> None:
    """They are wrong even where the puzzle has several solutions."""
    line = f":0000:x:1+1{'.' * 79}::::"
    (told,) = call("hint", "--json", "--from", "hodoku", line).json_lines
    assert (told["status"], told["solutions"]) == ("wrong", "multiple")
    assert told["clash"]["givens"] == ["r1c1=1", "r1c2=1"]
    assert "No solution of the puzzle has all these entries." in told["text"]


def test_an_elimination_of_what_is_true(call) -> None:
    """It is named as well."""
    (told,) = call("hint", "--json", "--from", "hodoku", f":0000:x:{EASY}:124:::").json_lines
    assert told["status"] == "wrong"
    assert told["wrong_eliminations"] == [["r2c4", 1]]
    assert "r2c4 cannot do without 1." in told["text"]


@pytest.mark.parametrize(
    ("puzzle", "status", "words"),
    [
        ("11" + "." * 14, "none", "no solution"),
        (SOLVED, "solved", "full and right"),
        ("1" + "." * 15, "stuck", "several solutions"),
    ],
)
def test_where_there_is_no_step(call, puzzle: str, status: str, words: str) -> None:
    """An impossible, a solved and an ambiguous puzzle are told as such, and the exit code is 1."""
    ended = call("hint", "--json", puzzle)
    assert ended.json_lines[0]["status"] == status
    assert words in ended.json_lines[0]["text"]
    assert ended.code == 1


def test_time_runs_out(call) -> None:
    """No time is not the same answer as no step."""
    ended = call("hint", "--json", "--timeout", 0, EASY)
    assert ended.json_lines[0]["reason"] == "deadline"
    assert ended.json_lines[0]["status"] == "unknown"
    assert ended.code == 3


@pytest.mark.parametrize("verb", ["hint --json", "steps --json", "explain --json", "hint", "print"])
def test_verbs_of_positions_name_the_rules_that_were_added(call, tmp_path, verb) -> None:
    """With a player's values in the text, a rule that a column adds still has its warning; values that are used have none."""
    table = tmp_path / "table.csv"
    table.write_text(f"puzzle,current,variant\n{EASY},{EASY[:2]}4{EASY[3:]},disjoint-groups\n")
    more = {"print": ["--out", tmp_path / "sheet.pdf"], "explain --json": ["r1c4=3"]}.get(verb, [])
    ended = call(*verb.split(), table, *more)
    said = str(ended.json_lines[0].get("warnings")) if "--json" in verb else ended.err
    assert "added the rule disjoint-groups" in said
    assert "filled in" not in said
