"""Cells separated by commas, semicolons or tabs: a row a line, or a board a line; and the rows of a board as words on a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import dropwhile, product, takewhile
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import (
    HEAD,
    LONGEST_LINE,
    Format,
    Options,
    Record,
    error_record,
    line_too_long,
    one_line,
    peek_head,
    require_plain,
    write_each,
)
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.board_text.board_splitter import AnnouncedSigns, Item, Title, most_common, split_boards
from sudoku_cp.formats.board_text.line_classifier import is_border
from sudoku_cp.formats.board_text.rows import BoardShape, TextRow, Token, required_rectangle
from sudoku_cp.formats.grid_text import first_bodies, strip_comment
from sudoku_cp.formats.matrices.brackets import plain_number
from sudoku_cp.grid import MAX_SIDE, default_boxes
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import BLANKS, DIGITS, NULLS, UPPERCASE, is_mostly_plain, numerals

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


# Where a board stands in a table with empty rows and columns: between its boxes, or as margins, as spreadsheets are laid out.


_USUAL = 9
_SIDES = (4, 6, 8, 10, 12, 14, 15, 16, 18, 20, 24, 25)
"""Other sides, which gaps between the boxes show."""
_MOST = 4 * MAX_SIDE
"""The most rows and columns of a table that is searched."""
_KINDS = ("gaps", "margins", "filled")

_Places: TypeAlias = tuple[int, ...]
_Table: TypeAlias = Sequence[tuple[int, Sequence[str]]]


class BoardArea(NamedTuple):
    """The columns (from 0) of a table in which a board stands, and the empty lines (from 1) that are none of its rows."""

    columns: _Places
    left_out: frozenset[int]


def find_area(table: _Table, side: int | None) -> BoardArea | None:
    """Return where a board stands in a table; None if there are no rows or columns to leave out.

    Rows come with the numbers of their lines; ``side`` is the required one. A 10x10 board with an empty row and column at its
    edges and without a 10 is taken for a 9x9 board with margins: a larger one would lack several values and have no single
    solution. Raises `ParseError` if the board can stand in several places.
    """
    width = max((len(row) for _, row in table), default=0)
    rows = [[*row, *[""] * (width - len(row))] for _, row in table]
    if max(width, len(rows)) > _MOST or _are_counts(rows):
        return None
    across = [not any(column) for column in zip(*rows, strict=True)]
    down = [not any(row) for row in rows]
    if all(down) or not (any(across) or any(down)):
        return None
    for one in (_USUAL, *_SIDES) if side is None else (side,):
        found = _find_places(down, across, one) if _are_values(rows, one) else []
        if len(found) > 1:
            lines = f"line {table[found[0][0][0]][0]} and line {table[found[1][0][0]][0]}"
            words = f"the board can begin in {lines}, or in columns {found[0][1][0] + 1} and {found[1][1][0] + 1}"
            words = f"expected {one} rows and columns between empty ones, got {len(rows)} rows of {width}, in which {words}"
            raise ParseError(f"{words}: remove the empty rows and columns, or write 0 in each empty cell", line=table[0][0])
        if found:
            kept, columns = found[0]
            return BoardArea(columns, frozenset(line for at, (line, _) in enumerate(table) if at not in kept))
    return None


def find_areas(tables: Sequence[_Table], side: int | None) -> BoardArea | None:
    """Return where the boards of several tables stand, one in each and all in the same columns; None for anything else."""
    found = [find_area(table, side) for table in tables]
    areas = [area for area in found if area]
    if not areas or len(areas) < len(found) or len({area.columns for area in areas}) > 1:
        return None
    return BoardArea(areas[0].columns, frozenset().union(*(area.left_out for area in areas)))


def _are_counts(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether a row only counts the columns, from 0 or 1, as data frames show it: its reader knows."""
    counts = [[text for text in row if text] for row in rows]
    return any(row in ([*map(str, range(first, first + len(row)))] for first in (0, 1)) for row in counts if len(row) >= _USUAL)


def _are_values(rows: Sequence[Sequence[str]], side: int) -> bool:
    """Return whether no number is larger than a side."""
    numbers = [int(text) for row in rows for text in row if text.isdecimal() and len(text) <= len(str(MAX_SIDE))]
    return max(numbers, default=0) <= side


def _find_places(down: Sequence[bool], across: Sequence[bool], side: int) -> list[tuple[_Places, _Places]]:
    """Return the rows and columns of a board of a side, given which rows and columns of a table are empty.

    Gaps between boxes come first, then margins alone. Nothing, if the table is no larger than the board, or is
    a usual board and the smaller one is not.
    """
    height, width = default_boxes(side) or (side, side)
    square = len(down) == len(across)
    if min(len(down), len(across)) < side or (square and (len(down) == side or (side != _USUAL and default_boxes(len(down))))):
        return []
    for kinds in product(_KINDS, repeat=2):
        rows = {*_places(down, side, height, kinds[0])}
        columns = {*_places(across, side, width, kinds[1])}
        if rows and columns:
            return sorted(product(rows, columns))
    return []


def _places(empty: Sequence[bool], side: int, box: int, kind: str) -> Iterator[_Places]:
    """Yield which of some rows or columns can be those of a board, where all others are empty."""
    if kind == "filled":
        filled = tuple(at for at, nothing in enumerate(empty) if not nothing)
        yield from [filled] * (len(filled) == side)
        return
    steps = [at + (at // box) * (kind == "gaps") for at in range(side)]
    for start in range(len(empty) - steps[-1]):
        kept = tuple(start + step for step in steps)
        if all(nothing or at in kept for at, nothing in enumerate(empty)):
            yield kept


_LEAST = 4
_MARKS = ",;\t"
_WORD_MARKS = ",/;| \t-"
"""What may part rows on one line, in the order in which they are tried: spaces may stand within rows that others part."""
_SIGNS = DIGITS + UPPERCASE
_SNIFFED = 100
_LONGEST_CELL = 2
_UNBOUNDED = MAX_SIDE**2


class CellSeparator(NamedTuple):
    """What separates cells in a file, and how many a row has at least (tabs at its end may be cut off) and at most.

    ``words``: what may part the rows of a board on one line. ``area``: where the board stands, if not everywhere.
    """

    mark: str
    words: str
    least: int = 0
    most: int = _UNBOUNDED
    area: BoardArea | None = None


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each board, with the title line before it."""
    head, lines = peek_head(lines)
    rectangle = required_rectangle(options)
    separator = _find_separator(head)
    separator = separator._replace(area=_find_area(head, separator, rectangle))
    return split_boards(
        _parse_items(lines, separator, partial(_count_rows, rectangle=rectangle, small=_small_boards(head, separator))),
        partial(_find_shape, rectangle=rectangle),
        options,
    )


def _find_area(head: Sequence[str], separator: CellSeparator, rectangle: tuple[int, int] | None) -> BoardArea | None:
    """Return where boards stand in a table that is no longer than the head."""
    square = rectangle is None or rectangle[0] == rectangle[1]
    if not square or sum(map(len, head)) >= HEAD or separator.most != _UNBOUNDED:
        return None
    table, side = _table_of(head, separator.mark), rectangle[0] if rectangle else None
    return find_area(table, side) or find_areas(_parts_of(table), side)


_NUMBERED = re.compile(r"[A-Za-z_ ]+(\d{1,2})")


def _find_separator(head: Sequence[str]) -> CellSeparator:
    """Return what separates most lines, and the width of rows that end with empty cells."""
    bodies = [body for line in head if _has_cells(body := strip_comment(line[:LONGEST_LINE]))]
    mark = max(_MARKS, key=lambda mark: sum(mark in body for body in bodies))
    counts = [body.count(mark) + 1 for body in bodies if mark in body]
    rows = len([*takewhile(_has_cells, dropwhile(lambda line: not _has_cells(line), map(strip_comment, head)))])
    words = "," if _are_rows_of_boxes(bodies) else _WORD_MARKS
    if counts and {rows + 1} == {*counts} and all(body.rstrip(" ").endswith(mark) for body in bodies if mark in body):
        return CellSeparator(mark, words, most=rows)
    return CellSeparator(mark, words, least=max(counts, default=0) if mark == "\t" else 0)


def _table_of(lines: Sequence[str], mark: str) -> list[tuple[int, list[str]]]:
    """Return the rows of a table with the numbers of their lines, empty ones between them included, but no titles."""
    found: list[tuple[int, list[str]]] = []
    gap: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines, 1):
        body = strip_comment(line[:LONGEST_LINE])
        fields = [field.strip().strip("\"'").strip() for field in body.split(mark)]
        if mark in body and not any(map(_is_word, fields)):
            found += [*gap, (number, fields)]
            gap = []
        elif found and not line.strip():
            gap.append((number, []))
    return found


def _parts_of(table: Sequence[tuple[int, list[str]]]) -> list[list[tuple[int, list[str]]]]:
    """Return the parts of a table between titles and lines without a separator."""
    parts: list[list[tuple[int, list[str]]]] = []
    last = -1
    for number, fields in table:
        if fields:
            if number > last + 1:
                parts.append([])
            parts[-1].append((number, fields))
            last = number
    return parts


def _is_word(field: str) -> bool:
    return len(field) > _LONGEST_CELL and any(map(str.isalpha, field))


def _are_rows_of_boxes(bodies: Sequence[str]) -> bool:
    """Return whether words are not the rows of small boards but the boxes of a row of a large one, which are as many.

    The rows of a 16x16 board are four words of four signs, too: then borders are drawn, there are 16 of them, or signs are
    those of a large board.
    """
    words = [found for body in bodies if (found := _split_words(body, _WORD_MARKS))]
    borders = any(map(is_border, bodies))
    large = any(not _is_small(sign, len(found)) for found in words for word in found for sign in word.text)
    return bool(words) and (borders or large or len(words) == len(words[0]) ** 2)


def _is_small(sign: str, side: int) -> bool:
    return sign in BLANKS or sign.upper() in _SIGNS[: side + 1] or sign.upper() in UPPERCASE[:side]


def _has_cells(body: str) -> bool:
    """Return whether a line has more than spaces; tabs alone are a row of empty cells."""
    return bool(body.strip(" \r")) if "\t" in body else bool(body.strip())


def _parse_items(lines: Iterator[str], separator: CellSeparator, rows_in: Callable[[Sequence[Token]], int]) -> Iterator[Item]:
    gap = False
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif new_signs := alphabets.announced_signs(line):
            yield AnnouncedSigns(new_signs)
        elif separator.area and number in separator.area.left_out:
            gap = False
        elif tokens := _tokens_of(body := strip_comment(line), separator):
            if heading := _heading_of(tokens):
                yield Title(heading)
                continue
            yield from _split_rows(number, body, tokens, rows_in, gap=gap)
            gap = False
        elif body.strip():
            yield Title(body.strip())
        else:
            gap = gap or not line.strip()


def _heading_of(tokens: Sequence[Token]) -> str:
    """Return the title in a row that has nothing else, ``-`` for names of columns such as c1 to c9; an empty text for cells."""
    words = [token.text for token in tokens if token.text != "."]
    if len(words) == 1 and len(tokens) >= _LEAST and len(words[0]) >= _LEAST and any(map(str.isalpha, words[0])):
        return words[0]
    names = [_NUMBERED.fullmatch(word) for word in words]
    numbers = [int(found[1]) for found in names if found]
    in_order = len(numbers) == len(words) >= _LEAST and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    return "-" if in_order else ""


def _tokens_of(body: str, separator: CellSeparator) -> tuple[Token, ...]:
    """Return the cells of a line, or its rows as words; nothing if it has neither."""
    words = () if separator.area else _split_words(body, separator.words)
    return words or (_split_tokens(body, separator) if separator.mark in body else ())


def _split_rows(
    number: int, body: str, tokens: tuple[Token, ...], rows_in: Callable[[Sequence[Token]], int], *, gap: bool
) -> Iterator[Item]:
    """Yield the one row of a line, or all rows of the board in it."""
    rows = rows_in(tokens)
    if rows == 1 and len(tokens) > MAX_SIDE:
        expected = "a row, or each cell of a square board (81 for 9x9), between commas"
        yield error_record(number, f"expected {expected}; got {len(tokens)}")
        return
    yield from [Title("")] * (rows > 1)
    width = len(tokens) // rows
    for start in range(0, len(tokens), width):
        yield TextRow(number, tokens[start : start + width], body, gap and not start)
    yield from [Title("")] * (rows > 1)


def _split_tokens(body: str, separator: CellSeparator) -> tuple[Token, ...]:
    """Return the fields between separators as cells."""
    found, column = [], 1
    for field in body.rstrip("\r").split(separator.mark):
        text = field.strip().strip("\"'").strip()
        found.append(Token(column + (field.index(text) if text else 0), _cell_text(text)))
        column += len(field) + 1
    if separator.area:
        found += [Token(column, ".")] * (separator.area.columns[-1] + 1 - len(found))
        return tuple(found[at] for at in separator.area.columns)
    found += [Token(column, ".")] * (separator.least - len(found))
    return tuple(found[: separator.most])


def _cell_text(field: str) -> str:
    """Return the text of a cell: ``.`` for what programs write for no value, whole numbers without a fraction."""
    if not field or field.lower() in NULLS:
        return "."
    return plain_number(field) if "." in field and field[0].isdecimal() else field


def _split_words(body: str, marks: str) -> tuple[Token, ...]:
    """Return the rows of a board that stand on one line, parted by one of the marks; nothing if there are none."""
    for mark in marks:
        if mark not in body.strip():
            continue
        starts = [0, *(found.end() for found in re.finditer(re.escape(mark), body))]
        fields = body.split(mark)
        words = [Token(start + 1, "".join(field.split())) for start, field in zip(starts, fields, strict=True) if field.strip()]
        if _LEAST <= len(words) <= MAX_SIDE and {len(words)} == {len(word.text) for word in words}:
            return tuple(words)
    return ()


def _count_rows(tokens: Sequence[Token], rectangle: tuple[int, int] | None, small: frozenset[int]) -> int:
    """Return how many rows of a board one line holds."""
    number = len(tokens)
    if _are_words(tokens):
        return number
    if rectangle:
        return rectangle[0] if number == rectangle[0] * rectangle[1] else 1
    return isqrt(number) if square_side(number) and (number > MAX_SIDE or number in small) else 1


def _are_words(tokens: Sequence[Token]) -> bool:
    """Return whether most tokens have one length, longer than a number: then each is a row."""
    lengths = [len(token.text) for token in tokens]
    length = most_common(lengths)
    return len(tokens) >= _LEAST and length >= _LEAST and 2 * lengths.count(length) >= len(tokens)


def _small_boards(lines: Sequence[str], separator: CellSeparator) -> frozenset[int]:
    """Return the numbers of cells, such as 16, that are whole small boards and not rows of large ones.

    The values decide: a 4x4 board has none above 4. Where that misleads, a comment announces the alphabet of the longer row.
    """
    largest: dict[int, int] = {}
    for line in (line for line in lines if len(line) <= LONGEST_LINE):
        values = [
            int(text) if text.isdecimal() and len(text) < _LEAST else 0
            for _, text in _split_tokens(strip_comment(line), separator)
        ]
        if square_side(len(values)) and len(values) >= _LEAST**2:
            largest[len(values)] = max(largest.get(len(values), 0), *values)
    long = {len(new_signs) for line in lines if (new_signs := alphabets.announced_signs(line))}
    return frozenset(number for number, value in largest.items() if 0 < value <= isqrt(number) and number not in long)


def _find_shape(rows: Sequence[TextRow], rectangle: tuple[int, int] | None) -> BoardShape:
    """Return the shape that most rows have: words, numbers, or a character in each field."""
    if all(len(row.tokens) == 1 for row in rows):
        columns, reading = most_common(len(row.signs) for row in rows), "signs"
    else:
        numeric = all(alphabets.is_blank(token.text) or token.text.isdecimal() for row in rows for token in row.tokens)
        columns, reading = most_common(len(row.tokens) for row in rows), "numbers" if numeric else "fields"
    return BoardShape(*rectangle, reading) if rectangle else BoardShape(columns, columns, reading)


def sniff(head: str) -> bool:
    """Return whether most of the first lines are cells with separators: characters and small numbers, or words of one length."""
    bodies = first_bodies(head)
    separator = _find_separator(head.split("\n")[:_SNIFFED])
    found = [body for body in bodies if _is_cells(_tokens_of(body[:LONGEST_LINE], separator))]
    return bool(found) and 2 * len(found) >= len(bodies)


def _is_cells(tokens: Sequence[Token]) -> bool:
    texts = [text for _, text in tokens]
    signs_or_numbers = all(len(text) == 1 or (text.isdecimal() and len(text) < _LEAST) for text in texts)
    plain = all(map(str.isascii, texts))
    return len(texts) >= _LEAST and plain and (signs_or_numbers or (_are_words(tokens) and is_mostly_plain("".join(texts))))


def puzzle_to_text(puzzle: Puzzle) -> str:
    """Return the title, the rows as numbers (0 for blanks) and an empty line."""
    require_plain("comma", puzzle)
    title = _title(puzzle)
    numbers = [str(puzzle.givens.get(cell, 0)) for cell in puzzle.grid.cells]
    side = puzzle.grid.boards[0].columns
    # The few small values of a large board would be taken for those of small boards, a line each.
    unclear = 0 < max(puzzle.givens.values(), default=0) <= isqrt(side)
    comment = f"# signs: {numerals(puzzle.grid.values).signs}\n" * (side >= _LEAST**2 and unclear)
    rows = (",".join(numbers[start : start + side]) for start in range(0, len(numbers), side))
    return comment + "\n".join([*([title] if title else []), *rows, "", ""])


def _title(puzzle: Puzzle) -> str:
    return one_line(puzzle.title.replace(",", " "))


FORMAT = Format(
    "comma",
    "cells between commas, semicolons or tabs: a row a line, a board a line; or rows as words on a line",
    (),
    sniff,
    read,
    write_each(puzzle_to_text),
    {"title": _title},
)
