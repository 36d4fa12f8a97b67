"""The lines of a drawn grid: which are rows, which are borders, which are titles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sudoku_cp.formats.base import LONGEST_LINE, line_too_long, peek_head
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.board_text.board_splitter import AnnouncedSigns, Item, Title
from sudoku_cp.formats.board_text.rows import TextRow, Token
from sudoku_cp.formats.sample_lines import strip_comment
from sudoku_cp.symbols import BLANKS

UPRIGHTS = "|:│║┃┆┊╎"
_TOKEN = re.compile(rf"[^\s{UPRIGHTS}]+")
_BORDER = re.compile("-{3}|={3}|[+─━═]")
_DASHES = re.compile(r"[\s|-]+")
_WORD = frozenset("0123456789" + BLANKS)


def parse_items(lines: Iterator[str]) -> Iterator[Item]:
    """Yield the rows, titles, announced alphabets and errors of drawn grids, line by line."""
    head, lines = peek_head(lines)
    dashes = dash_is_blank(head)
    gap = False
    for number, line in enumerate(lines, 1):
        if new_signs := alphabets.announced_signs(line):
            yield AnnouncedSigns(new_signs)
            continue
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
            continue
        body = strip_comment(line).replace("·", ".").rstrip()
        if not body:
            gap = gap or body == line.strip()
            continue
        border = is_border(body)
        if border and not (dashes and _DASHES.fullmatch(body)):
            continue
        tokens = split_tokens(body)
        if border or is_row(tokens):
            yield TextRow(number, tokens, body, gap, border)
            gap = False
        elif any(sign.isalnum() for sign in body):
            yield Title(body.strip())


def split_tokens(body: str) -> tuple[Token, ...]:
    """Return the tokens between spaces and vertical borders."""
    return tuple(Token(found.start() + 1, found.group()) for found in _TOKEN.finditer(body))


def is_border(body: str) -> bool:
    """Say whether a line draws a border: no digits or letters, and at least a piece of a line."""
    return _BORDER.search(body) is not None and not any(sign.isalnum() for sign in body)


def is_row(tokens: Sequence[Token]) -> bool:
    """Say whether the tokens can be cells: mostly digits and blanks, or letters from the beginning of the alphabet only."""
    text = "".join(token.text for token in tokens)
    if not text or "," in text:
        return False
    if 2 * sum(sign in _WORD for sign in text) >= len(text):
        return True
    alike = len(tokens) == 1 or all(len(token.text) == 1 for token in tokens)
    return alike and all(sign in _WORD or 0 < ord(sign.upper()[0]) - ord("@") <= len(text) for sign in text)


def dash_is_blank(lines: Sequence[str]) -> bool:
    """Say whether ``-`` is a blank: it stands among digits in rows that have no other blank."""
    for line in lines:
        body = strip_comment(line)
        signs = {*body} - {*UPRIGHTS} - {*" \t"}
        if (
            "-" in signs
            and any(sign.isdigit() and sign != "0" for sign in signs)
            and all(sign.isdigit() or sign == "-" for sign in signs)
        ):
            return True
    return False
