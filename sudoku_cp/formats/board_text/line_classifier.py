"""The lines of a drawn grid: which are rows, which are borders, which are titles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import Unsupported
from sudoku_cp.formats.base import LONGEST_LINE, line_too_long, peek_head, require_plain
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.board_text.board_splitter import AnnouncedSigns, Item, Title
from sudoku_cp.formats.board_text.rows import UPRIGHTS, TextRow, Token
from sudoku_cp.formats.grid_text import strip_comment
from sudoku_cp.grid import MAX_SIDE
from sudoku_cp.symbols import BLANKS, PLAIN_SIGNS, is_mostly_plain

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


_LOOK_ALIKES = str.maketrans(
    dict.fromkeys("·•∙⋅□▢◻◽⬜☐○◯■▪▫◼◾⬛🔲🔳", ".") | dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("\u00a0\u2007\u3000", " ")  # noqa: RUF001
)
"""Signs that are read as others: dots and empty boxes; dashes of any length; spaces that do not break, or as wide as a digit."""
_TOKEN = re.compile(rf"[^\s{UPRIGHTS}]+")
_BORDER = re.compile(r"-{3}|={3}|:-+:|-:\s*\||[+─━═┼╋╬]")
_DASHES = re.compile(r"[\s|-]+")
_LEAST_FRAME = 5
_MARKS = frozenset(BLANKS) - {*"Xx "}
"""Marks for empty cells that are no letters."""
_LEAST_LETTERED = 4
_LONGEST_ROW = 4 * MAX_SIDE
_SAMPLE = 200
"""Lines among which rows in letters are looked for."""


def plain_signs(body: str) -> str:
    """Return a text with the usual signs for those that look like them."""
    return body if body.isascii() else body.translate(_LOOK_ALIKES)


class TextLine(NamedTuple):
    """A line of a text and what it may be: ``row``, ``spaces``, ``rule``, ``blank``, ``words`` or ``nothing``.

    ``spaces`` is a row only if spaces are cells. ``item`` is what a reader of whole rows makes of the line; tabs are spaces in
    ``text``.
    """

    number: int
    kind: str
    text: str
    item: Item | None = None


def classify_lines(lines: Iterator[str]) -> Iterator[TextLine]:
    """Yield the lines of a text of drawn grids, each with what it may be."""
    head, lines = peek_head(lines)
    dashes = dash_is_blank(head)
    frame = frame_sign(head)
    lettered = LetteredRows.find(head)
    for number, line in enumerate(lines, 1):
        if frame and frame in line:
            line = _with_usual_frame(line, frame)  # noqa: PLW2901
        if new_signs := alphabets.announced_signs(line):
            yield TextLine(number, "words", line, AnnouncedSigns(new_signs))
        elif len(line) > LONGEST_LINE:
            yield TextLine(number, "words", "", line_too_long(number, line))
        else:
            body = strip_comment(line)
            found = _classify(number, plain_signs(body), lettered, dashes=dashes)
            yield found if found.kind != "blank" or body.strip() == line.strip() else TextLine(number, "nothing", "")


def _classify(number: int, text: str, lettered: LetteredRows | None, *, dashes: bool) -> TextLine:
    body, shown = text.rstrip(), text.expandtabs()
    if not body:
        return TextLine(number, "blank", shown)
    border = is_border(body)
    if border and not (dashes and _DASHES.fullmatch(body)):
        return TextLine(number, "rule", shown)
    tokens = split_tokens(body)
    if border or is_row(tokens) or (lettered and lettered.has(body)):
        return TextLine(number, "row", shown, TextRow(number, tokens, body, dashes=border or {*body.strip()} == {"_"}))
    title = Title(body.strip()) if any(sign.isalnum() for sign in body) else None
    alone = all(len(token.text) == 1 and token.text.isalnum() for token in tokens)
    return TextLine(number, "spaces" if alone else "words", shown, title)


class LetteredRows(NamedTuple):
    """Rows in letters, whichever they are: as many cells as the board has rows, and at most as many letters.

    One row alone may be a word or a title; all rows together are none.
    """

    width: int
    letters: frozenset[str]

    @classmethod
    def find(cls, lines: Sequence[str]) -> LetteredRows | None:
        """Return the rows of a text whose lines with marks for empty cells are at least half of a board, None if it has none."""
        texts = [_cells_alone(line) for line in lines[:_SAMPLE] if len(line) <= _LONGEST_ROW]
        marked = [text for text in texts if not _MARKS.isdisjoint(text) and all(map(_is_letter_or_mark, text))]
        if not marked:
            return None
        width = Counter(map(len, marked)).most_common(1)[0][0]
        rows = [text for text in marked if len(text) == width]
        letters = frozenset("".join(rows).upper()) - _MARKS
        fits = _LEAST_LETTERED <= width <= MAX_SIDE and 2 * len(rows) >= width and 1 < len(letters) <= width
        return cls(width, letters) if fits else None

    def has(self, body: str) -> bool:
        """Return whether a line may be such a row, be it a cell too long or too short."""
        text = _cells_alone(body)
        return abs(len(text) - self.width) <= 1 and {*text.upper()} <= self.letters | _MARKS


def _cells_alone(line: str) -> str:
    """Return the cells of a line without a comment, bars and spaces; nothing for a border."""
    body = plain_signs(strip_comment(line))
    return "" if is_border(body) else "".join(token.text for token in split_tokens(body))


def _is_letter_or_mark(sign: str) -> bool:
    return sign.isalpha() or sign in _MARKS


def frame_sign(lines: Sequence[str]) -> str:
    """Return the sign, such as ``*``, of which frames are drawn, empty if there is none.

    Lines of nothing else stand above, between and below the rows, and all rows have it at the same places: both ends, and others.
    """
    rows = [text for line in lines if len(text := line.strip()) > _LEAST_FRAME]
    sign = next((row[0] for row in rows if {*row} == {row[0]} and (not row[0].isalnum() or row[0] in "xXoO")), ".")
    framed = [row for row in rows if row[0] == row[-1] == sign]
    inner = [row for row in framed if {*row} != {sign}]
    places = {tuple(at for at, one in enumerate(row) if one == sign) for row in inner}
    drawn = len(framed) - len(inner) > 1 < len(inner) and len(places) == 1
    return sign if drawn and sign not in f".+-=_{UPRIGHTS}" and 2 * len(framed) > len(rows) else ""


def _with_usual_frame(line: str, frame: str) -> str:
    """Return a line with bars and dashes for the sign of frames; a title may have that sign, too."""
    text = line.strip()
    return line.replace(frame, "-" if {*text} == {frame} else "|") if text[0] == text[-1] == frame else line


def split_tokens(body: str) -> tuple[Token, ...]:
    """Return the tokens between spaces and vertical borders."""
    return tuple(Token(found.start() + 1, found.group()) for found in _TOKEN.finditer(body))


def is_border(body: str) -> bool:
    """Return whether a line draws a border: no digits or letters, and at least a piece of a line."""
    return _BORDER.search(body) is not None and not any(sign.isalnum() for sign in body)


def is_row(tokens: Sequence[Token]) -> bool:
    """Return whether the tokens can be cells: mostly digits and blanks, or letters from the beginning of the alphabet only.

    Marks of comments on web pages are none, though they have dashes.
    """
    text = "".join(token.text for token in tokens)
    if not text or "," in text or "<!--" in text or "-->" in text:
        return False
    if is_mostly_plain(text):
        return True
    alike = len(tokens) == 1 or all(len(token.text) == 1 for token in tokens)
    return alike and all(sign in PLAIN_SIGNS or 0 < ord(sign.upper()[0]) - ord("@") <= len(text) for sign in text)


def dash_is_blank(lines: Sequence[str]) -> bool:
    """Return whether ``-`` is a blank: it stands among digits in rows that have no other blank."""
    for line in lines:
        body = plain_signs(strip_comment(line))
        signs = {*body} - {*UPRIGHTS} - {*" \t"}
        if (
            "-" in signs
            and any(sign.isdigit() and sign != "0" for sign in signs)
            and all(sign.isdigit() or sign == "-" for sign in signs)
        ):
            return True
    return False


# Helpers for formats that only know plain 9x9 boards of digits.


SIDE = 9


def require_nine(name: str, puzzle: Puzzle) -> None:
    """Refuse all but plain 9x9 puzzles."""
    require_plain(name, puzzle)
    if len(puzzle.grid.cells) != SIDE**2:
        raise Unsupported(f"expected a 9x9 puzzle for the format {name!r}, got {puzzle.grid}")


def format_rows(puzzle: Puzzle, blank: str = ".", wall: str = "") -> list[str]:
    """Return the rows as digits, with a wall between boxes."""
    signs = [str(puzzle.givens.get(cell, blank)) for cell in puzzle.grid.cells]
    rows = ("".join(signs[start : start + SIDE]) for start in range(0, len(signs), SIDE))
    return [wall.join((row[:3], row[3:6], row[6:])) for row in rows]


def format_bands(name: str, puzzle: Puzzle, border: str) -> str:
    """Return the rows ``xxx|xxx|xxx`` with a border between bands and an empty line after them; refuse what is not plain 9x9."""
    require_nine(name, puzzle)
    rows = format_rows(puzzle, wall="|")
    return "\n".join([*rows[:3], border, *rows[3:6], border, *rows[6:], "", ""])
