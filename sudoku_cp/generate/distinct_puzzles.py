"""No two isomorphic puzzles in a run: short keys are compared first, canonical forms only where keys are equal.

Isomorphic puzzles have the same key. Of each puzzle the key and the number are kept, 16 bytes; a puzzle with the key of an
earlier one is compared with it, and for that the earlier one is made again.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.compile_cache import CachedModule, can_compile
from sudoku_cp.generate.base import GeneratedPuzzle, PuzzleArray
from sudoku_cp.puzzle import canonical_key
from sudoku_cp.puzzle.puzzle import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.puzzle import Puzzle


ENOUGH = 200
"""From this number of boards on the compiled code is worth loading; Python takes half a millisecond for each."""
EFFORT = 2000
"""Refinements after which a canonical form is given up; the puzzle as it stands takes its place."""
MOST_STATEMENTS = 5000
"""Statements of rules up to which there is a canonical form: regions to be found have 13,000, whose graph takes a second."""
KNOWN = 4096
"""Canonical forms of earlier puzzles in the cache, for runs in which many are isomorphic."""

_kernel = CachedModule.of_functions("refining", (sys.modules[__name__],), ("fingerprints",), "the kernel of puzzle keys")


# --- keys -------------------------------------------------------------------------------------------------------


def keys_of(part: PuzzleArray | GeneratedPuzzle) -> NDArray[np.int64]:
    """Return a key for each puzzle."""
    puzzle = part.base if isinstance(part, PuzzleArray) else part.puzzle
    if not _is_boxed(puzzle):
        made = part.each() if isinstance(part, PuzzleArray) else [part]
        return np.array([_canonical_key(one.puzzle) for one in made], np.int64)
    if isinstance(part, PuzzleArray):
        return board_keys(part.givens, puzzle)
    return board_keys(np.array([[puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells]]), puzzle)


def board_keys(givens: NDArray[Any], like: Puzzle) -> NDArray[np.int64]:
    """Return a key for each plain board (N, cells), 0 in blank cells, with the grid of ``like`` (equal boxes or none)."""
    board, values = like.grid.boards[0], len(like.grid.values)
    height, width = board.boxes or (board.rows, board.columns)
    parts, ends = _board_layout(board.rows, board.columns, height, width, values)
    given, colours, sums = [0] * givens.shape[1], [0] * givens.shape[1], [0] * ends[3]
    found = [0] * len(givens)
    if not can_compile() or (len(givens) < ENOUGH and not _kernel.is_loaded):
        fingerprints(givens.tolist(), parts, ends, given, colours, sums, found)
        return np.array(found, np.int64)
    arrays = [np.array(one, np.int64) for one in (parts, ends, given, colours, sums, found)]
    _kernel.call("fingerprints", np.ascontiguousarray(givens, np.uint8), *arrays)
    return arrays[-1]


def _is_boxed(puzzle: Puzzle) -> bool:
    grid = puzzle.grid
    plain = puzzle.rules == CLASSIC and not puzzle.candidates and len(grid.boards) == 1 and grid.values[0] == 1
    return plain and grid.boards[0].regions is None


@lru_cache(maxsize=64)
def _board_layout(rows: int, columns: int, height: int, width: int, values: int) -> tuple[list[int], list[int]]:
    boxes = rows + columns
    lots = boxes + rows // height * (columns // width)
    behind = lots + rows // height + columns // width
    return parts_of(rows, columns, height, width), [boxes, lots, behind, behind + values + 1]


def _canonical_key(puzzle: Puzzle) -> int:
    """Return the key of a puzzle under other rules: a hash of its canonical form."""
    digest = blake2b(repr(isomorphism_identity(puzzle)).encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1


class _GivenUpError(Exception):
    """The canonical form takes too long."""


def isomorphism_identity(puzzle: Puzzle) -> Hashable:
    """Return a value that is equal for isomorphic puzzles alone; where that takes too long, for identical ones alone."""
    as_it_stands = repr((puzzle.grid, puzzle.rules, tuple(puzzle.givens.items())))
    if not _is_boxed(puzzle) and len(puzzle.model().statements) > MOST_STATEMENTS:
        return as_it_stands
    left = EFFORT

    def tick() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _GivenUpError

    try:
        return canonical_key(puzzle, tick)
    except _GivenUpError:
        return as_it_stands


# --- earlier puzzles --------------------------------------------------------------------------------------------


class SeenPuzzles:
    """The keys of all puzzles so far, in sorted runs, each at least twice as long as the next (a log-structured merge)."""

    def __init__(self, again: Callable[[int], Puzzle]) -> None:
        """Begin empty; ``again`` makes an earlier puzzle again, by its number."""
        self._runs: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self._identity = lru_cache(maxsize=KNOWN)(lambda number: isomorphism_identity(again(number)))

    def __len__(self) -> int:
        """Return how many there are."""
        return sum(len(keys) for keys, _ in self._runs)

    def add(self, keys: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        """Add puzzles that are known to be new."""
        order = np.argsort(keys, kind="stable")
        run = keys[order], numbers[order]
        while self._runs and len(self._runs[-1][0]) < 2 * len(run[0]):
            run = _merge_runs(self._runs.pop(), run)
        if len(keys):
            self._runs.append(run)

    def fresh(self, keys: NDArray[np.int64], numbers: NDArray[np.int64], puzzle: Callable[[int], Puzzle]) -> NDArray[np.bool_]:
        """Return for each puzzle whether it is isomorphic to no earlier one, in this call or before; add the new ones.

        ``puzzle`` returns each of them, by its index.
        """
        suspects = _find_repeats(keys)
        for known, _ in self._runs:
            places = np.searchsorted(known, keys)
            suspects |= known[np.minimum(places, len(known) - 1)] == keys
        fresh = ~suspects
        self.add(keys[fresh], numbers[fresh])
        for index in np.flatnonzero(suspects).tolist():
            alike = self._numbers_with_key(int(keys[index]))
            own = isomorphism_identity(puzzle(index)) if alike else None
            if not any(self._identity(other) == own for other in alike):
                fresh[index] = True
                self.add(keys[index : index + 1], numbers[index : index + 1])
        return fresh

    def _numbers_with_key(self, key: int) -> Sequence[int]:
        """Return the numbers of the earlier puzzles with a key."""
        found: list[int] = []
        for keys, numbers in self._runs:
            first, last = np.searchsorted(keys, [key, key + 1])
            found += numbers[first:last].tolist()
        return found


def _merge_runs(one: tuple[NDArray[Any], ...], other: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], NDArray[Any]]:
    keys, numbers = (np.concatenate(both) for both in zip(one, other, strict=True))
    order = np.argsort(keys, kind="stable")
    return keys[order], numbers[order]


def _find_repeats(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return for each key whether it occurs more than once."""
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    found = np.zeros(len(keys), np.bool_)
    found[order[1:]] |= same
    found[order[:-1]] |= same
    return found


# Colour refinement (B. Weisfeiler, A. Leman 1968): a fingerprint that isomorphic boards with boxes share.
#
# Each given has a colour. In each round the colours within each row, column, box, band, stack and value are added up, and each
# given gets a new colour from the sums that it is part of. Sums over all givens do not change when lines, bands or values
# change places. Boards that are not isomorphic almost never have the same fingerprint.
#
# Rules of this part: integers in flat sequences and nothing else, none above 2**62, so that Numba compiles it as it stands (in
# `distinct_puzzles`) and Python runs it. A board has 0 in blank cells and values from 1.


ROUNDS = 3
"""After three rounds different 9x9 puzzles share a fingerprint as rarely as random numbers would."""
MASK = (1 << 30) - 1
LINE, BOX, BAND, VALUE, OWN, FIRST, SECOND = (
    1013904223,
    668265263,
    374761393,
    461845907,
    896273145,
    945164201,
    1037284753,
)
"""Odd factors of about 2**30 that keep the sums of different kinds apart; rows and columns share one, as they may be swapped."""


def mix_bits(number: int, factor: int) -> int:
    """Return 30 bits that depend on all bits of a number, differently for each factor."""
    number &= MASK
    number = (number * factor >> 13 ^ number) & MASK
    return (number * OWN >> 15 ^ number) & MASK


PARTS = 5
"""The parts of the board that a cell lies in: a row, a column, a box, a band, a stack."""


def parts_of(rows: int, columns: int, height: int, width: int) -> list[int]:
    """Return the parts of each cell as indices of their sums: lines, then boxes, then bands and stacks; values follow."""
    stacks, bands = columns // width, rows // height
    boxes = rows + columns
    lots = boxes + stacks * bands
    found: list[int] = []
    for row in range(rows):
        for column in range(columns):
            band, stack = row // height, column // width
            found += [row, rows + column, boxes + band * stacks + stack, lots + band, lots + bands + stack]
    return found


def refine_colours(board: Any, given: Any, number: int, parts: Any, ends: Any, colours: Any, sums: Any) -> None:
    """Give the first ``number`` cells of ``given`` new colours from the sums of the parts that they lie in."""
    for place in range(ends[3]):
        sums[place] = 0
    for index in range(number):
        cell = given[index]
        for part in range(cell * PARTS, cell * PARTS + PARTS):
            sums[parts[part]] += colours[index]
        sums[ends[2] + board[cell]] += colours[index]
    for place in range(ends[3]):
        factor = LINE if place < ends[0] else BOX if place < ends[1] else BAND if place < ends[2] else VALUE
        sums[place] = mix_bits(sums[place], factor)
    for index in range(number):
        cell = given[index]
        met = colours[index] * 3 + sums[ends[2] + board[cell]]
        for part in range(cell * PARTS, cell * PARTS + PARTS):
            met += sums[parts[part]]
        colours[index] = mix_bits(met, OWN)


def fingerprint(board: Any, parts: Any, ends: Any, given: Any, colours: Any, sums: Any) -> int:
    """Return the fingerprint of a board; ``ends`` are where the sums of lines, boxes, bands and stacks, and values end."""
    number = 0
    for cell in range(len(board)):
        if board[cell]:
            given[number] = cell
            colours[number] = 1
            number += 1
    for _ in range(ROUNDS):
        refine_colours(board, given, number, parts, ends, colours, sums)
    first = second = 0
    for index in range(number):
        first += mix_bits(colours[index], FIRST)
        second += mix_bits(colours[index], SECOND)
    return (first & MASK) << 30 | second & MASK


def fingerprints(boards: Any, parts: Any, ends: Any, given: Any, colours: Any, sums: Any, found: Any) -> None:
    """Write the fingerprint of each board into ``found``."""
    for index in range(len(boards)):
        found[index] = fingerprint(boards[index], parts, ends, given, colours, sums)
