"""Every question has an example that runs, an answer for a limit that came first, and a schema."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode
from typing import get_args

import pytest
from pydantic import ValidationError

from sudoku_cp.errors import InvalidInput
from sudoku_cp.questions.answer import Reason
from sudoku_cp.questions.listings import example_grid
from sudoku_cp.questions.question import EASY, NAMES, question_named
from sudoku_cp.rules import RULES, rule_to_json
from sudoku_cp.service.questions import LISTINGS, QUESTIONS
from sudoku_cp.service.questions.declared_models import puzzle_document


@pytest.mark.parametrize("verb", [name for name, one in QUESTIONS.items() if one.available])
def test_examples_run(verb, ask):
    """The example of a question is answered as its model says."""
    answer = ask(verb, QUESTIONS[verb].example)
    assert "reason" not in answer
    assert QUESTIONS[verb].summary.endswith((".", "?"))


@pytest.mark.parametrize("name", LISTINGS)
def test_listings_run(name, ask):
    """A listing has something to tell."""
    assert ask(name, {})[name]


def test_printed_sheets_are_a_pdf(ask):
    """The answer of print is a file that begins and ends like a PDF; bad options are told with their place."""
    file = b64decode(ask("print", {"puzzles": [EASY], "solutions": "end"})["pdf"])
    assert file.startswith(b"%PDF-")
    assert file.rstrip().endswith(b"%%EOF")
    with pytest.raises(InvalidInput) as caught:
        ask("print", {"puzzles": ["1"], "paper": "2x2"})
    assert {problem.pointer for problem in caught.value.problems} == {"/puzzles/0", "/paper"}


@pytest.mark.parametrize("reason", get_args(Reason))
@pytest.mark.parametrize("verb", QUESTIONS)
def test_a_limit_is_an_answer(verb, reason):
    """A limit that came first is answered in the form of the answer, with its reason and the seconds, and never as "no"."""
    question = QUESTIONS[verb]
    answer = question.unknown(question.example, reason, 1.5)
    question.answer.model_validate_json(json.dumps(answer))
    assert reason in json.dumps(answer)
    assert answer.get("seconds", 1.5) == 1.5
    assert not {answer.get("status"), answer.get("agreed"), answer.get("verdict")} & {
        "none",
        "unique",
        "multiple",
        True,
        "verified",
    }


def test_what_was_reported_before_a_question_was_ended_is_known():
    """A job whose worker is ended from outside answers with the bounds of its last report, and with its reason."""
    answer = QUESTIONS["fewest"].unknown({}, "deadline", 4.0, {"least": 17, "most": 25})
    assert (answer["status"], answer["least"], answer["most"], answer["reason"]) == ("bounds", 17, 25, "deadline")
    assert QUESTIONS["fewest"].unknown({}, "crashed", 4.0, {"state": "queued"})["status"] == "unknown"


@pytest.mark.parametrize("verb", QUESTIONS)
def test_schemas_say_what_a_puzzle_is(verb):
    """The schema of a body is one that JSON can say; puzzles are texts or documents with every kind of rule."""
    schema = QUESTIONS[verb].request.model_json_schema()
    text = json.dumps(schema)
    if "puzzle" in QUESTIONS[verb].request.model_fields:
        kinds = {one["properties"]["kind"]["const"] for name, one in schema["$defs"].items() if name.endswith("Rule")}
        assert kinds == {*RULES}
        assert '"discriminator"' in text


def test_schemas_say_what_a_rule_within_a_rule_is():
    """Rules made of rules hold rules of every kind: the examples of all kinds fit, and one with a wrong rule inside does not."""
    document = puzzle_document()
    for kind in RULES.values():
        grid = example_grid(kind, 9)
        document.model_validate({"rules": [rule_to_json(kind.example(grid), grid)]})
    document.model_validate({"rules": [{"kind": "any-of", "rules": [{"kind": "all-of", "rules": ["houses"]}]}]})
    for wrong in ({"kind": "nothing"}, {"kind": "all-of", "rules": [{"kind": "thermometer", "cells": 5}]}):
        with pytest.raises(ValidationError):
            document.model_validate({"rules": [{"kind": "any-of", "rules": [wrong]}]})
    definition = QUESTIONS["solve"].request.model_json_schema()["$defs"]["AnyOfRule"]
    assert definition["properties"]["rules"]["items"] == {"$ref": "#/$defs/RuleDocument"}


def test_workers_need_no_pydantic():
    """The functions that workers run load neither pydantic nor FastAPI."""
    listings = {listing.run.load().__module__ for listing in LISTINGS.values()}
    declared = {question_named(name).__module__ for name in NAMES} | {"sudoku_cp.questions.plain_call"}
    modules = sorted(listings | declared | {type(question.run).__module__ for question in QUESTIONS.values()})
    script = f"import sys, {', '.join(modules)}; print({{'pydantic', 'fastapi', 'starlette', 'typer'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
