"""Links to web pages that take a 9x9 puzzle as 81 digits."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import (
    Format,
    Options,
    Record,
    most_lines,
    read_each_line,
)
from sudoku_cp.formats.board_text.nine_by_nine import SIDE, format_rows, require_nine
from sudoku_cp.formats.encoder import Encoder
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, parse_line
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Iterator


def link_format(name: str, summary: str, pattern: str, address: str) -> Format:
    """Return the format of links that match ``pattern``, whose only group is the digits, and begin with ``address``."""
    link = re.compile(pattern, re.IGNORECASE)

    def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
        return read_each_line(lines, lambda line, _warnings: _parse_puzzle(line, link, address))

    def sniff(head: str) -> bool:
        return most_lines(head, lambda line: link.match(line) is not None)

    def link_of(puzzle: Puzzle) -> str:
        require_nine(name, puzzle)
        return f"{address}{''.join(format_rows(puzzle, '0'))}\n"

    return Format(name, summary, (), sniff, read, partial(Encoder, link_of))


def _parse_puzzle(line: str, link: re.Pattern[str], address: str) -> Puzzle:
    text = line.strip()
    found = link.match(text)
    if not found:
        raise ParseError(f"expected a link that begins {address}, got {text[:60]!r}", column=line.index(text) + 1)
    grid = Grid.square(SIDE)
    _, _, givens = parse_line(found[1], grid, numerals(grid.values), line.index(text) + found.start(1))
    return Puzzle(grid, givens=givens)
