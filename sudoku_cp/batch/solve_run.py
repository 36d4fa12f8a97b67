"""Millions of puzzles from file to file: read, sent out, taken back in order, written, noted down."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import MANY, Cancellation
from sudoku_cp.batch import solve_task
from sudoku_cp.batch.execution.checkpointed_output import Keeper
from sudoku_cp.batch.execution.in_flight import Flights
from sudoku_cp.batch.execution.worker_pool import crew_of
from sudoku_cp.batch.rows.finished_output import answers_in
from sudoku_cp.batch.rows.reader import Input, Reader, Reading
from sudoku_cp.batch.rows.row_format import header_of
from sudoku_cp.batch.solve_request import TABLES, Tally
from sudoku_cp.errors import InvalidInput, LimitReached

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.batch.rows.record_chunks import Piece, Place
    from sudoku_cp.batch.rows.run_output import Output
    from sudoku_cp.batch.solve_request import Done, Task, Trouble


@dataclass(frozen=True)
class Progress:
    """How far a run is: records answered, bytes of the input read (packed as they are), seconds since it began."""

    records: int
    read: int
    seconds: float


@dataclass(frozen=True)
class Summary:
    """How a run ended: how many records ended how, those of the run that it went on from among them, and its seconds.

    ``already`` says that there was nothing to go on with: the output was whole, and how its records ended is not known.
    """

    tally: Tally
    records: int
    before: int
    seconds: float
    already: bool = False


@dataclass(frozen=True)
class Hearing:
    """Who hears of progress, whenever a piece is done and ten times a second, and of every record in trouble."""

    progress: Callable[[Progress], None] = lambda _: None
    trouble: Callable[[Trouble], None] = lambda _: None


class Run:
    """One run over its inputs: `look` at what is there, go `through`, `close`."""

    def __init__(self, output: Output, inputs: Sequence[Input], reading: Reading, task: Task, hearing: Hearing) -> None:
        """Take the journal, so that nobody else writes this output."""
        self._task, self._hearing = task, hearing
        self._reader = Reader(inputs, reading, keep=task.kind in TABLES)
        self._cancel = Cancellation()
        self._keeper = Keeper(output)

    # --- beginning ----------------------------------------------------------------------------------------------

    def look(self, stamp: dict[str, Any], *, resume: bool, force: bool) -> None:
        """Find where the run of this stamp was left, or refuse to go on with what is there."""
        self._keeper.look(stamp, resume=resume, force=force, whole=self._whole)

    def _whole(self) -> int | None:
        """Return how many records the input has, if the output holds the answers to as many."""
        records = sum(map(len, self._reader.pieces()))
        return records if answers_in(self._keeper.out.path, self._headed(self._task)) == records else None

    def _pieces(self) -> Iterator[Piece]:
        """Yield what is not done yet; settle what the first pieces tell: the amount of work and a table's header."""
        pieces = self._reader.pieces()
        ahead: list[Piece] = []
        while sum(map(len, ahead)) < MANY and (piece := next(pieces, None)):
            ahead.append(piece)
        amount = sum(map(len, ahead))
        self._task = replace(self._headed(self._task), amount=amount)
        if self._task.kind == "csv":
            self._keeper.head = solve_task.packed(header_of(self._task).encode(), self._task.packing)
        return self._behind(chain(ahead, pieces))

    def _headed(self, task: Task) -> Task:
        """Return the task with the header of the input, where its columns are kept."""
        header = self._reader.header if task.kind in TABLES else ""
        return replace(task, header=header, delimiter=self._reader.delimiter if header else ",")

    def _behind(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield what comes behind the checkpoint, after a look at whether it is the same input."""
        begun = self._keeper.done
        done = begun.records
        last: Place | None = begun.place if done == 0 else None
        for piece in pieces:
            end = piece.first + len(piece)
            if piece.first < done <= end:
                last = piece.place
                _expect(last, begun.place)
            if piece.first >= done:
                yield piece
            elif end > done:
                yield from piece.parts([(done - piece.first, len(piece))])
        if last is None:
            _expect(None, begun.place)

    # --- the run ------------------------------------------------------------------------------------------------

    def through(self, workers: int, cluster: str | None, cancel: Cancellation | None, *, strict: bool) -> Summary:
        """Answer everything."""
        keeper = self._keeper
        if keeper.was_whole:
            return Summary(Tally(), keeper.before, keeper.before, perf_counter() - keeper.start, already=True)
        if not keeper.done.finished:
            with cancel.calling(self._cancel.cancel) if cancel else nullcontext():
                self._answer_all(workers, cluster, strict=strict)
        keeper.complete()
        return Summary(keeper.done.tally, keeper.done.records, keeper.before, perf_counter() - keeper.start)

    def _answer_all(self, workers: int, cluster: str | None, *, strict: bool) -> None:
        pieces = self._pieces()
        solving = solve_task.Solving(self._task)
        crew = crew_of(solving, workers, cluster, self._cancel)
        at_once = True
        try:
            for piece, done in Flights(pieces, crew, solving, self._tick).landed():
                self._tick()
                self._take(piece, done, strict=strict)
            self._keeper.open()
            at_once = False
        finally:
            crew.close(at_once=at_once)

    def _take(self, piece: Piece, done: Done, *, strict: bool) -> None:
        """Write a piece's answers, and note them down now and then."""
        if strict and done.troubles:
            self._stop(piece, done.troubles[0])
        keeper = self._keeper
        keeper.write(done.body)
        for trouble in done.troubles:
            self._hearing.trouble(trouble)
        keeper.done.tally.add(done.tally)
        records = keeper.done.records + done.number
        keeper.took(replace(keeper.done, records=records, length=keeper.out.length, place=piece.place))

    def _stop(self, piece: Piece, trouble: Trouble) -> None:
        """Write what stands before a record in trouble, and end; a later run begins before the piece it stands in."""
        for part in piece.parts([(0, trouble.index - piece.first)]):
            if len(part):
                self._keeper.write(solve_task.answer(part, self._task).body)
        raise InvalidInput(f"{trouble.told}; stopped there, with {trouble.index} answers written")

    def _tick(self) -> None:
        records = self._keeper.done.records
        self._hearing.progress(Progress(records, self._reader.position, perf_counter() - self._keeper.start))
        if self._cancel.cancelled:
            raise LimitReached("cancelled", f"{records} puzzles are answered")

    def close(self) -> None:
        """Note down what is done; leave no trace of a run that is complete or never began."""
        self._keeper.close()


def _expect(place: Place | None, known: Place) -> None:
    if place != known:
        raise InvalidInput("expected the input of the unfinished run, got another one")
