"""The application: its verbs, and how every one of them ends.

Exit codes: 0 done, the answer is yes; 1 done, the answer is no; 2 bad usage, bad input, or an output that cannot be
written; 3 a limit came before the answer; 130 interrupted. With many puzzles the worst stands: 2, then 3, then 1.
"""

from __future__ import annotations

import os
import sys
from functools import wraps
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, ParamSpec

import typer

from sudoku_cp import __version__
from sudoku_cp.errors import SudokuError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_P = ParamSpec("_P")

_HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings=_HELP,
    help="Solve, count, check and compare sudoku of any size and many variants; every answer is checked.",
    epilog="Exit codes: 0 yes, 1 no (not unique, no solution, disagreement), 2 bad usage or input, "
    "3 a limit came first, 130 interrupted.",
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


def _ending(run: Callable[_P, int]) -> Callable[_P, None]:
    """Turn what a verb returns or raises into an exit code and, for people, a message without a traceback."""

    @wraps(run)
    def ended(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            code = run(*args, **kwargs)
            sys.stdout.flush()
        except SudokuError as error:
            typer.echo(f"sudoku-cp: {error}", err=True)
            code = error.exit_code
        except KeyboardInterrupt:
            typer.echo("sudoku-cp: interrupted", err=True)
            code = 130
        except BrokenPipeError:
            # Whoever read us has had enough; nothing is left to say, not even at the interpreter's own last flush.
            code = 0
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            typer.echo(f"sudoku-cp: expected to write the answers, got {error.strerror or error}", err=True)
            code = 2
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(code)

    return ended


VERBS = MappingProxyType(
    {
        "solve": "solving",
        "count": "solving",
        "check": "solving",
        "compare": "comparing",
        "bench": "benching",
        "convert": "converting",
        "show": "converting",
        "rules": "listing",
        "formats": "listing",
        "backends": "listing",
    }
)
"""Every verb and the module it stands in."""


def main() -> None:
    """Run the command line. A verb that is asked for is imported and parsed alone; help and completion need them all."""
    asked = sys.argv[1] if len(sys.argv) > 1 else ""
    if asked in VERBS:
        alone = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
        _with(alone, [asked])(sys.argv[2:], prog_name=f"sudoku-cp {asked}")
    else:
        _with(app, VERBS)(prog_name="sudoku-cp")


def _with(parser: typer.Typer, verbs: Iterable[str]) -> typer.Typer:
    for verb in verbs:
        module = import_module(f"sudoku_cp.cli.{VERBS[verb]}")
        parser.command(verb, context_settings=_HELP)(_ending(getattr(module, verb)))
    return parser
