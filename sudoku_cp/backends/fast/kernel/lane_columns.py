"""Single lanes as vectors: a *column* is a copy of the board of one lane, its cells one after the other.

A column is padded to whole vectors; the padding after its last cell is zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir
from numba.core import cgutils

from sudoku_cp.backends.fast.kernel.lane_expressions import BYTE, INT, Condition, Value, interleave, select, transpose

if TYPE_CHECKING:
    from collections.abc import Callable

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
FEW = 2
"""Up to this many values beyond whole bytes of values are handled one by one."""
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
    cells = column.of(WORD)
    sizes = [cells[word].size() for word in range(word_count(layout))]
    return [one.equals(one.broadcast(size)) for one in sizes]


def open_cells(layout: BoardLayout, column: Vectors) -> list[Condition]:
    """Return the cells with several candidates, a mask for each word."""
    cells = column.of(WORD)
    found = [cells[word] for word in range(word_count(layout))]
    return [(one & (one - 1)).differs(0) for one in found]


def bitboards(layout: BoardLayout, column: Vectors, boards: Vectors) -> list[Condition]:
    """Write for each value two sets: the cells that may take it and have two candidates, and the others that may take it.

    Return the set of the cells with two candidates. A value's sets are `word_count` words each, that of the others first.
    """
    number, filled = word_count(layout), -(-layout.cells // WORD)
    cells = [column.of(WORD)[word] for word in range(filled)]
    pairs = [own.size().equals(PAIR) for own in cells]
    out = boards.of(2 * number, WORD)
    rest = layout.side % BYTE if layout.side % BYTE <= FEW else 0
    for byte in range(0, layout.side - rest, BYTE):
        planes = [transpose((own >> byte).resize(8)) for own in cells]
        paired = [plane & plane.broadcast(pair.bits()) for plane, pair in zip(planes, pairs, strict=True)]
        blank = [planes[0] & 0] * (number - filled)
        rows = interleave([*(plane ^ pair for plane, pair in zip(planes, paired, strict=True)), *blank, *paired, *blank])
        for value, row in enumerate(rows[: layout.side - byte]):
            out[byte + value] = row
    for value in range(layout.side - rest, layout.side):
        single = boards.of(1, WORD)
        for word, (own, pair) in enumerate(zip(cells, pairs, strict=True)):
            able = (own & 1 << value).differs(0)
            single[value * 2 * number + word] = (able & ~pair).number(own)
            single[value * 2 * number + number + word] = (able & pair).number(own)
    return [*pairs, *[pairs[0] & ~pairs[0]] * (number - filled)]


def shared_candidates(layout: BoardLayout, boards: Vectors, peers: Vectors, cell: Value, first: Value, second: Value) -> Value:
    """Return how many peers of a cell may take each of its two values, weighted by `PAIRS` and `OTHERS`."""
    number = word_count(layout)
    sets, among = boards.of(2 * number, WORD), peers.of(2 * number, WORD)[cell]
    counts = (sets[first] & among).size() + (sets[second] & among).size()
    return (counts * counts.constants([OTHERS] * number + [PAIRS] * number)).total()
