"""Boards as matrices between brackets, as programs keep them: lists, arrays, JSON, code of many languages.

Numbers, signs or strings are cells; ``0``, nothing, ``None`` and the like are empty. Each matrix is a puzzle, unless its name or
its cells say that it is the solution or the regions of the one before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from operator import index
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats.base import Format, Options, Record, attempt_with_warnings, error_record, not_read_lines, peek_head
from sudoku_cp.formats.board_roles import meaning_of
from sudoku_cp.formats.matrices.boards import (
    LEAST,
    Matrix,
    MatrixParts,
    is_board_name,
    join_parts,
    looks_square,
    parts_in,
    puzzle_from_board,
    puzzle_from_parts,
    state_from_parts,
)
from sudoku_cp.formats.matrices.brackets import (
    EMPTY,
    BracketGroup,
    LabelledGroup,
    Scalar,
    Words,
    has_html_table,
    parse_brackets,
    parse_html_tables,
)
from sudoku_cp.formats.stated_rules import named_rule
from sudoku_cp.grid import MAX_SIDE, Grid
from sudoku_cp.symbols import Symbols, ascii_forms

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_OPENING = re.compile(r"[\[{(]|[\"'`][0-9A-Za-z.*_?-]{16}")
"""What a text with a matrix has: a bracket, or a text of as many signs as the smallest board."""
_ROW = re.compile(r"[0-9.*_?xX|+\s-]{4,}")
"""A line outside brackets that may be a row of cells."""


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each matrix, and of each board in rows outside the brackets.

    Lines of words there are named in a warning of the puzzle after them.
    """
    reader = _MatrixReader(options)
    head, lines = peek_head(lines)
    parse = parse_html_tables if has_html_table("\n".join(head)) else parse_brackets
    try:
        for one in _statements(parse(enumerate(lines, 1)), options):
            yield from reader.take(one)
    except ParseError as error:
        yield from reader.end_puzzle()
        yield error_record(reader.line, error)
        return
    yield from reader.end()


class _MatrixReader:
    """The puzzle that may go on in what follows, and the words that were skipped before it and since."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._pending: MatrixParts | None = None
        self._before: list[str] = []
        self._skipped: list[str] = []
        self._rules: list[tuple[str, str]] = []
        self._stated_first = False
        self._any = False
        self.line = 1

    def take(self, one: LabelledGroup | Words | Record) -> Iterator[Record]:
        """Take what stands next in the text, and yield the puzzle that is complete."""
        if isinstance(one, Words):
            self._skipped.append(one.text)
        elif isinstance(one, Record):
            yield from self.end_puzzle()
            self._any = True
            yield one
        else:
            self.line = one.group.line
            found = [*parts_in(one.group, one.label)]
            for parts in found:
                yield from self._take_parts(parts)
            if not found and one.label and one.group.opened in "[{":
                self._take_other(one)

    def _take_other(self, one: LabelledGroup) -> None:
        """Take a group that is no board: names of rules, which belong to the puzzle before it if one came first, or words."""
        texts = [item.text for item in one.group.scalars if item.quoted]
        if meaning_of(one.label) not in {"rules", "type"} or len(texts) < len(one.group.items):
            self._skipped += [f"{one.label} = {one.group.opened}..."] if named_rule(one.label) else []
            return
        stated = (one.label, ",".join(texts))
        if self._pending and not self._stated_first:
            self._pending = replace(self._pending, rules=(*self._pending.rules, stated))
        else:
            self._rules.append(stated)
            self._stated_first = True

    def _take_parts(self, parts: MatrixParts) -> Iterator[Record]:
        joined = [*join_parts([self._pending, parts])] if self._pending else [parts]
        if len(joined) > 1:
            yield from self.end_puzzle()
        if self._pending is None:
            self._before, self._skipped = not_read_lines(self._skipped, "before the matrix"), []
        self._pending = replace(joined[-1], rules=(*joined[-1].rules, *self._rules))
        self._rules = []

    def end_puzzle(self) -> Iterator[Record]:
        """Yield the puzzle that nothing else belongs to."""
        if self._pending:
            self._any = True
            yield _record(self._pending, self._before, self._options)
        self._pending = None

    def end(self) -> Iterator[Record]:
        """Yield the last puzzle, or the error of a text without any."""
        if self._pending:
            self._before += not_read_lines(self._skipped, "after the matrix")
            self._pending = replace(self._pending, rules=(*self._pending.rules, *self._rules))
        yield from self.end_puzzle()
        if not self._any:
            expected = f"expected a matrix of at least {LEAST} rows of {LEAST} cells in brackets, got none"
            yield error_record(self.line, expected)


def _statements(parsed: Iterator[LabelledGroup | Words], options: Options) -> Iterator[LabelledGroup | Words | Record]:
    """Yield what stands in brackets, with rows on lines of their own joined, the records of boards outside, and other lines."""
    run: list[Words] = []
    for one in _joined_rows(parsed):
        if run and not (isinstance(one, Words) and one.line == run[-1].line + 1 and _ROW.fullmatch(one.text)):
            yield from _boards_outside(run, options)
            run = []
        if isinstance(one, Words) and _ROW.fullmatch(one.text):
            run.append(one)
        else:
            yield one
    yield from _boards_outside(run, options)


def _boards_outside(run: Sequence[Words], options: Options) -> Iterator[Words | Record]:
    """Yield the records of lines without words if they are boards as texts or in rows, else the lines."""
    from sudoku_cp.formats import drawn_grids, puzzle_lines  # noqa: PLC0415  # most matrices stand alone

    lines = [one.text for one in run]
    found = (
        next((one.FORMAT for one in (puzzle_lines, drawn_grids) if one.FORMAT.sniff("\n".join(lines))), None) if lines else None
    )
    if found is None or found.read is None:
        yield from run
        return
    for record in found.read(iter(lines), options):
        line = record.line + run[0].line - 1
        yield replace(record, line=line, error=record.error and record.error.at(line=line))


def _joined_rows(statements: Iterator[LabelledGroup | Words]) -> Iterator[LabelledGroup | Words]:
    """Yield the statements with rows in brackets of their own, one a line as in YAML, as one matrix."""
    rows: list[LabelledGroup] = []
    for one in statements:
        if rows and not (isinstance(one, LabelledGroup) and _goes_on(rows, one)):
            yield from rows
            rows = []
        if not isinstance(one, LabelledGroup) or one.group.groups or one.group.is_labelled:
            yield one
            continue
        rows.append(one)
        if len(rows) == len(one.group.items) >= LEAST:
            first = rows[0].group
            yield LabelledGroup(rows[0].label, BracketGroup(first.line, first.column, "[", [("", row.group) for row in rows]))
            rows = []
    yield from rows


def _goes_on(rows: Sequence[LabelledGroup], row: LabelledGroup) -> bool:
    """Return whether a row has the length of those before it, on the next line, and has no name of its own."""
    last = rows[-1].group
    return not row.label and row.group.line == last.line + 1 and len(row.group.items) == len(last.items)


def _record(parts: MatrixParts, warnings: Sequence[str], options: Options) -> Record:
    def make(found: list[str]) -> Puzzle:
        found += warnings
        return puzzle_from_parts(parts, options, found)

    record = attempt_with_warnings(parts.board.line, make)
    if record.puzzle is None:
        return record
    state, remarks = state_from_parts(parts, record.puzzle)
    difficulty = dict(parts.texts).get("difficulty", "")
    return replace(record, difficulty=difficulty, state=state, warnings=(*record.warnings, *remarks))


def sniff(head: str) -> bool:
    """Return whether the first brackets with something in them hold a matrix of cells."""
    if has_html_table(head):
        tables = parse_html_tables(enumerate(head.split("\n"), 1))
        return any(_holds_board(one) for one in tables if isinstance(one, LabelledGroup))
    if not _OPENING.search(head):
        return False
    try:
        statements = _joined_rows(parse_brackets(enumerate(head.split("\n"), 1), complete=False))
        return any(_holds_board(one) for one in islice(statements, 100) if isinstance(one, LabelledGroup))
    except InvalidInput:
        return False


def _holds_board(statement: LabelledGroup) -> bool:
    if _has_objects_as_cells(statement.group) or _is_answer(statement.group):
        return False
    boards = [parts.board for parts in parts_in(statement.group, statement.label)]
    return any(looks_square(board) or is_board_name(board.name) for board in boards if not board.is_solution)


def _is_answer(node: BracketGroup) -> bool:
    """Return whether an object has its puzzle as a line of text, as this program's answers do: the format ``json`` reads them."""
    return any(label == "puzzle" and isinstance(item, Scalar) and item.quoted for label, item in node.items)


def _has_objects_as_cells(node: BracketGroup) -> bool:
    """Return whether cells are objects, as in documents of f-puzzles and SudokuPad."""
    inner = [cell for row in node.groups for cell in row.groups]
    if any(cell.opened == "{" and (cell.is_labelled or not cell.items) for cell in inner):
        return not node.is_labelled or any(_has_objects_as_cells(group) for group in node.groups)
    return any(map(_has_objects_as_cells, node.groups))


FORMAT = Format(
    "matrix",
    "rows in brackets, as in Python, NumPy, JSON, C, MATLAB or MiniZinc",
    (),
    sniff,
    read,
    None,
)


# Puzzles from rows that are Python objects: lists, tuples, strings, NumPy arrays, data frames.


_MOST = MAX_SIDE**2
_MISSING = frozenset({"NAType", "NaTType", "MaskedConstant"})
"""Types of what stands for no value in pandas and NumPy."""


def puzzle_of_rows(rows: Any, grid: Grid | None = None, symbols: Symbols | None = None) -> Puzzle:
    """Return the puzzle of `Puzzle.of_rows`, or raise `InvalidInput` with the row and column of whatever is wrong."""
    items = _items(rows, "a list of rows, an array or a data frame")
    columns = grid.boards[0].columns if grid else len(items)
    lists = [_parted(row, columns) if isinstance(row, str) else _items(row) for row in items]
    flat = bool(lists) and all(len(row) == 1 and not isinstance(row[0], str) for row in lists) and len(lists) > 1
    cells = [[_cell(value, row, column) for column, value in enumerate(items, 1)] for row, items in enumerate(lists, 1)]
    if flat:
        cells = [[row[0] for row in cells]]
    try:
        return puzzle_from_board(Matrix("", cells, 1, flat=flat), Options(grid, symbols.signs if symbols else None))
    except ParseError as error:
        raise InvalidInput(_with_row(error)) from error


def _parted(row: str, columns: int) -> list[str]:
    """Return the cells of a row that is a text: between commas, semicolons, tabs or spaces if as many, else its signs."""
    for mark in (",", ";", "\t", None):
        cells = row.strip().split(mark) if mark is None else row.split(mark)
        if len(row) != columns and len(cells) == columns > 1:
            return cells
    return [*row]


def _items(data: Any, expected: str = "") -> list[Any]:
    """Return the items of a sequence, the rows of an array or a data frame; one value is a row by itself."""
    for method in ("to_numpy", "tolist"):
        if hasattr(data, method) and not isinstance(data, type):
            data = getattr(data, method)()
    if isinstance(data, str) and not expected:
        return list(data)
    if isinstance(data, Iterable) and not isinstance(data, str | bytes | Mapping):
        found = list(islice(data, _MOST + 1))
        if len(found) > _MOST:
            raise InvalidInput(f"Puzzle.of_rows, rows: expected at most {_MOST} items, got more")
        return found
    if expected:
        raise InvalidInput(f"Puzzle.of_rows, rows: expected {expected}, got {data!r:.60}")
    return [data]


def _cell(value: Any, row: int, column: int) -> Scalar:
    """Return the text of a cell: whole numbers as digits, ``.`` for None, NaN and other missing values."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        return Scalar(row, column, ascii_forms(value).strip() or EMPTY, quoted=True)
    if value is None or type(value).__name__ in _MISSING or (isinstance(value, float) and value != value):  # noqa: PLR0124
        return Scalar(row, column, EMPTY)
    try:
        whole = index(value) if not isinstance(value, bool) else None
    except TypeError:
        whole = int(value) if isinstance(value, float) and value.is_integer() else None
    return Scalar(row, column, repr(value) if whole is None else str(whole))


def _with_row(error: ParseError) -> list[str]:
    """Return the problems with their rows and columns, which the reader of texts calls lines."""
    place = f"row {error.line}, column {error.column}: " if error.line and error.column else ""
    problems = [problem.replace("line ", "row ", 1) if problem.startswith("line ") else problem for problem in error.problems]
    return [f"Puzzle.of_rows: {place}{problems[0]}", *problems[1:]]
