"""The constraint string of the Interactive Sudoku Solver (github.com/sigh/Interactive-Sudoku-Solver), one puzzle a line.

A line is a string such as ``.Thermo~R5C2~R4C2.~R1C1_5`` or a link that holds one (``?q=``). The meaning of each word is the one
that the solver gives it.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, attempt, failed, uncommented
from sudoku_cp.formats.iss.strings import constraints_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.puzzle import Puzzle

_BEGINNING = re.compile(r"\.(~|[A-Z][A-Za-z]*~|(?P<word>[A-Z][A-Za-z]{4,}|Or|And)(\.|\s*$))")
_LINK = re.compile(r"^https?://[^\s?#]*[?#]\S*\bq=", re.MULTILINE)


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each line that is neither empty nor a comment."""
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield failed(number, f"expected a line of at most {LONGEST_LINE} characters, got {len(line)}")
        elif line.strip() and not line.lstrip().startswith("#"):
            warnings: list[str] = []
            yield attempt(number, partial(_puzzle, line, warnings), warnings)


def _puzzle(line: str, warnings: list[str]) -> Puzzle:
    from sudoku_cp.formats.iss.reading import read_text  # noqa: PLC0415  # sniffing alone needs none of it

    return read_text(*constraints_of(line), warnings)


def sniff(head: str) -> bool:
    """Say whether the first line that is no comment begins as a constraint string or is a link to one."""
    first = next((line for line in head.split("\n") if uncommented(line).strip()), "")
    if _LINK.match(first.lstrip()):
        return constraints_of(first)[0].startswith(".")
    found = _BEGINNING.match(first.lstrip())
    if found and found["word"]:
        from sudoku_cp.formats.iss import table  # noqa: PLC0415  # only few texts begin like that

        return found["word"] in {*table.WORDS, *table.SHAPES, *table.STRICT, "Or", "And"}
    return bool(found)


def write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield a constraint string a line."""
    from sudoku_cp.formats.iss.writing import written  # noqa: PLC0415  # reading needs none of it

    for puzzle in puzzles:
        yield written(puzzle) + "\n"


FORMAT = Format(
    "iss",
    "a constraint string of the Interactive Sudoku Solver a line, or a link to it",
    (".iss",),
    sniff,
    read,
    write,
)
