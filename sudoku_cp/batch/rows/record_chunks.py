"""What travels from the reader to the workers: boards as one array of bytes, or records that need more words.

Everything here can be pickled, because a worker may be another process or another machine.
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

    from sudoku_cp.batch.crews import P
    from sudoku_cp.grid import Grid


class Place(NamedTuple):
    """Where a block ends: whole sources before this one, bytes of it (unpacked), and the CRC-32 of these."""

    source: int = 0
    offset: int = 0
    crc: int = 0


START = Place()


class Entry(NamedTuple):
    """A record, and the line of a table that it stands in (empty where nothing of that line is kept)."""

    record: Record
    kept: str = ""


@dataclass(frozen=True, eq=False)
class Boards:
    """Plain boards of one plain grid in numerals, the first of them record number ``first``.

    ``values`` (N, cells) holds 0 for blanks; ``stated`` (N or 0, cells) the stated solutions, where there are some; ``kept`` the
    lines of a table that they stand in, each with its line end, or nothing.
    """

    grid: Grid
    values: NDArray[np.uint8]
    stated: NDArray[np.uint8]
    kept: bytes = b""
    line: int = 1
    first: int = 0
    place: Place = START

    def __len__(self) -> int:
        """Return how many records there are."""
        return len(self.values)

    def parts(self, spans: Iterable[tuple[int, int]]) -> Iterator[Boards]:
        """Yield the records of each span (from, to before)."""
        lines = self.kept.splitlines(keepends=True)
        for start, stop in spans:
            yield replace(
                self,
                values=self.values[start:stop],
                stated=self.stated[start:stop],
                kept=b"".join(lines[start:stop]),
                line=self.line + start,
                first=self.first + start,
            )

    def joined(self, others: Sequence[Boards]) -> Boards:
        """Return one piece with those that follow it."""
        every = (self, *others)
        values, stated = np.concatenate([one.values for one in every]), np.concatenate([one.stated for one in every])
        return replace(self, values=values, stated=stated, kept=b"".join(one.kept for one in every))

    def entries(self) -> Iterator[Entry]:
        """Yield the same as records."""
        lines = self.kept.decode().split("\n") if self.kept else [""] * len(self)
        stated = map(tuple, self.stated.tolist()) if len(self.stated) else repeat(None)
        for line, board, solution, kept in zip(count(self.line), self.values.tolist(), stated, lines, strict=False):
            givens = {cell: value for cell, value in enumerate(board) if value}
            yield Entry(Record(Puzzle(self.grid, givens=givens, solution=solution), None, line), kept)


@dataclass(frozen=True)
class Records:
    """Records of any kind, the first of them number ``first``."""

    held: tuple[Entry, ...]
    first: int = 0
    place: Place = START

    def __len__(self) -> int:
        """Return how many records there are."""
        return len(self.held)

    def parts(self, spans: Iterable[tuple[int, int]]) -> Iterator[Records]:
        """Yield the records of each span (from, to before)."""
        return (replace(self, held=self.held[start:stop], first=self.first + start) for start, stop in spans)

    def joined(self, others: Sequence[Records]) -> Records:
        """Return one piece with those that follow it."""
        return replace(self, held=tuple(entry for one in (self, *others) for entry in one.held))

    def entries(self) -> Iterator[Entry]:
        """Yield the records."""
        return iter(self.held)


Piece: TypeAlias = Boards | Records


def portions(piece: P, size: int) -> Iterator[P]:
    """Yield a piece in parts of at most ``size``."""
    if len(piece) <= size:
        yield piece
    else:
        yield from piece.parts((start, min(start + size, len(piece))) for start in range(0, len(piece), size))
