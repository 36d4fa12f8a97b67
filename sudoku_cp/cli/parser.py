"""The options of the command line, parsed by typer."""

from __future__ import annotations

import sys
from inspect import cleandoc
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand

from sudoku_cp import __version__
from sudoku_cp.cli import options
from sudoku_cp.cli.app import VERBS, ending, run_of
from sudoku_cp.errors import shortened

_UsageError: Any = typer.BadParameter.__mro__[1]
"""Click's error, of which typer brings a copy of its own that it does not export."""
_TYPED = 500
"""Characters of what was typed wrong that are told, in a frame as wide as the terminal."""
_HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_HELP,
    help="Solve, count, check, prove and compare sudoku of any size and many variants; every answer is checked.",
    epilog="Exit codes: 0 yes, 1 no (not unique, no solution, disagreement), 2 bad usage or input, "
    "3 a limit came first, 4 an engine erred, 130 interrupted.",
)


def _version(wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        typer.echo(f"sudoku-cp {__version__}")
        raise typer.Exit


@app.callback()
def _app(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Take the options of no verb."""


def parse(verb: str | None) -> None:
    """Run the verb that is asked for, parsed alone, which is quicker; or, without one, show what there is."""
    if verb:
        alone = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
        _add(alone, verb)
        alone(sys.argv[2:], prog_name=f"sudoku-cp {verb}")
    else:
        sys.argv[1:2] = [shortened(word, _TYPED) for word in sys.argv[1:2]]  # a verb that nobody has is told, not all of it
        for one in VERBS:
            _add(app, one)
        app(prog_name="sudoku-cp")


def _add(parser: typer.Typer, verb: str) -> None:
    run = run_of(verb)
    # Verbs that run without a parser name their options in words only.
    run.__annotations__ = get_type_hints(run, localns={**vars(options), "typer": typer}, include_extras=True)
    parser.command(verb, cls=_Command, context_settings=_HELP, help=_filled(run.__doc__ or ""))(ending(run))


class _Command(TyperCommand):
    """A verb whose parser's own messages are no longer than ours, however long what was typed is."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse what was typed."""
        try:
            return super().parse_args(ctx, args)
        except _UsageError as error:
            vars(error)["message"] = shortened(vars(error)["message"], _TYPED)
            raise


def _filled(text: str) -> str:
    """Return a docstring whose paragraphs are a line each, so that they fill whatever width there is."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in cleandoc(text).split("\n\n"))
