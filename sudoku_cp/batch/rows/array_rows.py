"""Rows of text as one array of bytes, with no object for any row.

A column is constant, or padded with NULs to the width of its widest entry; the NULs are dropped at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from sudoku_cp import queries
from sudoku_cp.backends import MANY, Cancellation, Limits
from sudoku_cp.backends.fast import shape_of
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.solution_search import (
    ENGINE,
    LEARNING_ENGINE,
    array_engine_serves,
    limits_for_all,
    make_answer,
    with_node_budget,
)
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends.base import ArrayAnswer
    from sudoku_cp.batch.rows.row_format import BoardArray
    from sudoku_cp.batch.solve_request import SolveRequest
    from sudoku_cp.errors import Reason
    from sudoku_cp.grid import Grid
    from sudoku_cp.queries import Answer


# Arrays of plain boards, answered by the batch kernel; the few that exceed its budget go to an engine that learns.


STATUSES = ("none", "unique", "multiple", "solved", "unknown")
_NONE, _UNIQUE, _MULTIPLE, _SOLVED, _UNKNOWN = range(len(STATUSES))


@dataclass
class ArrayAnswers:
    """The answers to N boards: ``found`` solutions each, the first of them in ``solutions`` (N, cells), 0 if there is none.

    ``exact`` says whether that is all there are. By the numbers of their boards, ``engines`` holds those other than the kernel,
    and ``reasons`` the limits that stopped a board.
    """

    found: NDArray[np.int64]
    exact: NDArray[np.bool_]
    solutions: NDArray[np.uint8]
    engines: dict[int, str]
    reasons: dict[int, Reason]

    def statuses(self) -> NDArray[np.uint8]:
        """Return the status of each board, as an index of `STATUSES`."""
        stopped = np.zeros(len(self.found), bool)
        stopped[list(self.reasons)] = True
        known = np.where(self.exact, self.found, np.where(stopped | (self.found == 0), _UNKNOWN, _SOLVED))
        return np.where(self.found > 1, _MULTIPLE, known).astype(np.uint8)

    def answer(self, index: int, puzzle: Puzzle) -> Answer:
        """Return the answer to one board, which is ``puzzle``."""
        found = int(self.found[index])
        return make_answer(
            puzzle,
            count=found,
            exact=bool(self.exact[index]),
            reason=self.reasons.get(index),
            backend=self.engines.get(index, ENGINE),
            seconds=0.0,
            solutions=(tuple(self.solutions[index].tolist()),) if found else (),
        )


@lru_cache(maxsize=64)
def suits_kernel(grid: Grid, backend: str, expected_count: int) -> bool:
    """Return whether plain boards of this grid go to the kernel if ``backend`` is asked for.

    Whether the kernel is loaded already does not matter: a process that resumes the run must decide the same.
    """
    if len(grid.boards) > 1:
        return False
    model = Puzzle(grid).model()
    return shape_of(model) is not None and array_engine_serves(backend, model, expected_count if expected_count >= MANY else 1)


def answer_boards(
    grid: Grid, boards: NDArray[np.uint8], request: SolveRequest, cancel: Cancellation | None = None
) -> ArrayAnswers:
    """Return the answers to boards (N, cells), 0 for blanks, of a grid that suits the kernel."""
    own = request.nodes is not None or request.solution_limit is None
    limits = limits_for_all(Limits(request.seconds, request.nodes, cancel), len(boards))
    if request.solution_limit is not None:
        limits = with_node_budget(limits, request.solution_limit)
    clock = limits.started()
    many: ArrayAnswer = queries.solve_many(boards, request.solution_limit, boxes=grid.boards[0].boxes, limits=limits)
    answers = ArrayAnswers(many.counts, many.exact, many.solutions, {}, {})
    stopped = np.flatnonzero(many.stopped(request.solution_limit)).tolist()
    reason: Reason | Literal["budget"] = clock.reached() or ("nodes" if own else "budget")
    if reason == "budget":
        for index in stopped:
            _answer_again(answers, index, _puzzle(grid, boards[index]), request, cancel)
    else:
        answers.reasons.update(dict.fromkeys(stopped, reason))
    return answers


def _answer_again(answers: ArrayAnswers, index: int, puzzle: Puzzle, request: SolveRequest, cancel: Cancellation | None) -> None:
    limits = Limits(seconds=request.seconds, cancel=cancel)
    answer = queries.count(puzzle, backend=LEARNING_ENGINE, limits=limits, solution_limit=request.solution_limit)
    answers.found[index], answers.exact[index] = answer.count, answer.exact
    answers.engines[index] = answer.backend
    if answer.solution:
        answers.solutions[index] = answer.solution
    if answer.reason:
        answers.reasons[index] = answer.reason


def _puzzle(grid: Grid, board: NDArray[np.uint8]) -> Puzzle:
    return Puzzle(grid, givens={cell: value for cell, value in enumerate(board.tolist()) if value})


Column: TypeAlias = "bytes | NDArray[np.uint8]"
"""The same bytes in every row, or an array (N, width) of bytes padded with NULs."""

MAX_PADDING = 4
"""Lines that take more than this many times their size as a padded column are joined one by one."""
_DIGITS = 9


def join_columns(number: int, columns: Sequence[Column]) -> bytes | bytearray:
    """Return ``number`` rows of these columns, side by side."""
    widths = [len(column) if isinstance(column, bytes) else column.shape[1] for column in columns]
    # The constant parts of a row are laid out once and copied to all rows.
    usual = b"".join(column if isinstance(column, bytes) else bytes(width) for column, width in zip(columns, widths, strict=True))
    text = bytearray(number * len(usual))
    rows = np.frombuffer(text, np.uint8).reshape(number, -1)
    rows[:] = np.frombuffer(usual, np.uint8)
    padded = False
    for column, stop in zip(columns, accumulate(widths), strict=True):
        if not isinstance(column, bytes) and column.shape[1]:
            rows[:, stop - column.shape[1] : stop] = column
            padded = padded or not column.all()
    return text.translate(None, b"\0") if padded else text


def take_texts(which: NDArray[np.uint8] | NDArray[np.bool_], texts: Sequence[str]) -> Column:
    """Return for each row the text in ``texts`` that its number chooses."""
    if len(which) and (which == which[0]).all():
        return texts[int(which[0])].encode()
    return _column(np.array([text.encode() for text in texts])[which.astype(np.intp)])


def format_decimals(numbers: NDArray[np.int64]) -> Column:
    """Return numbers >= 0 in decimal digits."""
    if len(numbers) and (numbers == numbers[0]).all():
        return str(numbers[0]).encode()
    places = 10 ** np.arange(len(str(numbers.max())), dtype=np.int64)[::-1]
    digits = (numbers[:, None] // places % 10 + ord("0")).astype(np.uint8)
    digits[:, :-1][numbers[:, None] < places[:-1]] = 0
    return digits


def append_columns(text: bytes, columns: Sequence[Column]) -> bytes | bytearray:
    """Return the lines of a text, each followed by these columns, the last of which is a line end."""
    lines = text[:-1].split(b"\n")
    if max(map(len, lines)) * len(lines) <= MAX_PADDING * len(text):
        return join_columns(len(lines), [_column(np.array(lines)), *columns])
    rows = bytes(join_columns(len(lines), columns)).splitlines(keepends=True)
    return b"".join(chain.from_iterable(zip(lines, rows, strict=True)))


def _column(texts: NDArray[np.bytes_]) -> NDArray[np.uint8]:
    return texts.view(np.uint8).reshape(len(texts), -1)


def _with_exceptions(number: int, usual: str, others: Mapping[int, str]) -> Column:
    """Return ``usual`` for every row except those in ``others``."""
    if not others:
        return usual.encode()
    texts = [usual, *sorted(set(others.values()) - {usual})]
    which = np.zeros(number, np.uint8)
    which[list(others)] = [texts.index(text) for text in others.values()]
    return take_texts(which, texts)


class AnswerRows:
    """Boards and the answers to them, column by column."""

    def __init__(self, boards: BoardArray, answers: ArrayAnswers) -> None:
        """Make the columns that every kind of output needs, from ``boards`` and their answers."""
        self._boards, self.answers = boards, answers
        self.input_rows = boards.rows
        self._number = len(boards)
        self.puzzle = format_values(boards.grid, boards.values, ".")
        self.solution = format_values(boards.grid, answers.solutions, "\0")
        self.solved = answers.found > 0
        self.statuses = answers.statuses()
        self.status = take_texts(self.statuses, STATUSES)
        self.count = format_decimals(answers.found)
        self.engine = _with_exceptions(self._number, ENGINE, answers.engines)

    @cached_property
    def _index(self) -> Column:
        return format_decimals(np.arange(self._boards.first, self._boards.first + self._number))

    def text(self) -> bytes | bytearray:
        """Return lines of the number, the status and the first solution."""
        before = take_texts(self.solved, ["", "\t"])
        return join_columns(self._number, [self._index, b"\t", self.status, before, self.solution, b"\n"])

    def csv(self, request: SolveRequest) -> bytes | bytearray:
        """Return rows of a table."""
        reason = _with_exceptions(self._number, "", self.answers.reasons)
        shown = [self.status, self.count, self.solution, self.engine, reason]
        ours: list[Column] = [column for one in shown for column in (request.delimiter.encode(), one)]
        if request.header:
            return append_columns(self._boards.rows, [*ours, b"\n"])
        return join_columns(self._number, [self.puzzle, *ours, b"\n"])

    def jsonl(self) -> bytes | bytearray:
        """Return objects of JSON, one a line."""
        reasons = {index: f', "reason": "{reason}"' for index, reason in self.answers.reasons.items()}
        columns: list[Column] = [
            b'{"index": ',
            self._index,
            b', "puzzle": "',
            self.puzzle,
            b'", "status": "',
            self.status,
            b'", "solutions": [',
            take_texts(self.solved, ["", '"']),
            self.solution,
            take_texts(self.solved, ["", '"']),
            b'], "count": ',
            self.count,
            b', "exact": ',
            take_texts(self.answers.exact, ["false", "true"]),
            b', "backend": "',
            self.engine,
            b'"',
            _with_exceptions(self._number, "", reasons),
            self._stated(),
            b"}\n",
        ]
        return join_columns(self._number, columns)

    def _stated(self) -> Column:
        """Return the field about the stated solutions, nothing if there are none."""
        if not len(self._boards.stated):
            return b""
        right = _are_solutions(self._boards.grid, self._boards.values, self._boards.stated)
        return take_texts(right, [f', "stated_solution": "{word}"' for word in ("wrong", "right")])


def format_values(grid: Grid, values: NDArray[np.uint8], blank: str) -> NDArray[np.uint8]:
    """Return the symbol of each value, ``blank`` for 0."""
    if len(grid.values) > _DIGITS:
        table = (blank + numerals(grid.values).signs).encode().ljust(256, b"?")
        return np.frombuffer(values.tobytes().translate(table), np.uint8).reshape(values.shape)
    # For digits, adding ord('0') takes a tenth of the time of a table.
    found = values + np.uint8(ord("0"))
    found -= (values == 0) * np.uint8(ord("0") - ord(blank))
    return found


def _are_solutions(grid: Grid, boards: NDArray[np.uint8], stated: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Say of each stated solution whether it has the givens, and each value once in every house."""
    right = ((boards == 0) | (boards == stated)).all(axis=1)
    bits = np.left_shift(1, stated.astype(np.int64))
    everything = sum(1 << value for value in grid.values)
    for house in grid.houses.values():
        right &= np.bitwise_or.reduce(bits[:, list(house)], axis=1) == everything
    return np.asarray(right)
