"""Single lanes as vectors: a *column* is a copy of the board of one lane, its cells one after the other.

A column is padded to whole vectors; the padding after its last cell is zeros.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from llvmlite import ir
from numba.core import cgutils

from sudoku_cp.backends.fast.kernel.lane_expressions import BYTE, INT, Condition, Lanes, Value, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.backends.fast.kernel.lane_expressions import Builder
    from sudoku_cp.backends.fast.kernel.vector_memory import Vectors
    from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout

WORD = 64
"""Cells in a word of a set of cells."""
PAIR = 2
EXCEPT = 128
"""Added to a value, means any other value."""
PAIRS, OTHERS = 7, 2
"""The weights of a peer with two candidates, and of one with more: those tried that took the fewest guesses on hard puzzles."""
_LARGE = 256
"""Boards with more cells than this get a loop over the cells that is not unrolled."""


def word_count(layout: BoardLayout) -> int:
    """Return how many words a set of cells takes: a power of two."""
    return 1 << (-(-layout.cells // WORD) - 1).bit_length()


def column_size(layout: BoardLayout) -> int:
    """Return the number of items in a column: its cells, padded to whole words."""
    return word_count(layout) * WORD


def extract_lane(layout: BoardLayout, board: Vectors, lane: Value, column: Vectors) -> None:
    """Copy a lane of the board to a column."""
    own, taken = board.lane(lane), column.of(1)
    if layout.cells <= _LARGE:
        for index in range(-(-layout.cells // column.count)):
            cells = range(index * column.count, min(layout.cells, (index + 1) * column.count))
            column[index] = column.gather([own[cell * board.count] for cell in cells])
        return

    def copy(cell: Value) -> None:
        taken[cell] = own[board.builder.mul(cell, ir.Constant(INT, board.count))]

    _every_cell(board.builder, layout, copy)


def copy_column(layout: BoardLayout, column: Vectors, target: Vectors) -> None:
    """Copy a column to another."""
    for index in range(-(-layout.cells // column.count)):
        target[index] = column[index]


def insert_lane(layout: BoardLayout, board: Vectors, lane: Value, column: Vectors) -> None:
    """Copy a column to a lane of the board."""
    own, taken = board.lane(lane), column.of(1)

    def copy(cell: Value) -> None:
        own[board.builder.mul(cell, ir.Constant(INT, board.count))] = taken[cell]

    _every_cell(board.builder, layout, copy)


def _every_cell(builder: Builder, layout: BoardLayout, act: Callable[[Value], None]) -> None:
    if layout.cells <= _LARGE:
        for cell in range(layout.cells):
            act(ir.Constant(INT, cell))
        return
    with cgutils.for_range(builder, ir.Constant(INT, layout.side)) as line:
        first = builder.mul(line.index, ir.Constant(INT, layout.side))
        for place in range(layout.side):
            act(builder.add(first, ir.Constant(INT, place)))


# --- to and from arrays -----------------------------------------------------------------------------------------


def read_values(layout: BoardLayout, column: Vectors, values: Vectors) -> None:
    """Turn the values of a puzzle, bytes, 0 in blank cells, into candidate sets."""
    for given, sets in zip(values.of(1, 8).pieces(layout.cells), column.pieces(layout.cells), strict=True):
        value = given[0].resize(layout.bits)
        # The shift of a blank would be all ones: masked to less than the width, so that the result is defined.
        alone = 1 << ((value - 1) & (layout.bits - 1))
        sets[0] = select(value.equals(0), layout.everything, alone)


def read_probes(layout: BoardLayout, column: Vectors, values: Vectors) -> None:
    """Turn bytes into candidate sets: 0 in blank cells, a value, or `EXCEPT` plus a value, which means any other value."""
    for given, sets in zip(values.of(1, 8).pieces(layout.cells), column.pieces(layout.cells), strict=True):
        value = given[0].resize(layout.bits)
        alone = 1 << ((value - 1) & (layout.bits - 1))
        found = select(value.equals(0), layout.everything, alone)
        sets[0] = select((value & EXCEPT).equals(0), found, alone ^ layout.everything)


def read_candidates(layout: BoardLayout, column: Vectors, candidates: Vectors) -> None:
    """Turn sets of 32 bits, with value v in bit v, into candidate sets."""
    for given, sets in zip(candidates.of(1, 32).pieces(layout.cells), column.pieces(layout.cells), strict=True):
        sets[0] = (given[0] >> 1).resize(layout.bits)


def write_values(layout: BoardLayout, column: Vectors, values: Vectors) -> None:
    """Write the values of a solved column, a byte each."""
    for sets, found in zip(column.pieces(layout.cells), values.of(1, 8).pieces(layout.cells), strict=True):
        found[0] = ((sets[0] - 1).size() + 1).resize(8)


# --- where to branch --------------------------------------------------------------------------------------------


def cells_of_size(layout: BoardLayout, column: Vectors, size: Value) -> list[Condition]:
    """Return the cells with ``size`` candidates, a mask for each word."""
    sizes = [cells.size() for cells in words_of(layout, column)]
    return _padded([one.equals(one.broadcast(size)) for one in sizes], layout)


def open_cells(layout: BoardLayout, column: Vectors) -> list[Condition]:
    """Return the cells with several candidates, a mask for each word."""
    return _padded([(cells & (cells - 1)).differs(0) for cells in words_of(layout, column)], layout)


def words_of(layout: BoardLayout, column: Vectors) -> list[Lanes]:
    """Return the cells of each word of a set; the last word is as narrow as its cells allow."""
    starts = range(0, layout.cells, WORD)
    counts = [min(WORD, 1 << (layout.cells - start - 1).bit_length()) for start in starts]
    return [column.of(count)[start // count] for start, count in zip(starts, counts, strict=True)]


def _padded(masks: list[Condition], layout: BoardLayout) -> list[Condition]:
    """Return masks for all words of a set: the last ones may have no cells."""
    return masks + [masks[0] & ~masks[0]] * (word_count(layout) - len(masks))


def bitboards(layout: BoardLayout, column: Vectors, boards: Vectors) -> list[Condition]:
    """Write for each value the set of the cells that may take it, and after these the set of the cells with two candidates.

    Return the latter. A set is `word_count` words.
    """
    number, words = word_count(layout), words_of(layout, column)
    rows = boards.of(1, WORD)
    pairs = _padded([has_two(cells) for cells in words], layout)
    for word, pair in enumerate(pairs):
        rows[layout.side * number + word] = pair.number(words[0])
    for word, cells in enumerate(words):
        for value, able in _transposed(layout, cells):
            rows[value * number + word] = able
    return pairs


def has_two(sets: Lanes) -> Condition:
    """Return which sets have two members."""
    if sets.instruction_set.counting:
        return sets.size().equals(PAIR)
    fewer = sets & (sets - 1)
    return fewer.differs(0) & (fewer & (fewer - 1)).equals(0)


def _transposed(layout: BoardLayout, sets: Lanes) -> Iterator[tuple[int, Lanes]]:
    """Yield each value with the set of the items that have it, as a number."""
    for first in range(0, layout.side, BYTE):
        values = range(first, min(layout.side, first + BYTE))
        # These values as the highest bits of a byte.
        aside = BYTE - len(values)
        bits = (sets >> (first - aside) if first >= aside else sets << (aside - first)).resize(BYTE)
        for value in reversed(values):
            yield value, bits.exceeds((1 << BYTE - 1) - 1).number(sets)
            bits = bits + bits


def shared_candidates(layout: BoardLayout, boards: Vectors, peers: Vectors, cell: Value, first: Value, second: Value) -> Value:
    """Return how many peers of a cell may take each of its two values, weighted by `PAIRS` and `OTHERS`."""
    number = word_count(layout)
    # Vectors of all words where the processor counts the bits of vectors, else word by word.
    step = number if boards.instruction_set.counting else 1
    rows, own = boards.of(step, WORD), peers.of(step, WORD).starting_at(cell, number // step)
    able, paired = [], []
    for word in range(number // step):
        pairs = own[word] & rows[layout.side * number // step + word]
        for value in (first, second):
            row = rows.starting_at(value, number // step)[word]
            able.append((row & own[word]).size())
            paired.append((row & pairs).size())
    return (reduce(Lanes.__add__, able) * OTHERS + reduce(Lanes.__add__, paired) * (PAIRS - OTHERS)).total()
