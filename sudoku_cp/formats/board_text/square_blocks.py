"""Square blocks of cells in a text: as many rows as each row has cells, however the cells are separated.

A row is read in two ways, as fields and as single characters. A block begins at a row if it and the rows after it fit in one of
these ways. Empty lines separate blocks or bands of one block and so mean nothing here; words above a block are its heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from sudoku_cp.formats.base import LONGEST_LINE, Record, error_record, line_too_long
from sudoku_cp.formats.board_text.cell_columns import DrawnRows
from sudoku_cp.formats.board_text.drawings import readings_with_spaces
from sudoku_cp.formats.board_text.line_classifier import dash_is_blank, is_border, plain_signs
from sudoku_cp.formats.board_text.rows import UPRIGHTS, TextRow, Token
from sudoku_cp.formats.sample_lines import strip_comment
from sudoku_cp.formats.union_find import label_components
from sudoku_cp.grid import MAX_SIDE
from sudoku_cp.symbols import BLANKS, NULLS

LEAST = 4
"""The smallest side of a block."""
LONGEST_FIELD = 3
"""The longest sum or label of a cage that is read."""

_FIELD = re.compile(rf"[^\s{UPRIGHTS},;\[\](){{}}\"']+")
_BAR = re.compile(f"[{UPRIGHTS}]")
_WORD = re.compile(rf"[^\s{UPRIGHTS}]+")
_DASHES = re.compile(rf"[\s{UPRIGHTS}-]+")
_SEPARATORS = "\t,;"
_LABEL_SUM = re.compile(r"([^\W_]{1,3})\s*[=:]\s*(\d{1,3})")
_LABEL_SUMS = re.compile(rf"\s*{_LABEL_SUM.pattern}(?:[\s,;]+{_LABEL_SUM.pattern})*[\s,;.]*")
_HEADINGS = frozenset({"puzzle", "givens", "cells", "grid", "regions", "areas", "layout", "boxes", "cages", "sums", "solution"})


@dataclass(frozen=True)
class SquareBlock:
    """Rows of as many cells as there are rows; ``reading`` is how each row is cut into cells."""

    rows: tuple[TextRow, ...]
    reading: str

    @property
    def side(self) -> int:
        """How many rows, and cells in each."""
        return len(self.rows)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What stands in each cell, row by row: numbers without leading zeros, and ``.`` for every mark of an empty cell."""
        return tuple(_usual_text(token.text) for row in self.rows for token in row.cells(self.reading))

    @cached_property
    def patches(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each connected group with the same text, empty cells included."""
        return tuple(_connected_groups(self.texts, self.side))

    @cached_property
    def neighbours(self) -> int:
        """How many pairs of neighbouring cells have the same text, empty cells left out."""
        texts, side = self.texts, self.side
        right = sum(one == other != "." for one, other in pairwise(texts))  # a few too many, at line ends
        return right + sum(one == other != "." for one, other in zip(texts, texts[side:], strict=False))

    @property
    def filled(self) -> int:
        """How many cells are not empty."""
        return sum(text not in BLANKS for text in self.texts)

    @property
    def numbers(self) -> Mapping[int, int] | None:
        """The numbers by their cells; None if anything else stands in a cell."""
        found = {cell: text for cell, text in enumerate(self.texts) if text not in BLANKS}
        usable = all(text.isdecimal() and text.isascii() for text in found.values())
        return {cell: int(text) for cell, text in found.items()} if usable else None


@dataclass(frozen=True)
class Heading:
    """A line of words."""

    text: str


@dataclass(frozen=True)
class LabelSums:
    """A line such as ``a=15 b=7``: the sums of cages by their labels."""

    line: int
    sums: tuple[tuple[str, int], ...]


Item: TypeAlias = TextRow | Heading | LabelSums | Record


def _usual_text(text: str) -> str:
    if text.isdecimal():
        return text.lstrip("0") or "0"
    is_mark = len({*text}) == 1 and text.isprintable() and not text.isalnum()
    return "." if is_mark or text.lower() in NULLS else text


def _connected_groups(texts: Sequence[str], side: int) -> Iterator[tuple[int, ...]]:
    beside = [(at, at + 1) for at in range(len(texts) - 1) if (at + 1) % side and texts[at] == texts[at + 1]]
    below = [(at, at + side) for at in range(len(texts) - side) if texts[at] == texts[at + side]]
    groups: dict[int, list[int]] = {}
    for cell, group in enumerate(label_components(len(texts), beside + below)):
        groups.setdefault(group, []).append(cell)
    return map(tuple, groups.values())


# --- lines ------------------------------------------------------------------------------------------------------


def parse_block_items(head: Sequence[str], lines: Iterator[str]) -> Iterator[Item]:
    """Yield the rows, headings, sums of cages and errors in lines that begin with ``head``; borders are left out."""
    dashes = dash_is_blank(head)
    gap = False
    for number, line in enumerate(lines, 1):
        body = plain_signs(strip_comment(line))
        hidden = next((sign for sign in body if not sign.isprintable() and sign not in "\t\r"), "")
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif hidden:
            yield error_record(number, f"expected visible signs, got {hidden!r}")
        elif not body.strip() and body.count("\t") < LEAST - 1:
            gap = True
        elif _are_sums(body):
            yield LabelSums(number, tuple((label, int(total)) for label, total in _LABEL_SUM.findall(body)))
        elif is_border(body) and not (dashes and _DASHES.fullmatch(body)):
            continue
        elif _is_heading(body.strip()):
            yield Heading(body.strip())
        else:
            fields = split_fields(body)
            row = fields or not body.strip(f" \t\r{UPRIGHTS}")
            yield TextRow(number, fields, body, gap) if row else Heading(body.strip())
            gap = False


def _are_sums(body: str) -> bool:
    """Return whether a line is sums of cages; several with colons need labels of letters, for colons may part cells, too."""
    if not _LABEL_SUMS.fullmatch(body):
        return False
    found = _LABEL_SUM.findall(body)
    return "=" in body or len(found) == 1 or all(label.isalpha() for label, _ in found)


def _is_heading(words: str) -> bool:
    """Return whether a line is words though it may have the length of a row: with a colon, known or capitalised."""
    return words.endswith(":") or words.casefold() in _HEADINGS or (words.isalpha() and words.istitle())


def split_fields(body: str) -> tuple[Token, ...]:
    """Return the fields of a row: between separators or bars, where an empty one is an empty cell, or between spaces."""
    for mark in _SEPARATORS:
        if mark in body:
            return _split_at(body.rstrip("\r"), re.compile(re.escape(mark)))
    between = _split_at(body.strip().strip(UPRIGHTS), _BAR)
    if len(between) >= LEAST and all(len(token.text) <= LONGEST_FIELD and " " not in token.text for token in between):
        return between
    return tuple(Token(found.start() + 1, found.group()) for found in _FIELD.finditer(body))


def _split_at(body: str, mark: re.Pattern[str]) -> tuple[Token, ...]:
    """Return the fields between marks, ``.`` for an empty one."""
    found, column = [], 1
    for field in mark.split(body):
        text = field.strip(" []{}()\"'\r\n|")
        found.append(Token(column + (field.index(text) if text else 0), text or "."))
        column += len(field) + 1
    return tuple(found)


# --- blocks -----------------------------------------------------------------------------------------------------


def blocks_at(items: Sequence[Item], start: int, side: int | None = None) -> Iterator[SquareBlock]:
    """Yield the blocks that begin with the row at ``start``: as fields, as characters; of a required ``side`` or any."""
    first = items[start]
    assert isinstance(first, TextRow)  # noqa: S101  # callers look for rows
    ended = first.text.rstrip().endswith(tuple(_SEPARATORS)) and len(first.tokens) > 1
    for reading in ("fields", "signs"):
        for last in (None, -1)[: 1 + ended]:  # a separator may end the row, or an empty cell stand behind it
            size = len(_without_end(first, last).cells(reading))
            if not LEAST <= size <= MAX_SIDE or side not in {None, size}:
                continue
            rows = [_without_end(row, last) for row in items[start : start + size] if isinstance(row, TextRow)]
            if len(rows) == size and _are_even(rows, reading, size):
                yield SquareBlock(tuple(rows), reading)
        if len(first.tokens) == len(first.signs):
            return


def _without_end(row: TextRow, last: int | None) -> TextRow:
    """Return a row up to its ``last`` token; the same one, which knows its signs, if that is None."""
    return row if last is None else replace(row, tokens=row.tokens[:last])


def _are_even(rows: Sequence[TextRow], reading: str, size: int) -> bool:
    """Return whether rows have as many cells as required, each short enough for a sum or a label."""
    even = all(len(row.cells(reading)) == size for row in rows)
    return even and (reading == "signs" or all(len(token.text) <= LONGEST_FIELD for row in rows for token in row.tokens))


def blocks_with_spaces(items: Sequence[Item], start: int, side: int, *, sums: bool) -> Iterator[SquareBlock]:
    """Yield the ways to read the rows at ``start`` as a block with spaces for empty cells; ``sums``: of any numbers."""
    rows = [row for row in items[start : start + side] if isinstance(row, TextRow)]
    if len(rows) == side:
        for reading in readings_with_spaces(DrawnRows([row.text.expandtabs() for row in rows], columns=side, sums=sums)):
            yield SquareBlock(tuple(replace(row, tokens=tokens) for row, tokens in zip(rows, reading, strict=True)), "fields")


# --- what a block can be ----------------------------------------------------------------------------------------


def is_partition(block: SquareBlock) -> bool:
    """Return whether a block cuts the board into as many connected regions as it has rows, each as large as a row."""
    side = block.side
    return len({*block.texts}) == side == len(block.patches) and all(len(patch) == side for patch in block.patches)


def is_latin(block: SquareBlock) -> bool:
    """Return whether every row and column of a block has the same different signs."""
    side, texts = block.side, block.texts
    if "." in texts:
        return False
    every = {*texts[:side]}
    lines = [texts[at * side : (at + 1) * side] for at in range(side)] + [texts[at::side] for at in range(side)]
    return len(every) == side and all({*line} == every for line in lines)


def has_patches(block: SquareBlock) -> bool:
    """Return whether neighbouring cells have equal signs as in regions or cages, and never in a board that can be solved."""
    if not block.filled or 4 * block.neighbours < block.filled:
        return False
    inside = [patch for patch in block.patches if block.texts[patch[0]] not in BLANKS]
    return bool(inside) and 4 * len(inside) <= 3 * block.filled


def may_have_patches(items: Sequence[Item]) -> bool:
    """Return whether rows in which spaces may be cells may be regions or have patches: a quick test before they are read."""
    rows = [_row_tokens(item.text) for item in items if isinstance(item, TextRow)]
    words, signs = [row.words for row in rows], [row.signs for row in rows]
    if any(row.has_bars for row in rows):  # columns may differ between bars
        beside = any(one[2] == other[2] not in BLANKS for row in (*words, *signs) for one, other in pairwise(row))
        return beside or any(one[2] not in BLANKS for above, below in pairwise(words) for one in {*above} & {*below})
    return _may_have_equals(words) or _may_have_equals(signs)


class _RowTokens(NamedTuple):
    """The words of a row, and its signs, each with the columns of its beginning and its end."""

    words: tuple[tuple[int, int, str], ...]
    signs: tuple[tuple[int, int, str], ...]
    has_bars: bool


@lru_cache(maxsize=1024)
def _row_tokens(text: str) -> _RowTokens:
    """Return what stands in a row, which is in many blocks that are tried."""
    row = text.expandtabs()
    found = [(one.start(), one.group()) for one in _WORD.finditer(row)]
    words = tuple((start, start + len(word), _usual_text(word)) for start, word in found)
    signs = tuple((start + at, start + at + 1, _usual_text(sign)) for start, word in found for at, sign in enumerate(word))
    return _RowTokens(words, signs, not {*row}.isdisjoint(UPRIGHTS))


def _may_have_equals(usual: Sequence[Sequence[tuple[int, int, str]]]) -> bool:
    """Return whether tokens with their columns may have as many equal neighbours as patches, or as a region for each row.

    Each pair of neighbours joins two patches at most.
    """
    tokens, filled = sum(map(len, usual)), sum(text not in BLANKS for row in usual for _, _, text in row)
    equal = [one[2] for row in usual for one, other in pairwise(row) if one[2] == other[2]]
    for above, below in pairwise(usual):
        begun, ended = {(one[0], one[2]) for one in above}, {(one[1], one[2]) for one in above}
        equal += [one[2] for one in below if (one[0], one[2]) in begun or (one[1], one[2]) in ended]
    return 4 * sum(text not in BLANKS for text in equal) >= filled or len(equal) >= tokens - len(usual)


def largest_number(block: SquareBlock) -> int:
    """Return the largest number in a block, 0 if other signs stand there too."""
    return max((block.numbers or {}).values(), default=0)


def are_candidates(block: SquareBlock) -> bool:
    """Return whether a block is groups of ascending digits, several in some cell."""
    filled = [text for text in block.texts if text not in BLANKS]
    ascending = all(text.isdecimal() and [*text] == sorted({*text}) and int(text[-1]) <= block.side for text in filled)
    return ascending and any(len(text) > 1 for text in filled)
