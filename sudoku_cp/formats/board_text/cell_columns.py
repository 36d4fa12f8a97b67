"""Where the cells of a drawn row begin, if spaces stand for empty cells.

A drawing has bars between all cells, between boxes, or none. Cells are equally far apart within a box, and boxes look alike. Each
arrangement that agrees with all rows is a reading; if they differ, the drawing is ambiguous and nobody should guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import TypeAlias

from sudoku_cp.formats.board_text.rows import UPRIGHTS, Token


class EmptyCell(Token):
    """A cell in which nothing stands, and its column."""

    __slots__ = ()

    @classmethod
    def at(cls, place: int) -> EmptyCell:
        """Return the empty cell that begins at a place (from 0)."""
        return cls(place + 1, ".")


_BAR = re.compile(f"[{UPRIGHTS}]")
_BARS = re.compile(f"[{UPRIGHTS}]+")
_BAR_ENDS = re.compile(f"^|[{UPRIGHTS}]|$")
_WORD = re.compile(rf"[^\s{UPRIGHTS}]+")
_SIGN = re.compile(rf"[^\s{UPRIGHTS}]")
_WIDEST = 6
"""The largest distance between the beginnings of neighbouring cells."""
_MARGIN = 4
"""The most spaces between a bar and the nearest cell."""
_DIGITS = 9
_LONGEST = 2
_CORNERS = frozenset("+┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋")
_LEAST_PLACES = 3

Reading: TypeAlias = tuple[tuple[Token, ...], ...]
"""The tokens of all cells, row by row."""


@dataclass(frozen=True)
class DrawnRows:
    """The rows of a drawing as they stand in the text, and its borders; ``sums``: numbers may exceed the values."""

    rows: Sequence[str]
    rules: Sequence[str] = ()
    columns: int = field(default=0)
    sums: bool = False

    @property
    def side(self) -> int:
        """How many cells a row has: as many as there are rows, unless something else is required."""
        return self.columns or len(self.rows)


@dataclass(frozen=True)
class _Segment:
    """A stretch of all rows between bars; None for an end that no bar and no border shows."""

    begin: int | None
    end: int | None
    low: int
    high: int


def readings(drawing: DrawnRows) -> Iterator[Reading]:
    """Yield the ways to see a drawing as a board with as many cells in each row as it should have; each once."""
    bars = [[found.span() for found in _BARS.finditer(row)] for row in drawing.rows]
    if any(other != bars[0] for other in bars):
        yield from [*_between_bars(drawing)] or _between_walls(drawing)
        return
    if any(len(_WORD.findall(row)) > drawing.side for row in drawing.rows):
        return
    if not bars[0] and len({found.start() for row in drawing.rows for found in _WORD.finditer(row)}) == 1:
        return  # words below each other, as candidates of which each has a line
    seen: set[tuple[tuple[str, ...], ...]] = set()
    yield from _distinct(drawing, _segmentations(drawing, bars[0]), seen)
    if not seen and bars[0] and drawing.rules:  # borders may be narrower than the rows, or reach as far as the outer cells alone
        yield from _distinct(drawing, _segmentations(replace(drawing, rules=()), bars[0]), seen)


def _distinct(
    drawing: DrawnRows, several: Iterable[Sequence[_Segment]], seen: set[tuple[tuple[str, ...], ...]]
) -> Iterator[Reading]:
    """Yield the readings with these stretches that have not been seen yet."""
    for segments in several:
        if drawing.side % len(segments) == 0:
            for reading in _fit(drawing, segments):
                texts = tuple(tuple(token.text for token in row) for row in reading)
                if texts not in seen and (drawing.sums or _are_values(reading, drawing.side)):
                    seen.add(texts)
                    yield reading


def _between_bars(drawing: DrawnRows) -> Iterator[Reading]:
    """Yield the readings of rows in which each cell lies between bars that are not below each other, as in Markdown."""
    extra = len(_BAR_ENDS.findall(drawing.rows[0])) - 1 - drawing.side
    if extra < 0:
        return
    spans = [[(one.end(), other.start()) for one, other in pairwise(_BAR_ENDS.finditer(row))] for row in drawing.rows]
    if {*map(len, spans)} != {len(spans[0])}:
        return
    for lead in range(max(0, extra - 1), min(1, extra) + 1):
        parts = [[row[begin:end] for begin, end in own] for row, own in zip(drawing.rows, spans, strict=True)]
        outside = [part for own in parts for part in (*own[:lead], *own[drawing.side + lead :])]
        inside = [part for own in parts for part in own[lead : drawing.side + lead]]
        if not any(map(str.strip, outside)) and all(len(_WORD.findall(part)) <= 1 for part in inside):
            rows = zip(drawing.rows, spans, strict=True)
            cells = [(row, own[lead : drawing.side + lead]) for row, own in rows]
            yield tuple(tuple(_token_between(row, _Segment(None, None, *span)) for span in own) for row, own in cells)


def _between_walls(drawing: DrawnRows) -> Iterator[Reading]:
    """Yield the reading of rows that have bars between regions alone: columns of cells are equally wide, and bars between them.

    Corners of borders stand between columns, too.
    """
    bars = [{found.start() for found in _BAR.finditer(row)} for row in drawing.rows]
    corners = [{at for at, sign in enumerate(rule) if sign in _CORNERS} for rule in drawing.rules]
    places = sorted(set().union(*bars, *corners))
    if len(places) < _LEAST_PLACES:
        return
    first, last = places[0], places[-1]
    framed = any(several and all({first, last} <= own for own in several) for several in (bars, corners))
    pitch = (last - first) // drawing.side if framed else min(other - one for one, other in pairwise(places))
    ends = [first, last] if framed else [first - pitch, last + pitch]
    columns = [*range(ends[0], ends[1] + 1, pitch)] if pitch > 1 else []
    if len(columns) != drawing.side + 1 or not {*places, ends[1]} <= {*columns}:
        return
    between = [_Segment(None, None, max(one + 1, 0), other) for one, other in pairwise(columns)]
    inside = [[_WORD.findall(row, one.low, one.high) for one in between] for row in drawing.rows]
    if all(len(words) <= 1 for row in inside for words in row) and not any(_is_cut(row, columns) for row in drawing.rows):
        yield tuple(tuple(_token_between(row, one) for one in between) for row in drawing.rows)


def _is_cut(row: str, columns: Sequence[int]) -> bool:
    """Say whether something other than bars and spaces stands where columns meet, or behind the last."""
    return bool(row[columns[-1] + 1 :].strip()) or any(_SIGN.match(row, at) for at in columns if at >= 0)


def _are_values(reading: Reading, side: int) -> bool:
    numbers = [int(token.text) for row in reading for token in row if token.text.isdecimal() and token.text.isascii()]
    return max(numbers, default=0) <= side


def _segmentations(drawing: DrawnRows, bars: Sequence[tuple[int, int]]) -> Iterator[list[_Segment]]:
    """Yield the stretches between bars, with and without those outside of the first and the last bar."""
    widest = max(map(len, drawing.rows))
    ruled = [rule for rule in drawing.rules if rule.strip()]
    left = min((len(rule) - len(rule.lstrip()) for rule in ruled), default=None)
    right = max((len(rule.rstrip()) for rule in ruled), default=None)
    if left is not None and any(row[:left].strip() for row in drawing.rows):
        left = None
    if right is not None and any(row[right:].strip() for row in drawing.rows):
        right = None
    if not bars:
        yield [_Segment(left, right, 0, widest)]
        return
    blank_before = not any(row[: bars[0][0]].strip() for row in drawing.rows)
    blank_after = not any(row[bars[-1][1] :].strip() for row in drawing.rows)
    inner = [_Segment(one[1], other[0], one[1], other[0]) for one, other in pairwise(bars)]
    first, last = bars[0][0], bars[-1][1]
    starts: list[list[_Segment]] = [[]] * blank_before
    starts += [[_Segment(left, first, 0, first)]] * (first > (left or 0))
    ends: list[list[_Segment]] = [[]] * blank_after
    ends += [[_Segment(last, right, last, widest)]] * (right is None or last < right)
    for start, end in product(starts, ends):
        if start or inner or end:
            yield [*start, *inner, *end]


def _fit(drawing: DrawnRows, segments: Sequence[_Segment]) -> Iterator[Reading]:
    """Yield the readings in which each stretch holds as many cells as the others."""
    cells = drawing.side // len(segments)
    if cells > 1:
        for tokens in _token_rows(drawing):
            yield from _fit_tokens(drawing.side, segments, tokens)
    elif all(len(_WORD.findall(row, one.low, one.high)) <= 1 for row in drawing.rows for one in segments):
        yield tuple(tuple(_token_between(row, one) for one in segments) for row in drawing.rows)


def _token_between(row: str, segment: _Segment) -> Token:
    found = _WORD.search(row, segment.low, segment.high)
    return Token(found.start() + 1, found.group()) if found else EmptyCell.at(segment.low)


TokenRow: TypeAlias = list[tuple[int, str]]


def _token_rows(drawing: DrawnRows) -> Iterator[list[TokenRow]]:
    """Yield the tokens of all rows with their places: words of at most two characters, and single characters."""
    words = [[(found.start(), found.group()) for found in _WORD.finditer(row)] for row in drawing.rows]
    longest = max((len(text) for row in words for _, text in row), default=0)
    if longest == 1 or ((drawing.sums or drawing.side > _DIGITS) and longest <= _LONGEST):
        yield words
    if longest > 1:
        yield [[(found.start(), found.group()) for found in _SIGN.finditer(row)] for row in drawing.rows]


def _fit_tokens(side: int, segments: Sequence[_Segment], rows: Sequence[TokenRow]) -> Iterator[Reading]:
    """Yield the readings of tokens in stretches of several cells."""
    width = max((len(text) for row in rows for _, text in row), default=1)
    ends = [sorted({place + len(text) * right for row in rows for place, text in row}) for right in range(1 + (width > 1))]
    aligned = [bool(right) for right, columns in enumerate(ends) if len(columns) <= side]
    if not aligned:
        return
    widest = _WIDEST
    if len(segments) == 1:
        widest = min(widest, max(min((other - one for one, other in pairwise(ends[right])), default=widest) for right in aligned))
    for pitch in range(width + (width > 1), widest + 1):
        for starts in _cell_starts(segments, side // len(segments), pitch, width, rows):
            for right in aligned:
                reading = _place(rows, starts, width, right=right)
                if reading:
                    yield reading


def _cell_starts(
    segments: Sequence[_Segment], cells: int, pitch: int, width: int, rows: Sequence[TokenRow]
) -> Iterator[tuple[int, ...]]:
    """Yield where the cells of all stretches may begin, if they are so far apart and so wide."""
    if len(segments) == 1 and (segments[0].begin is None or segments[0].end is None):
        yield from _starts_without_bars(segments[0], cells, pitch, width, rows)
        return
    span = (cells - 1) * pitch + width
    rooms = {one.end - one.begin - span for one in segments if one.begin is not None and one.end is not None}
    if len(rooms) > 1:
        return
    for lead, trail in product(range(_MARGIN + 1), repeat=2):
        if (rooms and lead + trail not in rooms) or abs(lead - trail) > max(1, pitch - width) or max(lead, trail) > pitch + 1:
            continue
        starts: list[int] = []
        for one in segments:
            first = one.begin + lead if one.begin is not None else (one.end or 0) - trail - span
            if first < one.low:
                break
            starts += range(first, first + span, pitch)
        else:
            yield tuple(starts)


def _starts_without_bars(
    segment: _Segment, cells: int, pitch: int, width: int, rows: Sequence[TokenRow]
) -> Iterator[tuple[int, ...]]:
    """Yield where cells may begin in rows without bars: anywhere, with gaps between boxes or without."""
    places = [place for row in rows for place, _ in row]
    if not places:
        return
    low, high = min(places), max(place + len(text) for row in rows for place, text in row)
    for box in [cells, *(size for size in range(2, cells) if cells % size == 0)]:
        for gap in range(1, pitch + 1) if box < cells else (0,):
            offsets = [pitch * cell + gap * (cell // box) for cell in range(cells)]
            length = offsets[-1] + width
            for first in range(max(0, high - length), low + 1):
                last = first + length
                begun = segment.begin is None or first - segment.begin <= pitch
                ended = last >= segment.high - pitch and (segment.end is None or 0 <= segment.end - last <= pitch)
                if begun and ended:
                    yield tuple(first + offset for offset in offsets)


def _place(rows: Sequence[TokenRow], starts: Sequence[int], width: int, *, right: bool) -> Reading | None:
    """Return the tokens by their cells, None if one does not begin (or end) where a cell does."""
    cell_at = {start + width * right: cell for cell, start in enumerate(starts)}
    if any(place + len(text) * right not in cell_at for row in rows for place, text in row):
        return None
    empty: list[Token] = [*map(EmptyCell.at, starts)]
    found = []
    for row in rows:
        cells = [*empty]
        for place, text in row:
            cells[cell_at[place + len(text) * right]] = Token(place + 1, text)
        found.append(tuple(cells))
    return tuple(found)
