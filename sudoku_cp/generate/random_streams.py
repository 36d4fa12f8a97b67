"""Chance that does not hang on what was drawn before: a stream of its own for each puzzle and each purpose."""

from __future__ import annotations

from random import Random

from sudoku_cp.generate.base import GENERATION


def random_stream(seed: int, number: int, *purpose: object) -> Random:
    """Return the stream for a purpose of puzzle ``number`` of ``seed``."""
    return Random(":".join(map(str, (GENERATION, seed, number, *purpose))))  # noqa: S311  # the same each time is the point
