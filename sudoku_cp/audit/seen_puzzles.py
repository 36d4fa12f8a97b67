"""Short keys of puzzles, by which repetitions are recognised."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from sudoku_cp.puzzle import Puzzle, canonical_keys, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from sudoku_cp.backends import Clock
    from sudoku_cp.grid import Grid
    from sudoku_cp.model import Values
    from sudoku_cp.rules import Rule


SIZE = 16
"""Bytes of a digest: among a billion puzzles, two share one with a probability of 10**-20."""


def earlier_puzzle(indices: dict[bytes, int], key: bytes, index: int) -> int | None:
    """Return the index of the first puzzle with this key; if there is none, note ``index`` in ``indices`` and return None."""
    found = indices.setdefault(key, index)
    return None if found == index else found


def digest(puzzle: Puzzle) -> bytes:
    """Return a short key of the grid, the rules (in any order), the givens and the candidates, whatever their signs."""
    key = blake2b(_rules_digest(puzzle.grid, puzzle.rules), digest_size=SIZE)
    key.update(repr((tuple(puzzle.givens.items()), tuple(puzzle.candidates.items()))).encode())
    return key.digest()


def question_digest(puzzle: Puzzle) -> bytes:
    """Return a short key of the grid, the rules and the candidates; puzzles with equal ones differ only in their givens."""
    key = _rules_digest(puzzle.grid, puzzle.rules)
    return blake2b(key + repr(tuple(puzzle.candidates.items())).encode(), digest_size=SIZE).digest() if puzzle.candidates else key


def canonical_digests(puzzles: Iterable[Puzzle], clock: Clock) -> list[bytes]:
    """Return a short key for each puzzle, equal for isomorphic puzzles; raises `LimitReached`."""
    return [blake2b(repr(key).encode(), digest_size=SIZE).digest() for key in canonical_keys(puzzles, clock.check)]


@lru_cache(maxsize=64)
def _rules_digest(grid: Grid, rules: tuple[Rule, ...]) -> bytes:
    key = to_json(Puzzle(grid, rules))
    parts = sorted(json.dumps(rule, sort_keys=True) for rule in key.pop("rules", ()))
    return blake2b("\n".join([json.dumps(key, sort_keys=True), *parts]).encode(), digest_size=SIZE).digest()


# --- solution grids ---------------------------------------------------------------------------------------------


class GridRelation(NamedTuple):
    """What a puzzle has of puzzle ``first``: the ``same`` solution, all its givens and ``more``, or ``fewer`` of them."""

    kind: Literal["same", "more", "fewer"]
    first: int


class _Member(NamedTuple):
    """A puzzle with one solution: its number, its givens as bits, the digest of all but these; whether it is minimal."""

    number: int
    givens: int
    question: bytes
    is_minimal: bool


class SolutionGrids:
    """The solution grids of earlier puzzles, and the givens of these; a lookup is all that a new solution costs."""

    def __init__(self) -> None:
        """Begin with none."""
        self._first: dict[bytes, _Member] = {}
        self._groups: dict[bytes, dict[bytes, GivensGroup]] = {}

    def add(self, number: int, puzzle: Puzzle, solution: Values, *, is_minimal: bool) -> list[GridRelation]:
        """Add a puzzle; return what it has of earlier ones, the first of each kind."""
        key = blake2b(_places_digest(puzzle.grid) + bytes(solution), digest_size=SIZE).digest()
        new = _Member(number, sum(1 << cell for cell in puzzle.givens), question_digest(puzzle), is_minimal)
        first = self._first.setdefault(key, new)
        if first is new:
            return []
        groups, cells = self._groups.setdefault(key, {}), len(puzzle.grid.cells)
        if not groups:
            _add_givens(groups, first, cells)
        found = [GridRelation("same", first.number)]
        if group := groups.get(new.question):
            # A puzzle in which every given is needed contains no other with one solution.
            more = None if is_minimal else group.contained(new.givens)
            both: list[tuple[Literal["more", "fewer"], int | None]] = [("more", more), ("fewer", group.containing(new.givens))]
            found += [GridRelation(kind, other) for kind, other in both if other is not None]
        _add_givens(groups, new, cells)
        return found


def _add_givens(groups: dict[bytes, GivensGroup], member: _Member, cells: int) -> None:
    group = groups.get(member.question) or groups.setdefault(member.question, GivensGroup(cells))
    group.add(member.number, member.givens, is_minimal=member.is_minimal)


@lru_cache(maxsize=64)
def _places_digest(grid: Grid) -> bytes:
    return blake2b(repr(grid.places).encode(), digest_size=SIZE).digest()


# Puzzles of one solution grid whose givens contain one another.
#
# Theory of operation. If all givens of one puzzle with one solution are among those of another, the two have the same solution,
# so that only puzzles with the same grid, rules and solution are compared: their givens as bits, 64 cells a word, all earlier
# ones at a time. And a puzzle in which every given is needed contains no other with one solution, so those that are known to be
# minimal are only looked for in others. What is left is quadratic in a group of puzzles that are not minimal, at some
# nanoseconds a pair.


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
