"""The application: its verbs, and how every one of them ends.

Exit codes: 0 done, the answer is yes; 1 done, the answer is no; 2 bad usage, bad input, or an output that cannot be
written; 3 a limit came before the answer; 4 an engine erred, which is a defect; 130 interrupted. With many puzzles the worst
stands: 2, then 3, then 1.
"""

from __future__ import annotations

import sys
from functools import wraps
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, ParamSpec

from sudoku_cp.cli.output import BAD_INPUT, YES, remark
from sudoku_cp.cli.streams import discard, prepare_streams
from sudoku_cp.compile_lock import watch_compiling
from sudoku_cp.errors import SudokuError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

_P = ParamSpec("_P")

VERBS = MappingProxyType(
    {
        "solve": "solving",
        "count": "counting",
        "check": "checking",
        "candidates": "candidates",
        "compare": "comparing",
        "audit": "auditing",
        "fewest": "fewest",
        "bench": "benching",
        "generate": "generating",
        "prove": "proving",
        "verify": "proving",
        "convert": "converting",
        "show": "show",
        "rules": "listing",
        "formats": "listing",
        "backends": "listing",
    }
)
"""Every verb and the module it stands in."""
ALONE = frozenset(["solve", "count", "check"])
"""Verbs that mean something by a puzzle alone, and can be imported without the library that parses options."""


def main() -> None:
    """Run the command line. Only the verb that is asked for is imported; help and completion need them all."""
    prepare_streams()
    watch_compiling(_compiling_bar)
    verb, rest = sys.argv[1] if len(sys.argv) > 1 else "", sys.argv[2:]
    if verb in ALONE and len(rest) == 1 and not rest[0].startswith("-"):
        # There are no options to parse: the verb's own defaults are meant, and half of the time of such a call is saved.
        ending(run_of(verb))(rest)
    else:
        import_module("sudoku_cp.cli.parser").parse(verb if verb in VERBS else None)


def _compiling_bar(words: str, is_done: Callable[[], bool]) -> AbstractContextManager[object]:
    """Show that something is compiled, which few calls do."""
    bar: AbstractContextManager[object] = import_module("sudoku_cp.cli.compile_bar").compiling_bar(words, is_done)
    return bar


def run_of(verb: str) -> Callable[..., int]:
    """Return the function of a verb."""
    found: Callable[..., int] = getattr(import_module(f"sudoku_cp.cli.{VERBS[verb]}"), verb)
    return found


def _notes(error: BaseException) -> Sequence[str]:
    """Return what was added to an error on its way: where the half-written file is, say."""
    found: Sequence[str] = getattr(error, "__notes__", ())
    return found


def ending(run: Callable[_P, int]) -> Callable[_P, None]:
    """Turn what a verb returns or raises into an exit code and, for people, a message without a traceback."""

    @wraps(run)
    def ended(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            code = _code(run, *args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read us has had enough; nothing is left to say, not even at the interpreter's own last flush.
            discard(sys.stdout)
            code = YES
        except OSError as error:
            remark(f"sudoku-cp: expected to write the answers, got {error.strerror or error}")
            discard(sys.stdout)
            code = BAD_INPUT
        try:
            sys.stderr.flush()
        except OSError:
            discard(sys.stderr)
        sys.exit(code)

    return ended


def _code(run: Callable[_P, int], *args: _P.args, **kwargs: _P.kwargs) -> int:
    try:
        return run(*args, **kwargs)
    except SudokuError as error:
        remark("\n".join(f"sudoku-cp: {line}" for line in (error, *_notes(error))))
        return error.exit_code
    except KeyboardInterrupt as error:
        remark("\n".join(f"sudoku-cp: {line}" for line in ("interrupted", *_notes(error))))
        return 130
