"""What docs/python.md says of questions is what their declarations make."""

from __future__ import annotations

import pytest

from sudoku_cp.questions import question, question_named
from sudoku_cp.questions.answer import QuestionAnswer, json_fields
from sudoku_cp.questions.question import NAMES, answer_type, options_of
from tests.questions.python_reference import GROUPS, current, reference


def test_the_page_is_up_to_date() -> None:
    """The part about questions is what `make docs-python` writes now."""
    assert current() == reference(), "run `make docs-pages`"


@pytest.mark.parametrize("name", NAMES)
def test_every_option_and_field_is_on_the_page(name: str) -> None:
    """Each option stands with its question or in a group that the question refers to; each field of the answer with it."""
    section = current().partition(f"### {name}\n")[2].partition("\n### ")[0]
    groups = [group for group in GROUPS if f"(#{group.lower()})" in section]
    shared = {one.name for group in groups for one in options_of(getattr(question, group))}
    kind = question_named(name)
    assert {one.name for one in options_of(kind) if f"| `{one.name}` |" not in section} <= shared
    every = {one.name for one in json_fields(QuestionAnswer)}
    assert all(f"| `{one.name}` |" in section for one in json_fields(answer_type(kind)) if one.name not in every)


def test_every_group_has_its_section() -> None:
    """No class of options that questions share is left out."""
    shared = {
        kind.__name__ for name in NAMES for kind in question_named(name).__mro__ if kind.__module__ == question.__name__
    } - {"Question"}
    assert shared == {*GROUPS}
