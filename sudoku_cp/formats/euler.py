"""Project Euler's file of problem 96: blocks of a heading ``Grid 01`` and nine rows of nine digits, 0 for blanks."""

from __future__ import annotations

import re
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, attempt, failed, uncommented
from sudoku_cp.formats.boards import require_nine, rows_of
from sudoku_cp.formats.layout import tokens_of
from sudoku_cp.formats.pages import Page, spaced
from sudoku_cp.formats.rows import Row, Shape, puzzle_of, rectangle_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.puzzle import Puzzle

_SIDE = 9
_HEADING = re.compile(r"\s*grid\s+\d+\s*", re.IGNORECASE)


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle below each heading."""
    shape = Shape(*(rectangle_of(options) or (_SIDE, _SIDE)), "signs")
    heading, start = "", 1
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        body = "" if len(line) > LONGEST_LINE else uncommented(line).strip()
        if len(line) > LONGEST_LINE:
            yield failed(number, f"expected a line of at most {LONGEST_LINE} characters, got {len(line)}")
        elif _HEADING.fullmatch(body):
            yield from _block(rows, shape, heading, start, options)
            heading, start, rows = body, number, []
        elif body and len(rows) < 2 * shape.rows:
            rows.append(Row(number, tokens_of(uncommented(line)), line))
    yield from _block(rows, shape, heading, start, options)


def _block(rows: list[Row], shape: Shape, heading: str, start: int, options: Options) -> Iterator[Record]:
    if not heading and rows:
        yield failed(rows[0].line, f"expected a heading such as 'Grid 01', got {rows[0].text.strip()[:20]!r}")
    elif not rows and heading:
        yield failed(start, f"expected {shape.rows} rows below {heading!r}, got none")
    elif rows:
        yield attempt(start, partial(puzzle_of, rows, shape, heading, options, {}))


def sniff(head: str) -> bool:
    """Say whether the first line that says anything is such a heading."""
    first = next((body for line in head.split("\n") if (body := uncommented(line)).strip()), "")
    return _HEADING.fullmatch(first[:LONGEST_LINE]) is not None


def write() -> Page:
    """Return a page with a block for each puzzle; titles that are no such headings give way to a number."""
    numbers = count(1)

    def block_of(puzzle: Puzzle) -> str:
        require_nine("euler", puzzle)
        number = next(numbers)
        return "\n".join([_title(puzzle) or f"Grid {number:02}", *rows_of(puzzle, "0"), ""])

    return Page(block_of)


def _title(puzzle: Puzzle) -> str:
    title = spaced(puzzle.title)
    return title if _HEADING.fullmatch(title) else ""


FORMAT = Format(
    "euler",
    "blocks of 'Grid 01' and nine rows of nine digits, as Project Euler's problem 96",
    (),
    sniff,
    read,
    write,
    {"title": _title},
)
