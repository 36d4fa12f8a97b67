"""Verbs with groups of options, as the flat signatures that typer reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import typer

from sudoku_cp.cli import options, typed_options
from sudoku_cp.cli.output import utf8_text
from sudoku_cp.cli.typed_options import option_problems, refuse_typed, spell_typed
from sudoku_cp.questions import question as question_options
from sudoku_cp.questions.question import Option, Question, options_of

_NAMES = {**vars(options), **vars(typed_options), **vars(question_options), "typer": typer}
"""Names that annotations may use: verbs that run without a parser import these for type checkers only."""


class WrongNumber(NamedTuple):
    """What was typed for an option where a number is expected."""

    option: str
    expected: str
    typed: str

    def __str__(self) -> str:
        """Return what is wrong, in words."""
        return f"{self.option}: expected {self.expected}, got {self.typed!r:.40}"


def flatten_options(verb: Callable[..., int]) -> Callable[..., int]:
    """Return a verb that takes a keyword for every field of its option groups, in the place of the group.

    Its signature has the annotations that typer reads. Groups are the parameters whose type is a dataclass.
    """
    hints = get_type_hints(verb, localns=_NAMES, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if isinstance(hint, type) and is_dataclass(hint)}
    parameters: list[Parameter] = []
    for parameter in signature(verb).parameters.values():
        if parameter.name in groups:
            parameters += _parameters_of(groups[parameter.name])
        else:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))

    @wraps(verb)
    def run(**values: Any) -> int:
        wrong = {name: value for name, value in values.items() if isinstance(value, WrongNumber)}
        values |= dict.fromkeys(wrong)
        for name, group in groups.items():
            typed = {field.name: values.pop(field.name) for field in fields(group)}
            values[name] = group(**{name: _utf8_value(value) for name, value in typed.items() if value not in (None, [])})
        if wrong:
            questions = [values[name] for name, group in groups.items() if issubclass(group, Question)]
            found = (problem for question in questions for problem in option_problems(question))
            refuse_typed(found, {str(value): True for value in wrong.values()})
        return verb(**values)

    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = Signature(parameters)
    return run


def _utf8_value(value: Any) -> Any:
    """Return a typed value, texts as UTF-8 even where the locale is ASCII."""
    return utf8_text(value) if isinstance(value, str) else value


def _parameters_of(group: Any) -> list[Parameter]:
    if issubclass(group, Question):
        return [_parameter_of_option(one) for one in options_of(group)]
    hints = get_type_hints(group, localns=_NAMES, include_extras=True)
    return [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(group)
    ]


def _parameter_of_option(one: Option) -> Parameter:
    """Return the parameter from which typer makes an option that a question declares."""
    names = [name if name.startswith("-") else f"--{name.replace('_', '-')}" for name in (one.name, one.short) if name]
    kind: Any = _typed_kind(one.hint)
    if one.shown_default:
        shown: bool | str = spell_typed(one.shown_default)
    else:
        shown = (one.default or False) if kind == list[str] else one.default not in (None, "")
    info = typer.Option(
        *names,
        metavar=None if kind is bool else one.metavar,
        min=one.ge,
        max=one.le,
        help=spell_typed(one.words),
        show_default=shown,
        autocompletion=getattr(options, one.completion) if one.completion else None,
    )
    default = Parameter.empty if one.default is MISSING else one.default
    if kind in {str, list[str]} and default is not Parameter.empty:
        default = (one.default or None) if kind is str else None
    hint = kind if one.default is MISSING or default is not None else kind | None
    return Parameter(one.field, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[hint, info])


def _typed_kind(hint: Any) -> Any:
    """Return what is typed for a type that JSON has: of several kinds, text, which can be all of them; texts one by one."""
    if hint == list[str] or list[str] in get_args(hint):
        return list[str]
    if get_origin(hint) is Literal:
        return type(get_args(hint)[0])
    kinds = {one if isinstance(one, type) else str for one in get_args(hint) or (hint,)} - {NoneType}
    return kinds.pop() if len(kinds) == 1 else str
