"""Cells separated by commas: a row a line, a board a line, or the rows of a board as words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isqrt
from typing import TYPE_CHECKING

from sudoku_cp.formats.base import LONGEST_LINE, Format, Options, Record, error_record, line_too_long, peek_head
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.formats.board_text.board_splitter import AnnouncedSigns, Item, Title, most_common, split_boards
from sudoku_cp.formats.board_text.rows import BoardShape, TextRow, Token, is_blank, required_rectangle
from sudoku_cp.formats.encoder import one_line, require_plain, write_each
from sudoku_cp.formats.sample_lines import first_bodies, strip_comment
from sudoku_cp.grid import MAX_SIDE
from sudoku_cp.puzzle import square_side
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_LEAST = 4


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each board, with the title line before it."""
    head, lines = peek_head(lines)
    rectangle = required_rectangle(options)
    return split_boards(
        _parse_items(lines, partial(_count_rows, rectangle=rectangle, small=_small_boards(head))),
        partial(_find_shape, rectangle=rectangle),
        options,
    )


def _parse_items(lines: Iterator[str], rows_in: Callable[[Sequence[Token]], int]) -> Iterator[Item]:
    gap = False
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            yield line_too_long(number, line)
        elif new_signs := alphabets.announced_signs(line):
            yield AnnouncedSigns(new_signs)
        elif "," in (body := strip_comment(line)):
            yield from _split_rows(number, body, rows_in, gap=gap)
            gap = False
        elif body.strip():
            yield Title(body.strip())
        else:
            gap = gap or not line.strip()


def _split_rows(number: int, body: str, rows_in: Callable[[Sequence[Token]], int], *, gap: bool) -> Iterator[Item]:
    """Yield the one row of a line, or all rows of the board in it."""
    tokens = _split_tokens(body)
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


def _split_tokens(body: str) -> tuple[Token, ...]:
    """Return the fields between commas, ``.`` for an empty one."""
    found, column = [], 1
    for field in body.split(","):
        text = field.strip()
        found.append(Token(column + (field.index(text) if text else 0), text or "."))
        column += len(field) + 1
    return tuple(found)


def _count_rows(tokens: Sequence[Token], rectangle: tuple[int, int] | None, small: frozenset[int]) -> int:
    """Return how many rows of a board one line holds."""
    number = len(tokens)
    if _are_words(tokens):
        return number
    if rectangle:
        return rectangle[0] if number == rectangle[0] * rectangle[1] else 1
    return isqrt(number) if square_side(number) and (number > MAX_SIDE or number in small) else 1


def _are_words(tokens: Sequence[Token]) -> bool:
    """Say whether most tokens have one length, longer than a number: then each is a row."""
    lengths = [len(token.text) for token in tokens]
    length = most_common(lengths)
    return len(tokens) >= _LEAST and length >= _LEAST and 2 * lengths.count(length) >= len(tokens)


def _small_boards(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of cells, such as 16, that are whole small boards and not rows of large ones.

    The values decide: a 4x4 board has none above 4. Where that misleads, a comment announces the alphabet of the longer row.
    """
    largest: dict[int, int] = {}
    for line in (line for line in lines if len(line) <= LONGEST_LINE):
        values = [int(text) if text.isdecimal() and len(text) < _LEAST else 0 for _, text in _split_tokens(strip_comment(line))]
        if square_side(len(values)) and len(values) >= _LEAST**2:
            largest[len(values)] = max(largest.get(len(values), 0), *values)
    long = {len(new_signs) for line in lines if (new_signs := alphabets.announced_signs(line))}
    return frozenset(number for number, value in largest.items() if 0 < value <= isqrt(number) and number not in long)


def _find_shape(rows: Sequence[TextRow], rectangle: tuple[int, int] | None) -> BoardShape:
    """Return the shape that most rows have: words, numbers, or a character in each field."""
    if all(len(row.tokens) == 1 for row in rows):
        columns, reading = most_common(len(row.signs) for row in rows), "signs"
    else:
        numeric = all(is_blank(token.text) or token.text.isdecimal() for row in rows for token in row.tokens)
        columns, reading = most_common(len(row.tokens) for row in rows), "numbers" if numeric else "fields"
    return BoardShape(*rectangle, reading) if rectangle else BoardShape(columns, columns, reading)


def sniff(head: str) -> bool:
    """Say whether most of the first lines are cells separated by commas: characters and small numbers, or words of one length."""
    bodies = first_bodies(head)
    found = [body for body in bodies if _is_cells(_split_tokens(body[:LONGEST_LINE]))]
    return bool(found) and 2 * len(found) >= len(bodies)


def _is_cells(tokens: Sequence[Token]) -> bool:
    texts = [text for _, text in tokens]
    signs_or_numbers = all(len(text) == 1 or (text.isdecimal() and len(text) < _LEAST) for text in texts)
    return len(texts) >= _LEAST and (signs_or_numbers or (_are_words(tokens) and all(map(str.isascii, texts))))


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
    return comment + "\n".join([*[title] * bool(title), *rows, "", ""])


def _title(puzzle: Puzzle) -> str:
    return one_line(puzzle.title.replace(",", " "))


FORMAT = Format(
    "comma",
    "cells between commas: a row a line, a board a line, or rows as words",
    (),
    sniff,
    read,
    write_each(puzzle_to_text),
    {"title": _title},
)
