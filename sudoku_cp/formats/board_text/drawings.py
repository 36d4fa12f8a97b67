"""The rows of drawn grids, in which spaces may stand for empty cells: then a row is understood only together with the others.

Lines without an empty line between them are a piece. A piece whose rows all have the same cells needs nothing. Otherwise pieces
are joined until their rows are a board in some reading (see below); if there are several, that is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice, pairwise, product
from typing import NamedTuple, TypeAlias

from sudoku_cp.formats.base import Record, error_record
from sudoku_cp.formats.board_text.board_splitter import Item, Title
from sudoku_cp.formats.board_text.candidate_marks import is_ascending
from sudoku_cp.formats.board_text.line_classifier import TextLine, classify_lines
from sudoku_cp.formats.board_text.rows import UPRIGHTS, TextRow, Token
from sudoku_cp.grid import MAX_SIDE
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import BLANKS, is_mostly_plain, letters, numerals

# Where the cells of a drawn row begin, if spaces stand for empty cells.
#
# A drawing has bars between all cells, between boxes, or none. Cells are equally far apart within a box, and boxes look alike.
# Each arrangement that agrees with all rows is a reading; if they differ, the drawing is ambiguous and nobody should guess.


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


_LEAST = 4
_AHEAD = 4 * MAX_SIDE + 8
"""Lines that hold any one drawing."""
_SNIFFED = 2 * MAX_SIDE + 20
_SPACE = re.compile(rf"[ \t\u00a0\u2007\u3000{UPRIGHTS}]")
_DASHES = re.compile("-+")
_MARKDOWN = re.compile(r"[\s|:-]*\|[\s|:-]*")
_BLANKS = frozenset(BLANKS)
_SIGNS_OF_BLANKS = _BLANKS - {" "}
_LONGEST_VALUE = 2
"""Characters of a cell between spaces, at most."""
_GLANCE = 400
"""Characters in which a drawing with spaces has one."""


def parse_items(lines: Iterator[str], rectangle: tuple[int, int] | None = None) -> Iterator[Item]:
    """Yield the rows, titles, announced alphabets and errors of drawn grids; ``rectangle``: the rows and columns required."""
    held: list[TextLine] = []
    for line in classify_lines(lines):
        if line.kind == "words":
            while held:
                items, held = _first_drawing(held, rectangle)
                yield from items
            if line.item:
                yield line.item
            continue
        held.append(line)
        if len(held) >= _AHEAD:
            items, held = _first_drawing(held, rectangle)
            yield from items
    while held:
        items, held = _first_drawing(held, rectangle)
        yield from items


def has_spaces_for_cells(head: str, rectangle: tuple[int, int] | None = None) -> bool:
    """Return whether the first board of a text is a drawing in which spaces are empty cells, be it ambiguous."""
    if _SPACE.search(head, 0, _GLANCE) is None:
        return False
    held: list[TextLine] = []
    for line in islice(classify_lines(iter(head.split("\n"))), _SNIFFED):
        if line.kind != "words":
            held.append(line)
        elif _rows(held):
            break
        else:
            held = []
    held = _without_header(held)[1]
    ends = _piece_ends(held)
    return bool(ends) and not _are_whole(_rows(held[: ends[0]])) and _first_board(held, ends, rectangle) is not None


def lacks_marks(head: str) -> bool:
    """Say whether a text is a drawing with bars and borders in which spaces, and no marks, are empty cells."""
    lines = [*islice(classify_lines(iter(head.split("\n"))), _SNIFFED)]
    rows = [line.text for line in _rows(lines)]
    barred = sum(_BAR.search(row) is not None for row in rows)
    drawn = barred == len(rows) or (barred > 1 and any(line.kind == "rule" for line in lines))
    return drawn and len(rows) >= _LEAST and all(_BLANKS.isdisjoint({*row} - {" "}) for row in rows)


def _rows(lines: Sequence[TextLine]) -> list[TextLine]:
    return [line for line in lines if line.kind in {"row", "spaces"}]


def _piece_ends(lines: Sequence[TextLine]) -> list[int]:
    """Return where each run of lines with rows in it ends: before an empty line, between two borders, or with the text."""
    kinds = [line.kind for line in lines]
    ends = [at for at, kind in enumerate(kinds) if kind == "blank" or kinds[at - 1 : at + 1] == ["rule", "rule"]] + [len(lines)]
    return [end for start, end in zip([0, *ends], ends, strict=False) if _rows(lines[start:end])]


def _first_drawing(lines: list[TextLine], rectangle: tuple[int, int] | None) -> tuple[list[Item], list[TextLine]]:
    """Return the items of the first board or piece, and the lines after it."""
    header, lines = _without_header(lines)
    if header:
        return header, lines
    ends = _piece_ends(lines)
    if not ends:
        return [], []
    end = ends[0]
    if not _are_whole(_rows(lines[:end])):
        board = _first_board(lines, ends, rectangle)
        if board:
            gap = any(line.kind == "blank" for line in lines[:end])
            return [*board.items(gap=gap)], lines[board.end :]
        end = _end_of_run(lines, ends)
    return [*_items_of_whole_rows(lines[:end])], lines[end:]


def _without_header(lines: list[TextLine]) -> tuple[list[Item], list[TextLine]]:
    """Return the header of a Markdown table, above its only border, as words if it has any, and the other lines.

    A row is a header if as many rows follow as the table has columns; else it is the first row of the board.
    """
    piece = lines[: next(iter(_piece_ends(lines)), 0)]
    kinds = [line.kind for line in piece if line.kind not in {"blank", "nothing"}]
    if kinds[1:2] != ["rule"] or kinds.count("rule") > 1:
        return [], lines
    header, rule, *rows = (line for line in piece if line.kind not in {"blank", "nothing"})
    if len(_DASHES.findall(rule.text)) != len(rows) or not _MARKDOWN.fullmatch(rule.text):
        return [], lines
    words = header.text.strip()
    at = lines.index(header)
    return [Title(words if any(map(str.isalnum, words)) else "")], [*lines[:at], *lines[at + 1 :]]


def _end_of_run(lines: Sequence[TextLine], ends: Sequence[int]) -> int:
    """Return the end of the first pieces that have equally few rows: no board begins among those that were joined in vain."""
    sizes = [len(_rows(lines[start:end])) for start, end in pairwise([0, *ends])]
    last = next((at for at, size in enumerate(sizes) if size != sizes[0] or size >= _LEAST), len(sizes))
    return ends[max(0, last - 1)]


def _are_whole(rows: Sequence[TextLine]) -> bool:
    """Return whether all rows evidently have all their cells: as many tokens or signs as the others, in the same columns."""
    texts = [line.item for line in rows if isinstance(line.item, TextRow)]
    if any(row.dashes for row in texts):
        return True
    if len(texts) < len(rows):
        return False
    for cells in ([row.tokens for row in texts], [row.signs for row in texts]):
        count = len(cells[0])
        if count < _LEAST or any(len(row) != count for row in cells):
            continue
        starts = {tuple(token.column for token in row) for row in cells}
        ends = {tuple(token.column + len(token.text) for token in row) for row in cells}
        if count == len(rows) or (len(rows) > 1 and 1 in {len(starts), len(ends)}):
            return True
    return False


def _items_of_whole_rows(lines: Sequence[TextLine]) -> Iterator[Item]:
    """Yield lines as rows that have all their cells; a line may also be a whole board, or a row of each of several boards."""
    rows = [line.item for line in lines if isinstance(line.item, TextRow)]
    if beside := _boards_beside(rows):
        for board in beside:
            yield Title("")
            yield from board
        yield Title("")
        return
    gap, rule = False, ""
    for line in lines:
        gap, rule = gap or line.kind == "blank", line.text if line.kind == "rule" else rule
        if isinstance(line.item, TextRow):
            board = _rows_of_line(line.item)
            whole: list[Item] = [Title(""), *board, Title("")]
            yield from whole if board else [replace(line.item, gap=gap, rule=rule)]
            gap, rule = False, ""
        elif line.item:
            yield line.item


def _rows_of_line(row: TextRow) -> list[TextRow]:
    """Return the rows of a board whose cells all stand on one line, none if a line is no more than a row.

    A row of pencil marks may have as many digits as a board has cells: 49 in nine cells.
    """
    if any(len(token.text) > 1 for token in row.tokens) and are_candidates(row, len(row.tokens)):
        return []
    for cells in (row.signs, row.tokens):
        side = square_side(len(cells)) if len(cells) > MAX_SIDE else None
        if side and not are_candidates(row, side) and is_mostly_plain("".join(token.text for token in cells)):
            return [TextRow(row.line, cells[at : at + side], row.text) for at in range(0, len(cells), side)]
    return []


def are_candidates(row: TextRow, side: int) -> bool:
    """Return whether a row has a group of digits in order for each of so many cells: what is still possible there."""
    return len(row.tokens) == side and all(is_ascending(token.text, side) for token in row.tokens)


def _boards_beside(rows: Sequence[TextRow]) -> list[list[TextRow]]:
    """Return the boards that stand side by side, with the widest gaps of all rows between them; none if there is one."""
    side = len(rows)
    number = len(rows[0].signs) // side if side >= _LEAST else 0
    if number < 2 or any(len(row.signs) != number * side for row in rows):  # noqa: PLR2004
        return []
    if all(are_candidates(row, side) for row in rows) or (number == side and _has_large_values(rows, side)):
        return []
    gaps = [[other.column - one.column for one, other in pairwise(row.signs)] for row in rows]
    between = {*range(side - 1, number * side - 1, side)}
    wide = min(gap for row in gaps for at, gap in enumerate(row) if at in between)
    if wide <= max(gap for row in gaps for at, gap in enumerate(row) if at not in between):
        return []
    return [[replace(row, tokens=row.signs[at : at + side]) for row in rows] for at in range(0, number * side, side)]


def _has_large_values(rows: Sequence[TextRow], side: int) -> bool:
    """Return whether a sign is no value of a board of ``side``: then words are the boxes of a larger one."""
    values = {*numerals(range(side + 1)).signs, *letters(range(1, side + 1)).signs, *_BLANKS}
    return any(token.text.upper() not in values for row in rows for token in row.signs)


# --- spaces -----------------------------------------------------------------------------------------------------


class _Board(NamedTuple):
    """The lines of a board with spaces for empty cells, where they end among others, their readings, borders by their lines."""

    rows: Sequence[TextLine]
    end: int
    readings: Sequence[Reading]
    rules: Mapping[int, str]

    def items(self, *, gap: bool) -> Iterator[Item]:
        """Yield the rows with all cells, or the error of a drawing that can be read in several ways."""
        yield Title("")
        if len(self.readings) > 1:
            yield _ambiguous(self.rows[0].number, self.readings)
            return
        for line, tokens in zip(self.rows, self.readings[0], strict=True):
            yield TextRow(line.number, tokens, line.text, gap, rule=self.rules.get(line.number - 1, ""))
            gap = False
        yield Title("")


def _ambiguous(line: int, found: Sequence[Reading]) -> Record:
    """Return the error of two readings, with the first row in which they differ."""
    first, second = sorted(["".join(token.text for token in row) for row in rows] for rows in found)
    row = next(index for index, (one, other) in enumerate(zip(first, second, strict=False)) if one != other)
    words = "expected spaces that show which cells are empty (or a dot for each), got a drawing that can be read in several ways"
    return error_record(line, f"{words}: row {row + 1} as {first[row]!r} or as {second[row]!r}")


def _first_board(lines: Sequence[TextLine], ends: Sequence[int], rectangle: tuple[int, int] | None) -> _Board | None:
    """Return the board of the fewest pieces that are one, with empty lines between bands or for empty rows; None if none are."""
    for end, after in zip(ends, [*ends[1:], None], strict=True):
        within = lines[:end]
        rows = _rows(within)
        if len(rows) > MAX_SIDE:
            return None
        rules = [line.text for line in within if line.kind == "rule"]
        begin, stop = within.index(rows[0]), within.index(rows[-1])
        with_blanks = [line for line in within[begin : stop + 1] if line.kind in {"row", "spaces", "blank"}]
        found = [(rows, reading) for reading in islice(_readings(rows, rules, rectangle), 2)]
        if len(with_blanks) > len(rows) and not (found and _are_bands(with_blanks)):
            found += [(with_blanks, reading) for reading in islice(_readings(with_blanks, rules, rectangle), 2)]
        if found and not (end > ends[0] and after and _goes_on(rows, _rows(lines[end:after]), rules)):
            borders = {line.number: line.text for line in within if line.kind == "rule"}
            return _Board(found[0][0], end, [reading for _, reading in found[:2]], borders)
    return None


def _are_bands(lines: Sequence[TextLine]) -> bool:
    """Return whether empty lines part the rows into runs of one length."""
    runs = [len([*run]) for is_blank, run in groupby(lines, lambda line: line.kind == "blank") if not is_blank]
    return len(set(runs)) == 1


def _readings(rows: Sequence[TextLine], rules: Sequence[str], rectangle: tuple[int, int] | None) -> Iterator[Reading]:
    """Yield the readings of rows as a board, of the rectangle required if there is one."""
    if len(rows) >= _LEAST and not (rectangle and len(rows) != rectangle[0]):
        columns = rectangle[1] if rectangle else len(rows)
        yield from readings_with_spaces(DrawnRows([line.text for line in rows], rules, columns))


def readings_with_spaces(drawing: DrawnRows) -> Iterator[Reading]:
    """Yield the readings of a drawing in which spaces, and nothing else, are empty cells, at least as many as a row has."""
    columns = drawing.columns
    if _has_blank_cells(drawing):
        return
    for reading in readings(drawing):
        texts = [token.text for row in reading for token in row]
        empty = sum(isinstance(token, EmptyCell) for row in reading for token in row)
        blanks = _BLANKS - {"0"} if columns > _DIGITS and any(map(str.isalpha, texts)) else _BLANKS  # 0-9A-F has a value 0
        if empty >= columns and sum(text in blanks for text in texts) == empty:
            yield reading


def _has_blank_cells(drawing: DrawnRows) -> bool:
    """Return whether some cell of rows without bars holds a sign for empty ones, however they are read: a quick test before."""
    signs = {*"".join(drawing.rows)}
    blanks = _SIGNS_OF_BLANKS - {"0"} if drawing.columns > _DIGITS and any(map(str.isalpha, signs)) else _SIGNS_OF_BLANKS
    if signs.isdisjoint(blanks) or not signs.isdisjoint(UPRIGHTS):
        return False
    words = {word for row in drawing.rows for word in row.split()}
    in_words = max(map(len, words)) <= _LONGEST_VALUE and (drawing.sums or drawing.columns > _DIGITS)
    return not words.isdisjoint(blanks) or not in_words


def _goes_on(rows: Sequence[TextLine], following: Sequence[TextLine], rules: Sequence[str]) -> bool:
    """Return whether the row after these lies in other columns, so that they are not the whole board."""
    shifted = [*rows[1:], *following[:1]]
    return not any(_readings(shifted, rules, None))
