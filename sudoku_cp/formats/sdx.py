"""Nine rows of cells between blanks (.sdx): one digit is set, several are candidates; ``u`` before one that a player set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, attempt_with_warnings, line_too_long, write_each
from sudoku_cp.formats.board_text.alphabets import is_blank
from sudoku_cp.formats.board_text.candidate_marks import domains_to_write, format_domain, parse_domains, short_text
from sudoku_cp.formats.board_text.line_classifier import SIDE, split_tokens
from sudoku_cp.formats.board_text.rows import LocatedProblem, TextRow, merge_problems
from sudoku_cp.formats.grid_text import strip_comment
from sudoku_cp.grid import Grid
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Puzzle

_DIGITS = frozenset("123456789")


def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
    """Yield the puzzle of each run of nine lines."""
    rows: list[TextRow] = []
    for number, line in enumerate(lines, 1):
        body = strip_comment(line)
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
            continue
        if body.strip():
            rows.append(TextRow(number, split_tokens(body), body))
        if rows and (len(rows) == SIDE or not body.strip()):
            yield attempt_with_warnings(rows[0].line, partial(_make_puzzle, rows))
            rows = []
    if rows:
        yield attempt_with_warnings(rows[0].line, partial(_make_puzzle, rows))


def _make_puzzle(rows: Sequence[TextRow], warnings: list[str]) -> Puzzle:
    problems = [
        LocatedProblem(row.line, None, f"expected {SIDE} cells between blanks, got {len(row.tokens)}")
        for row in rows
        if len(row.tokens) != SIDE
    ]
    problems += [
        LocatedProblem(
            row.line, token.column, f"expected different digits, 'u' before a player's, or a blank, got {short_text(token.text)}"
        )
        for row in rows
        for token in row.tokens
        if not _is_cell(token.text)
    ]
    if problems:
        raise merge_problems(problems)
    if len(rows) != SIDE:
        raise ParseError(f"expected {SIDE} rows, got {len(rows)}")
    texts = [token.text for row in rows for token in row.tokens]
    placed = [text for text in texts if text.startswith("u")]
    if placed:
        warnings.append(f"digits that a player set are not read: {len(placed)}")
    grid = Grid.square(SIDE)
    givens, candidates = parse_domains(
        grid, [0 if is_blank(text) or text in placed else to_mask(map(int, text)) for text in texts]
    )
    return Puzzle(grid, givens=givens, candidates=candidates)


def _is_cell(text: str) -> bool:
    digits = text.removeprefix("u")
    one = len(digits) == 1 or not text.startswith("u")
    return is_blank(text) or (one and set(digits) <= _DIGITS and len(set(digits)) == len(digits) > 0)


def sniff(head: str) -> bool:
    """Return whether the first nine lines are such rows, at least one cell of them a player's."""
    lines = [line[:LONGEST_LINE] for line in head.split("\n") if strip_comment(line).strip()][:SIDE]
    cells = [[token.text for token in split_tokens(strip_comment(line))] for line in lines]
    whole = len(cells) == SIDE and all(len(row) == SIDE and all(map(_is_cell, row)) for row in cells)
    return whole and any(text.startswith("u") for row in cells for text in row)


def puzzle_to_text(puzzle: Puzzle) -> str:
    """Return the rows and an empty line; a cell without stated candidates has those that the givens leave."""
    if len(puzzle.grid.cells) != SIDE**2:
        raise Unsupported(f"expected a 9x9 puzzle for the format 'sdx', got {puzzle.grid}")
    texts = [format_domain(domain) for domain in domains_to_write("sdx", puzzle)]
    return "\n".join([*(" ".join(texts[start : start + SIDE]) for start in range(0, len(texts), SIDE)), "", ""])


FORMAT = Format(
    "sdx",
    "nine rows of cells between blanks, candidates run together, u before a player's digit",
    (".sdx",),
    sniff,
    read,
    write_each(puzzle_to_text),
)
