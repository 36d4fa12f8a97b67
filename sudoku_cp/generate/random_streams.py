"""Independent random streams: one for each puzzle and purpose, whatever was drawn before."""

from __future__ import annotations

from random import Random

from sudoku_cp.generate.base import GENERATION


def random_stream(seed: int, number: int, *purpose: object) -> Random:
    """Return the random generator for one purpose of puzzle ``number`` of ``seed``."""
    return Random(":".join(map(str, (GENERATION, seed, number, *purpose))))  # noqa: S311  # it must be reproducible
