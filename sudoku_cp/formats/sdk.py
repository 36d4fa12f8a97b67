"""The files of SudoCue and SadMan Sudoku (.sdk): lines of a letter and a text, then nine rows, or sections of nine rows.

``[Puzzle]`` holds the givens; ``[State]``, ``[PencilMarks]`` and ``[Colours]`` are a player's and not part of the puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import (
    LONGEST_LINE,
    Format,
    Options,
    Record,
    attempt_with_warnings,
    collapse_space,
    error_record,
    keep_changed,
    line_too_long,
    write_each,
)
from sudoku_cp.formats.board_text.line_classifier import format_rows, require_nine, split_tokens
from sudoku_cp.formats.board_text.rows import BoardShape, TextRow, puzzle_from_rows
from sudoku_cp.symbols import BLANKS, numerals

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_SIDE = 9
_LETTERS = {
    "A": "author",
    "B": "date",
    "C": "comment",
    "D": "description",
    "H": "hints",
    "L": "level",
    "N": "number",
    "S": "source",
    "T": "title of the set",
    "U": "address",
}
_LINE = re.compile(rf"#([{''.join(_LETTERS)}])(.*)", re.IGNORECASE)
_SECTION = re.compile(r"\s*\[(\w+)\]\s*")
_ROW = re.compile(r"[0-9.Xx*_\-]{9}")
_PLAYERS = {"state": "the digits of a player", "pencilmarks": "pencil marks", "colours": "colours", "colors": "colours"}


@dataclass
class _PuzzleLines:
    """The lines of one puzzle that have been read so far."""

    start: int
    texts: dict[str, str] = field(default_factory=dict)
    section: str = ""
    rows: list[TextRow] = field(default_factory=list)
    ignored: dict[str, list[str]] = field(default_factory=dict)


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each file joined in the text: a letter's line or ``[Puzzle]`` after rows begins the next."""
    found_lines = _PuzzleLines(1)
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
            continue
        labelled, section = _LINE.fullmatch(line.strip()), _SECTION.fullmatch(line)
        if found_lines.rows and (labelled or (section and section[1].lower() == "puzzle")):
            yield _make_record(found_lines, options)
            found_lines = _PuzzleLines(number)
        if labelled:
            found_lines.texts.setdefault(labelled[1].upper(), labelled[2].strip())
        elif section:
            found_lines.section = section[1].lower()
        elif line.strip() and not line.startswith("#"):
            _add_line(found_lines, number, line)
    if found_lines.rows or found_lines.texts or found_lines.section:
        yield _make_record(found_lines, options)


def _add_line(found_lines: _PuzzleLines, number: int, line: str) -> None:
    if found_lines.section in {"", "puzzle"}:
        if len(found_lines.rows) < 2 * _SIDE:
            found_lines.rows.append(TextRow(number, split_tokens(line), line))
        return
    ignored = found_lines.ignored.setdefault(found_lines.section, [])
    if len(ignored) < _SIDE:
        ignored.append(line.strip())


def _make_record(found_lines: _PuzzleLines, options: Options) -> Record:
    if not found_lines.rows:
        return error_record(found_lines.start, "expected nine rows of nine signs below the letters or [Puzzle], got none")
    return attempt_with_warnings(found_lines.rows[0].line, partial(_make_puzzle, found_lines, options))


def _make_puzzle(found_lines: _PuzzleLines, options: Options, warnings: list[str]) -> Puzzle:
    known = {_SIDE: numerals(range(1, _SIDE + 1))}
    puzzle = puzzle_from_rows(found_lines.rows, BoardShape(_SIDE, _SIDE, "signs"), "", options, known)
    for section, rows in found_lines.ignored.items():
        signs = "".join(rows)
        given = "".join(row.text.strip() for row in found_lines.rows)
        blank = not signs.strip(BLANKS + ",") or (section == "state" and _digits(signs) == _digits(given))
        if not blank:
            warnings.append(f"[{section}] is not read: {_PLAYERS.get(section, 'a section of unknown meaning')}")
    texts = found_lines.texts
    title = "D" if texts.get("D") else "T"
    unread = [letter for letter in texts if letter not in {"A", "S", "U", title} and texts[letter]]
    if unread:
        warnings.append(f"not read: {', '.join(f'#{letter} ({_LETTERS[letter]})' for letter in unread)}")
    source = " ".join(filter(None, (texts.get("S", ""), texts.get("U", ""))))
    return replace(puzzle, title=texts.get(title, ""), author=texts.get("A", ""), source=source)


def _digits(signs: str) -> str:
    return "".join(sign if sign in "123456789" else "." for sign in signs)


def sniff(head: str) -> bool:
    """Return whether the text has a section ``[Puzzle]``, or at least two lines of a letter before nine rows of nine signs."""
    lines = [line[:LONGEST_LINE].strip() for line in head.split("\n") if line.strip()]
    if any((found := _SECTION.fullmatch(line)) and found[1].lower() == "puzzle" for line in lines):
        return all(line.startswith(("#", "[")) or _ROW.fullmatch(line) for line in lines[:_SIDE])
    letters = next((index for index, line in enumerate(lines) if not _LINE.fullmatch(line)), 0)
    return letters > 1 and all(_ROW.fullmatch(line) for line in lines[letters : letters + _SIDE])


def puzzle_to_text(puzzle: Puzzle) -> str:
    """Return the letters and the section ``[Puzzle]``."""
    require_nine("sdk", puzzle)
    labelled = (("A", puzzle.author), ("D", puzzle.title), ("S", puzzle.source))
    letters = [f"#{letter} {collapse_space(text)}" for letter, text in labelled if text]
    return "\n".join([*letters, "[Puzzle]", *format_rows(puzzle), ""])


FORMAT = Format(
    "sdk",
    "the files of SudoCue and SadMan Sudoku: letters with texts, then [Puzzle] or just nine rows",
    (".sdk",),
    sniff,
    read,
    write_each(puzzle_to_text),
    keep_changed(collapse_space, "author", "title", "source"),
)
