"""Rows of answers as one array of bytes: a column is constant, or as wide as its widest entry and filled up with NULs.

No row is ever an object. The NULs are dropped at the end, where there are any.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sudoku_cp.batch.array_answers import ENGINE, STATUSES, Outcome
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.batch.rows.record_chunks import Boards
    from sudoku_cp.batch.solve_request import Task
    from sudoku_cp.grid import Grid

Column: TypeAlias = "bytes | NDArray[np.uint8]"
"""The same bytes in every row, or an array (N, width) of bytes, NUL where there is nothing."""

PADDING = 4
"""So many times its size a text may take as a column; lines that are more unlike in length are joined one by one."""
_DIGITS = 9


def assembled(number: int, columns: Sequence[Column]) -> bytes | bytearray:
    """Return ``number`` rows of these columns, side by side."""
    widths = [len(column) if isinstance(column, bytes) else column.shape[1] for column in columns]
    # What is the same in all rows is laid out once, and copied a row at a time.
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


def words(which: NDArray[np.uint8] | NDArray[np.bool_], texts: Sequence[str]) -> Column:
    """Return for each row the text of its number in ``texts``."""
    if len(which) and (which == which[0]).all():
        return texts[int(which[0])].encode()
    return _column(np.array([text.encode() for text in texts])[which.astype(np.intp)])


def decimals(numbers: NDArray[np.int64]) -> Column:
    """Return numbers from 0 in decimal digits."""
    if len(numbers) and (numbers == numbers[0]).all():
        return str(numbers[0]).encode()
    places = 10 ** np.arange(len(str(numbers.max())), dtype=np.int64)[::-1]
    digits = (numbers[:, None] // places % 10 + ord("0")).astype(np.uint8)
    digits[:, :-1][numbers[:, None] < places[:-1]] = 0
    return digits


def behind(kept: bytes, columns: Sequence[Column]) -> bytes | bytearray:
    """Return rows of whole lines, without their ends, and these columns, the last of which is a line end."""
    lines = kept[:-1].split(b"\n")
    if max(map(len, lines)) * len(lines) <= PADDING * len(kept):
        return assembled(len(lines), [_column(np.array(lines)), *columns])
    rows = bytes(assembled(len(lines), columns)).splitlines(keepends=True)
    return b"".join(chain.from_iterable(zip(lines, rows, strict=True)))


def _column(texts: NDArray[np.bytes_]) -> NDArray[np.uint8]:
    return texts.view(np.uint8).reshape(len(texts), -1)


def _exceptions(number: int, usual: str, others: Mapping[int, str]) -> Column:
    """Return ``usual`` for every row but those of ``others``."""
    if not others:
        return usual.encode()
    texts = [usual, *sorted(set(others.values()) - {usual})]
    which = np.zeros(number, np.uint8)
    which[list(others)] = [texts.index(text) for text in others.values()]
    return words(which, texts)


class Rows:
    """Boards and the answers to them, column by column."""

    def __init__(self, piece: Boards, outcome: Outcome) -> None:
        """Take what every kind of output needs."""
        self._piece, self.outcome = piece, outcome
        self.kept = piece.kept
        self._number = len(piece)
        self.puzzle = signs(piece.grid, piece.values, ".")
        self.solution = signs(piece.grid, outcome.solutions, "\0")
        self.solved = outcome.found > 0
        self.statuses = outcome.statuses()
        self.status = words(self.statuses, STATUSES)
        self.count = decimals(outcome.found)
        self.engine = _exceptions(self._number, ENGINE, outcome.engines)

    @cached_property
    def _index(self) -> Column:
        return decimals(np.arange(self._piece.first, self._piece.first + self._number))

    def text(self) -> bytes | bytearray:
        """Return lines of the number, the status and the first solution."""
        before = words(self.solved, ["", "\t"])
        return assembled(self._number, [self._index, b"\t", self.status, before, self.solution, b"\n"])

    def csv(self, task: Task) -> bytes | bytearray:
        """Return rows of a table."""
        reason = _exceptions(self._number, "", self.outcome.reasons)
        shown = [self.status, self.count, self.solution, self.engine, reason]
        ours: list[Column] = [column for one in shown for column in (task.delimiter.encode(), one)]
        if task.header:
            return behind(self._piece.kept, [*ours, b"\n"])
        return assembled(self._number, [self.puzzle, *ours, b"\n"])

    def jsonl(self) -> bytes | bytearray:
        """Return objects of JSON, one a line."""
        reasons = {index: f', "reason": "{reason}"' for index, reason in self.outcome.reasons.items()}
        columns: list[Column] = [
            b'{"index": ',
            self._index,
            b', "puzzle": "',
            self.puzzle,
            b'", "status": "',
            self.status,
            b'", "solutions": [',
            words(self.solved, ["", '"']),
            self.solution,
            words(self.solved, ["", '"']),
            b'], "count": ',
            self.count,
            b', "exact": ',
            words(self.outcome.exact, ["false", "true"]),
            b', "backend": "',
            self.engine,
            b'"',
            _exceptions(self._number, "", reasons),
            self._stated(),
            b"}\n",
        ]
        return assembled(self._number, columns)

    def _stated(self) -> Column:
        """Return what is said of the stated solutions."""
        if not len(self._piece.stated):
            return b""
        right = _holds(self._piece.grid, self._piece.values, self._piece.stated)
        return words(right, [f', "stated_solution": "{word}"' for word in ("wrong", "right")])


def signs(grid: Grid, values: NDArray[np.uint8], blank: str) -> NDArray[np.uint8]:
    """Return the sign of each value, ``blank`` for 0."""
    if len(grid.values) > _DIGITS:
        table = (blank + numerals(grid.values).signs).encode().ljust(256, b"?")
        return np.frombuffer(values.tobytes().translate(table), np.uint8).reshape(values.shape)
    # A digit's sign is its value from the sign 0 on, and arithmetic takes a tenth of the time of a table.
    found = values + np.uint8(ord("0"))
    found -= (values == 0) * np.uint8(ord("0") - ord(blank))
    return found


def _holds(grid: Grid, boards: NDArray[np.uint8], stated: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Say of each stated solution whether it has the givens and each value once in every house."""
    right = ((boards == 0) | (boards == stated)).all(axis=1)
    bits = np.left_shift(1, stated.astype(np.int64))
    everything = sum(1 << value for value in grid.values)
    for house in grid.houses.values():
        right &= np.bitwise_or.reduce(bits[:, list(house)], axis=1) == everything
    return np.asarray(right)
