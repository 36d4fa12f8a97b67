"""The output file: what its name says it is, and bytes that are there before anyone is told so."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.errors import BackendMissing, InvalidInput
from sudoku_cp.formats.sources import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Turn: TypeAlias = "Callable[[Path, Path], None]"
"""Makes the second file of the first."""

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
        import_module("sudoku_cp.batch.arrow").library()
    try:
        import_module(packing or "gzip")
    except ImportError as error:
        raise BackendMissing(
            f"expected the package {packing} for {path.suffix} files (pip install 'sudoku_cp[zstd]'), got none"
        ) from error
    return kind, packing


def turned(kind: str) -> Turn | None:
    """Return what makes the output of what waited, None where it is written as it comes."""
    return to_parquet if kind == "parquet" else None


def to_parquet(waiting: Path, target: Path) -> None:
    """Turn answers as Arrow into a Parquet file."""
    import_module("sudoku_cp.batch.arrow").to_parquet(waiting, target)


class Output:
    """The bytes written so far, all of them whole pieces.

    Where they have to be turned into something else (Parquet, say), they wait beside it until the last of them is there.
    """

    def __init__(self, path: Path, turn: Turn | None = None) -> None:
        """Open nothing yet; ``turn`` makes the output (its second argument) of the bytes that waited (its first)."""
        self.path = path
        self._turn = turn
        self.data = path.with_name(f"{path.name}.rows") if turn else path
        self.length = 0
        self._whole = path.with_name(f"{path.name}.whole")
        self._file = -1

    @property
    def files(self) -> tuple[Path, ...]:
        """The output, and what stands beside it until it is complete."""
        return (self.path, self.data, self._whole) if self._turn else (self.path,)

    @property
    def is_open(self) -> bool:
        """Whether anything was touched."""
        return self._file >= 0

    def is_there(self) -> bool:
        """Say whether there is an output already, be it ours or not; an empty one is none."""
        return self.path.exists() and self.path.stat().st_size > 0

    def check(self) -> None:
        """Refuse at once what could only be refused when there is something to write."""
        if self.path.is_dir() or (self.path.exists() and not os.access(self.path, os.W_OK)):
            kind = "a directory" if self.path.is_dir() else "one that must not be written"
            raise InvalidInput(f"{self.path}: expected a file that can be written, got {kind}")

    def check_whole(self) -> None:
        """Refuse what cannot be replaced as a whole, nor have anything beside it: devices, pipes."""
        self.check()
        if self.path.exists() and not self.path.is_file():
            raise InvalidInput(f"{self.path}: expected a regular file, or none yet, got a device or a pipe")

    def open(self, length: int) -> None:
        """Keep the first ``length`` bytes of what is there and write on behind them."""
        try:
            self._file = os.open(self.data, os.O_RDWR | os.O_CREAT, 0o666)
            there = os.fstat(self._file)
            if there.st_size < length:
                raise InvalidInput(f"{self.data}: expected the {length} bytes of the unfinished run, got {there.st_size}")
            if stat.S_ISREG(there.st_mode):
                os.ftruncate(self._file, length)
                os.lseek(self._file, length, os.SEEK_SET)
        except OSError as error:
            raise self._refused(error) from error
        self.length = length

    def append(self, body: bytes | bytearray) -> None:
        """Write whole pieces behind those that are there."""
        rest = memoryview(body)
        while rest:
            try:
                rest = rest[os.write(self._file, rest) :]
            except OSError as error:
                raise self._refused(error) from error
        self.length += len(body)

    def settle(self) -> None:
        """Return when what was written would outlive a failure of power."""
        with suppress(OSError):  # a device has nothing to settle
            os.fsync(self._file)

    def finish(self) -> None:
        """Turn what was waiting into the output."""
        if self._turn:
            try:
                self._turn(self.data, self._whole)
            except OSError as error:
                self._whole.unlink(missing_ok=True)
                raise self._refused(error) from error
            self._whole.replace(self.path)

    def tidy(self) -> None:
        """Remove what waited, once the output is complete."""
        if self._turn:
            self.data.unlink(missing_ok=True)

    def discard(self) -> None:
        """Forget what was written, if anything was: it answers nothing."""
        if self.is_open:
            if stat.S_ISREG(os.fstat(self._file).st_mode):
                os.ftruncate(self._file, 0)
            self.tidy()

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _refused(self, error: OSError) -> InvalidInput:
        return InvalidInput(f"{self.data}: expected a file that can be written, got {error.strerror or error}")
