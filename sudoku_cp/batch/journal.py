"""The journal of a run: a file next to its output that records what is done, so any interrupted run can be resumed.

Its first line is the run's stamp (input and options), each further line a checkpoint. A line holds JSON and its CRC-32 and counts
only if it is whole, so a line torn by a crash is as good as none. The output is always on disk before a checkpoint says so.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from zlib import crc32

from sudoku_cp.batch.rows.row_format import START, InputPosition
from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.process_locks import try_lock

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.batch.rows.run_output import RunOutput


@dataclass(frozen=True)
class Checkpoint:
    """How many records are done, in the first ``length`` bytes of the output, up to a ``position`` in the input.

    ``counts`` has the number of records by outcome, ``stopped`` is how many of them a limit stopped.
    """

    records: int = 0
    length: int = 0
    position: InputPosition = START
    counts: Counter[str] = field(default_factory=Counter)
    stopped: int = 0
    finished: bool = False


_MAGIC = b'\n{"version": '
"""How every journal begins."""


def journal_path(output: Path) -> Path:
    """Return where the journal of an output is."""
    return output.with_name(f"{output.name}.resume")


def is_unfinished(output: str | Path) -> bool:
    """Return whether a run ended before its output was whole, so that it can be resumed."""
    return unfinished_fingerprint(output) is not None


def unfinished_fingerprint(output: str | Path) -> dict[str, Any] | None:
    """Return the stamp of a run that ended before its output was whole, None if there is none."""
    path = journal_path(Path(output))
    if not path.exists():
        return None
    with suppress(InvalidInput), closing(Journal(path)) as journal:
        return journal.read()[0]
    return None


class Journal:
    """The open journal of a run; no other process can open it meanwhile."""

    def __init__(self, path: Path) -> None:
        """Open or create the file at ``path``; raises `InvalidInput` if another run has it open."""
        self.path = path
        try:
            # Unbuffered and append-only: what is written reaches the system at once, and overwrites nothing.
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise InvalidInput(f"{path}: expected a file that can be written, got {error.strerror}") from error
        if not try_lock(self._file) or not _is_same_file(path, self._file):
            os.close(self._file)
            raise InvalidInput(f"expected {path} of a run that has ended, got one that another run has open")

    def begin(self, stamp: dict[str, Any]) -> None:
        """Start over with this stamp."""
        os.ftruncate(self._file, 0)
        self._write(stamp)

    def append(self, done: Checkpoint) -> None:
        """Append a checkpoint."""
        fields = {"records": done.records, "length": done.length, "place": done.position, "finished": done.finished}
        self._write(fields | {"statuses": dict(done.counts), "stopped": done.stopped})

    def read(self) -> tuple[dict[str, Any] | None, Checkpoint]:
        """Return the stamp (None if it is not whole) and the last checkpoint.

        Raises `InvalidInput` for a file that is no journal: neither empty nor ours nor a torn beginning of ours.
        """
        with open(self.path, "rb") as file:  # noqa: PTH123  # a second handle, which leaves the lock alone
            entries = [entry for line in file if (entry := _parse_line(line)) is not None]
        if not entries and not _is_torn(self.path):
            raise InvalidInput(f"expected the journal of a run, or no file, got {self.path}, which is neither")
        return (entries[0] if entries else None), (_parse_checkpoint(entries[-1]) if len(entries) > 1 else Checkpoint())

    def close(self, *, remove: bool = False) -> None:
        """Close the file, and remove it if the run is complete."""
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self._file)

    def _write(self, entry: dict[str, Any]) -> None:
        text = json.dumps(entry).encode()
        # A line end first: the line before may be torn.
        os.write(self._file, b"\n%b %08x\n" % (text, crc32(text)))


def _is_torn(path: Path) -> bool:
    """Return whether a file is empty or holds the beginning of a journal's first line, without its end."""
    with path.open("rb") as file:
        start = file.read(len(_MAGIC))
        return start == _MAGIC[: len(start)] and b"\n" not in file.read()


def _parse_line(line: bytes) -> dict[str, Any] | None:
    """Return the entry of a line, None if the line is not whole."""
    text, _, check = line.rstrip(b"\n").rpartition(b" ")
    if not line.endswith(b"\n") or check != b"%08x" % crc32(text) or not text:
        return None
    entry: dict[str, Any] = json.loads(text)
    return entry


def _parse_checkpoint(entry: dict[str, Any]) -> Checkpoint:
    position, counts = InputPosition(*entry["place"]), Counter(entry["statuses"])
    return Checkpoint(entry["records"], entry["length"], position, counts, entry["stopped"], entry["finished"])


def _is_same_file(path: Path, file: int) -> bool:
    """Return whether the open file is still the one of that name: a run that ended just now has removed its own."""
    return path.exists() and os.path.samestat(path.stat(), os.fstat(file))


def describe_differences(stamp: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return in words what differs between two stamps."""
    names = [name for name in {**stamp, **other} if stamp.get(name) != other.get(name)]
    return [f"{name} {other.get(name)!r:.80} (now {stamp.get(name)!r:.80})" for name in names]


# A run's output and its journal, written together, so that the run can be resumed however it ended.


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
