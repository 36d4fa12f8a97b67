"""Project Euler's file of problem 96: blocks of a heading ``Grid 01`` and nine rows of nine digits, 0 for blanks."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, attempt, failed, require_plain, uncommented
from sudoku_cp.formats.layout import tokens_of
from sudoku_cp.formats.rows import Row, Shape, puzzle_of, rectangle_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


def write(puzzles: Iterable[Puzzle]) -> Iterator[str]:
    """Yield a block for each puzzle; titles that are no such headings give way to a number."""
    for number, puzzle in enumerate(puzzles, 1):
        require_plain("euler", puzzle)
        if len(puzzle.grid.cells) != _SIDE**2:
            raise Unsupported(f"expected a 9x9 puzzle for the format 'euler', got {puzzle.grid}")
        signs = [str(puzzle.givens.get(cell, 0)) for cell in puzzle.grid.cells]
        rows = ("".join(signs[start : start + _SIDE]) for start in range(0, len(signs), _SIDE))
        heading = puzzle.title if _HEADING.fullmatch(puzzle.title) else f"Grid {number:02}"
        yield "\n".join([heading, *rows, ""])


FORMAT = Format(
    "euler", "blocks of 'Grid 01' and nine rows of nine digits, as Project Euler's problem 96", (), sniff, read, write
)
