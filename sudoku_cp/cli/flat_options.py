"""Groups of options that verbs share, and verbs with such groups as the flat signatures that typer reads."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typer

from sudoku_cp.cli import completions, options
from sudoku_cp.cli.output import utf8_text
from sudoku_cp.cli.typed_names import spell_typed
from sudoku_cp.errors import InvalidInput
from sudoku_cp.questions import options as question_options
from sudoku_cp.questions.question import Option, Question, options_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.cli.options import ClusterAddress, Force, Out, Resume, Workers


_NAMES = {**vars(options), **vars(sys.modules[__name__]), **vars(question_options), "typer": typer}
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
            typed = {field.name: values.pop(field.name) for field in fields(group)}
            values[name] = group(**{name: _utf8_value(value) for name, value in typed.items() if value not in (None, [])})
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
    names = [f"--{one.name.replace('_', '-')}", *([one.short] if one.short else [])]
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
        autocompletion=getattr(completions, one.completion) if one.completion else None,
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


# Options that several verbs share, declared once: each group is one parameter of a verb, and one value in the code.
#
# The parser makes an option of every field, in the order of the fields (see `flat_options`). The annotations stand in
# `options`, which imports typer; they are strings here, as verbs that are called with a puzzle alone do without it.


def refuse_contradictions(contradictions: Mapping[str, bool]) -> None:
    """Raise `InvalidInput` with each contradiction of options that is true."""
    if wrong := [words for words, is_wrong in contradictions.items() if is_wrong]:
        raise InvalidInput(wrong)


def no_folder(option: str, name: str | None) -> dict[str, bool]:
    """Return the contradiction that an option names standard output where many files are written, and whether it is true."""
    return {f"{option}: expected a folder, got '-', which stands for standard output (./- is a folder)": name == "-"}


@dataclass(frozen=True, eq=False)
class BatchOptions:
    """Work from file to file: the output, and who does the work."""

    out: Out = None
    resume: Resume = False
    force: Force = False
    workers: Workers = None
    cluster: ClusterAddress = None

    def contradictions(self, without_out: dict[str, bool]) -> dict[str, bool]:
        """Return each possible contradiction, and whether it is true; the options of ``without_out`` exclude --out."""
        with_out = {
            "--resume": self.resume,
            "--force": self.force,
            "--workers": self.workers is not None,
            "--cluster": self.cluster is not None,
        }
        return {
            **{f"{name} needs --out FILE": given and self.out is None for name, given in with_out.items()},
            **{
                f"--out FILE cannot be combined with {name}": given and self.out is not None
                for name, given in without_out.items()
            },
            "--out: expected a file, got '-': without --out, answers go to standard output": self.out == "-",
            "--resume cannot be combined with --force": self.resume and self.force,
            "--workers cannot be combined with --cluster": self.workers is not None and self.cluster is not None,
        }
