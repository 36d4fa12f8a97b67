"""Puzzles from rows of cells, for all formats with boards of several lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.board_text import alphabets
from sudoku_cp.grid import MAX_SIDE, Board, Grid
from sudoku_cp.model import Domain, to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import MAX_LISTED_PROBLEMS
from sudoku_cp.symbols import BLANKS, Symbols, numerals, pictured_digit

if TYPE_CHECKING:
    from sudoku_cp.formats.base import Options

UPRIGHTS = "|:│║┃┆┊╎"
"""Signs that part cells."""
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
    """A line of cells; ``gap``: an empty line stands before it; ``rule``: the border before it; ``dashes``: it may be one."""

    line: int
    tokens: tuple[Token, ...]
    text: str
    gap: bool = False
    dashes: bool = False
    rule: str = ""

    @cached_property
    def signs(self) -> tuple[Token, ...]:
        """Every character by itself."""
        return tuple(Token(column + index, sign) for column, text in self.tokens for index, sign in enumerate(text))

    def cells(self, reading: str) -> tuple[Token, ...]:
        """Return the token of each cell if the row is read as ``reading`` says."""
        return self.signs if reading == "signs" else self.tokens


class BoardShape(NamedTuple):
    """The rows and columns of a board, and how its rows are read: as ``signs``, ``fields``, ``numbers`` or ``groups``.

    ``board`` has the regions that are drawn, if they are not the usual ones.
    """

    rows: int
    columns: int
    reading: str
    board: Board | None = None


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
    if options.grid is None:
        rows, shape = without_numbers(rows, shape)
        if shape.reading == "numbers":
            alphabets.refuse_two_blanks([token.text for row in rows for token in row.tokens], shape.rows, rows[0].line)
    usual = Grid.square(shape.rows)
    grid = options.grid or (Grid.of((shape.board,), usual.values) if shape.board else usual)
    tokens = [token for row in rows for token in row.cells(shape.reading)]
    parse, expected = _PARSERS[shape.reading](grid, {token.text for token in tokens}, options, known)
    found = [parse(token.text) for token in tokens]
    lines = [row.line for row in rows for _ in row.cells(shape.reading)]
    wrong = [
        LocatedProblem(
            line, token.column, f"expected {expected} or a blank, got {token.text[:_SHOWN]!r}{pictured_digit(token.text)}"
        )
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


def without_numbers(rows: Sequence[TextRow], shape: BoardShape) -> tuple[Sequence[TextRow], BoardShape]:
    """Return a board without a first row and column that only count the others, from 0 or 1, as data frames show them.

    As givens of a board with boxes they would clash.
    """
    if not shape.rows == shape.columns == len(rows) > _LEAST_NUMBERED:
        return rows, shape
    head, *others = ([token.text for token in row.cells(shape.reading)] for row in rows)
    counts = ([str(number) for number in range(first, first + len(others))] for first in (0, 1))
    if not (alphabets.is_blank(head[0]) and head[1:] == [row[0] for row in others if row] and head[1:] in counts):
        return rows, shape
    inner = [replace(row, tokens=row.cells(shape.reading)[1:]) for row in rows[1:]]
    return inner, BoardShape(shape.rows - 1, shape.columns - 1, shape.reading)


def _shape_problems(rows: Sequence[TextRow], shape: BoardShape) -> Iterable[LocatedProblem]:
    if not 2 <= shape.columns <= MAX_SIDE:  # noqa: PLR2004
        yield LocatedProblem(rows[0].line, None, f"expected rows of 2 to {MAX_SIDE} cells, got {shape.columns}")
    if len(rows) != shape.rows:
        yield LocatedProblem(rows[0].line, None, f"expected {shape.rows} rows, got {len(rows)}")
    for row in rows:
        if len(row.cells(shape.reading)) != shape.columns:
            yield LocatedProblem(row.line, None, f"expected {shape.columns} cells, got {len(row.cells(shape.reading))}")


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
        return 0 if value == 0 or alphabets.is_blank(text) else None

    return parse, f"a number from {grid.values[0]} to {grid.values[-1]}"


def _group_parser(grid: Grid, _used: set[str], _options: Options, _known: alphabets.KnownAlphabets) -> _Parser:
    digits = {str(value): value for value in grid.values}

    def parse(text: str) -> Domain | None:
        if alphabets.is_blank(text):
            return 0
        return to_mask(digits[sign] for sign in text) if set(text) <= digits.keys() and len(set(text)) == len(text) else None

    return parse, f"different digits of {''.join(digits)!r}"


_PARSERS = {"signs": _sign_parser, "fields": _sign_parser, "numbers": _number_parser, "groups": _group_parser}
