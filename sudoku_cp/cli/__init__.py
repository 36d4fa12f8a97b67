"""The command line: parse, call, show. No sudoku logic lives here."""

from __future__ import annotations

import sys

from sudoku_cp.cli.answer_loop import exit_with_code
from sudoku_cp.cli.output import compiling_bar, prepare_streams
from sudoku_cp.cli.verbs import VERBS, verb_function
from sudoku_cp.process_locks import set_compile_watcher

__all__ = ["main"]

WITHOUT_PARSER = frozenset(["solve", "count", "check"])
"""Verbs that may be called with a puzzle alone: they import no typer, which takes half the time of such a call."""


def main() -> None:
    """Run the command line. Only the verb that is asked for is imported; help and completion need them all."""
    prepare_streams()
    set_compile_watcher(compiling_bar)
    verb, rest = sys.argv[1] if len(sys.argv) > 1 else "", sys.argv[2:]
    if verb in WITHOUT_PARSER and len(rest) == 1 and not rest[0].startswith("-"):
        exit_with_code(verb_function(verb))(rest)  # no options to parse: the defaults of its parameters
    else:
        from sudoku_cp.cli.parser import parse  # noqa: PLC0415  # typer, as above

        parse(verb if verb in VERBS else None)
