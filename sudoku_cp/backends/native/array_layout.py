"""Helpers that concatenate arrays, and invert the index from constraints to cells, in bulk."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

WORD, BYTES = 64, 8
SINGLE = np.uint64(1) << np.arange(WORD, dtype=np.uint64)
"""For each bit, the word with only that bit set."""


class SharedArrays:
    """Arrays concatenated column by column, each of them once."""

    def __init__(self) -> None:
        """Start empty."""
        self._columns: list[tuple[NDArray[Any], ...]] = []
        self._places: dict[int, int] = {}
        self._end = 0

    def place(self, key: NDArray[Any], *columns: NDArray[Any]) -> int:
        """Return where the columns start; the same ``key`` array always means the same columns, which are added once."""
        found = self._places.get(id(key))
        if found is None:
            found = self._places[id(key)] = self._end
            self._columns.append(columns)
            self._end += len(columns[0])
        return found

    def array(self, column: int, kind: type) -> NDArray[Any]:
        """Return one of the columns as a whole."""
        return np.concatenate([own[column] for own in self._columns]) if self._columns else np.zeros(1, kind)


def concatenate(parts: Iterable[Sequence[int]], kind: type) -> NDArray[Any]:
    """Return all parts as one array; [0] if they are empty, so that it has an address."""
    return np.array(list(chain.from_iterable(parts)) or [0], kind)


def starts_of(parts: Iterable[Sequence[int]]) -> NDArray[np.int32]:
    """Return where each part starts, and where the last one ends."""
    starts = np.array([0, *map(len, parts)], np.int32)
    return np.cumsum(starts, out=starts)


class Watchers(NamedTuple):
    """For each cell the constraints that watch it, as bits: where its entries start, their word numbers, and their bits."""

    starts: NDArray[np.int32]
    words: NDArray[np.int32]
    bits: NDArray[np.uint64]


def watcher_arrays(cells: NDArray[np.int32], owners: NDArray[np.int64], size: int) -> Watchers:
    """Return the watchers of each cell, where ``owners`` (ascending) has for each of ``cells`` the constraint it belongs to."""
    if not len(cells):
        return _no_watchers(size)
    order = np.argsort(cells, kind="stable")
    cells, owners = cells[order], owners[order]
    words = owners // WORD
    fresh = np.ones(len(cells), np.bool_)
    fresh[1:] = (cells[1:] != cells[:-1]) | (words[1:] != words[:-1])
    firsts = np.flatnonzero(fresh)
    starts = np.zeros(size + 1, np.int32)
    np.cumsum(np.bincount(cells[firsts], minlength=size), out=starts[1:])
    return Watchers(starts, words[firsts].astype(np.int32), np.bitwise_or.reduceat(SINGLE[owners % WORD], firsts))


@lru_cache(maxsize=16)
def _no_watchers(size: int) -> Watchers:
    return Watchers(np.zeros(size + 1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.uint64))


@lru_cache(maxsize=16)
def neighbour_arrays(size: int, rows: tuple[int, ...]) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.int32]]:
    """Return sets of ``size`` cells as rows of bits, and as lists: where each row's list starts, and the lists."""
    width = -(-size // WORD) * BYTES
    raw = np.frombuffer(b"".join(row.to_bytes(width, "little") for row in rows), np.uint8).reshape(len(rows), width)
    owners, places = np.nonzero(raw)  # most bytes are empty where there are many cells
    entries, bits = np.nonzero(np.unpackbits(raw[owners, places][:, None], axis=1, bitorder="little"))
    starts = np.zeros(len(rows) + 1, np.int32)
    np.cumsum(np.bincount(owners[entries], minlength=len(rows)), out=starts[1:])
    return raw.view(np.uint64), starts, (BYTES * places[entries] + bits).astype(np.int32)
