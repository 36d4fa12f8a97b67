"""Chance for those who change puzzles, for Numba: words, and units given back before a puzzle is dug again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.generate.plain.philox import begin, below, shuffle, word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.generate.plain.philox import Stream


def draw_words(stream: Stream, numbers: NDArray[np.int64], tries: NDArray[np.int64], words: NDArray[np.uint32]) -> None:
    """Write a row of words of 32 bits for each puzzle."""
    for one in range(len(numbers)):
        begin(stream, numbers[one], tries[one], 0)
        for place in range(words.shape[1]):
            words[one, place] = word(stream)


def give_back(  # noqa: PLR0917  # Numba's language has no others
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
    """Put blank units back into the ``givens`` of each puzzle, ``least`` to ``most`` cells, and write an order of all units."""
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


FUNCTIONS = (draw_words, give_back)
"""What is compiled; all of it can be run as it stands, too."""
