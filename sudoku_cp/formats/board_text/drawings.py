"""The rows of drawn grids, in which spaces may stand for empty cells: then a row is understood only together with the others.

Lines without an empty line between them are a piece. A piece whose rows all have the same cells needs nothing. Otherwise pieces
are joined until their rows are a board in some reading (`cell_columns`); if there are several, that is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.formats.base import error_record
from sudoku_cp.formats.board_text.board_splitter import Item, Title
from sudoku_cp.formats.board_text.candidate_marks import is_ascending
from sudoku_cp.formats.board_text.cell_columns import DrawnRows, EmptyCell, Reading, readings
from sudoku_cp.formats.board_text.line_classifier import Line, classify_lines
from sudoku_cp.formats.board_text.rows import UPRIGHTS, TextRow
from sudoku_cp.grid import MAX_SIDE
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import BLANKS, is_mostly_plain, letters, numerals

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Record

_LEAST = 4
_AHEAD = 4 * MAX_SIDE + 8
"""Lines that hold any one drawing."""
_SNIFFED = 2 * MAX_SIDE + 20
_DIGITS = 9
_SPACE = re.compile(rf"[ \t\u00a0\u2007\u3000{UPRIGHTS}]")
_BAR = re.compile(f"[{UPRIGHTS}]")
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
    held: list[Line] = []
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
    held: list[Line] = []
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


def _rows(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.kind in {"row", "spaces"}]


def _piece_ends(lines: Sequence[Line]) -> list[int]:
    """Return where each run of lines with rows in it ends: before an empty line, between two borders, or with the text."""
    kinds = [line.kind for line in lines]
    ends = [at for at, kind in enumerate(kinds) if kind == "blank" or kinds[at - 1 : at + 1] == ["rule", "rule"]] + [len(lines)]
    return [end for start, end in zip([0, *ends], ends, strict=False) if _rows(lines[start:end])]


def _first_drawing(lines: list[Line], rectangle: tuple[int, int] | None) -> tuple[list[Item], list[Line]]:
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


def _without_header(lines: list[Line]) -> tuple[list[Item], list[Line]]:
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


def _end_of_run(lines: Sequence[Line], ends: Sequence[int]) -> int:
    """Return the end of the first pieces that have equally few rows: no board begins among those that were joined in vain."""
    sizes = [len(_rows(lines[start:end])) for start, end in pairwise([0, *ends])]
    last = next((at for at, size in enumerate(sizes) if size != sizes[0] or size >= _LEAST), len(sizes))
    return ends[max(0, last - 1)]


def _are_whole(rows: Sequence[Line]) -> bool:
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


def _items_of_whole_rows(lines: Sequence[Line]) -> Iterator[Item]:
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
    """Return the rows of a board whose cells all stand on one line, none if a line is no more than a row."""
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

    rows: Sequence[Line]
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


def _first_board(lines: Sequence[Line], ends: Sequence[int], rectangle: tuple[int, int] | None) -> _Board | None:
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


def _are_bands(lines: Sequence[Line]) -> bool:
    """Return whether empty lines part the rows into runs of one length."""
    runs = [len([*run]) for is_blank, run in groupby(lines, lambda line: line.kind == "blank") if not is_blank]
    return len(set(runs)) == 1


def _readings(rows: Sequence[Line], rules: Sequence[str], rectangle: tuple[int, int] | None) -> Iterator[Reading]:
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


def _goes_on(rows: Sequence[Line], following: Sequence[Line], rules: Sequence[str]) -> bool:
    """Return whether the row after these lies in other columns, so that they are not the whole board."""
    shifted = [*rows[1:], *following[:1]]
    return not any(_readings(shifted, rules, None))
