"""A question is declared once, and every reader finds what it needs in the declaration."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import MISSING
from typing import Any

import pytest
from pydantic import ValidationError

from sudoku_cp.backends import Limits
from sudoku_cp.cli.flat_options import flatten_options
from sudoku_cp.cli.verbs import QUESTION_OF, VERBS, verb_function
from sudoku_cp.errors import InvalidInput, Problem, UnknownName
from sudoku_cp.paper import SheetOptions
from sudoku_cp.queries.count_estimate import ERROR
from sudoku_cp.questions import Run, ask, question_named
from sudoku_cp.questions.question import NAMES, SUBJECTS, answer_type, options_of
from sudoku_cp.service.questions.declared_models import answer_model, body_model

MINUTE = Run(Limits(60))


def answer_example(name: str, **changes: Any) -> dict[str, Any]:
    """Return the answer to the example of a question with other fields."""
    return ask(name, {**question_named(name).example, **changes}, MINUTE)


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_words(name: str) -> None:
    """Nobody meets an option, or an answer, that says nothing of itself; words name only options that there are."""
    question = question_named(name)
    known = {one.name for one in options_of(question)} | {one.field for one in options_of(question)}
    assert (question.name, question.__doc__ is None) == (name, False)
    for one in options_of(question):
        assert one.words.endswith("."), one
        assert {*one.words.split("`")[1::2]} <= known, one
    assert {*(question.__doc__ or "").split("`")[1::2]} <= known


@pytest.mark.parametrize("verb", [verb for verb in VERBS if QUESTION_OF.get(verb, verb) in NAMES])
def test_the_command_line_offers_every_option(verb: str) -> None:
    """A verb has the options of the declaration, and without any asks what the declaration asks by default."""
    name = QUESTION_OF.get(verb, verb)
    typed = flatten_options(verb_function(verb)).__signature__.parameters  # type: ignore[attr-defined]
    own = vars(question_named(name)).get("__annotations__", ())
    for one in options_of(question_named(name)):
        assert one.field in typed or one.field in own, one  # a verb may have arguments, or other options, for what is its own
        default = typed[one.field].default if one.field in typed else None
        assert one.default is MISSING or default is None or default == one.default, one


@pytest.mark.parametrize("name", NAMES)
def test_a_body_offers_every_option(name: str) -> None:
    """A body has exactly the options of the declaration, with its defaults; that of the time is the service's own."""
    question = question_named(name)
    sent = {field.alias or one: field for one, field in body_model(question).model_fields.items()}
    for one in options_of(question):
        assert one.default is MISSING or one.name == "timeout" or sent[one.name].default == one.default, one
    assert sent.keys() - {"job", "timeout", "known"} == {
        one.name for one in (*SUBJECTS[question.subject], *options_of(question))
    } - {"timeout"}


@pytest.mark.parametrize("name", NAMES)
def test_a_body_refuses_what_it_does_not_know(name: str) -> None:
    """An option of another question is an error, and never passed over."""
    with pytest.raises(ValidationError, match="nonsense"):
        body_model(question_named(name)).model_validate({**question_named(name).example, "nonsense": 1})


@pytest.mark.parametrize("name", NAMES)
def test_every_field_of_a_body_is_described(name: str) -> None:
    """The document of the service explains each field that can be sent."""
    assert all(field.description for field in body_model(question_named(name)).model_fields.values())


@pytest.mark.parametrize("name", NAMES)
def test_the_plain_call_answers_the_example(name: str) -> None:
    """JSON in, JSON out, as the model of the answer says; and the answer that a limit came first is of the same kind."""
    model = answer_model(answer_type(question_named(name)))
    model.model_validate_json(json.dumps(answer_example(name)))
    nothing = question_named(name).unknown_answer(question_named(name).example)
    assert isinstance(nothing, answer_type(question_named(name)))
    model.model_validate_json(json.dumps(nothing.to_json()))


@pytest.mark.parametrize("name", ["hint", "steps"])
def test_a_position_keeps_the_warnings_about_rules(name: str) -> None:
    """With a player's values in the text, a rule that a column adds has its warning; the values are used and have none."""
    line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    table = f"puzzle,current,variant\n{line},{line[:2]}4{line[3:]},disjoint-groups\n"
    assert ask(name, {"puzzle": table}, MINUTE)["warnings"] == ["added the rule disjoint-groups, stated in the column 'variant'"]


@pytest.mark.parametrize("name", NAMES)
def test_a_field_that_is_wrong_is_named_with_its_place(name: str) -> None:
    """Unknown fields, other types and numbers out of bounds are refused together, each at its place."""
    options = options_of(question_named(name))
    wrong = {one.name: object() for one in options} | {"nonsense": 1}
    assert places_of(name, wrong) == {f"/{field}" for field in wrong}
    for one in options:
        if one.ge is not None:
            assert places_of(name, {one.name: int(one.ge - 1)}) == {f"/{one.name}"}
    if not SUBJECTS[question_named(name).subject]:
        return
    required = [one.name for one in SUBJECTS[question_named(name).subject] if one.default is MISSING]
    with pytest.raises(InvalidInput) as refused:
        ask(name, {})
    assert {problem.pointer for problem in refused.value.problems if isinstance(problem, Problem)} >= {
        f"/{one}" for one in required
    }


def places_of(name: str, changes: dict[str, Any]) -> set[str]:
    """Return where problems are with the example of a question and some changes."""
    with pytest.raises(InvalidInput) as refused:
        answer_example(name, **changes)
    return {problem.pointer for problem in refused.value.problems if isinstance(problem, Problem)}


def test_problems_of_the_puzzle_and_of_options_come_together() -> None:
    """Whoever asks learns everything that is wrong at once."""
    found = places_of("count", {"puzzle": "." * 17, "estimate": True, "seed": -1, "rules": ["nonsense"]})
    assert found == {"/puzzle", "/limit", "/seed", "/rules/0"}


def test_python_reads_options_by_their_names() -> None:
    """A message names the option as Python has it; the command line adds the dashes."""
    with pytest.raises(InvalidInput, match=r"^givens: expected a number .*, got 'few'$"):
        ask("generate", {"givens": "few"})
    with pytest.raises(InvalidInput, match=r"^per_page: expected one of 1, 2, 4, 6, 9, got 3$"):
        SheetOptions(per_page=3)


def test_options_are_named_as_fields_of_json() -> None:
    """Whoever sends JSON reads quotes, not the marks of the declaration."""
    with pytest.raises(InvalidInput, match="'error' needs 'estimate'"):
        ask("count", {"puzzle": "." * 16, "error": 0.1})


def test_a_question_that_there_is_not_is_refused() -> None:
    """The error names those that there are."""
    with pytest.raises(UnknownName, match="expected a question, one of "):
        ask("nonsense", {})


def test_defaults_in_words_are_those_of_the_library() -> None:
    """A default that the library knows is said as it is."""
    (error,) = (one for one in options_of(question_named("count")) if one.name == "error")
    assert error.shown_default == f"{ERROR}"


def test_declarations_load_no_engine() -> None:
    """A service's own process and a terminal read them all, and are ready at once."""
    script = (
        "import sys; from sudoku_cp.questions.question import NAMES, question_named; [question_named(name) for name in NAMES];"
        "print(sorted({'numpy', 'numba', 'ortools', 'pysat', 'pydantic', 'typer'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_plain_call_keeps_to_the_time_that_the_body_sets() -> None:
    """A limit in the body is one; whoever lends a run decides alone."""
    nothing = {"puzzle": "." * 81, "timeout": 0}
    assert ask("solve", nothing)["reason"] == "deadline"
    assert "reason" not in ask("solve", nothing, MINUTE)
