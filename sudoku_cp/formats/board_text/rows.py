"""Puzzles from rows of cells, for all formats with boards of several lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.grid import MAX_SIDE, Grid, default_boxes
from sudoku_cp.model import to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.line_text import MAX_LISTED_PROBLEMS
from sudoku_cp.symbols import BLANKS, numerals

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Options
    from sudoku_cp.model import Domain
    from sudoku_cp.symbols import Symbols

UPRIGHTS = "|:│║┃┆┊╎"
"""Signs that part cells."""
_BARS = re.compile(f"[{UPRIGHTS}]+")
LONGEST_NUMBER = 9
"""Digits of a number, leading zeros included."""
_SHOWN = 12
_LEAST_NUMBERED = 4
"""The least side of a board in rows and columns that are numbered."""


class Token(NamedTuple):
    """A piece of a line and its column (from 1)."""

    column: int
    text: str


@dataclass(frozen=True)
class TextRow:
    """A line of cells; ``gap``, ``ruled``: an empty line or a border stands before it; ``dashes``: it may as well be a border."""

    line: int
    tokens: tuple[Token, ...]
    text: str
    gap: bool = False
    dashes: bool = False
    ruled: bool = False

    @cached_property
    def signs(self) -> tuple[Token, ...]:
        """Every character by itself."""
        return tuple(Token(column + index, sign) for column, text in self.tokens for index, sign in enumerate(text))

    def cells(self, reading: str) -> tuple[Token, ...]:
        """Return the token of each cell if the row is read as ``reading`` says."""
        return self.signs if reading == "signs" else self.tokens


class BoardShape(NamedTuple):
    """The rows and columns of a board, and how its rows are read: as ``signs``, ``fields``, ``numbers`` or ``groups``.

    ``boxes`` is their height and width if borders show others than the usual ones.
    """

    rows: int
    columns: int
    reading: str
    boxes: tuple[int, int] | None = None


class LocatedProblem(NamedTuple):
    """A problem, and its place."""

    line: int
    column: int | None
    text: str


def merge_problems(problems: Sequence[LocatedProblem]) -> ParseError:
    """Return one error at the place of the first problem; the others name their own places."""
    first, *others = problems[:MAX_LISTED_PROBLEMS]
    allowed = [f"line {one.line}{f', column {one.column}' if one.column else ''}: {one.text}" for one in others]
    if len(problems) > MAX_LISTED_PROBLEMS:
        allowed.append(f"and {len(problems) - MAX_LISTED_PROBLEMS} more problems")
    return ParseError([first.text, *allowed], line=first.line, column=first.column)


def required_rectangle(options: Options) -> tuple[int, int] | None:
    """Return the rows and columns that the options require, None if the text decides."""
    if options.grid is None:
        return None
    if len(options.grid.boards) > 1:
        raise Unsupported("expected a grid of one board for a format of rows, got several boards")
    return options.grid.boards[0].rows, options.grid.boards[0].columns


def puzzle_from_rows(
    rows: Sequence[TextRow], shape: BoardShape, title: str, options: Options, known: alphabets.KnownAlphabets
) -> Puzzle:
    """Return the puzzle in these rows, or raise `ParseError` with everything that is wrong with them."""
    problems = list(_shape_problems(rows, shape))
    if problems:
        raise merge_problems(problems)
    if options.grid is None and _are_numbered(rows, shape):
        inner = [replace(row, tokens=row.cells(shape.reading)[1:]) for row in rows[1:]]
        return puzzle_from_rows(inner, BoardShape(shape.rows - 1, shape.columns - 1, shape.reading), title, options, known)
    if shape.reading == "numbers" and options.grid is None:
        refuse_two_blanks([token.text for row in rows for token in row.tokens], shape.rows, rows[0].line)
    grid = options.grid or (Grid.rectangle(shape.rows, shape.columns, shape.boxes) if shape.boxes else Grid.square(shape.rows))
    tokens = [token for row in rows for token in row.cells(shape.reading)]
    parse, expected = _PARSERS[shape.reading](grid, {token.text for token in tokens}, options, known)
    found = [parse(token.text) for token in tokens]
    lines = [row.line for row in rows for _ in row.cells(shape.reading)]
    wrong = [
        LocatedProblem(line, token.column, f"expected {expected} or a blank, got {token.text[:_SHOWN]!r}")
        for line, token, domain in zip(lines, tokens, found, strict=True)
        if domain is None
    ]
    if wrong:
        lettered = alphabets.own_letters_error((token.text for token in tokens), grid.values, options)
        raise lettered or merge_problems(wrong)
    allowed = {cell: domain for cell, domain in enumerate(found) if domain}
    if shape.reading == "groups":
        return Puzzle(grid, candidates=allowed, title=title)
    numbers = shape.reading == "numbers"
    symbols = numerals(grid.values) if numbers else alphabets.symbols_for(known, grid.values, (), options)
    givens = {cell: domain.bit_length() - 1 for cell, domain in allowed.items()}
    return Puzzle(grid, givens=givens, title=title, symbols=symbols)


def _are_numbered(rows: Sequence[TextRow], shape: BoardShape) -> bool:
    """Return whether the first row and column only count the others, from 0 or 1, as spreadsheets and data frames show them.

    As givens of a board with boxes they would clash.
    """
    if shape.rows != shape.columns or shape.rows <= _LEAST_NUMBERED:
        return False
    head, *others = ([token.text for token in row.cells(shape.reading)] for row in rows)
    counts = ([str(number) for number in range(first, first + len(others))] for first in (0, 1))
    return is_blank(head[0]) and head[1:] == [row[0] for row in others] and head[1:] in counts


def _shape_problems(rows: Sequence[TextRow], shape: BoardShape) -> Iterable[LocatedProblem]:
    if not 2 <= shape.columns <= MAX_SIDE:  # noqa: PLR2004
        yield LocatedProblem(rows[0].line, None, f"expected rows of 2 to {MAX_SIDE} cells, got {shape.columns}")
    if len(rows) != shape.rows:
        yield LocatedProblem(rows[0].line, None, f"expected {shape.rows} rows, got {len(rows)}")
    for row in rows:
        if len(row.cells(shape.reading)) != shape.columns:
            yield LocatedProblem(row.line, None, f"expected {shape.columns} cells, got {len(row.cells(shape.reading))}")


# --- boxes ------------------------------------------------------------------------------------------------------


def drawn_boxes(rows: Sequence[TextRow], shape: BoardShape) -> tuple[int, int] | None:
    """Return the height and width of the boxes that borders show, None if these are the usual ones or none are shown."""
    side = shape.rows
    if side != shape.columns or len(rows) != side:
        return None
    sizes = [size for size in range(2, side) if side % size == 0]
    ruled = [index for index, row in enumerate(rows) if row.ruled and index]
    heights = [size for size in sizes if ruled == [*range(size, side, size)]]
    widths = [size for size in sizes if _are_parted(rows, shape.reading, size)]
    usual = default_boxes(side)
    shown = [(side // width, width) for width in widths if not heights or side // width in heights]
    shown += [(height, side // height) for height in heights if not widths]
    return None if usual in shown else next(iter(shown), None)


def _are_parted(rows: Sequence[TextRow], reading: str, width: int) -> bool:
    """Say whether bars stand between so many cells and the next, and nowhere else."""
    parts = set()
    for row in rows:
        bars = [found.start() for found in _BARS.finditer(row.text)]
        cells = [(cell, token.column) for cell, token in enumerate(row.cells(reading)) if token.column]
        parts |= {(sum(bar < column for bar in bars) - cell // width, len(bars)) for cell, column in cells}
    return len(parts) == 1 and max(parts)[1] > 0


# --- what a token means: the values (bits) its cell may take, 0 for a blank, None if invalid --------------------

_Parser: TypeAlias = tuple[Callable[[str], "Domain | None"], str]
"""The parser of a token, and what it expects in words."""


def _sign_parser(grid: Grid, used: set[str], options: Options, known: alphabets.KnownAlphabets) -> _Parser:
    symbols: Symbols = alphabets.symbols_for(known, grid.values, used, options)

    def parse(text: str) -> Domain | None:
        value = symbols.parse(text)
        if value is not None and value in grid.values:
            return 1 << value
        return 0 if text in BLANKS else None

    return parse, f"a sign of {symbols.signs!r}"


def _number_parser(grid: Grid, _used: set[str], _options: Options, _known: alphabets.KnownAlphabets) -> _Parser:
    def parse(text: str) -> Domain | None:
        value = int(text) if text.isdecimal() and text.isascii() and len(text) <= LONGEST_NUMBER else -1
        if value in grid.values:
            return 1 << value
        return 0 if value == 0 or is_blank(text) else None

    return parse, f"a number from {grid.values[0]} to {grid.values[-1]}"


def _group_parser(grid: Grid, _used: set[str], _options: Options, _known: alphabets.KnownAlphabets) -> _Parser:
    digits = {str(value): value for value in grid.values}

    def parse(text: str) -> Domain | None:
        if is_blank(text):
            return 0
        return to_mask(digits[sign] for sign in text) if set(text) <= digits.keys() and len(set(text)) == len(text) else None

    return parse, f"different digits of {''.join(digits)!r}"


def is_blank(text: str) -> bool:
    """Say whether a token is nothing but the same blank, once or more often."""
    return len(set(text)) == 1 and text[0] in BLANKS


def refuse_two_blanks(texts: Sequence[str], side: int, line: int, is_empty: Callable[[str], bool] = is_blank) -> None:
    """Refuse numbers of which 0 may be one, because something else stands for empty cells and the last value is missing."""
    used = {text.strip() for text in texts}
    other = next((text for text in sorted(used) if text != "0" and is_empty(text)), None)
    if "0" in used and other is not None and str(side) not in used and all(one.isdecimal() or is_empty(one) for one in used):
        words = f"expected one mark for empty cells, got 0 and {'none' if other in {'', '.'} else repr(other)}"
        readings = f"either 0 is empty too, or the values are 0 to {side - 1}: write 1 to {side}, and 0 for empty cells alone"
        raise ParseError(f"{words}: {readings}", line=line)


_PARSERS = {"signs": _sign_parser, "fields": _sign_parser, "numbers": _number_parser, "groups": _group_parser}
