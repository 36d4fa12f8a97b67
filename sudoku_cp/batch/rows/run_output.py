"""The output file: what its name says it is, and bytes that are there before anyone is told so."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from shutil import copyfileobj
from typing import IO, TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import BackendMissing, InvalidInput
from sudoku_cp.formats.sources import ENDINGS
from sudoku_cp.output_files import OutputFile, check_writable, is_stream, open_output, part_of, replace_by

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Turn: TypeAlias = "Callable[[Path, Path], None]"
"""Makes the second file of the first, whole or not at all."""

KINDS = {".txt": "text", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""What is written into files that end so."""


def kind_of(path: Path) -> tuple[str, str]:
    """Return the kind of output that a file's name asks for, and the module that packs it (empty for none).

    Raises `InvalidInput` for other names and `BackendMissing` where a library is not installed.
    """
    packing = ENDINGS.get(path.suffix.lower(), "")
    kind = KINDS.get((path.with_suffix("") if packing else path).suffix.lower(), "")
    if not kind or (packing and kind == "parquet"):
        raise InvalidInput(
            f"expected an output that ends in {', '.join(KINDS)}, all but the last perhaps followed by {', '.join(ENDINGS)}; "
            f"got {path.name!r}"
        )
    if kind == "parquet":
        import_module("sudoku_cp.batch.rows.arrow_rows").library()
    try:
        import_module(packing or "gzip")
    except ImportError as error:
        raise BackendMissing(
            f"expected the package {packing} for {path.suffix} files (pip install 'sudoku_cp[zstd]'), got none"
        ) from error
    return kind, packing


def turned(kind: str, inputs: Sequence[str | Path | IO[bytes]]) -> Turn | None:
    """Return what makes the output of what waited, None where it is written as it comes."""
    return partial(to_parquet, inputs) if kind == "parquet" else None


def to_parquet(inputs: Sequence[str | Path | IO[bytes]], waiting: Path, target: Path) -> None:
    """Turn answers as Arrow into a Parquet file, its columns of the types that the ``inputs`` give them."""
    arrow = import_module("sudoku_cp.batch.rows.arrow_rows")
    known = [one for one in inputs if isinstance(one, str | Path)]
    arrow.to_parquet(waiting, target, arrow.schema(), arrow.types_of(known) if len(known) == len(inputs) else {})


def waiting_for(path: Path) -> Path | None:
    """Return where the bytes are that an unfinished run has written for an output, None where there are none."""
    return next((data for data in (part_of(path), _rows_of(path)) if data.exists()), None)


def _rows_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.rows")


class Output:
    """The bytes written so far, all of them whole pieces, and the file that they become.

    They grow beside it, in a ``.part`` that takes its name at the end; where they have to be turned into something else
    (Parquet, say), in ``.rows``. What cannot be replaced, a device or a pipe, is written to as it is.
    """

    def __init__(self, path: Path, turn: Turn | None = None) -> None:
        """Open nothing yet; ``turn`` makes the output (its second argument) of the bytes that waited (its first)."""
        self.path = path
        self._turn = turn
        self._is_stream = turn is None and is_stream(path)
        self.data = _rows_of(path) if turn else path if self._is_stream else part_of(path)
        self.length = 0
        self._file: OutputFile | None = None

    @property
    def files(self) -> tuple[Path, ...]:
        """The output, and what stands beside it until it is complete."""
        return tuple(dict.fromkeys((self.path, self.data)))

    @property
    def is_open(self) -> bool:
        """Whether anything was touched."""
        return self._file is not None

    def is_there(self) -> bool:
        """Say whether there is an output already, be it ours or not; an empty one is none."""
        return self.path.exists() and self.path.stat().st_size > 0

    def check(self) -> None:
        """Refuse at once what could only be refused when there is something to write."""
        check_writable(self.path)

    def check_whole(self) -> None:
        """Refuse what cannot be replaced as a whole, nor have anything beside it: devices, pipes."""
        self.check()
        if is_stream(self.path):
            raise InvalidInput(f"{self.path}: expected a regular file, or none yet, got a device or a pipe")

    def check_free(self) -> None:
        """Refuse to write over what no journal speaks of: it waits for somebody else."""
        if not self._is_stream and self.data.exists() and self.data.stat().st_size:
            raise InvalidInput(
                f"expected no file {self.data} without the journal of the run that left it, got one; "
                "if nobody needs it any more, remove it"
            )

    def open(self, length: int) -> None:
        """Keep the first ``length`` bytes of what is there and write on behind them."""
        file = OutputFile(self.data, lambda: os.open(self.data, os.O_RDWR | os.O_CREAT, 0o666))
        there = os.fstat(file.fileno())
        if there.st_size < length:
            file.close()
            raise InvalidInput(f"{self.data}: expected the {length} bytes of the unfinished run, got {there.st_size}")
        if stat.S_ISREG(there.st_mode):
            file.truncate(length)
            file.seek(length)
        self._file = file
        self.length = length

    def append(self, body: bytes | bytearray) -> None:
        """Write whole pieces behind those that are there."""
        assert self._file is not None  # noqa: S101  # it was opened
        rest = memoryview(body)
        while rest:
            rest = rest[self._file.write(rest) :]
        self.length += len(body)

    def settle(self) -> None:
        """Return when what was written would outlive a failure of power."""
        if self._file is not None:
            with suppress(InvalidInput):  # a device has nothing to settle
                self._file.settle()

    def show(self) -> None:
        """Make an output of what was written so far, which the run can still go on with."""
        if self._turn:
            self._turn(self.data, self.path)
        elif not self._is_stream:
            with open_output(self.path, keep=False) as whole, self.data.open("rb") as data:
                copyfileobj(data, whole)

    def finish(self) -> None:
        """Make the output, now that everything is written; if that was done already, do nothing."""
        if self._is_stream or not self.data.exists():
            return
        if self._turn:
            self._turn(self.data, self.path)
        else:
            replace_by(self.data, self.path)

    def tidy(self) -> None:
        """Remove what waited, once the output is complete."""
        if not self._is_stream:
            self.data.unlink(missing_ok=True)

    def discard(self) -> None:
        """Forget what was written, if anything was: it answers nothing."""
        if self.is_open:
            self.tidy()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
