"""A run's output and journal: looked at before it begins, written together, gone on with after any end."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sudoku_cp.batch.execution.journal import Checkpoint, Journal, differences, journal_of
from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.batch.rows.run_output import Output

PAUSE = 1.0
"""Seconds between checkpoints, at least."""


class Keeper:
    """Keeps what a run has done: `look` at what is there, `write` and `took` piece by piece, `complete`, `close`.

    ``head`` is what a new output begins with; ``settle`` is called before each checkpoint, for what stands beside the output.
    """

    def __init__(self, output: Output) -> None:
        """Take the journal, so that nobody else writes this output."""
        self.out = output
        self.done = Checkpoint()
        self.before = 0
        self.head: bytes | bytearray = b""
        self.settle: Callable[[], None] = lambda: None
        self.start = self._noted = perf_counter()
        self.was_whole = False
        self._stamp: dict[str, Any] = {}
        self._passing = False
        self._journal = Journal(journal_of(output.path))

    def look(self, stamp: dict[str, Any], *, resume: bool, force: bool, whole: Callable[[], int | None] = lambda: None) -> None:
        """Find where the run of this stamp was left, or refuse to go on with what is there.

        ``whole`` says of an output without a journal how many records of this very run it holds, None where it is another's.
        """
        self._stamp = stamp
        there, done = self._journal.read()
        self._passing = there is None
        if there is not None and resume:
            if different := differences(stamp, there):
                what = "the input and the options" if "input" in stamp else "the options"
                raise InvalidInput(f"expected {what} of the unfinished run: {'; '.join(different)}")
            self._stamp, self.done, self.before = {}, done, done.records
        elif there is not None and not force:
            raise InvalidInput(f"expected an output without an unfinished run, got one with {self._journal.path}")
        elif there is None:
            self.out.check_free()
            if self.out.is_there() and not force:
                self._look_at_older(whole() if resume else None, resume=resume)

    def _look_at_older(self, records: int | None, *, resume: bool) -> None:
        """Keep an output that is whole, with so many records; refuse to replace another one unasked."""
        if records is not None:
            self.was_whole, self.before = True, records
            self.done = Checkpoint(records, finished=True)
        elif resume:
            raise InvalidInput(
                f"expected the journal {self._journal.path} of an unfinished run, or the output of a finished one; "
                f"got {self.out.path}, which is neither"
            )
        else:
            raise InvalidInput(f"expected an output that is not there yet, or --force to replace it, got {self.out.path}")

    def open(self) -> None:
        """Touch the output, if nothing was yet, with a journal that says what it is; until then everything is as it was."""
        if self.out.is_open:
            return
        if self._stamp:
            self._passing = True
            self._journal.begin(self._stamp)
        self.out.open(self.done.length)
        if self.done.length == 0 and self.head:
            self.out.append(self.head)

    def write(self, body: bytes | bytearray) -> None:
        """Write answers; from the first of them on the run can be gone on with."""
        self.open()
        self.out.append(body)
        self._passing = False

    def took(self, done: Checkpoint) -> None:
        """Take note of what was written, on disk now and then."""
        self.done = done
        if perf_counter() - self._noted > PAUSE:
            self._note()

    def _note(self) -> None:
        self.out.settle()
        self.settle()
        self._journal.note(self.done)
        self._noted = perf_counter()

    def complete(self, last: Callable[[], object] = int) -> None:
        """Make the output whole, and do what is to be done ``last``, once it is."""
        if not self.done.finished:
            self.done = replace(self.done, finished=True)
            # Like any other tool's, the output of a moment may still be on its way to the disk; that of an hour may not.
            if perf_counter() - self.start > PAUSE:
                self._note()
            else:
                self._journal.note(self.done)
        self.out.finish()
        last()
        self.out.tidy()
        self._passing = True

    def close(self) -> bool:
        """Note down what is done, or leave no trace of a run that is complete or never began; say which of these it was."""
        try:
            if not self._passing and self.done.records > self.before:
                self._note()
            elif self._passing and not self.done.finished:
                self.out.discard()
        finally:
            self.out.close()
            self._journal.close(remove=self._passing)
        return self._passing
