"""What a worker does, be it a thread, a process or another machine: answer a piece, and write the answers down as bytes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp import queries
from sudoku_cp.backends import TEAMS, Limits
from sudoku_cp.batch import array_answers
from sudoku_cp.batch.rows import row_format
from sudoku_cp.batch.rows.array_rows import Rows
from sudoku_cp.batch.rows.record_chunks import Boards, Entry, Records
from sudoku_cp.batch.solve_request import Done, Tally, Task, Trouble
from sudoku_cp.errors import ParseError
from sudoku_cp.formats import Record
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries.sessions import engine_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends import Cancellation
    from sudoku_cp.batch.rows.record_chunks import Piece
    from sudoku_cp.grid import Grid
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer


PORTION, FAR_PORTION = 32, 1000
"""Records sent to a process, and to a cluster, at a time: few enough to be lost without regret, enough to be worth sending."""


@dataclass(frozen=True)
class Solving:
    """The work of a run over puzzles that are there: they are answered."""

    task: Task

    def do(self, piece: Piece, cancel: Cancellation | None = None) -> Done:
        """Return the answers to a piece."""
        return answer(piece, self.task, cancel)

    def stays(self, piece: Piece) -> bool:
        """Say whether a piece stays in this process: the kernel takes it, or there is too little to start others for."""
        return self.task.amount <= PORTION or is_for_kernel(piece, self.task)

    def portion(self, piece: Piece, *, far: bool) -> int:
        """Return how many records of a piece are sent at a time."""
        if not far:
            return PORTION
        return len(piece) if is_for_kernel(piece, self.task) else FAR_PORTION

    def given_up(self, piece: Piece) -> Done:
        """Return a piece's answers with the error in the place of each puzzle that nobody survives."""
        held = []
        for record, kept in piece.entries():
            error = ParseError("expected an answer, but every worker that was asked for it ended", line=record.line)
            held.append(Entry(Record(None, error, record.line), kept))
        return answer(Records(tuple(held), piece.first, piece.place), self.task)


def is_for_kernel(piece: Piece, task: Task) -> bool:
    """Say whether the kernel takes every puzzle of a piece."""
    if task.several:
        return False
    if isinstance(piece, Boards):
        return array_answers.suits(piece.grid, task.backend, task.amount)
    return all(entry.record.puzzle is None or suits(entry.record.puzzle, task) for entry in piece.entries())


def answer(piece: Piece, task: Task, cancel: Cancellation | None = None) -> Done:
    """Return the answers to a piece, written as the task asks."""
    if isinstance(piece, Boards) and not task.several and array_answers.suits(piece.grid, task.backend, task.amount):
        return _of_boards(piece, task, cancel)
    return _of_entries(piece.first, list(piece.entries()), task, cancel)


# --- boards in an array -----------------------------------------------------------------------------------------


def _of_boards(piece: Boards, task: Task, cancel: Cancellation | None) -> Done:
    outcome = array_answers.answered(piece.grid, piece.values, task, cancel)
    rows = Rows(piece, outcome)
    counts = np.bincount(rows.statuses, minlength=len(array_answers.STATUSES)).tolist()
    statuses = Counter({status: number for status, number in zip(array_answers.STATUSES, counts, strict=True) if number})
    return Done(packed(_body(rows, task), task.packing), len(piece), Tally(statuses, len(outcome.reasons)))


def _body(rows: Rows, task: Task) -> bytes | bytearray:
    if task.kind == "text":
        return rows.text()
    if task.kind == "csv":
        return rows.csv(task)
    if task.kind == "jsonl":
        return rows.jsonl()
    found: bytes = import_module("sudoku_cp.batch.rows.arrow_rows").of_boards(rows, task)
    return found


# --- any records ------------------------------------------------------------------------------------------------


def _of_entries(first: int, entries: Sequence[Entry], task: Task, cancel: Cancellation | None) -> Done:
    answers = _answers([entry.record.puzzle for entry in entries], task, cancel)
    told = [(first + index, entry, found) for index, (entry, found) in enumerate(zip(entries, answers, strict=True))]
    statuses = Counter(found.status if found else "error" for found in answers)
    troubles = [Trouble(index, row_format.error_told(entry.record.error)) for index, entry, _ in told if entry.record.error]
    stopped = sum(found is not None and found.reason is not None for found in answers)
    return Done(packed(_told(told, task), task.packing), len(entries), Tally(statuses, stopped), tuple(troubles))


def _told(told: Sequence[tuple[int, Entry, Answer | None]], task: Task) -> bytes:
    if task.kind == "parquet":
        rows = [(entry.kept, row_format.row_of(entry, found)) for _, entry, found in told]
        body: bytes = import_module("sudoku_cp.batch.rows.arrow_rows").of_rows(rows, task)
        return body
    if task.kind == "text":
        lines = [row_format.text_line(*one) for one in told]
    elif task.kind == "csv":
        lines = [row_format.csv_line(entry, found, task) for _, entry, found in told]
    else:
        lines = [row_format.json_line(*one, task) for one in told]
    return "".join(lines).encode("utf-8", "surrogateescape")


def _answers(puzzles: Sequence[Puzzle | None], task: Task, cancel: Cancellation | None) -> list[Answer | None]:
    """Return an answer for each puzzle: those that suit the kernel together, the others one by one."""
    answers: list[Answer | None] = [None] * len(puzzles)
    together: dict[Grid, list[tuple[int, Puzzle]]] = {}
    for index, puzzle in enumerate(puzzles):
        if puzzle is not None and suits(puzzle, task):
            together.setdefault(puzzle.grid, []).append((index, puzzle))
        elif puzzle is not None:
            answers[index] = _asked(puzzle, task, task.backend, cancel)
    for grid, group in together.items():
        outcome = array_answers.answered(grid, _values(grid, [puzzle for _, puzzle in group]), task, cancel)
        for place, (index, puzzle) in enumerate(group):
            found = outcome.answer(place, puzzle)
            # The kernel keeps the first solution; an engine that enumerates finds the others.
            answers[index] = _asked(puzzle, task, "auto", cancel) if task.several and found.count > 1 else found
    return answers


def suits(puzzle: Puzzle, task: Task) -> bool:
    """Say whether a puzzle goes to the kernel."""
    return puzzle.rules == CLASSIC and not puzzle.candidates and array_answers.suits(puzzle.grid, task.backend, task.amount)


def _values(grid: Grid, puzzles: Sequence[Puzzle]) -> NDArray[np.uint8]:
    values = np.zeros((len(puzzles), len(grid.cells)), np.uint8)
    for row, puzzle in zip(values, puzzles, strict=True):
        row[list(puzzle.givens)] = list(puzzle.givens.values())
    return values


def _asked(puzzle: Puzzle, task: Task, backend: str, cancel: Cancellation | None) -> Answer:
    # A count keeps two solutions at most, so that a puzzle with millions of them costs no memory.
    ask = queries.solve if task.several else queries.count
    limits = Limits(task.seconds, task.nodes, cancel)
    answer = ask(puzzle, backend=backend, limits=limits, limit=task.limit, amount=task.amount)
    engine = engine_of(backend, puzzle.model(), task.amount, steady=False).name
    # The same input gives the same bytes, whoever of a team was the first this time.
    return replace(answer, backend=engine) if engine in TEAMS else answer


# --- packing ----------------------------------------------------------------------------------------------------


def packed(body: bytes | bytearray, packing: str) -> bytes | bytearray:
    """Return the bytes compressed as one whole member (frame, stream), so that one may follow the other in a file."""
    return _PACKERS[packing](body) if packing and body else body


def _zstandard(body: bytes | bytearray) -> bytes:
    found: bytes = import_module("zstandard").ZstdCompressor(level=3).compress(body)
    return found


def _module(name: str, **options: Any) -> Callable[[bytes | bytearray], bytes]:
    def pack(body: bytes | bytearray) -> bytes:
        found: bytes = import_module(name).compress(body, **options)
        return found

    return pack


# Level 1 of gzip takes a tenth of the time of level 6, which is more than solving, and leaves files a third larger.
_PACKERS: dict[str, Callable[[bytes | bytearray], bytes]] = {
    "gzip": _module("gzip", compresslevel=1, mtime=0),
    "bz2": _module("bz2"),
    "lzma": _module("lzma", preset=1),
    "zstandard": _zstandard,
}
