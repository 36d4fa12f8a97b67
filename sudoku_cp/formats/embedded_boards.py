"""9x9 boards in one word each within a text of other words: mails, chats, elements of web pages, statements of code.

It is tried last. What stands around the boards is named in a warning; a text that names a rule, or is markup or data with other
contents, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from sudoku_cp.errors import OptionProblem, ParseError
from sudoku_cp.formats.base import Format, Options, Record, attempt_with_warnings, error_record, not_read_lines
from sudoku_cp.formats.jigsaws import is_solution
from sudoku_cp.formats.stated_rules import named_rule
from sudoku_cp.puzzle import Puzzle, parse_line

_CELLS, _LEAST_GIVENS = 81, 8
_BOARD = re.compile(r"(?<![\w.*-])(?:[0-9]{81}(?=\.?(?![\w.*-]))|[1-9.]{81}(?![\w.*-]))")
_BROKEN = re.compile(r"(?=\S{60,})(?:\S?[0-9.]{5,}){8,}")
"""A word that may be a board with a cell too few, or with a sign that is none: its text is read by lines, which name that."""
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|\[/?[A-Za-z]+(?:=[^\]]*)?\]")
_DATA = re.compile(r"\s*[<{\[](?!\d{1,2}:\d\d)")
_LONGEST = 1 << 16
_MOST_LINES = 1000


class _FoundBoard(NamedTuple):
    """A board of the text with its solution, if that follows, and the line on which it stands."""

    line: int
    cells: str
    solution: str = ""


def _find_boards(text: str) -> list[_FoundBoard]:
    """Return the boards of a text, each with the solution that follows it."""
    found: list[_FoundBoard] = []
    for match in _BOARD.finditer(text):
        cells = match.group()
        if found and not found[-1].solution and is_solution(found[-1].cells, cells):
            found[-1] = found[-1]._replace(solution=cells)
        elif sum(sign in "123456789" for sign in cells) >= _LEAST_GIVENS:
            found.append(_FoundBoard(text.count("\n", 0, match.start()) + 1, cells))
    return found


def _rest(text: str) -> str:
    """Return what stands around the boards, without tags."""
    return _TAG.sub(" ", _BOARD.sub(" ", text))


def sniff(head: str) -> bool:
    """Return whether boards stand among words, none of them broken; of markup and data, only if nothing else is in it."""
    if len(head) >= _LONGEST or not _find_boards(head):
        return False
    rest = _rest(head)
    return not _BROKEN.search(rest) and (not _DATA.match(head) or not any(map(str.isalnum, rest)))


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield each board; the first has the warning about what stands around them."""
    text = "\n".join(islice(lines, _MOST_LINES))
    rest = _rest(text)
    if name := named_rule(rest):
        words = f"expected `rules` for a board among words that name a rule, got {name!r}"
        yield error_record(1, ParseError(OptionProblem(f"{words}: write the board alone, and state its rules")))
        return
    around = [line.strip() for line in rest.split("\n") if any(map(str.isalnum, line))]
    for number, board in enumerate(_find_boards(text)):
        yield attempt_with_warnings(board.line, partial(_make_puzzle, board, options, [] if number else around))


def _make_puzzle(board: _FoundBoard, options: Options, around: Sequence[str], warnings: list[str]) -> Puzzle:
    grid, symbols, givens = parse_line(board.cells, options.grid)
    solved = parse_line(board.solution, grid, symbols)[2] if board.solution else {}
    warnings += not_read_lines(around, "around the board")
    solution = tuple(solved[cell] for cell in grid.cells) if solved else None
    return Puzzle(grid, givens=givens, symbols=symbols, solution=solution)


FORMAT = Format("embedded", "9x9 boards in one word among other words", (), sniff, read, None)
