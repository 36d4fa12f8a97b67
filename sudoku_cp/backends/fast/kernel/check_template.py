"""The check of solutions: whether filled grids solve their puzzles, independent of the rules and the search that solve them.

Theory of operation.

- **A block** is as many grids as a vector has bytes. `spread_values` transposes it, 16 cells at a time, so that a vector is one
  cell of all its grids, and turns each value into a bit: the values have a *plane* of bytes for every eight of them. One value
  beyond whole planes is no bit at all.
- **A house is complete** if and only if the exclusive or of its cells has every bit: then each of these values occurs an odd
  number of times, so once at least, and where a value without a bit is left there is room for it once and for nothing else.
  What is no value at all is noticed while the block is transposed.
- **A puzzle is kept** if no cell differs from it, which is seen grid by grid, without transposing.

This module is a template, as `search_template` is: `lane_kernel` runs it for each shape of grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir
from numba import int64, njit, uint8, uint64

from sudoku_cp.backends.fast.kernel.intrinsics import align_stack, pointer_to, vector_intrinsic
from sudoku_cp.backends.fast.kernel.lane_expressions import (
    BYTE,
    INT,
    concatenate,
    maximum_of,
    parity,
    select,
    transpose_bytes,
    union,
)
from sudoku_cp.backends.fast.kernel.search_state import CACHED, INSTRUCTION_SET, LAYOUT, CheckTask
from sudoku_cp.callee_compiler import compiled_callee

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.backends.fast.kernel.lane_expressions import Condition, Lanes, Value
    from sudoku_cp.backends.fast.kernel.vector_memory import Vectors
    from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout

WIDE = 32
"""Bits of a set of candidates in an array."""
GRIDS = INSTRUCTION_SET.lanes(BYTE)
"""Grids of a block."""
CELLS, SIDE = LAYOUT.cells, LAYOUT.side
PIECE = 16
"""Cells that are transposed together: every processor can interleave vectors of 16 bytes."""
PIECES = -(-CELLS // PIECE)
PLANES = -(-(SIDE - 1) // BYTE)
VECTORS = (PLANES + 1) * CELLS
"""Vectors of working memory: one for each cell, a plane after the other, and room for a block of grids."""


def spread_values(layout: BoardLayout, planes: Vectors, solutions: Vectors, piece: Value) -> list[Condition]:
    """Write the planes of `PIECE` cells of a block; return the grids in which one of these cells holds no value."""
    builder = planes.builder
    # The last piece ends with the last cell.
    start, last = builder.mul(piece, ir.Constant(INT, PIECE)), ir.Constant(INT, layout.cells - PIECE)
    first = builder.select(builder.icmp_unsigned("<", start, last), start, last)
    cells = solutions.of(PIECE, BYTE).after(first)
    rows = [concatenate([cells.after((grid + row) * layout.cells)[0] for grid in range(0, GRIDS, PIECE)]) for row in range(PIECE)]
    numbers = [values - 1 for values in transpose_bytes(rows)]
    for plane in range(PLANES):
        out = planes.of(GRIDS, BYTE).starting_at(builder.add(first, ir.Constant(INT, plane * layout.cells)))
        for cell, number in enumerate(numbers):
            out[cell] = bit_in_plane(layout, number, plane)
    return [maximum_of(numbers).exceeds(layout.side - 1)]


def bit_in_plane(layout: BoardLayout, number: Lanes, plane: int) -> Lanes:
    """Return the bit of a value, numbered from 0, if it belongs to that plane; else no bit."""
    bit = 1 << (number & BYTE - 1)
    if layout.side <= BYTE:
        return bit
    if layout.side == BYTE + 1:
        return select(number.equals(BYTE), 0, bit)
    return select((number >> 3).equals(plane), bit, 0)


def complete_houses(layout: BoardLayout, planes: Vectors, number: Value) -> list[Condition]:
    """Return the grids of a block in which the row, the column and the box of that number have all values."""
    builder = planes.builder
    height, width, side = (ir.Constant(INT, size) for size in (layout.height, layout.width, layout.side))
    row = builder.mul(number, side)
    band, stack = builder.udiv(number, height), builder.urem(number, height)
    corner = builder.add(builder.mul(band, builder.mul(height, side)), builder.mul(stack, width))
    houses: list[tuple[Value, Sequence[int]]] = [
        (row, range(layout.side)),
        (number, range(0, layout.cells, layout.side)),
        (corner, [line * layout.side + place for line in range(layout.height) for place in range(layout.width)]),
    ]
    wrong = []
    for plane in range(PLANES):
        every_bit = (1 << min(BYTE, layout.side - plane * BYTE)) - 1
        for first, cells in houses:
            house = planes.of(GRIDS, BYTE).starting_at(builder.add(first, ir.Constant(INT, plane * layout.cells)))
            wrong.append(parity(house[cell] for cell in cells) ^ every_bit)
    return [union(wrong).equals(0)]


def differs_from_values(layout: BoardLayout, solution: Vectors, puzzle: Vectors) -> list[Condition]:
    """Return a mask that is not 0 if a grid differs from its puzzle, given as values, 0 in blank cells."""
    wrong = []
    for value, given in side_by_side(layout, solution, puzzle, GRIDS, BYTE):
        wrong.append(select(given.equals(0), 0, given ^ value))
    return [union(wrong).differs(0)]


def differs_from_candidates(layout: BoardLayout, solution: Vectors, puzzle: Vectors) -> list[Condition]:
    """Return such a mask for a puzzle given as sets of `WIDE` bits, with value v in bit v."""
    wrong = []
    for value, given in side_by_side(layout, solution, puzzle, INSTRUCTION_SET.lanes(WIDE), WIDE):
        wrong.append((given >> (value.resize(WIDE) & WIDE - 1) & 1) ^ 1)
    return [union(wrong).differs(0)]


def side_by_side(layout: BoardLayout, solution: Vectors, puzzle: Vectors, most: int, bits: int) -> Iterator[tuple[Lanes, Lanes]]:
    """Yield up to ``most`` cells at a time of a grid of bytes and a puzzle of ``bits`` bits a cell; the last may overlap."""
    count = min(most, 1 << layout.cells.bit_length() - 1)
    for first in (*range(0, layout.cells - count, count), layout.cells - count):
        yield solution.of(count, BYTE).after(first)[0], puzzle.of(count, bits).after(first)[0]


spread = vector_intrinsic(spread_values, LAYOUT, INSTRUCTION_SET, masks=1)
complete = vector_intrinsic(complete_houses, LAYOUT, INSTRUCTION_SET, masks=1)
values_differ = vector_intrinsic(differs_from_values, LAYOUT, INSTRUCTION_SET, masks=1)
candidates_differ = vector_intrinsic(differs_from_candidates, LAYOUT, INSTRUCTION_SET, masks=1)
bytes_at = pointer_to(uint8)
numbers_at = pointer_to(int64)

inlined = compiled_callee(forceinline=True)
compiled = njit(nogil=True, error_model="numpy", cache=CACHED)


@compiled
def check(task_address: int, planes: int) -> None:
    """Write for each filled grid of some shares whether it solves its puzzle; other threads may check, or make, others meanwhile.

    The fields of the `CheckTask` lie at the address, a number of 64 bits each; ``planes`` (`VECTORS`, `GRIDS`) is working memory.
    """
    align_stack()
    task = task_at(task_address)
    for index in range(task.shares):
        begin = task.starts[index]
        end = min(begin + task.share, task.number)
        for start in range(begin, end, GRIDS):
            check_block(task, planes, start, min(end, start + GRIDS))


@inlined
def check_block(task: CheckTask, planes: int, start: int, end: int) -> None:
    """Do so for some grids that fit into a block."""
    first = max(0, min(start, task.number - GRIDS))  # the last block may begin with grids of others
    full = ~uint64(0)
    for grid in range(start, end):
        if is_filled(task, grid):
            full = full_grids(task.solutions + first * CELLS, task.number, planes) >> uint64(start - first)
            break
    for grid in range(start, end):
        task.right[grid] = not is_filled(task, grid) or (full & uint64(1) != 0 and is_kept(task, grid))
        full >>= uint64(1)


@inlined
def is_filled(task: CheckTask, grid: int) -> bool:
    """Return whether a solution was found, whether or not a limit has complemented the count."""
    count = task.counts[grid]
    return max(count, ~count) != 0


@inlined
def task_at(address: int) -> CheckTask:
    """Return the task whose fields lie at an address, with pointers for the addresses of what is not vectors."""
    fields = numbers_at(address)
    return CheckTask(
        fields[0],
        fields[1] != 0,
        fields[2],
        numbers_at(fields[3]),
        bytes_at(fields[4]),
        fields[5],
        numbers_at(fields[6]),
        fields[7],
        fields[8],
    )


@inlined
def is_kept(task: CheckTask, grid: int) -> bool:
    """Return whether a grid agrees with its puzzle, given as values or as sets of candidates."""
    solution = task.solutions + grid * CELLS
    if task.candidates:
        return candidates_differ(solution, task.puzzles + grid * CELLS * 4)[0] == 0
    return values_differ(solution, task.puzzles + grid * CELLS)[0] == 0


@inlined
def full_grids(solutions: int, number: int, planes: int) -> int:
    """Return the grids of a block in which every house has all values; if there are fewer, they are first copied to a block."""
    if number < GRIDS:
        block = planes + PLANES * CELLS * GRIDS
        source, target = bytes_at(solutions), bytes_at(block)
        for place in range(number * CELLS):
            target[place] = source[place]
        solutions = block
    wrong = uint64(0)
    for piece in range(PIECES):
        wrong |= spread(planes, solutions, piece)[0]
    full = ~wrong
    for house in range(SIDE):
        full &= complete(planes, house)[0]
    return full
