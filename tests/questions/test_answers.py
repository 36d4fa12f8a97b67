"""Objects of answers can be written as JSON, know nothing of where they are printed, and leave out what is empty."""

from __future__ import annotations

import json

import pytest

from sudoku_cp import queries
from sudoku_cp.errors import ParseError
from sudoku_cp.formats import FORMATS
from sudoku_cp.logic.hints import HintLevel, hint
from sudoku_cp.logic.paths import steps
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.queries.puzzle_check import clash_words
from sudoku_cp.questions import ask
from sudoku_cp.questions.answer import FoundAnswer, error_to_json, with_values
from sudoku_cp.questions.candidates import CandidatesAnswer
from sudoku_cp.questions.check import CheckAnswer
from sudoku_cp.questions.generate import GeneratedJson
from sudoku_cp.questions.hint import HintAnswer
from sudoku_cp.questions.listings import backends_to_json, formats_to_json, rules_to_json
from sudoku_cp.questions.steps import StepsAnswer
from sudoku_cp.rules import RULES
from sudoku_cp.service.questions.declared_models import answer_model

PUZZLES = {"unique": "12..3412..434.21", "multiple": "12..............", "none": "11.............."}


@pytest.mark.parametrize("status", PUZZLES)
def test_answers_say_their_status(status):
    """Each question about solutions says alike how many there are, as JSON, without an index."""
    puzzle = Puzzle.parse(PUZZLES[status])
    answers = [
        FoundAnswer.of(puzzle, queries.solve(puzzle)),
        CheckAnswer.of_check(puzzle, queries.check(puzzle)),
        CandidatesAnswer.of(queries.true_candidates(puzzle)),
    ]
    for answer in answers:
        fields = answer.to_json()
        assert json.loads(json.dumps(fields))["status"] == status
        assert fields["puzzle"] == PUZZLES[status]
        assert not {"index", "reason", "partial", "warnings"} & fields.keys()


def test_a_clash_is_told_in_words_and_names():
    """What clashes has the same givens in words and in JSON."""
    puzzle = Puzzle.parse(PUZZLES["none"])
    checked = queries.check(puzzle)
    assert checked.conflict is not None
    assert CheckAnswer.of_check(puzzle, checked).to_json()["conflict"]["givens"] == ["r1c1=1", "r1c2=1"]
    assert clash_words(puzzle, checked.conflict) == "r1c1=1 and r1c2=1 cannot both stand in row 1"


@pytest.mark.parametrize("level", HintLevel)
def test_hints_tell_no_more_than_their_level(level):
    """Technique, cells, step and values appear from their level on."""
    position = Position.of(Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"))
    shown = HintAnswer.of(hint(position), level).to_json()
    first = {"place": 1, "technique": 2, "code": 2, "cells": 3, "step": 4, "values": 5, "candidates": 5}
    assert {name for name in first if name in shown} == {name for name, least in first.items() if level >= least}
    assert json.dumps(shown)


def test_steps_are_told_with_their_position():
    """A path has its steps, whether it is complete, and how many solutions there are."""
    path = StepsAnswer.of(steps(Puzzle.parse(PUZZLES["unique"]))).to_json()
    assert path["end"] == "solved"
    assert path["complete"]
    assert path["solutions"] == "unique"
    assert all(step["placements"] or step["eliminations"] for step in path["steps"])


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


def test_a_generated_puzzle_declares_its_rating():
    """A puzzle made for a rating says it, in fields that the answer declares as `rate` does."""
    (made,) = ask("generate", {"size": 4, "seed": 1, "rating": "hodoku:0..1000"})["puzzles"]
    assert made["hodoku"]["score"] <= 1000
    answer_model(GeneratedJson).model_validate_json(json.dumps(made))
