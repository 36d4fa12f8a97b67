"""Boards as matrices between brackets, as programs keep them: lists, arrays, JSON, code of many languages.

Numbers, signs or strings are cells; ``0``, nothing, ``None`` and the like are empty. Each matrix is a puzzle, unless its name or
its cells say that it is the solution or the regions of the one before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput, ParseError
from sudoku_cp.formats.base import Format, Options, Record, attempt_with_warnings, error_record, not_read_lines
from sudoku_cp.formats.matrices.boards import (
    LEAST,
    MatrixParts,
    is_board_name,
    join_parts,
    looks_square,
    parts_in,
    puzzle_from_parts,
    state_from_parts,
)
from sudoku_cp.formats.matrices.brackets import BracketGroup, LabelledGroup, Scalar, Words, parse_brackets

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_BRACKET = re.compile(r"[\[{(]")


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each matrix; lines of words outside the brackets are named in a warning of the puzzle after them."""
    skipped: list[str] = []
    pending: MatrixParts | None = None
    before: list[str] = []
    line = 1
    try:
        for one in parse_brackets(enumerate(lines, 1)):
            if isinstance(one, Words):
                skipped.append(one.text)
                continue
            line = one.group.line
            for parts in parts_in(one.group, one.label):
                joined = [*join_parts([pending, parts])] if pending else [parts]
                if len(joined) > 1 and pending:
                    yield _record(pending, before, options)
                if len(joined) > 1 or pending is None:
                    before, skipped = not_read_lines(skipped, "before the matrix"), []
                pending = joined[-1]
    except ParseError as error:
        if pending:
            yield _record(pending, before, options)
        yield error_record(line, error)
        return
    if pending:
        yield _record(pending, before + not_read_lines(skipped, "after the matrix"), options)
    else:
        yield error_record(line, f"expected a matrix of at least {LEAST} rows of {LEAST} cells in brackets, got none")


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
    """Say whether the first brackets with something in them hold a matrix of cells."""
    if not _BRACKET.search(head):
        return False
    try:
        statements = parse_brackets(enumerate(head.split("\n"), 1), complete=False)
        return any(_holds_board(one) for one in islice(statements, 100) if isinstance(one, LabelledGroup))
    except InvalidInput:
        return False


def _holds_board(statement: LabelledGroup) -> bool:
    if _has_objects_as_cells(statement.group) or _is_answer(statement.group):
        return False
    boards = [parts.board for parts in parts_in(statement.group, statement.label)]
    return any(looks_square(board) or is_board_name(board.name) for board in boards if not board.is_solution)


def _is_answer(node: BracketGroup) -> bool:
    """Say whether an object has its puzzle as a line of text, as this program's answers do: the format ``json`` reads them."""
    return any(label == "puzzle" and isinstance(item, Scalar) and item.quoted for label, item in node.items)


def _has_objects_as_cells(node: BracketGroup) -> bool:
    """Say whether cells are objects, as in documents of f-puzzles and SudokuPad."""
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
