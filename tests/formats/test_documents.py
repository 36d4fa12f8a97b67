"""The project's own JSON."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.formats import format_puzzles, records_of_text
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.questions.listings import example_grid
from sudoku_cp.rules import RULES

GOOD = '{"givens": {"r1c1": 5}}'


def _read(text):
    return list(records_of_text(text))


@pytest.mark.parametrize(
    "text",
    [
        f"{GOOD}\n{GOOD}\n",
        f"\n{GOOD}\n\n{GOOD}",
        f"[{GOOD}, {GOOD}]",
        json.dumps([json.loads(GOOD)] * 2, indent=2),
        json.dumps([to_json(Puzzle(givens={0: 5}))] * 2, indent=1),
    ],
    ids=["lines", "lines apart", "array", "indented array", "with everything"],
)
def test_lines_and_arrays_are_read(text):
    """An object a line, or an array in any layout."""
    assert [record.puzzle for record in _read(text)] == [Puzzle(givens={0: 5})] * 2


def test_one_object_may_take_many_lines():
    """A single indented object is one puzzle."""
    (record,) = _read(json.dumps(json.loads(GOOD), indent=4))
    assert record.puzzle == Puzzle(givens={0: 5})


@pytest.mark.parametrize("kind", sorted(RULES))
def test_every_rule_is_said(kind):
    """JSON expresses any rules."""
    grid = example_grid(RULES[kind], 9)
    puzzle = Puzzle(grid, (RULES[kind].example(grid),), {0: 1}, title="é ü 数独", author="x", source="y")
    (record,) = _read("".join(one.text for one in format_puzzles([puzzle], "json")))
    assert record.puzzle == puzzle


def test_every_shape_is_said():
    """Several boards, regions, candidates and signs are written too."""
    boards = Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))
    puzzles = [Puzzle(boards, givens={0: 1}), Puzzle(Grid.jigsaw("AABB AABB CCDD CCDD"), candidates={3: 0b110})]
    assert [record.puzzle for record in _read("".join(one.text for one in format_puzzles(puzzles, "json")))] == puzzles


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ('{"givens": {"r1c1": 55}}', "line 2: expected a value from 1 to 9 in r1c1, got 55"),
        ('{"givens": }', "line 2, column 12: expected JSON, got an error in it: expecting value"),
        ('{"givens": {"r1c1": 5}', "line 2, column 23: expected JSON"),
        (f"{GOOD} x", "line 2, column 25: expected the end of the text after the puzzle, got 'x'"),
        ("[1]", "line 2: expected a puzzle as a JSON object, got [1]"),
        ('{"size": 9, "cells": []}', "line 2: expected the project's own JSON"),
        ('{"givens": {"r1c1": ' + "9" * 5000 + "}}", "line 2: expected JSON of a puzzle, got a number of too many digits"),
        ('{"title": "\\ud800"}', "line 2: expected UTF-8 text, got '\\ud800'"),
        ('{"a":' * 100_000, "line 2: expected a puzzle as JSON, got arrays or objects nested too deeply"),
        ("\x00\x01", "line 2, column 1: expected JSON"),
        ('{"a": "' + "x" * 10_000_000 + '"}', "line 2: expected the project's own JSON"),
    ],
)
def test_a_bad_line_is_told_and_passed(bad, message):
    """An invalid line is a short error with its column; the lines around it are read."""
    before, record, after = _read(f"{GOOD}\n{bad}\n{GOOD}\n")
    assert before.puzzle == after.puzzle == Puzzle(givens={0: 5})
    assert record.line == 2
    assert str(record.error).startswith(message)
    assert len(str(record.error)) < 500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'[\n{GOOD},\n{{"givens": {{"r1c1": 55}}}},\n{GOOD}\n]', "line 3: expected a value from 1 to 9 in r1c1, got 55"),
        (f"[\n{GOOD},\n{GOOD}\n {GOOD}]", "line 4, column 2: expected ',' or ']' in JSON, got "),
        (f"[{GOOD},\n{GOOD}, {{", "line 2, column 27: expected JSON"),
        (f"[{GOOD}, {GOOD}, ", "line 1, column 52: expected JSON"),
        (f"\n\n[{GOOD}, {GOOD}\n, oh]", "line 4, column 3: expected JSON"),
    ],
    ids=["value", "comma", "truncated", "open", "word"],
)
def test_an_array_is_read_as_far_as_it_goes(text, message):
    """The elements before a syntax error are read, and so are those around a wrong value."""
    records = _read(text)
    (error,) = [record.error for record in records if record.error]
    assert str(error).startswith(message)
    assert sum(record.puzzle == Puzzle(givens={0: 5}) for record in records) >= 1
