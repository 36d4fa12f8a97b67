"""Links to web pages that take a 9x9 puzzle as 81 digits."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, attempt, failed
from sudoku_cp.formats.boards import SIDE, require_nine, rows_of
from sudoku_cp.formats.pages import Page
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, parse_line
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAMPLE = 50


def link_format(name: str, summary: str, pattern: str, address: str) -> Format:
    """Return the format of links that match ``pattern``, whose only group is the digits, and begin with ``address``."""
    link = re.compile(pattern, re.IGNORECASE)

    def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE:
                yield failed(number, f"expected a line of at most {LONGEST_LINE} characters, got {len(line)}")
            elif line.strip() and not line.startswith("#"):
                yield attempt(number, partial(_puzzle, line, link, address))

    def sniff(head: str) -> bool:
        lines = [line.strip() for line in head.split("\n") if line.strip() and not line.startswith("#")][:_SAMPLE]
        return bool(lines) and 2 * sum(link.match(line[:LONGEST_LINE]) is not None for line in lines) >= len(lines)

    def link_of(puzzle: Puzzle) -> str:
        require_nine(name, puzzle)
        return f"{address}{''.join(rows_of(puzzle, '0'))}\n"

    return Format(name, summary, (), sniff, read, partial(Page, link_of))


def _puzzle(line: str, link: re.Pattern[str], address: str) -> Puzzle:
    text = line.strip()
    found = link.match(text)
    if not found:
        raise ParseError(f"expected a link that begins {address}, got {text[:60]!r}", column=line.index(text) + 1)
    grid = Grid.square(SIDE)
    _, _, givens = parse_line(found[1], grid, numerals(grid.values), line.index(text) + found.start(1))
    return Puzzle(grid, givens=givens)
