"""The keys of the puzzles of a run, in a file beside its output, so that a run that goes on knows them again."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from sudoku_cp.generate.portions import Proved

ENTRY = 16
"""Bytes for each puzzle: its key and its number."""


def beside(output: Path) -> Path:
    """Return where the keys of an output are."""
    return output.with_name(f"{output.name}.seen")


@dataclass
class Beside:
    """The keys of what was written, in a file beside it."""

    path: Path
    _file: Any = field(default=None, init=False)

    def open(self, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the keys and numbers of so many puzzles, and write on behind them."""
        try:
            self._file = self.path.open("r+b" if number else "w+b")
            data = self._file.read(number * ENTRY)
            if len(data) < number * ENTRY:
                raise InvalidInput(f"{self.path}: expected the keys of {number} puzzles, got those of {len(data) // ENTRY}")
            self._file.truncate(number * ENTRY)
            self._file.seek(number * ENTRY)
        except OSError as error:
            raise self._refused(error) from error
        both = np.frombuffer(data, "<i8").reshape(-1, 2)
        return both[:, 0].astype(np.int64), both[:, 1].astype(np.int64)

    def add(self, part: Proved) -> None:
        """Write the keys of more."""
        try:
            self._file.write(np.stack([part.keys, part.numbers], 1).astype("<i8").tobytes())
        except OSError as error:
            raise self._refused(error) from error

    def settle(self) -> None:
        """Return when what was written would outlive a failure of power."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._refused(error) from error

    def close(self, *, remove: bool) -> None:
        """Close the file, and remove it if nobody will go on with it."""
        if self._file is not None:
            with suppress(OSError):  # what is not there is made again
                self._file.close()
            if remove:
                self.path.unlink(missing_ok=True)

    def _refused(self, error: OSError) -> InvalidInput:
        return InvalidInput(f"{self.path}: expected a file that can be written, got {error.strerror or error}")
