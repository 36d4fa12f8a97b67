"""The parser of the command line, made by typer from the signatures of the verbs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, cleandoc, signature
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand

from sudoku_cp import __version__
from sudoku_cp.cli import option_groups, options
from sudoku_cp.cli.exit_codes import exit_with_code
from sudoku_cp.cli.verbs import VERBS, verb_function
from sudoku_cp.errors import shorten

_UsageError: Any = typer.BadParameter.__mro__[1]
"""Click's error, of which typer brings a copy of its own that it does not export."""
_LONGEST = 500
"""Characters of a wrong argument that an error message repeats; its frame is as wide as the terminal."""
_HELP = {"help_option_names": ["-h", "--help"]}
_NAMES = {**vars(options), **vars(option_groups), "typer": typer}
"""Names that annotations may use: verbs that run without a parser import these for type checkers only."""


def parse(verb: str | None) -> None:
    """Parse the arguments and run the verb; without one, show what there is. One verb alone is quicker than all of them."""
    if verb:
        alone = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
        _add_command(alone, verb)
        alone(sys.argv[2:], prog_name=f"sudoku-cp {verb}")
    else:
        sys.argv[1:2] = [shorten(word, _LONGEST) for word in sys.argv[1:2]]
        app_of_all_verbs()(prog_name="sudoku-cp")


def app_of_all_verbs() -> typer.Typer:
    """Return the application with every verb, for its help and for completion."""
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings=_HELP,
        help="Solve, count, check, prove and compare sudoku of any size and many variants; every answer is checked.",
        epilog="Exit codes: 0 yes, 1 no (not unique, no solution, disagreement), 2 bad usage or input, "
        "3 a limit came first, 4 an engine erred, 130 interrupted.",
    )
    app.callback()(_app)
    for verb in VERBS:
        _add_command(app, verb)
    return app


def _print_version(wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        typer.echo(f"sudoku-cp {__version__}")
        raise typer.Exit


def _app(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Declare the options that belong to no verb."""


def _add_command(app: typer.Typer, verb: str) -> None:
    run = verb_function(verb)
    command = app.command(verb, cls=_Command, context_settings=_HELP, help=_unwrapped(run.__doc__ or ""))
    command(exit_with_code(flatten_options(run)))


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


class _Command(TyperCommand):
    """A verb whose usage errors are no longer than our own, however long the wrong argument is."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            vars(error)["message"] = shorten(vars(error)["message"], _LONGEST)
            raise


def _unwrapped(text: str) -> str:
    """Return a docstring with each paragraph on one line, so that help fills whatever width there is."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in cleandoc(text).split("\n\n"))
