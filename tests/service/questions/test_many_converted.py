"""Texts of several puzzles that are converted."""

from __future__ import annotations

import json

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.questions.convert import ConvertQuestion
from sudoku_cp.service.questions import QUESTIONS
from tests.service.questions.conftest import KeptControl

LINE = "12..3412..434.21\n"


def test_each_puzzle_is_converted():
    """The text has a line for each puzzle."""
    told = QUESTIONS["convert"].run({"puzzle": 2 * LINE, "to": "line"}, KeptControl())
    assert (told["status"], told["text"].splitlines()) == ("written", 2 * [LINE.strip()])


@pytest.mark.parametrize("rows", [[[1, 2, 0, None], [3, 4, 1, 2], [0, 0, 4, 3], [4, 0, 2, 1]], ["12..", "3412", "..43", "4.21"]])
def test_a_matrix_is_converted(rows):
    """An object with a matrix of numbers, or its text, is a puzzle like any other."""
    for sent in ({"board": rows, "difficulty": "easy"}, json.dumps({"grid": rows}), json.dumps(rows)):
        told = QUESTIONS["convert"].run({"puzzle": sent, "to": "line"}, KeptControl())
        assert told["text"].splitlines() == [LINE.strip()]


def test_too_many_puzzles_are_refused():
    """The message says how many are taken."""
    with pytest.raises(InvalidInput, match=str(ConvertQuestion.most)):
        QUESTIONS["convert"].run({"puzzle": (ConvertQuestion.most + 1) * LINE, "to": "line"}, KeptControl())
