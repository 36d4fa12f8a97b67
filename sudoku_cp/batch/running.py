"""Millions of puzzles from file to file: read, sent out, taken back in order, written, noted down."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import chain
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends import MANY, Cancellation
from sudoku_cp.batch import work
from sudoku_cp.batch.executors import Cluster, Here
from sudoku_cp.batch.flights import Flights
from sudoku_cp.batch.journal import Checkpoint, Journal, differences, journal_of
from sudoku_cp.batch.reading import Input, Reader, Reading
from sudoku_cp.batch.telling import header_of
from sudoku_cp.errors import InvalidInput, LimitReached

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sudoku_cp.batch.flights import Crew
    from sudoku_cp.batch.pieces import Piece, Place
    from sudoku_cp.batch.tasks import Done, Tally, Task, Trouble
    from sudoku_cp.batch.writing import Output

PAUSE = 1.0
"""Seconds between checkpoints, at least."""


@dataclass(frozen=True)
class Progress:
    """How far a run is: records answered, bytes of the input read (packed as they are), seconds since it began."""

    records: int
    read: int
    seconds: float


@dataclass(frozen=True)
class Summary:
    """How a run ended: how many records ended how, those of the run that it went on from among them, and its seconds."""

    tally: Tally
    records: int
    before: int
    seconds: float


@dataclass(frozen=True)
class Hearing:
    """Who hears of progress, whenever a piece is done and ten times a second, and of every record in trouble."""

    progress: Callable[[Progress], None] = lambda _: None
    trouble: Callable[[Trouble], None] = lambda _: None


class Run:
    """One run over its inputs: `look` at what is there, go `through`, `close`."""

    def __init__(self, output: Output, inputs: Sequence[Input], reading: Reading, task: Task, hearing: Hearing) -> None:
        """Take the journal, so that nobody else writes this output."""
        self._start = self._noted = perf_counter()
        self._task, self._hearing = task, hearing
        self._out = output
        self._reader = Reader(inputs, reading, keep=task.kind == "csv")
        self._cancel = Cancellation()
        self._stamp: dict[str, Any] = {}
        self._done = Checkpoint()
        self._before = 0
        self._passing = False
        self._journal = Journal(journal_of(output.path))

    # --- beginning ----------------------------------------------------------------------------------------------

    def look(self, stamp: dict[str, Any], *, resume: bool, force: bool) -> None:
        """Find where the run of this stamp was left, or refuse to go on with what is there."""
        self._stamp = stamp
        there, done = self._journal.read()
        self._passing = there is None
        if there is not None and resume:
            if different := differences(stamp, there):
                raise InvalidInput(f"expected the input and the options of the unfinished run: {'; '.join(different)}")
            self._stamp, self._done, self._before = {}, done, done.records
        elif there is not None and not force:
            raise InvalidInput(f"expected an output without an unfinished run, got one with {self._journal.path}")
        elif there is None and resume and self._out.is_there():
            raise InvalidInput(
                f"expected the journal {self._journal.path} of an unfinished run, got {self._out.path} without one"
            )

    def _open(self) -> None:
        """Touch the output for the first time, with a journal that says what it is; until then everything is as it was."""
        if self._stamp:
            self._passing = True
            self._journal.begin(self._stamp)
        self._out.open(self._done.length)
        if self._done.length == 0 and self._task.kind == "csv":
            self._out.append(work.packed(header_of(self._task).encode(), self._task.packing))

    def _pieces(self) -> Iterator[Piece]:
        """Yield what is not done yet; settle what the first pieces tell: the amount of work and a table's header."""
        pieces = self._reader.pieces()
        ahead: list[Piece] = []
        while sum(map(len, ahead)) < MANY and (piece := next(pieces, None)):
            ahead.append(piece)
        amount = sum(map(len, ahead))
        header = self._reader.header if self._task.kind == "csv" else ""
        self._task = replace(self._task, amount=amount, header=header, delimiter=self._reader.delimiter if header else ",")
        return self._behind(chain(ahead, pieces))

    def _behind(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        """Yield what comes behind the checkpoint, after a look at whether it is the same input."""
        done = self._done.records
        last: Place | None = self._done.place if done == 0 else None
        for piece in pieces:
            end = piece.first + len(piece)
            if piece.first < done <= end:
                last = piece.place
                self._expect(last)
            if piece.first >= done:
                yield piece
            elif end > done:
                yield from piece.parts([(done - piece.first, len(piece))])
        if last is None:
            self._expect(None)

    def _expect(self, place: Place | None) -> None:
        if place != self._done.place:
            raise InvalidInput("expected the input of the unfinished run, got another one")

    # --- the run ------------------------------------------------------------------------------------------------

    def through(self, workers: int, cluster: str | None, cancel: Cancellation | None, *, strict: bool) -> Summary:
        """Answer everything."""
        if not self._done.finished:
            with cancel.calling(self._cancel.cancel) if cancel else nullcontext():
                self._answer_all(workers, cluster, strict=strict)
            # Like any other tool's, the output of a moment may still be on its way to the disk; that of an hour may not.
            if perf_counter() - self._start > PAUSE:
                self._note()
            self._out.finish()
            self._done = replace(self._done, finished=True)
            self._journal.note(self._done)
        self._out.tidy()
        self._passing = True
        return Summary(self._done.tally, self._done.records, self._before, perf_counter() - self._start)

    def _answer_all(self, workers: int, cluster: str | None, *, strict: bool) -> None:
        pieces = self._pieces()
        crew: Crew = Cluster(cluster, self._task) if cluster else Here(self._task, workers, self._cancel)
        at_once = True
        try:
            for piece, done in Flights(pieces, crew, self._task, self._tick).landed():
                self._tick()
                self._take(piece, done, strict=strict)
            if not self._out.is_open:
                self._open()
            at_once = False
        finally:
            crew.close(at_once=at_once)

    def _take(self, piece: Piece, done: Done, *, strict: bool) -> None:
        """Write a piece's answers, and note them down now and then."""
        if strict and done.troubles:
            self._stop(piece, done.troubles[0])
        self._write(done.body)
        for trouble in done.troubles:
            self._hearing.trouble(trouble)
        self._done.tally.add(done.tally)
        self._done = replace(self._done, records=self._done.records + done.number, length=self._out.length, place=piece.place)
        if perf_counter() - self._noted > PAUSE:
            self._note()

    def _write(self, body: bytes | bytearray) -> None:
        """Write answers; from the first of them on the run can be gone on with."""
        if not self._out.is_open:
            self._open()
        self._out.append(body)
        self._passing = False

    def _note(self) -> None:
        self._out.settle()
        self._journal.note(self._done)
        self._noted = perf_counter()

    def _stop(self, piece: Piece, trouble: Trouble) -> None:
        """Write what stands before a record in trouble, and end; a later run begins before the piece it stands in."""
        for part in piece.parts([(0, trouble.index - piece.first)]):
            if len(part):
                self._write(work.answer(part, self._task).body)
        raise InvalidInput(f"{trouble.told}; stopped there, with {trouble.index} answers written")

    def _tick(self) -> None:
        self._hearing.progress(Progress(self._done.records, self._reader.position, perf_counter() - self._start))
        if self._cancel.cancelled:
            raise LimitReached("cancelled", f"{self._done.records} puzzles are answered")

    def close(self) -> None:
        """Note down what is done; leave no trace of a run that is complete or never began."""
        try:
            if not self._passing and self._done.records > self._before:
                self._note()
            elif self._passing and not self._done.finished:
                self._out.discard()
        finally:
            self._out.close()
            self._journal.close(remove=self._passing)
