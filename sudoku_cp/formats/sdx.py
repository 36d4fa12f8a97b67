"""Nine rows of cells between blanks (.sdx): one digit is set, several are candidates; ``u`` before one that a player set."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, attempt, failed, uncommented
from sudoku_cp.formats.boards import SIDE
from sudoku_cp.formats.layout import tokens_of
from sudoku_cp.formats.marks import digits_of, said, shown, told
from sudoku_cp.formats.pages import Page
from sudoku_cp.formats.rows import Problem, Row, error_of, is_blank
from sudoku_cp.grid import Grid
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_DIGITS = frozenset("123456789")


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each run of nine lines."""
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        body = uncommented(line)
        if len(line) > LONGEST_LINE:
            yield failed(number, f"expected a line of at most {LONGEST_LINE} characters, got {len(line)}")
            continue
        if body.strip():
            rows.append(Row(number, tokens_of(body), body))
        if rows and (len(rows) == SIDE or not body.strip()):
            yield _record(rows)
            rows = []
    if rows:
        yield _record(rows)


def _record(rows: Sequence[Row]) -> Record:
    warnings: list[str] = []
    return attempt(rows[0].line, partial(_puzzle, rows, warnings), warnings)


def _puzzle(rows: Sequence[Row], warnings: list[str]) -> Puzzle:
    problems = [
        Problem(row.line, None, f"expected {SIDE} cells between blanks, got {len(row.tokens)}")
        for row in rows
        if len(row.tokens) != SIDE
    ]
    problems += [
        Problem(row.line, token.column, f"expected different digits, 'u' before a player's, or a blank, got {shown(token.text)}")
        for row in rows
        for token in row.tokens
        if not _is_cell(token.text)
    ]
    if problems:
        raise error_of(problems)
    if len(rows) != SIDE:
        raise ParseError(f"expected {SIDE} rows, got {len(rows)}")
    texts = [token.text for row in rows for token in row.tokens]
    placed = [text for text in texts if text.startswith("u")]
    if placed:
        warnings.append(f"digits that a player set are not read: {len(placed)}")
    grid = Grid.square(SIDE)
    givens, candidates = told(grid, [0 if is_blank(text) or text in placed else to_mask(map(int, text)) for text in texts])
    return Puzzle(grid, givens=givens, candidates=candidates)


def _is_cell(text: str) -> bool:
    digits = text.removeprefix("u")
    one = len(digits) == 1 or not text.startswith("u")
    return is_blank(text) or (one and set(digits) <= _DIGITS and len(set(digits)) == len(digits) > 0)


def sniff(head: str) -> bool:
    """Say whether the first nine lines are such rows, some cell of them a player's."""
    lines = [line[:LONGEST_LINE] for line in head.split("\n") if uncommented(line).strip()][:SIDE]
    cells = [[token.text for token in tokens_of(uncommented(line))] for line in lines]
    whole = len(cells) == SIDE and all(len(row) == SIDE and all(map(_is_cell, row)) for row in cells)
    return whole and any(text.startswith("u") for row in cells for text in row)


def text_of(puzzle: Puzzle) -> str:
    """Return the rows, an empty line after them; a cell without a word of its own has what the givens leave."""
    if len(puzzle.grid.cells) != SIDE**2:
        raise Unsupported(f"expected a 9x9 puzzle for the format 'sdx', got {puzzle.grid}")
    texts = [digits_of(domain) for domain in said("sdx", puzzle)]
    return "\n".join([*(" ".join(texts[start : start + SIDE]) for start in range(0, len(texts), SIDE)), "", ""])


FORMAT = Format(
    "sdx",
    "nine rows of cells between blanks, candidates run together, u before a player's digit",
    (".sdx",),
    sniff,
    read,
    partial(Page, text_of),
)
