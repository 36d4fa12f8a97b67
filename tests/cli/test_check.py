"""``check`` says what is wrong with a puzzle, and which parts could be left out."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.cli.verbs.check import check_sentences
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import check

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SEVERAL = "1..............."
CLASH = "11.............."
HIDDEN = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."


def test_a_plain_clash_is_named_and_pointed_at(call) -> None:
    """Two equal givens in a row are named with their row, and starred in the drawing."""
    ended = call("check", CLASH)
    assert ended.code == 1
    assert "clash: r1c1=1 and r1c2=1 cannot both stand in row 1; no fewer clash" in ended.out
    assert "*1*1" in ended.out
    assert ended.out.count("*") == 2
    told = call("check", "--json", CLASH).json_lines[0]
    assert told["conflict"] == {"givens": ["r1c1=1", "r1c2=1"], "rules": ["row 1 (houses)"], "minimal": True, "smallest": True}


@pytest.mark.parametrize("engine", ["auto", *(pytest.param(name, marks=pytest.mark.slow) for name in ("native", "cpsat"))])
def test_a_hidden_clash_is_named_with_its_houses(call, engine: str) -> None:
    """If no two givens clash, a smallest set of givens and houses without a solution is named."""
    told = call("check", "--json", "--backend", engine, HIDDEN).json_lines[0]
    assert told["status"] == "none"
    assert told["conflict"]["smallest"]
    assert (len(told["conflict"]["givens"]), len(told["conflict"]["rules"])) == (9, 4)


def test_rules_can_clash_by_themselves_or_with_candidates(call) -> None:
    """An impossible cage is named without givens; a cage that clashes with candidates is named with them."""
    empty = "." * 16
    cage = {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 9}
    told = call("check", empty, "--rules", json.dumps([cage]))
    assert "clash: the rules by themselves: cage r1c1 r1c2 (killer-cage)" in told.out
    puzzle = {"grid": {"rows": 4, "columns": 4}, "rules": ["houses", cage | {"total": 3}], "candidates": {"r1c1": [3, 4]}}
    (conflict,) = (one["conflict"] for one in call("check", "--json", "-", text=json.dumps(puzzle)).json_lines)
    assert conflict["candidates"] == ["r1c1"]
    assert conflict["rules"] == ["cage r1c1 r1c2 (killer-cage)"]


def test_several_solutions_are_told_apart(call) -> None:
    """The report has the cells in which two differ, those in which all agree, and the fewest givens that would leave one."""
    told = call("check", "--json", SEVERAL).json_lines[0]
    one, other = told["solutions"]
    differ = [f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in range(16) if one[cell] != other[cell]]
    assert [*told["differ"]] == differ
    signs = {name: [int(one[cell]), int(other[cell])] for cell in range(16) for name in [f"r{cell // 4 + 1}c{cell % 4 + 1}"]}
    assert told["differ"] == {name: signs[name] for name in differ}
    assert (told["frozen"], len(told["additions"]), told["fewest"]) == ([], 3, True)
    filled = list(SEVERAL)
    for name in told["additions"]:
        filled[(int(name[1]) - 1) * 4 + int(name[3]) - 1] = name[-1]
    assert call("solve", "--json", "".join(filled)).json_lines[0]["solutions"] == [one]
    people = call("check", SEVERAL)
    assert people.code == 1
    assert "3 further givens, and no fewer, would leave one solution: " in people.out
    assert "the same in every solution, besides the givens: nothing" in people.out
    assert all(f" {name}={one}|{other}" in people.out for name, (one, other) in told["differ"].items())


def test_a_unique_puzzle_is_minimal_or_told_what_it_can_do_without(call) -> None:
    """Givens and rules that can be left out are named, and nothing else."""
    ended = call("check", HARD)
    assert ended.code == 0
    assert ended.out.startswith("well-formed; unique")
    assert "minimal: every given is needed" in ended.out
    more = "417" + HARD[3:]
    told = call("check", "--json", more).json_lines[0]
    assert (told["minimal"], told["unnecessary"], told["unnecessary_rules"]) == (False, ["r1c2=1", "r1c3=7"], [])
    spare = call("check", HARD, "--rules", '[{"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 5}]')
    assert "killer-cage r1c1 r1c2, total 5" in spare.out
    assert spare.code == 0


SIMILAR = {
    "grid": {"rows": 4, "columns": 4},
    "rules": [
        "houses",
        {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3},
        {"kind": "killer-cage", "cells": ["r2c1", "r2c2"], "total": 7},
        {"kind": "thermometer", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"]},
    ],
    "givens": {"r1c1": 1, "r1c2": 2, "r1c3": 3, "r2c1": 3, "r3c1": 2, "r4c3": 1},
    "candidates": {"r4c4": [2, 3]},
}


def test_rules_of_one_kind_are_told_apart_by_their_cells_and_totals(call) -> None:
    """Each rule that can be left out is named by its kind, its cells and numbers, and its place in the puzzle's own rules."""
    (told,) = call("check", "--json", "-", text=json.dumps(SIMILAR)).json_lines
    assert told["status"] == "unique"
    assert told["unnecessary_rules"] == [
        {"kind": "killer-cage", "part": "r1c1 r1c2, total 3", "index": 1},
        {"kind": "killer-cage", "part": "r2c1 r2c2, total 7", "index": 2},
        {"kind": "thermometer", "part": "r1c1 r1c2 r1c3 r1c4", "index": 3},
    ]
    assert [rule["kind"] for rule in told["puzzle"]["rules"]] == ["houses", "killer-cage", "killer-cage", "thermometer"]


def test_givens_rules_and_candidates_stand_in_one_table(call) -> None:
    """Needed givens, rules and candidates are shown side by side, also on a narrow terminal."""
    puzzle = json.dumps(SIMILAR)
    out = call("check", "-", text=puzzle).out
    rows = {line.split("│")[1].strip(): line for line in out.splitlines() if line.startswith("│")}
    assert {"givens", "rules", "candidates"} <= rows.keys()
    assert "0 of 3" in rows["rules"]
    assert "r1c1=1" in rows["givens"]
    assert "r4c4=2/3" in rows["candidates"]


@pytest.mark.parametrize(
    ("puzzle", "sentence"),
    [
        ("." * 81, "would leave one solution: undecided, as the limit (deadline) came first"),
        (HARD, "whether these givens can be left out is undecided, as the limit (deadline) came first: r1c1=4"),
    ],
)
def test_what_was_given_up_is_said_in_its_own_sentence(puzzle: str, sentence: str) -> None:
    """A limit is named in the sentence about what it left undecided, not in one at the end."""
    read = Puzzle.parse(puzzle)
    said = [*check_sentences(read, check(read, patience=0))]
    assert any(sentence in one for one in said), said
    assert not any(one.startswith("undecided") for one in said)


def test_many_puzzles_take_a_line_each(call) -> None:
    """A file of puzzles gets one line for each puzzle; the exit code is the worst."""
    ended = call("check", "-", text=f"{HARD}\n{CLASH}\n{SEVERAL}\n")
    rows = [line.split("\t") for line in ended.out.splitlines()]
    assert [row[0] for row in rows] == ["0", "1", "2"]
    assert rows[0][2] == "minimal: every given is needed"
    assert ended.code == 1


def test_a_picture_points_at_what_clashes(call, tmp_path) -> None:
    """--svg draws the clash on a red background; the second puzzle's picture has its number in the name."""
    assert call("check", "--svg", "clash.svg", "-", text=f"{CLASH}\n{HARD}\n").code == 1
    assert '<path d="M0 0h100v100h-100zM100 0h100v100h-100z" fill="#FFB3B3"/>' in (tmp_path / "clash.svg").read_text()
    assert "#FFB3B3" not in (tmp_path / "clash-2.svg").read_text()
    assert call("check", "--svg", "no/such/folder.svg", HARD).code == 2


def test_a_limit_behind_the_answer_leaves_the_answer(call) -> None:
    """An empty board has several solutions; what the deadline leaves undecided is named."""
    for seconds in (1, 10, 100):  # a machine that pauses needs longer for the answer itself
        ended = call("check", "--json", "--timeout", seconds, "." * 81)
        (told,) = ended.json_lines
        if told["status"] != "unknown":
            break
    assert (told["status"], ended.code, told["fewest"], told["reason"]) == ("multiple", 1, False, "deadline")
    assert "fewest additions" in " ".join(told["undecided"]) or told["additions"] is None
    late = call("check", "--timeout", 0, HARD)
    assert late.code == 3
