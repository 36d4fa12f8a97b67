"""Writes what docs/python.md says of questions, from their declarations: ``make docs-python`` runs this file."""

from __future__ import annotations

from dataclasses import MISSING, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from sudoku_cp.questions import question as declarations
from sudoku_cp.questions import question_named
from sudoku_cp.questions.answer import QuestionAnswer, json_fields
from sudoku_cp.questions.question import NAMES, SUBJECTS, Question, answer_type, options_of, spell

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.questions.question import Option

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
BEGIN = "<!-- questions: made by tests/questions/python_reference.py (make docs-python) -->\n"
END = "<!-- end of questions -->\n"
LONG = 300
"""The most letters of a text in an example that is shown whole."""
GROUPS = ("Reading", "Limited", "Timed", "Patient", "Solving", "Levelled")
"""The classes of options that questions share, in the order of the page."""
_OPTIONS = ("| option | type | default | meaning |", "|:---|:---|:---|:---|")
_FIELDS = ("| field | type | meaning |", "|:---|:---|:---|")
_PLAIN = {str: "text", int: "whole number", float: "number", bool: "True or False", NoneType: "None", Any: "anything"}


def reference() -> str:
    """Return the part of the page: every question with its options and answer, then what several share."""
    questions = [question_named(name) for name in NAMES]
    parts = ["\n".join(_question(one)) for one in questions]
    parts += ["\n".join(_group(name)) for name in GROUPS]
    parts += ["\n".join(_part(QuestionAnswer))]
    kinds = {kind.__name__: kind for one in questions for kind in parts_of(answer_type(one))}
    return "\n".join([*parts, *("\n".join(_part(kinds[name])) for name in sorted(kinds))])


def current() -> str:
    """Return that part as it stands on the page."""
    return PAGE.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]


def _question(question: type[Question]) -> Iterator[str]:
    first, _, further = _spelled(question.__doc__ or "").partition("\n\n")
    yield f"### {question.name}\n"
    yield f"{_one_line(first)}\n"
    yield from [f"{_one_line(further)}\n"] * bool(further)
    yield f"`ask({question.name!r}, {_cut(question.example)!r})`\n"
    groups = [kind.__name__ for kind in question.__mro__ if kind.__module__ == declarations.__name__ and kind is not Question]
    shared = {name for group in groups for name in _own_names(getattr(declarations, group))}
    own = {name for kind in question.__mro__ if kind.__module__ == question.__module__ for name in _own_names(kind)}
    rows = [*SUBJECTS[question.subject], *(one for one in options_of(question) if one.field in own or one.field not in shared)]
    yield from (*_OPTIONS, *map(_option_row, rows), "")
    if groups:
        yield f"Also the options of {', '.join(f'[{name}](#{name.lower()})' for name in GROUPS if name in groups)}.\n"
    yield f"The answer is a yes (exit code 0) {_one_line(answer_type(question).exit_code.__doc__ or '').removeprefix('Yes ')}\n"
    yield from (*_FIELDS, *_field_rows(answer_type(question)), "")


def _group(name: str) -> Iterator[str]:
    """Yield the lines about a group of options."""
    kind = getattr(declarations, name)
    own = _own_names(kind)
    yield f"### {name}\n"
    yield f"{_one_line(_spelled(kind.__doc__ or ''))}\n"
    yield from (*_OPTIONS, *(_option_row(one) for one in options_of(kind) if one.field in own), "")


def _part(kind: type) -> Iterator[str]:
    """Yield the lines about an object within answers."""
    yield f"### {kind.__name__}\n"
    yield f"{_one_line(_spelled(kind.__doc__ or ''))}\n"
    yield from (*_FIELDS, *_field_rows(kind), "")


def _own_names(kind: type) -> set[str]:
    """Return the options that a class itself declares."""
    return {name for name, hint in vars(kind).get("__annotations__", {}).items() if "ClassVar" not in str(hint)}


def _option_row(one: Option) -> str:
    default = "required" if one.default is MISSING else one.shown_default or f"`{one.default!r}`"
    bounds = {"at least": one.ge, "at most": one.le, "less than": one.lt}
    words = [_type_words(one.hint), *(f"{how} {bound:,}" for how, bound in bounds.items() if bound is not None)]
    return f"| `{one.name}` | {', '.join(words)} | {_spelled(default)} | {_cell(_spelled(one.words))} |"


def _field_rows(kind: type) -> Iterator[str]:
    hints = get_type_hints(kind, include_extras=True)
    every = () if kind is QuestionAnswer else {one.name for one in json_fields(QuestionAnswer)}
    for one in json_fields(kind):
        if one.name not in every:
            missing = "" if one.default is MISSING else ", or missing"
            yield f"| `{one.name}` | {_type_words(hints[one.name])}{missing} | {_cell(one.metadata.get('description') or '')} |"


def _type_words(hint: Any) -> str:  # a table of forms
    """Return a type in words; objects within answers are links."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return str(inside[1])
    if origin in {Union, UnionType}:
        return " or ".join(dict.fromkeys(map(_type_words, inside)))
    if origin is Literal:
        return ", ".join(f"`{value!r}`" for value in inside)
    if origin is dict:
        return f"dict of {_type_words(inside[1])}"
    if origin is tuple and Ellipsis not in inside:
        return f"({', '.join(map(_type_words, inside))})"
    if origin in {list, tuple}:
        return f"list of {_type_words(inside[0])}"
    return f"[{hint.__name__}](#{hint.__name__.lower()})" if is_dataclass(hint) else _PLAIN[hint]


def parts_of(kind: type) -> Iterator[type]:
    """Yield the classes of the objects within an answer."""
    ahead = [*get_type_hints(kind).values()]
    while ahead:
        hint = ahead.pop()
        ahead += get_args(hint)
        if is_dataclass(hint) and isinstance(hint, type):
            yield hint
            ahead += get_type_hints(hint).values()


def _cut(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body with the beginnings of long texts: a certificate differs from release to release, and nobody reads it."""
    return {name: f"{value[:60]}..." if isinstance(value, str) and len(value) > LONG else value for name, value in body.items()}


def _spelled(words: str) -> str:
    return spell(words, lambda name: f"`{name}`", lambda name: f"`{name}`")


def _one_line(words: str) -> str:
    return " ".join(words.split()).replace("``", "`")


def _cell(words: str) -> str:
    return _one_line(words).replace("|", "&#124;")


if __name__ == "__main__":
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{reference()}{END}{rest.split(END)[1]}", encoding="utf-8")
