"""Numba kernel: Philox4x32-10, a counter-based random number generator (Salmon, Moraes, Dror and Shaw, 2011).

Its key is made of the seed and a purpose, its counter of the puzzle's number and the try, so streams are independent and do not
depend on the order in which they are drawn. Words of 32 bits are kept in signed integers of 64, Numba's default.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.generate.base import GENERATION

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Stream = NDArray[np.int64]
    """Key (2), block, try, number (2), how many words of the block are used, its words (4)."""

WORD, LOW = 32, 0xFFFFFFFF
ROUNDS = 10
FIRST_FACTOR, SECOND_FACTOR = 0xD2511F53, 0xCD9E8D57
FIRST_STEP, SECOND_STEP = 0x9E3779B9, 0xBB67AE85
BLOCK, TRY, NUMBER, USED, WORDS = 2, 3, 4, 6, 7
"""Indices into a stream."""
SIZE = 11


def key_of(seed: int, purpose: str) -> tuple[int, int]:
    """Return the two words of the key."""
    digest = blake2b(f"{GENERATION}:{seed}:{purpose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:], "little")


def stream_of(seed: int, purpose: str) -> Stream:
    """Return the memory of a stream for a purpose; `begin` starts it."""
    stream = np.zeros(SIZE, np.int64)
    stream[:2] = key_of(seed, purpose)
    return stream


def philox(a: int, b: int, c: int, d: int, first: int, second: int) -> tuple[int, int, int, int]:
    """Return the four words of a counter under a key."""
    for _ in range(ROUNDS):
        one, other = a * FIRST_FACTOR, c * SECOND_FACTOR
        a, b, c, d = (other >> WORD & LOW) ^ b ^ first, other & LOW, (one >> WORD & LOW) ^ d ^ second, one & LOW
        first, second = first + FIRST_STEP & LOW, second + SECOND_STEP & LOW
    return a, b, c, d


def begin(stream: Stream, number: int, attempt: int, block: int) -> None:
    """Start the stream of a puzzle and a try at a ``block`` of four words."""
    stream[BLOCK] = block
    stream[TRY] = attempt & LOW
    stream[NUMBER] = number & LOW
    stream[NUMBER + 1] = number >> WORD & LOW
    stream[USED] = 4


def word(stream: Stream) -> Any:
    """Return the next word."""
    used = stream[USED]
    if used == 4:  # noqa: PLR2004  # all of the block
        counter = stream[BLOCK], stream[TRY], stream[NUMBER], stream[NUMBER + 1]
        found = philox(counter[0], counter[1], counter[2], counter[3], stream[0], stream[1])
        stream[WORDS], stream[WORDS + 1], stream[WORDS + 2], stream[WORDS + 3] = found
        stream[BLOCK] += 1
        used = 0
    stream[USED] = used + 1
    return stream[WORDS + used]


def below(stream: Stream, bound: int) -> Any:
    """Return a number from 0 to ``bound`` - 1, exactly uniform (Lemire, 2019)."""
    product = word(stream) * bound
    if product & LOW < bound:
        least = (LOW + 1 - bound) % bound
        while product & LOW < least:
            product = word(stream) * bound
    return product >> WORD


def shuffle(stream: Stream, values: NDArray[Any], start: int) -> None:
    """Put the values from ``start`` on in a random order."""
    for last in range(len(values) - 1, start, -1):
        other = start + below(stream, last - start + 1)
        values[last], values[other] = values[other], values[last]
