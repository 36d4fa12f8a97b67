"""Short keys of puzzles, by which repetitions are recognised."""

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


def canonical_digests(puzzles: Iterable[Puzzle], clock: Clock) -> list[bytes]:
    """Return a short key for each puzzle, equal for isomorphic puzzles; raises `LimitReached`."""
    return [blake2b(repr(key).encode(), digest_size=SIZE).digest() for key in canonical_keys(puzzles, clock.check)]


@lru_cache(maxsize=64)
def _rules_digest(grid: Grid, rules: tuple[Rule, ...]) -> bytes:
    key = to_json(Puzzle(grid, rules))
    parts = sorted(json.dumps(rule, sort_keys=True) for rule in key.pop("rules", ()))
    return blake2b("\n".join([json.dumps(key, sort_keys=True), *parts]).encode(), digest_size=SIZE).digest()
