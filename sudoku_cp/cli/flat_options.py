"""Verbs with groups of options, as the flat signatures that typer reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

import typer

from sudoku_cp.cli import option_groups, options

_NAMES = {**vars(options), **vars(option_groups), "typer": typer}
"""Names that annotations may use: verbs that run without a parser import these for type checkers only."""


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
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        return verb(**values)

    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = Signature(parameters)
    return run


def _parameters_of(group: type) -> list[Parameter]:
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
