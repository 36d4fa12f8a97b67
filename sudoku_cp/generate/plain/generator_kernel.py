"""The loops around the lane kernel, compiled: the kernels of this package."""

from __future__ import annotations

import sys
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.generate.base import GENERATION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


ENTRIES = ("propose", "accept", "draw_4x4_grids", "draw_orders", "ready", "ask", "learn", "draw_words", "restore_givens")
"""The functions called from outside. All others are inlined: calls count references to arrays, which took most of the time."""

_loops = CachedModule.of_functions(
    "generating",
    (sys.modules[__name__],),
    ENTRIES,
    "the generator's kernel",
    inline=True,
)


def call_kernel(function: str, *arguments: Any) -> Any:
    """Call one of `ENTRIES`; raise `BackendMissing` where Numba may not compile."""
    return _loops.call(function, *arguments)


# Numba kernel: Philox4x32-10, a counter-based random number generator (Salmon, Moraes, Dror and Shaw, 2011).
#
# Its key is made of the seed and a purpose, its counter of the puzzle's number and the try, so streams are independent and do
# not depend on the order in which they are drawn. Words of 32 bits are kept in signed integers of 64, Numba's default.


if TYPE_CHECKING:
    Stream = NDArray[np.int64]
    """Key (2), block, try, number (2), how many words of the block are used, its words (4)."""

WORD, LOW_WORD = 32, 0xFFFFFFFF
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
        a, b, c, d = (
            (other >> WORD & LOW_WORD) ^ b ^ first,
            other & LOW_WORD,
            (one >> WORD & LOW_WORD) ^ d ^ second,
            one & LOW_WORD,
        )
        first, second = first + FIRST_STEP & LOW_WORD, second + SECOND_STEP & LOW_WORD
    return a, b, c, d


def begin(stream: Stream, number: int, attempt: int, block: int) -> None:
    """Start the stream of a puzzle and a try at a ``block`` of four words."""
    stream[BLOCK] = block
    stream[TRY] = attempt & LOW_WORD
    stream[NUMBER] = number & LOW_WORD
    stream[NUMBER + 1] = number >> WORD & LOW_WORD
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
    if product & LOW_WORD < bound:
        least = (LOW_WORD + 1 - bound) % bound
        while product & LOW_WORD < least:
            product = word(stream) * bound
    return product >> WORD


def shuffle(stream: Stream, values: NDArray[Any], start: int) -> None:
    """Put the values from ``start`` on in a random order."""
    for last in range(len(values) - 1, start, -1):
        other = start + below(stream, last - start + 1)
        values[last], values[other] = values[other], values[last]


# Numba kernel: rounds of digging. `ask` writes the next probe of each active board, `learn` applies the answers.
#
# Theory of operation. First the longest prefix of units that can go is found by bisection: the first `LOW` units can go
# together, the first `HIGH` cannot. Then each later unit is tried on its own. A board is a row of each array:
#
# - ``givens`` (N, cells), 0 in blank cells;
# - ``units`` (N, units, cells): cells that go together, which `ready` arranges so that -1 follows the last of them;
# - ``state`` (N, `STATES`).


LOW, HIGH, PLACE, SPARE, UNITS = range(5)
"""Columns of the state: units that can go; units that cannot; the unit tried, or how many; givens that may go; units to try."""
STATES = 5
EXCEPT = 128
"""Added to a value: any value but this one."""
STEPS = 1024
"""The resolution of the inverse distribution of the first failing unit."""


def arrange(given: NDArray[np.uint8], units: NDArray[np.int16]) -> Any:
    """Reduce units to the cells that are given, move those that have any to the front, and return how many there are."""
    number = 0
    for unit in range(units.shape[0]):
        size = 0
        for place in range(units.shape[1]):
            cell = units[unit, place]
            if cell >= 0 and given[cell] > 0:
                units[number, size] = cell
                size += 1
        for place in range(size, units.shape[1]):
            units[number, place] = -1
        number += size > 0
    return number


def size_of(units: NDArray[np.int16], board: int, unit: int) -> Any:
    """Return the number of cells of a unit."""
    size = 1
    while size < units.shape[2] and units[board, unit, size] >= 0:
        size += 1
    return size


def next_unit(units: NDArray[np.int16], state: NDArray[np.int64], board: int, unit: int) -> Any:
    """Advance to the next unit, this one or later, that may go; return whether there is one."""
    spare = state[board, SPARE]
    while unit < state[board, UNITS] and spare > 0:
        if size_of(units, board, unit) <= spare:
            state[board, PLACE] = unit
            return True
        unit += 1
    return False


def ready(
    givens: NDArray[np.uint8], units: NDArray[np.int16], state: NDArray[np.int64], halving: int, active: NDArray[np.int64]
) -> Any:
    """Initialise the state, with bisection (1) or without (0); write which boards are active and return how many."""
    number = 0
    for board in range(len(givens)):
        count = arrange(givens[board], units[board])
        state[board, UNITS] = count
        fit, cells = 0, 0
        while halving == 1 and fit < count:
            cells += size_of(units, board, fit)
            if cells > state[board, SPARE]:
                break
            fit += 1
        state[board, LOW], state[board, HIGH] = 0, fit + 1
        if fit > 0 or next_unit(units, state, board, 0):
            active[number] = board
            number += 1
    return number


def middle(low: int, high: int, chances: NDArray[np.float64], halves: NDArray[np.int64]) -> Any:
    """Return how many units to try next, so that about half of the time they can all go."""
    likely = (chances[low] + chances[high - 1]) / 2
    return min(max(halves[int(likely * STEPS)], low + 1), high - 1)


def ask(
    givens: NDArray[np.uint8],
    units: NDArray[np.int16],
    state: NDArray[np.int64],
    law: tuple[NDArray[np.float64], NDArray[np.int64]],
    active: NDArray[np.int64],
    probes: NDArray[np.uint8],
    wanted: NDArray[np.int64],
) -> None:
    """Write the next probe of each active board, and the number of solutions that would refute it."""
    for here in range(len(active)):
        board = active[here]
        for cell in range(givens.shape[1]):
            probes[here, cell] = givens[board, cell]
        first, last = state[board, PLACE], state[board, PLACE] + 1
        if state[board, HIGH] - state[board, LOW] > 1:
            first, last = state[board, LOW], middle(state[board, LOW], state[board, HIGH], law[0], law[1])
            state[board, PLACE] = last
        elif size_of(units, board, first) == 1:
            # There is a second solution without the given if and only if there is one with another value there.
            wanted[here] = 1
            probes[here, units[board, first, 0]] += EXCEPT
            continue
        wanted[here] = 2
        for unit in range(first, last):
            for place in range(size_of(units, board, unit)):
                probes[here, units[board, unit, place]] = 0


def take_away(givens: NDArray[np.uint8], units: NDArray[np.int16], state: NDArray[np.int64], board: int, unit: int) -> None:
    """Remove the cells of a unit."""
    size = size_of(units, board, unit)
    for place in range(size):
        givens[board, units[board, unit, place]] = 0
    state[board, SPARE] -= size


def learn(
    givens: NDArray[np.uint8],
    units: NDArray[np.int16],
    state: NDArray[np.int64],
    proved: NDArray[np.bool_],
    active: NDArray[np.int64],
    wanted: NDArray[np.int64],
    found: NDArray[np.int64],
) -> Any:
    """Remove what can go; return how many boards are still active, moved to the front."""
    still = 0
    for here in range(len(active)):
        board = active[here]
        place = state[board, PLACE]
        if found[here] < 0:
            proved[board] = False
        goes = found[here] == wanted[here] - 1
        if state[board, HIGH] - state[board, LOW] > 1:
            if goes:
                for unit in range(state[board, LOW], place):
                    take_away(givens, units, state, board, unit)
                state[board, LOW] = place
            else:
                state[board, HIGH] = place
            more = state[board, HIGH] - state[board, LOW] > 1 or next_unit(units, state, board, state[board, HIGH])
        else:
            if goes:
                take_away(givens, units, state, board, place)
            more = next_unit(units, state, board, place + 1)
        if more:
            active[still] = board
            still += 1
    return still


def draw_orders(stream: Stream, numbers: NDArray[np.int64], tries: NDArray[np.int64], orders: NDArray[np.int16]) -> None:
    """Write a random order of all cells for each puzzle."""
    for one in range(len(numbers)):
        begin(stream, numbers[one], tries[one], 0)
        for cell in range(orders.shape[1]):
            orders[one, cell] = cell
        shuffle(stream, orders[one], 0)


# Numba kernel: random words, and units put back before a puzzle is dug again.


def draw_words(stream: Stream, numbers: NDArray[np.int64], tries: NDArray[np.int64], words: NDArray[np.uint32]) -> None:
    """Write a row of random words of 32 bits for each puzzle."""
    for one in range(len(numbers)):
        begin(stream, numbers[one], tries[one], 0)
        for place in range(words.shape[1]):
            words[one, place] = word(stream)


def restore_givens(
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


# Numba kernel: trials for uniform grids of 9x9, which fill boxes 1, 2, 3, 4, 7 and 5 and draw one of their completions.


PATTERNS = 56
BANDS = PATTERNS * 6**6
"""The ways to complete a band after its first box: sets of three values, and an order of each."""
MOST_FILLS = 448
"""The most fills that box 5 has for any kind."""
NAMES = 362_880
"""The orders of nine values."""
COMPLETIONS = 32
"""More completions than any trial is known to have; see `full_grids`."""
LAST = NAMES * COMPLETIONS
BLOCKS = 64
"""Blocks of random words reserved for a trial, which takes one or two."""


def fill_rows(grid: NDArray[np.uint8], pattern: Any, box: int, order: int, column: NDArray[np.int64]) -> int:
    """Fill a box next to box 1 with values as cells of box 1 (from 1), in some order; note the column of each."""
    for row in range(3):
        own = order % 6
        order //= 6
        for place in range(3):
            value = pattern[9 * (box - 1) + 3 * row + ORDERS[own, place]]
            grid[9 * row + 3 * box + place] = value + 1
            column[value] = place
    return order


def fill_columns(grid: NDArray[np.uint8], pattern: Any, box: int, order: int, row: NDArray[np.int64]) -> int:
    """Do the same below box 1, transposed."""
    for column in range(3):
        own = order % 6
        order //= 6
        for place in range(3):
            turned = pattern[9 * (box - 1) + 3 * column + ORDERS[own, place]]
            value = turned % 3 * 3 + turned // 3
            grid[9 * (3 * box + place) + column] = value + 1
            row[value] = place
    return order


def fill_middle(grid: NDArray[np.uint8], fill: NDArray[np.int64], row: Any, column: Any, room: NDArray[np.int64]) -> None:
    """Fill box 5 by a ``fill`` for values sorted by their row in box 4 and their column in box 2."""
    for place in range(10):
        room[place] = 0
    for value in range(9):
        room[row[value] * 3 + column[value] + 1] += 1
    for place in range(9):
        room[place + 1] += room[place]
    for value in range(9):
        place = row[value] * 3 + column[value]
        room[10 + room[place]] = value + 1
        room[place] += 1
    for cell in range(9):
        grid[9 * (3 + cell // 3) + 3 + cell % 3] = room[10 + fill[cell]]


def rename(grid: NDArray[np.uint8], order: int, names: NDArray[np.int64]) -> None:
    """Rename the values by one of their orders."""
    for value in range(10):
        names[value] = value
    for last in range(9, 1, -1):
        other = 1 + order % last
        order //= last
        names[last], names[other] = names[other], names[last]
    for cell in range(81):
        grid[cell] = names[grid[cell]]


def trial(stream: Stream, grid: NDArray[np.uint8], tables: Tables, room: NDArray[np.int64]) -> Any:
    """Fill six boxes and return which completion to take (from 1); 0 if the trial is rejected.

    Box 1, and a band and a stack that fit it, are uniform, then box 5 among its fills. A trial is accepted with a probability
    proportional to the number of these fills, so all ways to fill the six boxes are equally likely.
    """
    patterns, kinds, starts, counts, fills = tables
    row, column = room[0], room[1]
    band, stack, fill, last = below(stream, BANDS), below(stream, BANDS), below(stream, MOST_FILLS), below(stream, LAST)
    across, down = patterns[band % PATTERNS], patterns[stack % PATTERNS]
    rows, columns = fill_rows(grid, across, 1, band // PATTERNS, column), fill_columns(grid, down, 1, stack // PATTERNS, row)
    overlap = 0
    for value in range(9):
        overlap += 1 << 2 * (8 - row[value] * 3 - column[value])
    kind = kinds[overlap]
    if fill >= counts[kind]:
        return 0
    fill_middle(grid, fills[starts[kind] + fill], row, column, room[2])
    fill_rows(grid, across, 2, rows, column)
    fill_columns(grid, down, 2, columns, row)
    for value in range(9):
        grid[9 * (value // 3) + value % 3] = value + 1
    rename(grid, last % NAMES, room[2])
    return 1 + last // NAMES


def propose(
    stream: Stream,
    who: NDArray[np.int64],
    left: NDArray[np.int64],
    each: int,
    grids: NDArray[np.uint8],
    wanted: NDArray[np.int64],
    tables: Tables,
    room: NDArray[np.int64],
) -> None:
    """Write ``each`` trials for every puzzle that is ``left``; ``who`` holds number, try and trials so far of each.

    In ``grids`` the boxes that no trial fills stay blank.
    """
    here = 0
    for one in left:
        for _ in range(each):
            wanted[here] = 0
            while wanted[here] == 0:
                begin(stream, who[0, one], who[1, one], who[2, one] * BLOCKS)
                who[2, one] += 1
                wanted[here] = trial(stream, grids[here], tables, room)
            here += 1


def accept(
    left: NDArray[np.int64],
    each: int,
    found: NDArray[np.int64],
    wanted: NDArray[np.int64],
    solutions: NDArray[np.uint8],
    grids: NDArray[np.uint8],
) -> int:
    """Store the first trial of each puzzle that has the completion wanted; return how many are left, moved to the front."""
    still = 0
    for place in range(len(left)):
        one = left[place]
        done = False
        for here in range(place * each, (place + 1) * each):
            if found[here] == wanted[here]:
                grids[one] = solutions[here]
                done = True
                break
        if not done:
            left[still] = one
            still += 1
    return still


def draw_4x4_grids(
    stream: Stream, numbers: NDArray[np.int64], tries: NDArray[np.int64], every: NDArray[np.uint8], grids: NDArray[np.uint8]
) -> None:
    """Write a random one of ``every`` grid for each puzzle."""
    for one in range(len(numbers)):
        begin(stream, numbers[one], tries[one], 0)
        grids[one] = every[below(stream, len(every))]


# Tables for uniform grids: all grids of 4x4; the ways to complete a band after its first box; the fills of box 5.


ORDERS = np.array(list(permutations(range(3))))
"""The orders of three things."""
LINE = frozenset(range(3))


class Tables(NamedTuple):
    """Lookup tables of the uniform trials.

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
