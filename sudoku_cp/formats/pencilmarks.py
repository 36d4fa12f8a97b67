"""Pencil-mark lines: n characters for each cell of n values, the digit if the value is possible, else ``.`` or ``0``.

729 characters are a 9x9 board. The format cannot tell a given from a cell with one candidate, and reads the latter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Format,
    Options,
    Record,
    error_record,
    first_problems,
    line_too_long,
    one_line_title,
    peek_head,
    record_or_error,
    require_plain,
    write_each,
)
from sudoku_cp.formats.board_text.candidate_marks import DIGITS, domains_of_marks, require_digits
from sudoku_cp.formats.grid_text import first_bodies, strip_comment
from sudoku_cp.formats.puzzle_lines import are_marks, side_of_mark_rows
from sudoku_cp.grid import Grid
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import MAX_LISTED_PROBLEMS

_SIDES = {side**3: side for side in range(2, DIGITS + 1)}
_LENGTHS = ", ".join(map(str, _SIDES))


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each line that is not empty; words after the marks are its title."""
    head, lines = peek_head(lines)
    if side := side_of_mark_rows("\n".join(head)):
        yield from _read_rows(lines, side, options)
        return
    sizes = Counter(len(body.split(None, 1)[0]) for line in head if (body := strip_comment(line[:LONGEST_LINE])).strip())
    usual = max((size for size in sizes if size in _SIDES), key=sizes.__getitem__, default=None)
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif (body := strip_comment(line)).strip():
            yield record_or_error(number, partial(_parse_puzzle, body, options.grid, usual))


def _read_rows(lines: Iterator[str], side: int, options: Options) -> Iterator[Record]:
    """Yield the puzzle of each ``side`` lines of the marks of a row."""
    held: list[str] = []
    first = 0
    for number, line in enumerate(lines, 1):
        body = strip_comment(line[:LONGEST_LINE]).strip()
        if not body:
            continue
        first = first if held else number
        held.append(body)
        if len(held) == side:
            yield record_or_error(first, partial(_parse_puzzle, "".join(held), options.grid, None))
            held = []
    if held:
        yield error_record(first, f"expected {side} lines of the pencil marks of a row, got {len(held)}")


def _parse_puzzle(body: str, required: Grid | None, usual: int | None) -> Puzzle:
    text, *rest = body.split(None, 1)
    start = body.index(text)
    grid = required or (Grid.square(_SIDES[len(text)]) if len(text) in _SIDES else None)
    if grid is None:
        raise ParseError(f"expected as many signs as a board has cells times values ({_LENGTHS}), got {len(text)}")
    values = grid.values
    if len(values) > DIGITS or len(text) != len(grid.cells) * len(values):
        raise ParseError(f"expected {len(grid.cells)} cells of {len(values)} marks for {grid}, got {len(text)} signs")
    signs = [str(value) for value in values]
    wrong = [
        (column, sign, signs[column % len(signs)])
        for column, sign in enumerate(text)
        if sign not in (signs[column % len(signs)], ".", "0")
    ]
    if wrong and usual not in {None, len(text)}:
        raise ParseError(f"expected {usual} signs, got {len(text)}")
    if wrong:
        problems = [
            f"expected '{one}' or a blank ('.' or '0') at column {start + column + 1}, got {sign!r}"
            for column, sign, one in wrong
        ]
        raise ParseError(first_problems(problems, MAX_LISTED_PROBLEMS, "such signs"), column=start + wrong[0][0] + 1)
    cells = [text[at : at + len(signs)] for at in range(0, len(text), len(signs))]
    everything = to_mask(values)
    candidates = {cell: domain for cell, domain in enumerate(domains_of_marks(grid, cells)) if domain != everything}
    return Puzzle(grid, candidates=candidates, title=rest[0].strip() if rest else "")


def sniff(head: str) -> bool:
    """Return whether at least half of the first lines are such marks, of a 5x5 board or larger, or each is a row of marks."""
    words = [body.split(None, 1)[0] for body in first_bodies(head)]
    return bool(words) and (2 * sum(map(are_marks, words)) >= len(words) or side_of_mark_rows(head) > 0)


def puzzle_to_line(puzzle: Puzzle) -> str:
    """Return the marks and the title; a given is its cell's only candidate."""
    require_plain("pencilmarks", puzzle, candidates=True)
    require_digits("pencilmarks", puzzle)
    allowed = puzzle.assume()
    clash = [puzzle.grid.cell_name(cell) for cell, domain in allowed.items() if not domain]
    if clash:
        raise Unsupported(f"expected cells with a candidate left for the format 'pencilmarks', got none in {', '.join(clash)}")
    values = puzzle.grid.values
    signs = (str(value) if allowed.get(cell, -1) >> value & 1 else "." for cell in puzzle.grid.cells for value in values)
    title = one_line_title(puzzle)
    return "".join(signs) + (f" {title}" if title else "") + "\n"


FORMAT = Format(
    "pencilmarks",
    "the candidates of one puzzle a line, n signs a cell (729 for 9x9), the digit or a blank",
    (".729",),
    sniff,
    read,
    write_each(puzzle_to_line),
    {"title": one_line_title},
)
