"""Grids of candidates: as many groups of digits as a board has cells; borders and line breaks do not matter.

A single digit is a given, unless a peer still has it as a candidate: then it was found but not yet placed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from math import isqrt

from sudoku_cp.errors import ParseError
from sudoku_cp.formats import drawn_grids
from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Format,
    Options,
    Record,
    line_too_long,
    one_line_title,
    peek_head,
    record_or_error,
    write_each,
)
from sudoku_cp.formats.board_text.candidate_marks import (
    DIGITS,
    domains_to_write,
    format_domain,
    is_ascending,
    parse_domains,
    short_text,
)
from sudoku_cp.formats.board_text.line_classifier import is_row, split_tokens
from sudoku_cp.formats.board_text.rows import LocatedProblem, merge_problems
from sudoku_cp.formats.grid_text import strip_comment
from sudoku_cp.grid import Grid
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Puzzle

_GROUP = re.compile(r"[^\s|:+\-=─━═│┃║,;'\"\[\](){}]+")
_CELLS = {side * side: side for side in range(4, DIGITS + 1)}
_LONGEST_BLOCK = 4 * DIGITS**2
"""Lines of one board, even if each cell has lines of its own."""


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each grid: drawn in rows, with titles between grids, or in any layout between empty lines."""
    head, lines = peek_head(lines)
    if _first_block(head) is None and drawn_grids.sniff("\n".join(head)):
        return map(_separate_givens, drawn_grids.read(lines, options))
    return _read_blocks(lines, options.grid)


def _separate_givens(record: Record) -> Record:
    """Return the record of a grid with the givens separated from the candidates."""
    puzzle = record.puzzle
    if puzzle is None or puzzle.givens:  # with givens, they have been separated
        return record
    givens, candidates = parse_domains(puzzle.grid, [puzzle.candidates.get(cell, 0) for cell in puzzle.grid.cells])
    return replace(record, puzzle=replace(puzzle, givens=givens, candidates=candidates))


# --- any layout -------------------------------------------------------------------------------------------------


def _read_blocks(lines: Iterable[str], required: Grid | None) -> Iterator[Record]:
    """Yield the puzzle of each run of lines with groups in them."""
    rows: list[tuple[int, str]] = []
    title = ""
    for number, line in enumerate(lines, 1):
        body = strip_comment(line)
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif _GROUP.search(body) and (rows or not _is_title(body)):
            if len(rows) < _LONGEST_BLOCK:
                rows.append((number, body))
        elif body.strip() and not rows and _is_title(body):
            title = body.strip()
        elif rows and not body.strip():
            yield record_or_error(rows[0][0], partial(_make_puzzle, rows, title, required))
            rows, title = [], ""
    if rows:
        yield record_or_error(rows[0][0], partial(_make_puzzle, rows, title, required))


def _is_title(body: str) -> bool:
    return any(sign.isalpha() for sign in body) and not is_row(split_tokens(body))


def _make_puzzle(rows: Sequence[tuple[int, str]], title: str, required: Grid | None) -> Puzzle:
    groups = [(line, found.start() + 1, found.group()) for line, body in rows for found in _GROUP.finditer(body)]
    side = isqrt(len(groups))
    if required is None and len(groups) not in _CELLS:
        raise ParseError(f"expected a group of digits for each cell of a square board (81 for 9x9), got {len(groups)}")
    grid = required or Grid.square(side)
    if len(groups) != len(grid.cells) or len(grid.values) > DIGITS:
        raise ParseError(f"expected {len(grid.cells)} groups of at most {DIGITS} digits for {grid}, got {len(groups)}")
    digits = "".join(map(str, grid.values))
    wrong = [
        LocatedProblem(line, column, f"expected different digits of {digits!r}, got {short_text(text)}")
        for line, column, text in groups
        if not _is_group(text, digits)
    ]
    if wrong:
        raise merge_problems(wrong)
    domains = [0 if text in (".", "0") else to_mask(map(int, text)) for _, _, text in groups]
    givens, candidates = parse_domains(grid, domains)
    return Puzzle(grid, givens=givens, candidates=candidates, title=title)


def _is_group(text: str, digits: str) -> bool:
    return text in (".", "0") or (set(text) <= set(digits) and len(set(text)) == len(text))


# --- recognising ------------------------------------------------------------------------------------------------


def sniff(head: str) -> bool:
    """Return whether the first board is groups of ascending digits, several in some cell."""
    lines = head.split("\n")
    first = _first_block(lines)
    if first is not None:
        return any(len(text) > 1 for text in first)
    if not drawn_grids.sniff(head):
        return False
    record = next(drawn_grids.read(islice(lines, _LONGEST_BLOCK), Options()), None)
    return bool(record and record.puzzle and any(one & (one - 1) for one in record.puzzle.candidates.values()))


def _first_block(lines: Iterable[str]) -> list[str] | None:
    """Return the groups of the first lines, below a title or not; None if they are not a board of ascending digits."""
    groups: list[str] = []
    titled = False
    for line in islice(lines, _LONGEST_BLOCK):
        body = strip_comment(line)
        if not titled and not groups and _is_title(body):
            titled = True
            continue
        if not body.strip():
            if groups:
                break
            continue
        if len(body) > LONGEST_LINE:
            return None
        groups += _GROUP.findall(body)
        if len(groups) > DIGITS**2:
            return None
    side = _CELLS.get(len(groups))
    return groups if side and all(is_ascending(text, side) for text in groups) else None


def puzzle_to_text(puzzle: Puzzle) -> str:
    """Return the title and a bordered grid; a cell without stated candidates has those that the givens leave."""
    texts = [format_domain(domain) for domain in domains_to_write("candidates", puzzle)]
    title = _title(puzzle)
    heading = f"{title}\n" if title else ""
    return f"{heading}{drawn_grids.draw_board(texts, puzzle.grid.boards[0])}\n\n"


def _title(puzzle: Puzzle) -> str:
    """Return the title, empty if it would be taken for groups of digits."""
    title = one_line_title(puzzle).replace("·", ".")  # as readers of grids do
    return title if _is_title(title) else ""


FORMAT = Format(
    "candidates",
    "grids of candidates: groups of digits, one digit alone a given unless a cell that sees it still has it",
    (".pm",),
    sniff,
    read,
    write_each(puzzle_to_text),
    {"title": _title},
)
