"""Tables for uniform grids: all grids of 4x4; the ways to complete a band after its first box; the fills of box 5."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

ORDERS = np.array(list(permutations(range(3))))
"""The orders of three things."""
LINE = frozenset(range(3))


class Tables(NamedTuple):
    """Lookup tables of `uniform_trials_kernel`.

    ``patterns`` (56, 18): the values, as cells of box 1, in each row of boxes 2 and 3. A *kind* is how many values lie in row
    i of box 4 and in column j of box 2, for i and j from 0 to 2: ``kinds`` has its number at those nine as digits in base 4.
    The fills of box 5 of kind k are ``fills`` (N, 9) from ``starts[k]``, ``counts[k]`` of them, for values sorted by (i, j).
    """

    patterns: NDArray[np.int64]
    kinds: NDArray[np.int64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    fills: NDArray[np.int64]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Return the tables for 9x9 boards, which take some tenths of a second."""
    kinds, fills = np.full(4**9, -1), []
    for number, counts in enumerate(_overlaps()):
        kinds[int("".join(map(str, counts)), 4)] = number
        fills.append(_fills(counts))
    sizes = np.array([len(one) for one in fills])
    starts = np.concatenate([[0], sizes.cumsum()[:-1]])
    return Tables(np.array(list(_patterns())), kinds, starts, sizes, np.concatenate(fills))


def _patterns() -> Iterator[list[int]]:
    """Yield the values in each row of boxes 2 and 3, given that box 1 holds the values 0 to 8 in reading order."""
    values = frozenset(range(9))
    rows = [frozenset(range(start, start + 3)) for start in (0, 3, 6)]
    for first in combinations(sorted(values - rows[0]), 3):
        for second in combinations(sorted(values - rows[1] - set(first)), 3):
            third = values - set(first) - set(second)
            if not third & rows[2]:
                middle = [set(first), set(second), set(third)]
                right = [values - row - own for row, own in zip(rows, middle, strict=True)]
                yield [value for own in middle + right for value in sorted(own)]


def _overlaps() -> Iterator[list[int]]:
    """Yield the ways in which three rows of three values can meet three columns of three, as nine numbers."""
    for a, b, c, d in product(range(4), repeat=4):
        rest = [3 - a - b, 3 - c - d, 3 - a - c, 3 - b - d, a + b + c + d - 3]
        if min(rest) >= 0:
            yield [a, b, rest[0], c, d, rest[1], rest[2], rest[3], rest[4]]


def _fills(counts: Sequence[int]) -> NDArray[np.int64]:
    """Return all ways to fill box 5 with the values 0 to 8, sorted by their kind, cell by cell."""
    home = [divmod(place, 3) for place, count in enumerate(counts) for _ in range(count)]
    found = np.zeros((1, 0), np.int64)
    for cell in range(9):
        row, column = divmod(cell, 3)
        fit = [value for value in range(9) if home[value][0] != row and home[value][1] != column]
        new = [np.concatenate([found, np.full((len(found), 1), value)], 1)[~(found == value).any(axis=1)] for value in fit]
        found = np.concatenate(new)
    return found


@lru_cache(maxsize=1)
def all_4x4_grids() -> NDArray[np.uint8]:
    """Return the 288 grids (288, 16) of 4x4 with boxes of 2x2, in lexicographic order."""
    rows = list(permutations(range(1, 5)))
    found: list[tuple[int, ...]] = [()]
    for line in range(4):
        found = [grid + row for grid in found for row in rows if _fits(grid, row, line)]
    return np.array(found, np.uint8)


def _fits(grid: tuple[int, ...], row: tuple[int, ...], line: int) -> bool:
    """Return whether a row can follow the rows of a small grid."""
    if any(row[cell % 4] == value for cell, value in enumerate(grid)):
        return False
    return line % 2 == 0 or {*row[:2]}.isdisjoint(grid[-4:-2])
