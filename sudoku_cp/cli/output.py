"""Answers on standard output: a JSON object for each puzzle for programs, grids and sentences for people."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from sudoku_cp.cli.standard_streams import discard, is_unicode, with_borders

if TYPE_CHECKING:
    from sudoku_cp.render import Look


def print_text(text: str, end: str = "\n") -> None:
    """Print an answer for people to standard output."""
    sys.stdout.write(with_borders(f"{text}{end}", sys.stdout))


def remark(text: str) -> None:
    """Print anything else to standard error; if that cannot be written, give up silently."""
    try:
        sys.stderr.write(with_borders(f"{text}\n", sys.stderr))
    except OSError:
        discard(sys.stderr)


def print_json(fields: dict[str, Any]) -> None:
    """Print a JSON object on a line of its own and flush it, so that an interrupt loses none."""
    import json  # noqa: PLC0415  # 1 ms that answers for people do not need

    sys.stdout.write(f"{json.dumps(fields, ensure_ascii=not is_unicode(sys.stdout))}\n")
    sys.stdout.flush()


def look_of(*, ascii_only: bool, marks: bool = False) -> Look:
    """Return how to draw: in colour on a terminal, unless NO_COLOR is set."""
    from sudoku_cp.render import Look  # noqa: PLC0415  # not every verb draws

    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Look(colour=colour, marks=marks, ascii_only=ascii_only or not is_unicode(sys.stdout))
