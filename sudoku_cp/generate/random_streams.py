"""Independent random streams: one for each request, puzzle and purpose, whatever was drawn before."""

from __future__ import annotations

import json
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING

from sudoku_cp.generate.base import GENERATION
from sudoku_cp.generate.request_parsing import request_to_json

if TYPE_CHECKING:
    from sudoku_cp.generate.base import GenerateRequest


def request_seed(seed: int, request: GenerateRequest) -> int:
    """Return the seed of all random streams that serve one request: a hash of the user's seed and of everything asked for.

    Seeds that people type are few (1, 7, 42); drawn from these alone, easy and hard puzzles would have the same solutions.
    """
    asked = json.dumps(request_to_json(request), sort_keys=True)
    return int.from_bytes(blake2b(f"{seed}:{asked}".encode(), digest_size=8).digest(), "little")


def random_stream(seed: int, number: int, *purpose: object) -> Random:
    """Return the random generator for one purpose of puzzle ``number`` of ``seed``."""
    return Random(":".join(map(str, (GENERATION, seed, number, *purpose))))  # noqa: S311  # it must be reproducible
