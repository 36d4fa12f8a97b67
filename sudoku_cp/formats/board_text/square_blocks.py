"""Square blocks of cells in a text: as many rows as each row has cells, however the cells are separated.

A row is read in two ways, as fields and as single characters. A block begins at a row if it and the rows after it fit in one of
these ways. Empty lines separate blocks or bands of one block and so mean nothing here; words above a block are its heading.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from sudoku_cp.formats.base import LONGEST_LINE, Record, error_record, line_too_long
from sudoku_cp.formats.board_text.drawings import DrawnRows, readings_with_spaces
from sudoku_cp.formats.board_text.line_classifier import dash_is_blank, is_border, plain_signs
from sudoku_cp.formats.board_text.rows import UPRIGHTS, TextRow, Token
from sudoku_cp.formats.grid_text import label_components, strip_comment
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
_LABEL_SUM = re.compile(r"(?:[Cc]age\s+)?([^\W_]{1,3})\s*(?:[=:]|->|→)\s*(?:sum\s+)?(\d{1,3})")
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
    return "=" in body or ">" in body or len(found) == 1 or all(label.isalpha() for label, _ in found)


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
    """Return whether rows in which spaces may be cells may be regions or have patches: a quick test before they are read.

    Each pair of equal neighbours joins two patches at most; regions have more of them than patches need.
    """
    texts = [item.text for item in items if isinstance(item, TextRow)]
    if any(len(text) > _LONGEST_CACHED for text in texts):
        return True
    rows = [*map(_row_tokens, texts)]
    if any(row.filled[0] > len(rows) for row in rows):
        return False
    bars, readings = rows[0].bars, [0, 1]
    if any(row.bars != bars for row in rows):  # then a cell is a word
        if any(row.longest > LONGEST_FIELD for row in rows):
            return False
        below = [_equal_between(above, under, ()) for above, under in pairwise(texts)]
        readings = [0]
    elif bars and len(bars) + (bars[0] > 0) >= len(rows):  # each cell may be between bars, and its word anywhere there
        below = [_equal_between(above, under, bars) for above, under in pairwise(texts)]
    else:
        below = [_equal_below(above, under) for above, under in pairwise(texts)]
    for reading in readings:
        filled = sum([row.filled[reading] for row in rows])
        equal = sum([row.equal[reading] for row in rows]) + sum([pair[reading] for pair in below])
        if 0 < filled <= 4 * equal:
            return True
    return False


_LONGEST_CACHED = 512
"""Characters of a row that is kept with its tokens, at most; rows of boards are shorter."""
_PlacedTokens: TypeAlias = tuple[tuple[int, int, str], ...]
"""Words or signs, each with the columns of its beginning and its end."""
_Counts: TypeAlias = tuple[int, int]
"""A number of words, and of signs."""


class _RowTokens(NamedTuple):
    """The words and the signs of a row that are not blank, and how many equal the one before; bars and the longest word."""

    tokens: tuple[_PlacedTokens, _PlacedTokens]
    filled: _Counts
    equal: _Counts
    bars: tuple[int, ...]
    longest: int


@lru_cache(maxsize=1024)
def _row_tokens(text: str) -> _RowTokens:
    """Return what stands in a row, which is in many blocks that are tried."""
    row = text.expandtabs()
    found = [(one.start(), one.group()) for one in _WORD.finditer(row)]
    words = [(start, start + len(word), _usual_text(word)) for start, word in found]
    signs = [(start + at, start + at + 1, _usual_text(sign)) for start, word in found for at, sign in enumerate(word)]
    filled_words, filled_signs = (tuple(one for one in tokens if one[2] not in BLANKS) for tokens in (words, signs))
    filled, equal = (len(filled_words), len(filled_signs)), (_count_repeats(words), _count_repeats(signs))
    bars, longest = tuple(bar.start() for bar in _BAR.finditer(row)), max((len(word) for _, word in found), default=0)
    return _RowTokens((filled_words, filled_signs), filled, equal, bars, longest)


def _count_repeats(tokens: Sequence[tuple[int, int, str]]) -> int:
    return sum(one[2] == other[2] not in BLANKS for one, other in pairwise(tokens))


@lru_cache(maxsize=4096)
def _equal_below(above: str, below: str) -> _Counts:
    """Return how many words, and signs, of a row begin or end below equal ones of another row."""
    words, signs = map(_count_below, _row_tokens(above).tokens, _row_tokens(below).tokens)
    return words, signs


def _count_below(above: _PlacedTokens, below: _PlacedTokens) -> int:
    begun, ended = {(begin, text) for begin, _, text in above}, {(end, text) for _, end, text in above}
    return sum((begin, text) in begun or (end, text) in ended for begin, end, text in below)


@lru_cache(maxsize=4096)
def _equal_between(above: str, below: str, bars: tuple[int, ...]) -> _Counts:
    """Return how many words, and signs, of two rows stand between the same bars and are equal: in the same columns, at most."""
    words, signs = (
        (_between(upper, bars) & _between(lower, bars)).total()
        for upper, lower in zip(_row_tokens(above).tokens, _row_tokens(below).tokens, strict=True)
    )
    return words, signs


def _between(tokens: _PlacedTokens, bars: Sequence[int]) -> Counter[tuple[int, str]]:
    return Counter((bisect(bars, begin), text) for begin, _, text in tokens)


def largest_number(block: SquareBlock) -> int:
    """Return the largest number in a block, 0 if other signs stand there too."""
    return max((block.numbers or {}).values(), default=0)


def are_candidates(block: SquareBlock) -> bool:
    """Return whether a block is groups of ascending digits, several in some cell."""
    filled = [text for text in block.texts if text not in BLANKS]
    ascending = all(text.isdecimal() and [*text] == sorted({*text}) and int(text[-1]) <= block.side for text in filled)
    return ascending and any(len(text) > 1 for text in filled)
