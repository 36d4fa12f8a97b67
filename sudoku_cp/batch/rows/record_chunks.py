"""Chunks of records, as the reader sends them to the workers: plain boards as one array of bytes, or any records as a list.

Chunks can be pickled, because a worker may be another process or another machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count, repeat
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from sudoku_cp.formats import Record
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.grid import Grid


class InputPosition(NamedTuple):
    """Where a block of the input ends: number of the source, bytes of it that were read (decompressed), and their CRC-32."""

    source: int = 0
    offset: int = 0
    crc: int = 0


START = InputPosition()


class ChunkEntry(NamedTuple):
    """A record and its line of a table, empty unless the columns of the input are kept."""

    record: Record
    line: str = ""


@dataclass(frozen=True, eq=False)
class BoardArray:
    """Plain boards of one plain grid in numerals, the first of them record number ``first``, in line ``line``.

    Each has ``lines`` lines. ``values`` (N, cells) holds 0 for blanks; ``stated`` (N or 0, cells) the stated solutions, if any;
    ``rows`` the lines of the table that the boards were read from, each with its line end, if they are kept.
    """

    grid: Grid
    values: NDArray[np.uint8]
    stated: NDArray[np.uint8]
    rows: bytes = b""
    line: int = 1
    first: int = 0
    position: InputPosition = START
    lines: int = 1

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.values)

    def slices(self, spans: Iterable[tuple[int, int]]) -> Iterator[BoardArray]:
        """Yield the records of each span (start, stop)."""
        lines = self.rows.splitlines(keepends=True)
        for start, stop in spans:
            yield replace(
                self,
                values=self.values[start:stop],
                stated=self.stated[start:stop],
                rows=b"".join(lines[start:stop]),
                line=self.line + start * self.lines,
                first=self.first + start,
            )

    def concatenate(self, others: Sequence[BoardArray]) -> BoardArray:
        """Return one chunk with those that follow it."""
        every = (self, *others)
        values, stated = np.concatenate([one.values for one in every]), np.concatenate([one.stated for one in every])
        return replace(self, values=values, stated=stated, rows=b"".join(one.rows for one in every))

    def entries(self) -> Iterator[ChunkEntry]:
        """Yield the boards as records."""
        rows = self.rows.decode().split("\n") if self.rows else [""] * len(self)
        stated = map(tuple, self.stated.tolist()) if len(self.stated) else repeat(None)
        for line, board, solution, row in zip(count(self.line, self.lines), self.values.tolist(), stated, rows, strict=False):
            givens = {cell: value for cell, value in enumerate(board) if value}
            yield ChunkEntry(Record(Puzzle(self.grid, givens=givens, solution=solution), None, line), row)


@dataclass(frozen=True)
class RecordList:
    """Records of any kind, the first of them number ``first``."""

    held: tuple[ChunkEntry, ...]
    first: int = 0
    position: InputPosition = START

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.held)

    def slices(self, spans: Iterable[tuple[int, int]]) -> Iterator[RecordList]:
        """Yield the records of each span (start, stop)."""
        return (replace(self, held=self.held[start:stop], first=self.first + start) for start, stop in spans)

    def concatenate(self, others: Sequence[RecordList]) -> RecordList:
        """Return one chunk with those that follow it."""
        return replace(self, held=tuple(entry for one in (self, *others) for entry in one.held))

    def entries(self) -> Iterator[ChunkEntry]:
        """Yield the records."""
        return iter(self.held)


RecordChunk: TypeAlias = BoardArray | RecordList
