"""What a run has done, on disk beside its output, so that it can go on after any end.

The journal is a file of lines: the first is the run's stamp (its input and what was asked), each further one a checkpoint. A
line holds JSON and its CRC-32, and is only believed whole, so a line torn by a crash is as good as none. The output is always
on disk before a checkpoint says so.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

from sudoku_cp.batch.rows.record_chunks import START, Place
from sudoku_cp.batch.solve_request import Tally
from sudoku_cp.errors import InvalidInput
from sudoku_cp.file_lock import try_lock


@dataclass(frozen=True)
class Checkpoint:
    """So many records are answered, in the first ``length`` bytes of the output; ``place`` is where their last block ends."""

    records: int = 0
    length: int = 0
    place: Place = START
    tally: Tally = field(default_factory=Tally)
    finished: bool = False


_BEGINNING = b'\n{"version": '
"""How every journal begins."""


def journal_of(output: Path) -> Path:
    """Return where the journal of an output is."""
    return output.with_name(f"{output.name}.resume")


def is_unfinished(output: str | Path) -> bool:
    """Say whether a run has ended before its output was whole, so that another can go on with it."""
    return stamp_of(output) is not None


def stamp_of(output: str | Path) -> dict[str, Any] | None:
    """Return the stamp of a run that has ended before its output was whole, None where there is none."""
    path = journal_of(Path(output))
    if not path.exists():
        return None
    with suppress(InvalidInput), closing(Journal(path)) as journal:
        return journal.read()[0]
    return None


class Journal:
    """The open journal of a run; nobody else can open it meanwhile."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it; raises `InvalidInput` where another run has it open."""
        self.path = path
        try:
            # Appending, and not through a buffer: what is written is written, and never over what is there.
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise InvalidInput(f"{path}: expected a file that can be written, got {error.strerror}") from error
        if not try_lock(self._file) or not _is_there(path, self._file):
            os.close(self._file)
            raise InvalidInput(f"expected {path} of a run that has ended, got one that another run has open")

    def begin(self, stamp: dict[str, Any]) -> None:
        """Forget everything and write the stamp."""
        os.ftruncate(self._file, 0)
        self._write(stamp)

    def note(self, done: Checkpoint) -> None:
        """Write a checkpoint."""
        told = {"records": done.records, "length": done.length, "place": done.place, "finished": done.finished}
        self._write(told | {"statuses": dict(done.tally.statuses), "stopped": done.tally.stopped})

    def read(self) -> tuple[dict[str, Any] | None, Checkpoint]:
        """Return the stamp (None where there is no whole one), and the last checkpoint.

        Raises `InvalidInput` for a file that somebody else wrote: neither empty nor ours nor a torn beginning of ours.
        """
        with open(self.path, "rb") as file:  # noqa: PTH123  # a second handle, which leaves the lock alone
            told = [found for line in file if (found := _believed(line)) is not None]
        if not told and not _is_torn(self.path):
            raise InvalidInput(f"expected the journal of a run, or no file, got {self.path}, which is neither")
        return (told[0] if told else None), (_checkpoint(told[-1]) if len(told) > 1 else Checkpoint())

    def close(self, *, remove: bool = False) -> None:
        """Let go of the file, and remove it if the run is complete."""
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self._file)

    def _write(self, told: dict[str, Any]) -> None:
        text = json.dumps(told).encode()
        # A line end first: the line before may be torn.
        os.write(self._file, b"\n%b %08x\n" % (text, crc32(text)))


def _is_torn(path: Path) -> bool:
    """Say whether a file holds the beginning of a journal's first line, without its end, or nothing."""
    with path.open("rb") as file:
        start = file.read(len(_BEGINNING))
        return start == _BEGINNING[: len(start)] and b"\n" not in file.read()


def _believed(line: bytes) -> dict[str, Any] | None:
    text, _, check = line.rstrip(b"\n").rpartition(b" ")
    if not line.endswith(b"\n") or check != b"%08x" % crc32(text) or not text:
        return None
    found: dict[str, Any] = json.loads(text)
    return found


def _checkpoint(told: dict[str, Any]) -> Checkpoint:
    tally = Tally(Counter(told["statuses"]), told["stopped"])
    return Checkpoint(told["records"], told["length"], Place(*told["place"]), tally, told["finished"])


def _is_there(path: Path, file: int) -> bool:
    """Say whether the open file is still the one of that name: a run that ended just now has removed its own."""
    return path.exists() and os.path.samestat(path.stat(), os.fstat(file))


def differences(stamp: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return what is different between two stamps, in words."""
    names = [name for name in {**stamp, **other} if stamp.get(name) != other.get(name)]
    return [f"{name} {other.get(name)!r:.80} (now {stamp.get(name)!r:.80})" for name in names]
