"""A run's output and its journal, written together, so that the run can be resumed however it ended."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sudoku_cp.batch.execution.journal import Checkpoint, Journal, describe_differences, journal_path
from sudoku_cp.errors import InvalidInput, OptionProblem

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from sudoku_cp.batch.rows.record_chunks import InputPosition
    from sudoku_cp.batch.rows.run_output import RunOutput

CHECKPOINT_SECONDS = 1.0
"""Seconds between checkpoints, at least."""


class CheckpointedOutput:
    """An output with a journal: `prepare`, then `write` and `advance` chunk by chunk, then `complete`; `close` in any case.

    ``header`` is what a new output begins with; ``before_checkpoint`` is called before each checkpoint is written, to sync files
    that are kept beside the output.
    """

    def __init__(self, output: RunOutput) -> None:
        """Lock the journal of ``output``, so that no other run writes it."""
        self.output = output
        self.checkpoint = Checkpoint()
        self.records_before = 0
        self.header: bytes | bytearray = b""
        self.before_checkpoint: Callable[[], None] = lambda: None
        self.start = self._last_checkpoint = perf_counter()
        self.already_whole = False
        self._stamp: dict[str, Any] = {}
        self._removes_journal = False
        self._journal = Journal(journal_path(output.path))

    def prepare(
        self, stamp: dict[str, Any], *, resume: bool, force: bool, whole: Callable[[], int | None] = lambda: None
    ) -> None:
        """Find where the run with this stamp left off, or refuse to continue from the files found.

        ``whole`` is called for an output without a journal: it returns how many records of this very run the output holds,
        None if it is another run's.
        """
        self._stamp = stamp
        found, checkpoint = self._journal.read()
        self._removes_journal = found is None
        if found is not None and resume:
            if different := describe_differences(stamp, found):
                what = "the input and the options" if "input" in stamp else "the options"
                raise InvalidInput(f"expected {what} of the unfinished run: {'; '.join(different)}")
            self._stamp, self.checkpoint, self.records_before = {}, checkpoint, checkpoint.records
        elif found is not None and not force:
            raise InvalidInput(f"expected an output without an unfinished run, got one with {self._journal.path}")
        elif found is None:
            self.output.check_free()
            if self.output.is_there() and not force:
                self._check_older_output(whole() if resume else None, resume=resume)

    def _check_older_output(self, records: int | None, *, resume: bool) -> None:
        """Keep an output that is whole, with so many records; refuse to replace any other."""
        if records is not None:
            self.already_whole, self.records_before = True, records
            self.checkpoint = Checkpoint(records, finished=True)
        elif resume:
            raise InvalidInput(
                f"expected the journal {self._journal.path} of an unfinished run, or the output of a finished one; "
                f"got {self.output.path}, which is neither"
            )
        else:
            words = f"expected an output that is not there yet, or `force` to replace it, got {self.output.path}"
            raise InvalidInput(OptionProblem(words))

    def open(self) -> None:
        """Open the output, once, after its journal is written; nothing on disk changes before that."""
        if self.output.is_open:
            return
        if self._stamp:
            self._removes_journal = True
            self._journal.begin(self._stamp)
        self.output.open(self.checkpoint.length)
        if self.checkpoint.length == 0 and self.header:
            self.output.append(self.header)

    def write(self, body: bytes | bytearray) -> None:
        """Write rows; once there are any, the run can be resumed."""
        self.open()
        self.output.append(body)
        self._removes_journal = False

    def advance(self, records: int, position: InputPosition, counts: Counter[str], stopped: int = 0) -> None:
        """Count what was written since the last call, and write a checkpoint now and then."""
        done = self.checkpoint
        self.checkpoint = Checkpoint(
            done.records + records, self.output.length, position, done.counts + counts, done.stopped + stopped
        )
        if perf_counter() - self._last_checkpoint > CHECKPOINT_SECONDS:
            self._write_checkpoint()

    def _write_checkpoint(self) -> None:
        self.output.sync()
        self.before_checkpoint()
        self._journal.append(self.checkpoint)
        self._last_checkpoint = perf_counter()

    def complete(self, when_whole: Callable[[], object] = int) -> None:
        """Make the output whole and then call ``when_whole``; only then is the journal of no more use."""
        if not self.checkpoint.finished:
            self.checkpoint = replace(self.checkpoint, finished=True)
            # As with any other tool, the output of a short run need not be synced to disk; that of a long run must be.
            if perf_counter() - self.start > CHECKPOINT_SECONDS:
                self._write_checkpoint()
            else:
                self._journal.append(self.checkpoint)
        self.output.finish()
        when_whole()
        self.output.remove_partial()
        self._removes_journal = True

    def close(self) -> bool:
        """Write a last checkpoint, or remove the journal of a run that is complete or never began; return whether it is gone."""
        try:
            if not self._removes_journal and self.checkpoint.records > self.records_before:
                self._write_checkpoint()
            elif self._removes_journal and not self.checkpoint.finished:
                self.output.discard()
        finally:
            self.output.close()
            self._journal.close(remove=self._removes_journal)
        return self._removes_journal
