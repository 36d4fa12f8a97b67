"""Links to web pages that take a 9x9 puzzle as 81 digits: SudokuWiki's solver and SudokuExchange."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import Format, read_each_line
from sudoku_cp.formats.board_text.nine_by_nine import SIDE, format_rows, require_nine
from sudoku_cp.formats.encoder import write_each
from sudoku_cp.formats.sample_lines import most_lines
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, parse_line
from sudoku_cp.symbols import numerals


def _link_format(name: str, summary: str, pattern: str, address: str) -> Format:
    """Return the format of links that match ``pattern``, whose only group is the digits, and begin with ``address``."""
    link = re.compile(rf"(?:https?://)?(?:www\.)?{pattern}=([^&#\s]*)", re.IGNORECASE)

    def sniff(head: str) -> bool:
        return most_lines(head, lambda line: link.match(line) is not None)

    def puzzle_to_link(puzzle: Puzzle) -> str:
        require_nine(name, puzzle)
        return f"{address}{''.join(format_rows(puzzle, '0'))}\n"

    return Format(name, summary, (), sniff, read_each_line(partial(_parse_link, link, address)), write_each(puzzle_to_link))


def _parse_link(link: re.Pattern[str], address: str, line: str, _warnings: Sequence[str]) -> Puzzle:
    text = line.strip()
    found = link.match(text)
    if not found:
        raise ParseError(f"expected a link that begins {address}, got {text[:60]!r}", column=line.index(text) + 1)
    grid = Grid.square(SIDE)
    _, _, givens = parse_line(found[1], grid, numerals(grid.values), line.index(text) + found.start(1))
    return Puzzle(grid, givens=givens)


SUDOKUWIKI = _link_format(
    "sudokuwiki",
    "links to SudokuWiki's solver with the puzzle in them",
    r"sudokuwiki\.org/\S*?[?&]bd",
    "https://www.sudokuwiki.org/sudoku.htm?bd=",
)

SUDOKUEXCHANGE = _link_format(
    "sudokuexchange",
    "links to SudokuExchange with the puzzle in them",
    r"sudokuexchange\.com/\S*?[?&]s",
    "https://sudokuexchange.com/play/?s=",
)
