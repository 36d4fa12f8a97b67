"""How every verb ends: with an exit code and, for people, a message instead of a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from sudoku_cp.cli.output import remark
from sudoku_cp.cli.standard_streams import discard
from sudoku_cp.errors import SudokuError
from sudoku_cp.questions.exit_codes import BAD_INPUT, INTERRUPTED, YES

_P = ParamSpec("_P")


def exit_with_code(verb: Callable[_P, int]) -> Callable[_P, None]:
    """Wrap a verb: exit with the code that it returns; report an error that it raises, and exit with the error's code."""

    @wraps(verb)
    def run_and_exit(*args: _P.args, **kwargs: _P.kwargs) -> None:
        try:
            code = _exit_code(verb, *args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader has closed the pipe: nothing more can be written, not even by the interpreter's last flush.
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

    return run_and_exit


def _exit_code(verb: Callable[_P, int], *args: _P.args, **kwargs: _P.kwargs) -> int:
    try:
        return verb(*args, **kwargs)
    except SudokuError as error:
        from sudoku_cp.cli.typed_names import typed  # noqa: PLC0415  # errors alone need it

        _report(typed(error), error)
        return error.exit_code
    except KeyboardInterrupt as error:
        _report("interrupted", error)
        return INTERRUPTED


def _report(message: object, error: BaseException) -> None:
    """Print the message, and the notes added to the error on its way (where the half-written file is, say), a line each."""
    lines = (message, *getattr(error, "__notes__", ()))
    remark("\n".join(f"sudoku-cp: {line}" for line in lines))
