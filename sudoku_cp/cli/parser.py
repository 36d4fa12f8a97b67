"""The parser of the command line, made by typer from the signatures of the verbs."""

from __future__ import annotations

import sys
from copy import copy
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from sudoku_cp import __version__
from sudoku_cp.cli.answer_loop import exit_with_code
from sudoku_cp.cli.flat_options import WrongNumber, flatten_options
from sudoku_cp.cli.verbs import VERBS, verb_function, verb_help
from sudoku_cp.errors import shorten

_UsageError: Any = typer.BadParameter.__mro__[1]
"""Click's error, of which typer brings a copy of its own that it does not export."""
_LONGEST = 500
"""Characters of a wrong argument that an error message repeats; its frame is as wide as the terminal."""
_HELP = {"help_option_names": ["-h", "--help"]}


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
        "3 a limit came first, 4 an engine failed, 130 interrupted.",
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
    command = app.command(verb, cls=_Command, context_settings=_HELP, help=_unwrapped(verb_help(verb)))
    command(exit_with_code(flatten_options(run)))


class _Command(TyperCommand):
    """A verb whose usage errors are no longer than our own; wrong numbers are left to the verb, which names all that is wrong."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments."""
        for option in self.get_params(ctx):
            if type(option.type).__name__.startswith(("Int", "Float")):
                vars(option)["type"] = _lenient(option)
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            vars(error)["message"] = shorten(vars(error)["message"], _LONGEST)
            raise


def _lenient(option: Any) -> Any:
    """Return the type of an option of numbers that makes `WrongNumber` of what is none, or out of range."""
    kind = copy(option.type)
    convert = kind.convert

    def read(value: Any, parameter: Any, ctx: Any) -> Any:
        try:
            return convert(value, parameter, ctx)
        except typer.BadParameter:
            return WrongNumber(option.opts[0], _number_words(option), str(value))

    vars(kind)["convert"] = read
    return kind


def _number_words(option: Any) -> str:
    """Return what an option expects: ``a number of seconds from 0``."""
    noun = "a whole number" if type(option.type).__name__.startswith("Int") else "a number"
    unit = {"SECONDS": " of seconds", "MM": " of millimetres"}.get(option.metavar or "", "")
    low, high = getattr(option.type, "min", None), getattr(option.type, "max", None)
    return noun + unit + (f" from {low:g}" if low is not None else "") + (f" to {high:g}" if high is not None else "")


def _unwrapped(text: str) -> str:
    """Return a docstring with each paragraph on one line, so that help fills whatever width there is."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
