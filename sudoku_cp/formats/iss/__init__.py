"""The constraint string of the Interactive Sudoku Solver (github.com/sigh/Interactive-Sudoku-Solver), one puzzle a line.

A line is a string such as ``.Thermo~R5C2~R4C2.~R1C1_5`` or a link that contains one (``?q=``). A string may also span lines:
those that begin with white space, unless an empty line parts them, and those with one word each (with all words inside it, up to
its ``.End``); a dot after a word ends such a string. Each word means what it means in that solver. Boards in signs, which that
solver takes too, are read as the formats ``line``, ``jigsaw``, ``blocks`` and ``grid`` read them.

Reading: `board_layout` parses words and lays out the board, `string_reader` finds the converter of each word and joins their
rules. Writing: `string_writer` asks the converters of each rule's kind, then what rules lower to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats import drawn_grids, jigsaws, puzzle_lines, stacked_blocks
from sudoku_cp.formats.base import Format, Options, Record, attempt_with_warnings, error_record, peek_head, write_each
from sudoku_cp.formats.grid_text import strip_comment
from sudoku_cp.formats.iss.board_layout import COMPOSITES, LONGEST_STRING, find_string

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_BEGINNING = re.compile(r"\.+(~|[A-Z][A-Za-z]*~|(?P<word>[A-Z][A-Za-z]{4,}|Or|And)\s*(\.|$))")
_FEW = 3
_LINK = re.compile(r"^https?://[^\s?#]*[?#]\S*\bq=", re.MULTILINE)


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each string: a line that is neither empty nor a comment, or the lines it is spread over."""
    head, lines = peek_head(lines)
    text = "\n".join(head)
    others = () if sniff(text) else (puzzle_lines, jigsaws, stacked_blocks, drawn_grids)
    found = next((other for other in others if other.sniff(text)), None)
    return found.read(lines, options) if found else _read_strings(lines)


def _read_strings(lines: Iterator[str]) -> Iterator[Record]:
    for number, text in _join_lines(lines):
        if len(text) > LONGEST_STRING:
            yield error_record(number, f"expected a string of at most {LONGEST_STRING} characters, got {len(text)}")
        else:
            yield attempt_with_warnings(number, partial(_parse_puzzle, text))


def _join_lines(lines: Iterator[str]) -> Iterator[tuple[int, str]]:
    """Yield each string with the number of its first line."""
    open_string = _OpenString()
    for number, line in enumerate(lines, 1):
        part = line.strip()
        if part.startswith("#"):
            continue
        if not part:
            open_string.gap = True
            continue
        if open_string.parts and not open_string.accepts(line):
            yield open_string.start, "".join(open_string.parts)
            open_string = _OpenString()
        open_string.add(number, line)
    if open_string.parts:
        yield open_string.start, "".join(open_string.parts)


class _OpenString:
    """The lines of a string so far; ``gap``: an empty line follows them; ``shaped``: one of them begins with a ``Shape``."""

    def __init__(self) -> None:
        self.start = self.size = self.open_words = self.indent = 0
        self.parts: list[str] = []
        self.singles = self.givens = True
        self.gap = self.shaped = False

    def accepts(self, line: str) -> bool:
        """Return whether a line belongs to the lines before it; lines of givens alone are puzzles by themselves."""
        part = line.strip()
        if self.size > LONGEST_STRING:
            return False
        if line[0].isspace() and not self.gap:
            return not (part.startswith(".Shape~") and self.shaped)
        if _indent(line) > self.indent:
            return True
        if not self.singles or part.startswith(".Shape~"):
            return False
        if self.open_words:
            return True
        return not self.gap and _is_part(part) and not (self.givens and _is_plain(part))

    def add(self, number: int, line: str) -> None:
        """Add a line."""
        part = line.strip()
        if not self.parts:
            self.start, self.indent = number, _indent(line)
        self.parts.append(part if self.parts else line)
        self.size += len(line)
        self.shaped |= part.startswith(".Shape~")
        self.singles &= self.open_words > 0 or _is_part(part)
        self.givens &= _is_plain(part)
        self.open_words = _words(part, self.open_words)[1]
        self.gap = False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_part(part: str) -> bool:
    """Return whether a line may be part of a string that spans lines: a single word, without a dot that ends the string."""
    return part.startswith(".") and not part.endswith(".") and _words(part, 0)[0] == 1


def _is_plain(part: str) -> bool:
    """Return whether a line is a list of given values, long enough for a puzzle by itself."""
    return part.startswith(".~") and part.count("~") > _FEW


def _words(part: str, open_words: int) -> tuple[int, int]:
    """Return how many words of a line are inside no other word, and how many words are open at its end."""
    words = 0
    for word in part.removeprefix(".").split("."):
        name = word.split("~", 1)[0]
        words += open_words == 0 and name != "End"
        open_words = max(0, open_words + (name in COMPOSITES) - (name == "End"))
    return words, open_words


def _parse_puzzle(line: str, warnings: list[str]) -> Puzzle:
    from sudoku_cp.formats.iss.string_reader import parse_puzzle  # noqa: PLC0415  # sniffing alone needs none of it

    return parse_puzzle(*find_string(line), warnings)


def sniff(head: str) -> bool:
    """Return whether the first line that is not a comment begins as a constraint string or is a link to one."""
    first = next((line for line in head.split("\n") if strip_comment(line).strip()), "")
    if _LINK.match(first.lstrip()):
        return find_string(first)[0].startswith(".")
    found = _BEGINNING.match(first.lstrip())
    if found and found["word"]:
        from sudoku_cp.formats.iss import string_reader  # noqa: PLC0415  # only few texts begin like that

        return found["word"] in {*string_reader.WORDS, *string_reader.SHAPES, *string_reader.STRICT_WORDS, "Or", "And"}
    return bool(found)


def puzzle_to_line(puzzle: Puzzle) -> str:
    """Return the constraint string as a line."""
    from sudoku_cp.formats.iss.string_writer import format_puzzle  # noqa: PLC0415  # reading needs none of it

    text = format_puzzle(puzzle)
    return f"{text}.\n" if _is_part(text) else f"{text}\n"


FORMAT = Format(
    "iss",
    "a constraint string of the Interactive Sudoku Solver a line, or a link to it",
    (".iss",),
    sniff,
    read,
    write_each(puzzle_to_line),
)
