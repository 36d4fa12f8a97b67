"""The keys of the puzzles of a run, in a file next to its output, so that a resumed run recognises them."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from sudoku_cp.generate.chunks import ProvedPuzzles

ENTRY_BYTES = 16
"""Bytes for each puzzle: its key and its number."""


def seen_keys_path(output: Path) -> Path:
    """Return where the keys of an output are."""
    return output.with_name(f"{output.name}.seen")


class SeenKeysFile:
    """The keys and numbers of the puzzles in an output."""

    def __init__(self, output: Path) -> None:
        """Open nothing yet, for the keys of ``output``."""
        self._path = seen_keys_path(output)
        self._file: Any = None

    def open(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the keys and numbers of the first ``count`` puzzles, and drop all others."""
        with self._writing():
            self._file = self._path.open("r+b" if count else "w+b")
            data = self._file.read(count * ENTRY_BYTES)
            if len(data) < count * ENTRY_BYTES:
                raise InvalidInput(f"{self._path}: expected the keys of {count} puzzles, got those of {len(data) // ENTRY_BYTES}")
            self._file.truncate(count * ENTRY_BYTES)
            self._file.seek(count * ENTRY_BYTES)
        both = np.frombuffer(data, "<i8").reshape(-1, 2)
        return both[:, 0].astype(np.int64), both[:, 1].astype(np.int64)

    def add(self, part: ProvedPuzzles) -> None:
        """Write the keys of more puzzles."""
        with self._writing():
            self._file.write(np.stack([part.keys, part.numbers], 1).astype("<i8").tobytes())

    def sync(self) -> None:
        """Flush what was written to the disk, so that it survives a power failure."""
        with self._writing():
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self, *, remove: bool) -> None:
        """Close the file, and remove it if the run cannot be resumed."""
        if self._file is not None:
            with suppress(OSError):  # what is missing is generated again
                self._file.close()
            if remove:
                self._path.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raise `InvalidInput` for a file that cannot be written."""
        try:
            yield
        except OSError as error:
            raise InvalidInput(f"{self._path}: expected a file that can be written, got {error.strerror or error}") from error
