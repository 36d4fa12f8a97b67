"""Puzzles of one solution grid whose givens contain one another.

Theory of operation. If all givens of one puzzle with one solution are among those of another, the two have the same solution, so
that only puzzles with the same grid, rules and solution are compared: their givens as bits, 64 cells a word, all earlier ones at
a time. And a puzzle in which every given is needed contains no other with one solution, so those that are known to be minimal are
only looked for in others. What is left is quadratic in a group of puzzles that are not minimal, at some nanoseconds a pair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORD = 64
"""Cells in a word."""


class GivensGroup:
    """The givens of puzzles with the same grid, rules, candidates and solution, and their numbers."""

    def __init__(self, cells: int) -> None:
        """Begin with no puzzle of a board of so many ``cells``."""
        words = -(-cells // WORD)
        self._all, self._larger = _BitRows(words), _BitRows(words)

    def add(self, number: int, givens: int, *, is_minimal: bool) -> None:
        """Add a puzzle, whose ``givens`` are bits; others can be parts of it unless it is minimal."""
        self._all.add(number, givens)
        if not is_minimal:
            self._larger.add(number, givens)

    def contained(self, givens: int) -> int | None:
        """Return the first puzzle with fewer givens, all of them among these."""
        return self._all.first_without(~givens)

    def containing(self, givens: int) -> int | None:
        """Return the first puzzle that has all these givens and more, if it is not known to be minimal."""
        return self._larger.first_with(givens)


class _BitRows:
    """Sets of cells as words of bits, a row for each word, with room for more; the number of each."""

    def __init__(self, words: int) -> None:
        self._words, self._used = words, 0
        self._bits, self._numbers = np.zeros((words, 1), np.uint64), np.zeros(1, np.int64)

    def add(self, number: int, cells: int) -> None:
        """Add a set of cells."""
        if self._used == len(self._numbers):
            self._bits = np.concatenate([self._bits, np.zeros_like(self._bits)], axis=1)
            self._numbers = np.concatenate([self._numbers, np.zeros_like(self._numbers)])
        self._bits[:, self._used], self._numbers[self._used] = self._split(cells), number
        self._used += 1

    def first_without(self, cells: int) -> int | None:
        """Return the number of the first set that has none of these cells."""
        return self._first_zero(self._bits[:, : self._used] & self._split(cells)[:, None])

    def first_with(self, cells: int) -> int | None:
        """Return the number of the first set that has all these cells."""
        return self._first_zero(~self._bits[:, : self._used] & self._split(cells)[:, None])

    def _first_zero(self, bits: NDArray[np.uint64]) -> int | None:
        found = np.flatnonzero(np.bitwise_or.reduce(bits, axis=0) == 0)
        return int(self._numbers[found[0]]) if len(found) else None

    def _split(self, cells: int) -> NDArray[np.uint64]:
        """Return the words of a set of cells."""
        whole = cells & ((1 << WORD * self._words) - 1)
        return np.frombuffer(whole.to_bytes(self._words * (WORD // 8), "little"), "<u8")
