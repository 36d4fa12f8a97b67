"""The state of a puzzle on arrays, and the hint that a producer leaves in it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


BOX, ROW, COLUMN, GROUP, WINDOW, FALLING, RISING, GIRANDOLA, ASTERISK, CENTRE_DOTS = range(10)
"""The kinds of houses. A plain board has the first three; a board of variants has room for all (disjoint groups, windows, the two
diagonals and three patterns of nine cells), but not all of them have houses."""
PLAIN_KINDS = 3

RATING, NAME, CELL, DIGIT, COMPLEXITY, TYPE = range(6)
"""The fields of ``hint``: rating in tenths (0: none), number of the technique, where it places what (a cell of -1: nowhere).

Where all hints of a technique are compared, also what decides among equal ratings: complexity, then type.
"""
HINT_FIELDS = 6


class RatedGrid(NamedTuple):
    """A puzzle: what changes, then the tables of its board.

    ``values`` are 0 in open cells. ``places`` has for a kind, a house and a digit the places where the digit is a candidate.
    ``removed`` are the candidates that the hint removes from each cell. ``counts`` is how many houses of each kind there are; the
    ``house_of`` a cell that is in no house of a kind is the last one, which has no places.
    ``degrees`` is how many cells each cell sees: the ``peers`` are in the order of kinds; ``neighbours`` are the same cells in
    the order in which wings and aligned triplets try them. Cells ``near`` each other (``near_counts`` of them) hold no
    consecutive digits.
    ``is_general`` is 1 where locked candidates and naked sets remove from all that their cells see, and not from one house.
    """

    values: NDArray[np.int64]
    candidates: NDArray[np.int64]
    places: NDArray[np.int64]
    open_cells: NDArray[np.int64]
    hint: NDArray[np.int64]
    removed: NDArray[np.int64]
    houses: NDArray[np.int64]
    counts: NDArray[np.int64]
    house_of: NDArray[np.int64]
    place_of: NDArray[np.int64]
    degrees: NDArray[np.int64]
    peers: NDArray[np.int64]
    neighbours: NDArray[np.int64]
    sees: NDArray[np.bool_]
    near_counts: NDArray[np.int64]
    near: NDArray[np.int64]
    is_general: NDArray[np.int64]


def size_of(mask: int) -> int:
    """Return how many members a set has: bits in pairs, in fours, in bytes, and all (LLVM makes one instruction of it)."""
    mask -= mask >> 1 & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    return mask * 0x0101010101010101 >> 56


def lowest_of(mask: int) -> int:
    """Return the lowest member of a set that is not empty."""
    return size_of((mask & -mask) - 1)


def next_subset(mask: int) -> int:
    """Return the next greater number with as many bits (Gosper's hack)."""
    low = mask & -mask
    ripple = mask + low
    return (((ripple ^ mask) >> 2) // low) | ripple


def fill(numbers: NDArray[Any], number: int) -> None:
    """Set all numbers of an array to one. (An assignment to a slice takes seconds to compile, for the messages of its errors.)"""
    for i in range(len(numbers)):
        numbers[i] = number


def copy(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy the numbers of an array to another of the same length."""
    for i in range(len(source)):
        target[i] = source[i]


def kind_of_turn(turn: int) -> int:
    """Return the kind of houses that the ladder goes through in turn: boxes, columns, rows, then the others."""
    return PLAIN_KINDS - turn if 0 < turn < PLAIN_KINDS else turn


def common_kind(grid: RatedGrid, one: int, other: int) -> int:
    """Return the first kind of which two cells share a house, or -1."""
    for kind in range(grid.houses.shape[0]):
        house = grid.house_of[one, kind]
        if house == grid.house_of[other, kind] and house < grid.counts[kind]:
            return kind
    return -1


def is_near(grid: RatedGrid, one: int, other: int) -> bool:
    """Return whether two cells hold no consecutive digits."""
    for at in range(grid.near_counts[one]):
        if grid.near[one, at] == other:
            return True
    return False


def remove(grid: RatedGrid, cell: int, digit: int) -> None:
    """Remove a candidate, if it is one."""
    grid.candidates[cell] &= ~(1 << digit)
    for kind in range(grid.houses.shape[0]):
        grid.places[kind, grid.house_of[cell, kind], digit] &= ~(1 << grid.place_of[cell, kind])


def place(grid: RatedGrid, cell: int, digit: int) -> None:
    """Fill an open cell, and remove the digit from the cells that it sees."""
    grid.values[cell] = digit + 1
    for other in range(grid.houses.shape[2]):
        remove(grid, cell, other)
    for kind in range(grid.houses.shape[0]):
        grid.open_cells[kind, grid.house_of[cell, kind]] -= 1
    for at in range(grid.degrees[cell]):
        remove(grid, grid.peers[cell, at], digit)
    for at in range(grid.near_counts[cell]):
        if digit + 1 < grid.houses.shape[2]:
            remove(grid, grid.near[cell, at], digit + 1)
        if digit > 0:
            remove(grid, grid.near[cell, at], digit - 1)


def clear_hint(grid: RatedGrid) -> None:
    """Forget the hint."""
    grid.hint[RATING] = 0
    fill(grid.removed, 0)


def is_better(grid: RatedGrid, rating: int, complexity: int, kind: int) -> bool:
    """Return whether a hint beats the best one so far, by rating, complexity and type; of equals the first stays."""
    hint = grid.hint
    if hint[RATING] != rating:
        return bool(hint[RATING] == 0 or rating < hint[RATING])
    if hint[COMPLEXITY] != complexity:
        return bool(complexity < hint[COMPLEXITY])
    return bool(kind < hint[TYPE])


def keep_best(grid: RatedGrid, rating: int, complexity: int, kind: int, name: int) -> None:
    """Note what a hint is compared by, and its name."""
    grid.hint[RATING], grid.hint[COMPLEXITY], grid.hint[TYPE] = rating, complexity, kind
    grid.hint[NAME], grid.hint[CELL] = name, -1


def length_rating(complexity: int) -> int:
    """Return the tenths that the length of chains adds to a rating: one for each of 4, 6, 8, 12, 16, 24, ... that it exceeds."""
    added, ceiling = 0, 4
    while complexity - 2 > ceiling:
        added += 1
        ceiling = ceiling * 3 // 2 if added % 2 else ceiling * 4 // 3
    return added


def apply_hint(grid: RatedGrid) -> None:
    """Do what the hint says."""
    for cell in range(len(grid.values)):
        gone = grid.removed[cell] & grid.candidates[cell]
        while gone:
            remove(grid, cell, lowest_of(gone))
            gone &= gone - 1
    if grid.hint[CELL] >= 0:
        place(grid, grid.hint[CELL], grid.hint[DIGIT])


def report(grid: RatedGrid, rating: int, name: int) -> bool:
    """Note the rating and the name of a hint that removes what ``removed`` says; return True."""
    grid.hint[RATING], grid.hint[NAME], grid.hint[CELL] = rating, name, -1
    return True


def report_placement(grid: RatedGrid, rating: int, name: int, cell: int, digit: int) -> bool:
    """Note a hint that places a digit and removes nothing; return True."""
    fill(grid.removed, 0)
    grid.hint[RATING], grid.hint[NAME], grid.hint[CELL], grid.hint[DIGIT] = rating, name, cell, digit
    return True


# The tables of a board, and the record that holds a `Grid`.


NEAR = 4
"""The most cells near a cell."""


def make_houses(box_height: int, box_width: int) -> NDArray[np.int64]:
    """Return (3, n, n) the cells of boxes, rows and columns, in reading order."""
    n = box_height * box_width
    rows = np.arange(n * n).reshape(n, n)
    boxes = rows.reshape(box_width, box_height, box_height, box_width).swapaxes(1, 2).reshape(n, n)
    return np.stack([boxes, rows, rows.T])


def make_tables(
    kinds: Sequence[NDArray[np.int64]], moves: Sequence[Sequence[int]], most_houses: int, most_peers: int
) -> dict[str, NDArray[Any]]:
    """Return the tables of a board: the houses of each kind (houses, n), and what each cell sees besides, its ``moves``.

    There is room for ``most_houses`` of a kind, and for ``most_peers`` of a cell.
    """
    cells, n = len(moves), kinds[ROW].shape[1]
    houses = np.zeros((len(kinds), most_houses, n), np.int64)
    house_of, place_of = np.full((cells, len(kinds)), most_houses - 1), np.zeros((cells, len(kinds)), np.int64)
    seen: list[list[int]] = [[] for _ in range(cells)]
    for kind, own in enumerate(kinds):
        for house, position in np.ndindex(*own.shape):
            cell = houses[kind, house, position] = own[house, position]
            house_of[cell, kind], place_of[cell, kind] = house, position
            seen[cell] += own[house].tolist()
    peers = [[peer for peer in dict.fromkeys((*seen[cell], *moves[cell])) if peer != cell] for cell in range(cells)]
    padded = np.zeros((cells, most_peers), np.int64)
    sees = np.zeros((cells, cells), np.uint8)
    for seer, own_peers in enumerate(peers):
        for at, peer in enumerate(own_peers):
            padded[seer, at] = peer
            sees[seer, peer] = 1
    return {
        "houses": houses,
        "counts": np.array([*map(len, kinds)]),
        "house_of": house_of,
        "place_of": place_of,
        "degrees": np.array([*map(len, peers)]),
        "peers": padded,
        "neighbours": padded.copy(),
        "sees": sees,
        "near_counts": np.zeros(cells, np.int64),
        "near": np.zeros((cells, NEAR), np.int64),
        "is_general": np.zeros(1, np.int64),
    }


def make_record(tables: Mapping[str, NDArray[Any]]) -> Any:
    """Return an array of one record with the tables. Numba compiles for its shapes: fields of a record have constant ones."""
    (kinds, most_houses, n), cells = tables["houses"].shape, len(tables["degrees"])
    shapes = {
        "values": (cells,),
        "candidates": (cells,),
        "places": (kinds, most_houses, n),
        "open_cells": (kinds, most_houses),
        "hint": (HINT_FIELDS,),
        "removed": (cells,),
    }
    fields: list[Any] = [(name, np.int64, shape) for name, shape in shapes.items()]
    fields += [(name, table.dtype, table.shape) for name, table in tables.items()]
    blank = np.zeros(1, np.dtype(fields, align=True))
    for name, table in tables.items():
        blank[name] = table
    return blank


@lru_cache(maxsize=8)
def _blank_grid(box_height: int, box_width: int) -> Any:
    houses = make_houses(box_height, box_width)
    n = box_height * box_width
    return make_record(make_tables(list(houses), [()] * n**2, n, 3 * n - box_height - box_width - 1))


def make_grid(box_height: int, box_width: int, *, ascending: bool = False) -> Any:
    """Return the record of a plain board, with its tables and no puzzle. Neighbours are as peers are, or ``ascending``."""
    grid = _blank_grid(box_height, box_width).copy()[0]
    if ascending:
        grid["neighbours"] = np.sort(grid["peers"])
    return grid


# The numbers of Sudoku Explainer's techniques, and their names.


NAMES = (
    "Last Value",
    "Hidden Single",
    "Direct Pointing",
    "Direct Claiming",
    "Direct Hidden Pair",
    "Naked Single",
    "Direct Hidden Triplet",
    "Pointing",
    "Claiming",
    "Naked Pair",
    "X-Wing",
    "Hidden Pair",
    "Naked Triplet",
    "Swordfish",
    "Hidden Triplet",
    "XY-Wing",
    "XYZ-Wing",
    "Unique Rectangle or Loop",
    "Naked Quad",
    "Jellyfish",
    "Hidden Quad",
    "Bivalue Universal Grave",
    "Aligned Pair Exclusion",
    "Bidirectional X-Cycle",
    "Bidirectional Y-Cycle",
    "Bidirectional Cycle",
    "Forcing X-Chain",
    "Forcing Chain",
    "Aligned Triplet Exclusion",
    "Nishio Forcing Chains",
    "Cell Forcing Chains",
    "Region Forcing Chains",
    "Dynamic Contradiction Forcing Chains",
    "Dynamic Double Forcing Chains",
    "Dynamic Cell Forcing Chains",
    "Dynamic Region Forcing Chains",
    "Skyscraper",
    "Two-String Kite",
    "Turbot Fish",
    "Three Strong Links",
    "Four Strong Links",
    "Grouped Skyscraper",
    "Grouped Two-String Kite",
    "Grouped Turbot Fish",
    "Grouped Three Strong Links",
    "Grouped Four Strong Links",
    "WXYZ-Wing",
    "VWXYZ-Wing",
    "UVWXYZ-Wing",
    "TUVWXYZ-Wing",
    "Generalized Intersections",
    "Generalized Naked Pair",
    "Generalized Naked Triplet",
    "Generalized Naked Quad",
    "Non-Consecutive Forcing Cell",
    "Locked Non-Consecutive",
)
"""By number."""

(
    LAST_VALUE,
    HIDDEN_SINGLE,
    DIRECT_POINTING,
    DIRECT_CLAIMING,
    DIRECT_HIDDEN_PAIR,
    NAKED_SINGLE,
    DIRECT_HIDDEN_TRIPLET,
    POINTING,
    CLAIMING,
    NAKED_PAIR,
    X_WING,
    HIDDEN_PAIR,
    NAKED_TRIPLET,
    SWORDFISH,
    HIDDEN_TRIPLET,
    XY_WING,
    XYZ_WING,
    UNIQUE_LOOP,
    NAKED_QUAD,
    JELLYFISH,
    HIDDEN_QUAD,
    GRAVE,
    ALIGNED_PAIR,
    X_CYCLE,
    Y_CYCLE,
    XY_CYCLE,
    X_CHAIN,
    XY_CHAIN,
    ALIGNED_TRIPLET,
    NISHIO,
    CELL_CHAINS,
    REGION_CHAINS,
    CONTRADICTION,
    DOUBLE_CHAINS,
    DYNAMIC_CELL,
    DYNAMIC_REGION,
) = range(36)
STRONG_LINKS, GROUPED_LINKS, BENT_WINGS = DYNAMIC_REGION + 1, DYNAMIC_REGION + 6, DYNAMIC_REGION + 11
GENERAL_INTERSECTIONS, GENERAL_PAIR, GENERAL_TRIPLET, GENERAL_QUAD, FORCING_CELL, LOCKED_APART = range(len(NAMES) - 6, len(NAMES))
