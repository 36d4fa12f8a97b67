"""The verb fewest: numbers, bounds, patterns and rules without givens, for people and for programs."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.puzzle import Puzzle, from_json
from sudoku_cp.queries import solve

FULL4 = "1234341221434321"
FULL9 = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = "#..#..\n.#..#.\n..#..#\n#....#\n.#..#.\n..##..\n"


def test_the_fewest_givens_of_a_grid(call) -> None:
    """An exact number is exit 0, and the givens printed leave one solution."""
    ended = call("fewest", "--json", FULL4)
    told = ended.json_lines[0]
    assert (ended.code, told["status"], told["least"], told["most"]) == (0, "exact", 4, 4)
    puzzle = Puzzle.parse(told["puzzle"])
    assert len(puzzle.givens) == 4
    assert puzzle.line(solve(puzzle).solution) == FULL4


def test_people_see_the_puzzle_and_a_sentence(call) -> None:
    """One grid is drawn, several get a line each; a puzzle with several solutions is bad input in its place."""
    alone = call("fewest", FULL4)
    assert alone.out.count("\n") == 8
    assert "4 givens, and no fewer would do" in alone.out
    several = call("fewest", FULL4, "." * 16)
    assert several.code == 2
    assert several.out.splitlines()[0].startswith("0\t4 givens, and no fewer would do")
    assert several.out.splitlines()[1].startswith(
        "1\terror: expected a full grid or a puzzle with one solution, got one with several"
    )


def test_a_limit_first_tells_bounds_and_is_exit_3(call) -> None:
    """Bounds at the deadline are valid and named as such; a limit before any bound is unknown."""
    ended = call("fewest", "--json", "--timeout", 1, FULL9)
    told = ended.json_lines[0]
    assert (ended.code, told["status"], told["least"], told["reason"]) == (3, "bounds", 17, "deadline")
    assert len(Puzzle.parse(told["puzzle"]).givens) == told["most"]
    ended = call("fewest", "--json", "--timeout", 0, "1" + "." * 15)
    assert (ended.code, ended.json_lines[0]["status"]) == (3, "unknown")


def test_patterns(call, tmp_path) -> None:
    """A pattern that admits a puzzle is exit 0, one that does not is exit 1; with PUZZLE it says where givens may be."""
    (tmp_path / "rows.txt").write_text(ROWS)
    found = call("fewest", "--pattern", "rows.txt", "--size", 6, "--json")
    told = found.json_lines[0]
    assert (found.code, told["status"], told["cells"]) == (0, "possible", 12)
    assert solve(Puzzle.parse(told["puzzle"])).status == "unique"
    (tmp_path / "top.txt").write_text("####\n" + "....\n" * 3)
    none = call("fewest", "--pattern", "top.txt", "--size", 4)
    assert (none.code, none.out.startswith("no puzzle: row 3 and row 4 have no givens")) == (1, True)
    assert call("fewest", "--pattern", "top.txt", "--json", FULL4).json_lines[0]["status"] == "none"
    (tmp_path / "top3.txt").write_text("####\n" * 3 + "....\n")
    top3 = call("fewest", "--pattern", "top3.txt", "--json", FULL4).json_lines[0]
    assert (top3["status"], top3["puzzle"][12:]) == ("exact", "....")


def test_rules_without_givens(call) -> None:
    """Rules that leave several solutions are exit 1, with two of them; a symmetry that proves it is named."""
    ended = call("fewest", "--no-givens", "--size", 4, "--json")
    told = ended.json_lines[0]
    assert (ended.code, told["status"], len(told["solutions"])) == (1, "multiple", 2)
    assert "change places" in told["why"]
    caged = '[{"kind": "killer-cage", "cells": ["r1c1", "r1c2", "r2c1"], "total": 99}]'
    none = call("fewest", "--no-givens", "--size", 4, "--rules", caged)
    assert (none.code, none.out.startswith("these rules have no solution")) == (1, True)


def test_clues_can_make_givens_unnecessary(call) -> None:
    """Families of clues request a puzzle without givens, which is printed in full and has one solution."""
    ended = call("fewest", "--no-givens", "--size", 6, "--rules", "killer", "--quiet")
    assert ended.code == 0
    words, told = ended.out.splitlines()
    assert words.startswith("a puzzle without givens")
    puzzle = from_json(json.loads(told))
    assert not puzzle.givens
    assert any(rule.kind == "killer-cage" for rule in puzzle.rules)
    assert solve(puzzle).status == "unique"


@pytest.mark.parametrize(
    "wrong", [(), ("--no-givens", FULL4), ("--pattern", "nowhere.txt"), ("--pattern", "nowhere.txt", "--rules", "killer")]
)
def test_what_cannot_be_asked_is_bad_usage(call, wrong) -> None:
    """No question, two at once, or a missing file is bad usage."""
    ended = call("fewest", *wrong)
    assert ended.code == 2
    assert "expected" in ended.err
