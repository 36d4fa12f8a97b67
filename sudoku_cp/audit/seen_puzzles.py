"""Which puzzles have been there before, and as which: of each, no more is kept than a short key."""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from sudoku_cp.puzzle import Puzzle, canonical_keys, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.backends import Clock
    from sudoku_cp.grid import Grid
    from sudoku_cp.rules import Rule

SIZE = 16
"""Bytes of a digest: among a billion puzzles, one in 10**20 is taken for another."""


class KeyIndex:
    """Keys, each with the index of the puzzle that first had it."""

    def __init__(self) -> None:
        """Begin with none."""
        self._first: dict[bytes, int] = {}

    def first(self, key: bytes, index: int) -> int | None:
        """Return which puzzle had the key before; where none had, note that puzzle ``index`` has it."""
        found = self._first.setdefault(key, index)
        return None if found == index else found


def digest(puzzle: Puzzle) -> bytes:
    """Return a short key that is the same for the same grid, rules (in any order), givens and candidates in any signs."""
    key = blake2b(_rules_digest(puzzle.grid, puzzle.rules), digest_size=SIZE)
    key.update(repr((tuple(puzzle.givens.items()), tuple(puzzle.candidates.items()))).encode())
    return key.digest()


def canonical_digests(puzzles: Iterable[Puzzle], clock: Clock) -> list[bytes]:
    """Return a short key for each puzzle that is the same for all its guises, or raise `LimitReached`."""
    return [blake2b(repr(key).encode(), digest_size=SIZE).digest() for key in canonical_keys(puzzles, clock.check)]


@lru_cache(maxsize=64)
def _rules_digest(grid: Grid, rules: tuple[Rule, ...]) -> bytes:
    key = to_json(Puzzle(grid, rules))
    parts = sorted(json.dumps(rule, sort_keys=True) for rule in key.pop("rules", ()))
    return blake2b("\n".join([json.dumps(key, sort_keys=True), *parts]).encode(), digest_size=SIZE).digest()
