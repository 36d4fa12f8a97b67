"""Project Euler's file of problem 96: blocks of a heading ``Grid 01`` and nine rows of nine digits, 0 for blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Encoder,
    Format,
    Options,
    Record,
    collapse_space,
    error_record,
    line_too_long,
    record_or_error,
)
from sudoku_cp.formats.board_text.line_classifier import format_rows, require_nine, split_tokens
from sudoku_cp.formats.board_text.rows import BoardShape, TextRow, puzzle_from_rows, required_rectangle
from sudoku_cp.formats.grid_text import first_bodies, strip_comment

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_SIDE = 9
_HEADING = re.compile(r"\s*grid\s+\d+\s*", re.IGNORECASE)


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle below each heading."""
    shape = BoardShape(*(required_rectangle(options) or (_SIDE, _SIDE)), "signs")
    heading, start = "", 1
    rows: list[TextRow] = []
    for number, line in enumerate(lines, 1):
        body = "" if len(line) > LONGEST_LINE else strip_comment(line).strip()
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif _HEADING.fullmatch(body):
            yield from _read_block(rows, shape, heading, start, options)
            heading, start, rows = body, number, []
        elif body and len(rows) < 2 * shape.rows:
            rows.append(TextRow(number, split_tokens(strip_comment(line)), line))
    yield from _read_block(rows, shape, heading, start, options)


def _read_block(rows: list[TextRow], shape: BoardShape, heading: str, start: int, options: Options) -> Iterator[Record]:
    if not heading and rows:
        yield error_record(rows[0].line, f"expected a heading such as 'Grid 01', got {rows[0].text.strip()[:20]!r}")
    elif not rows and heading:
        yield error_record(start, f"expected {shape.rows} rows below {heading!r}, got none")
    elif rows:
        yield record_or_error(start, partial(puzzle_from_rows, rows, shape, heading, options, {}))


def sniff(head: str) -> bool:
    """Return whether the first line that is not empty is such a heading."""
    first = (*first_bodies(head), "")[0]
    return _HEADING.fullmatch(first[:LONGEST_LINE]) is not None


def write() -> Encoder:
    """Return an encoder: a block for each puzzle; a title that is not such a heading is replaced by a number."""
    numbers = count(1)

    def block_of(puzzle: Puzzle) -> str:
        require_nine("euler", puzzle)
        number = next(numbers)
        return "\n".join([_title(puzzle) or f"Grid {number:02}", *format_rows(puzzle, "0"), ""])

    return Encoder(block_of)


def _title(puzzle: Puzzle) -> str:
    title = collapse_space(puzzle.title)
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
