"""Objects of answers can be written as JSON, know nothing of where they are printed, and leave out what is empty."""

from __future__ import annotations

import json

import pytest

from sudoku_cp import queries
from sudoku_cp.answer_json.fields import answer_to_json, error_to_json, with_values
from sudoku_cp.answer_json.listings import backends_to_json, formats_to_json, rules_to_json
from sudoku_cp.answer_json.logic_answers import hint_to_json, path_to_json
from sudoku_cp.answer_json.query_answers import candidates_to_json, check_to_json
from sudoku_cp.errors import ParseError
from sudoku_cp.formats import FORMATS
from sudoku_cp.logic.hints import HintLevel, hint
from sudoku_cp.logic.paths import steps
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.queries.puzzle_check import clash_words
from sudoku_cp.rules import RULES

PUZZLES = {"unique": "12..3412..434.21", "multiple": "12..............", "none": "11.............."}


@pytest.mark.parametrize("status", PUZZLES)
def test_answers_say_their_status(status):
    """Each question about solutions says alike how many there are, as JSON, without an index."""
    puzzle = Puzzle.parse(PUZZLES[status])
    told = [
        answer_to_json(puzzle, queries.solve(puzzle)),
        check_to_json(puzzle, queries.check(puzzle)),
        candidates_to_json(queries.true_candidates(puzzle), partial=False),
    ]
    for fields in told:
        assert json.loads(json.dumps(fields))["status"] == status
        assert fields["puzzle"] == PUZZLES[status]
        assert not {"index", "reason", "partial", "warnings"} & fields.keys()


def test_a_clash_is_told_in_words_and_names():
    """What clashes has the same givens in words and in JSON."""
    puzzle = Puzzle.parse(PUZZLES["none"])
    checked = queries.check(puzzle)
    assert checked.conflict is not None
    assert check_to_json(puzzle, checked)["conflict"]["givens"] == ["r1c1=1", "r1c2=1"]
    assert clash_words(puzzle, checked.conflict) == "r1c1=1 and r1c2=1 cannot both stand in row 1"


@pytest.mark.parametrize("level", HintLevel)
def test_hints_tell_no_more_than_their_level(level):
    """Technique, cells, step and values appear from their level on."""
    position = Position.of(Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"))
    told = hint_to_json(hint(position), level)
    first = {"place": 1, "technique": 2, "code": 2, "cells": 3, "step": 4, "values": 5, "candidates": 5}
    assert {name for name in first if name in told} == {name for name, least in first.items() if level >= least}
    assert json.dumps(told)


def test_steps_are_told_with_their_position():
    """A path has its steps, whether it is complete, and how many solutions there are."""
    told = path_to_json(steps(Puzzle.parse(PUZZLES["unique"])))
    assert told["end"] == "solved"
    assert told["complete"]
    assert told["solutions"] == "unique"
    assert all(step["placements"] or step["eliminations"] for step in told["steps"])


def test_listings_are_whole():
    """A listing has an entry for each thing in its registry."""
    assert [one["kind"] for one in rules_to_json()] == sorted(RULES)
    assert [one["kind"] for one in rules_to_json(["thermometer"])] == ["thermometer"]
    assert [one["format"] for one in formats_to_json()] == [*FORMATS]
    assert {"native", "sat"} <= {one["backend"] for one in backends_to_json() if one["installed"]}


def test_what_is_empty_is_left_out():
    """Empty fields are left out, and bytes that are not text stay visible in errors."""
    assert with_values(one=1, none=None, empty=[], no=False) == {"one": 1}
    assert error_to_json(ParseError("expected x, got '\udcff'"))["error"].isascii()
