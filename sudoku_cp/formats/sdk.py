"""The files of SudoCue and SadMan Sudoku (.sdk): lines of a letter and a text, then nine rows, or sections of nine rows.

``[Puzzle]`` holds the givens; ``[State]``, ``[PencilMarks]`` and ``[Colours]`` are a player's and no part of the puzzle.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, attempt, failed
from sudoku_cp.formats.boards import require_nine, rows_of
from sudoku_cp.formats.layout import tokens_of
from sudoku_cp.formats.pages import Page, as_changed, spaced
from sudoku_cp.formats.rows import Row, Shape, puzzle_of
from sudoku_cp.symbols import BLANKS, numerals

if TYPE_CHECKING:
    from collections.abc import Iterator

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
class _Sheet:
    """What has been read of a puzzle so far."""

    start: int
    texts: dict[str, str] = field(default_factory=dict)
    section: str = ""
    rows: list[Row] = field(default_factory=list)
    ignored: dict[str, list[str]] = field(default_factory=dict)


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each file in a text of several: a letter's line or ``[Puzzle]`` behind the rows begins the next."""
    sheet = _Sheet(1)
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield failed(number, f"expected a line of at most {LONGEST_LINE} characters, got {len(line)}")
            continue
        told, section = _LINE.fullmatch(line.strip()), _SECTION.fullmatch(line)
        if sheet.rows and (told or (section and section[1].lower() == "puzzle")):
            yield _record(sheet, options)
            sheet = _Sheet(number)
        if told:
            sheet.texts.setdefault(told[1].upper(), told[2].strip())
        elif section:
            sheet.section = section[1].lower()
        elif line.strip() and not line.startswith("#"):
            _take(sheet, number, line)
    if sheet.rows or sheet.texts or sheet.section:
        yield _record(sheet, options)


def _take(sheet: _Sheet, number: int, line: str) -> None:
    if sheet.section in {"", "puzzle"}:
        if len(sheet.rows) < 2 * _SIDE:
            sheet.rows.append(Row(number, tokens_of(line), line))
        return
    kept = sheet.ignored.setdefault(sheet.section, [])
    if len(kept) < _SIDE:
        kept.append(line.strip())


def _record(sheet: _Sheet, options: Options) -> Record:
    if not sheet.rows:
        return failed(sheet.start, "expected nine rows of nine signs below the letters or [Puzzle], got none")
    warnings: list[str] = []
    return attempt(sheet.rows[0].line, partial(_puzzle, sheet, options, warnings), warnings)


def _puzzle(sheet: _Sheet, options: Options, warnings: list[str]) -> Puzzle:
    known = {_SIDE: numerals(range(1, _SIDE + 1))}
    puzzle = puzzle_of(sheet.rows, Shape(_SIDE, _SIDE, "signs"), "", options, known)
    for section, rows in sheet.ignored.items():
        signs = "".join(rows)
        given = "".join(row.text.strip() for row in sheet.rows)
        blank = not signs.strip(BLANKS + ",") or (section == "state" and _digits(signs) == _digits(given))
        if not blank:
            warnings.append(f"[{section}] is not read: {_PLAYERS.get(section, 'a section of unknown meaning')}")
    texts = sheet.texts
    title = "D" if texts.get("D") else "T"
    unread = [letter for letter in texts if letter not in {"A", "S", "U", title} and texts[letter]]
    if unread:
        warnings.append(f"not read: {', '.join(f'#{letter} ({_LETTERS[letter]})' for letter in unread)}")
    source = " ".join(filter(None, (texts.get("S", ""), texts.get("U", ""))))
    return replace(puzzle, title=texts.get(title, ""), author=texts.get("A", ""), source=source)


def _digits(signs: str) -> str:
    return "".join(sign if sign in "123456789" else "." for sign in signs)


def sniff(head: str) -> bool:
    """Say whether the text has a section ``[Puzzle]``, or at least two lines of a letter before nine rows of nine signs."""
    lines = [line[:LONGEST_LINE].strip() for line in head.split("\n") if line.strip()]
    if any((found := _SECTION.fullmatch(line)) and found[1].lower() == "puzzle" for line in lines):
        return all(line.startswith(("#", "[")) or _ROW.fullmatch(line) for line in lines[:_SIDE])
    letters = next((index for index, line in enumerate(lines) if not _LINE.fullmatch(line)), 0)
    return letters > 1 and all(_ROW.fullmatch(line) for line in lines[letters : letters + _SIDE])


def sheet_of(puzzle: Puzzle) -> str:
    """Return the letters and the section ``[Puzzle]``."""
    require_nine("sdk", puzzle)
    told = (("A", puzzle.author), ("D", puzzle.title), ("S", puzzle.source))
    letters = [f"#{letter} {spaced(text)}" for letter, text in told if text]
    return "\n".join([*letters, "[Puzzle]", *rows_of(puzzle), ""])


FORMAT = Format(
    "sdk",
    "the files of SudoCue and SadMan Sudoku: letters with texts, then [Puzzle] or just nine rows",
    (".sdk",),
    sniff,
    read,
    partial(Page, sheet_of),
    as_changed(spaced, "author", "title", "source"),
)
