"""Numba kernel: random words, and units put back before a puzzle is dug again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.plain.philox_kernel import begin, below, shuffle, word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.generate.plain.philox_kernel import Stream


def draw_words(stream: Stream, numbers: NDArray[np.int64], tries: NDArray[np.int64], words: NDArray[np.uint32]) -> None:
    """Write a row of random words of 32 bits for each puzzle."""
    for one in range(len(numbers)):
        begin(stream, numbers[one], tries[one], 0)
        for place in range(words.shape[1]):
            words[one, place] = word(stream)


def restore_givens(  # noqa: PLR0917  # Numba takes no keyword-only arguments
    stream: Stream,
    numbers: NDArray[np.int64],
    tries: NDArray[np.int64],
    grids: NDArray[np.uint8],
    givens: NDArray[np.uint8],
    units: NDArray[np.int64],
    least: int,
    most: int,
    orders: NDArray[np.int16],
) -> None:
    """Put ``least`` to ``most`` blank cells back into the ``givens`` of each puzzle, by units; write a random order of units."""
    for one in range(len(numbers)):
        begin(stream, numbers[one], tries[one], 0)
        order = orders[one]
        for unit in range(len(order)):
            order[unit] = unit
        shuffle(stream, order, 0)
        cells = least + below(stream, most - least + 1)
        for unit in order:
            if cells <= 0:
                break
            if givens[one, units[unit, 0]] == 0:
                for cell in units[unit]:
                    if cell >= 0:
                        givens[one, cell] = grids[one, cell]
                        cells -= 1
        shuffle(stream, order, 0)
