"""Random words of 32 bits for many puzzles; they depend on the seed, the puzzle, the try and the purpose alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.generate.plain.generator_kernel import call_kernel
from sudoku_cp.generate.plain.philox_kernel import stream_of

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_words(
    seed: int, numbers: NDArray[np.int64], tries: NDArray[np.int64], purpose: str, amount: int
) -> NDArray[np.uint32]:
    """Return numbers (N, amount), uniform from 0 to 2**32 - 1, for each of the puzzles ``numbers`` (N,) and its try."""
    words = np.empty((len(numbers), amount), np.uint32)
    call_kernel("draw_words", stream_of(seed, purpose), numbers, tries, words)
    return words


def below(words: NDArray[np.uint32], bound: NDArray[np.int64] | int) -> NDArray[np.int64]:
    """Return numbers from 0 to ``bound`` - 1, uniform up to a bias of ``bound`` / 2**32."""
    return (words.astype(np.uint64) * np.asarray(bound, np.uint64) >> np.uint64(32)).astype(np.int64)
