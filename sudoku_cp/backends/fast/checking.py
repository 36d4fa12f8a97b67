"""Whether filled grids solve their puzzles: what sudoku says and no more, apart from the rules and the search that solve it.

This module is a template, as `search` is: `kept` runs it for each shape of grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir
from numba import int64, njit, uint8, uint64

from sudoku_cp.backends.fast.kernels import at, lane_kernel, pointer_to
from sudoku_cp.backends.fast.lanes import INT, select, union
from sudoku_cp.backends.fast.template import KEPT, MACHINE, SHAPE

if TYPE_CHECKING:
    from sudoku_cp.backends.fast.lanes import Condition, Lanes, Value
    from sudoku_cp.backends.fast.rules import Shape
    from sudoku_cp.backends.fast.vectors import Vectors

LANES = MACHINE.lanes(SHAPE.bits)
CELLS, SIDE = SHAPE.cells, SHAPE.side
HOUSES = 3 * SIDE
VECTORS = CELLS + 1
"""A vector a cell, the set of the value it holds; and one that is not 0 where a cell is not as its puzzle says."""


def across(shape: Shape, grids: Vectors, cell: Value, bits: int) -> Lanes:
    """Return a cell, of so many bits, of as many grids as there are lanes, which lie one after the other."""
    items = grids.of(1, bits)
    places = [grids.builder.add(cell, ir.Constant(INT, lane * shape.cells)) for lane in range(grids.count)]
    return grids.of(grids.count, bits).gathered([items[place] for place in places])


def fill_values(shape: Shape, board: Vectors, cell: Value, solutions: Vectors, puzzles: Vectors) -> None:
    """Fill in a cell of all lanes, of puzzles given as values, 0 in blank cells."""
    value, given = across(shape, solutions, cell, 8), across(shape, puzzles, cell, 8)
    board[cell] = 1 << (value.resized(shape.bits) - 1)
    differs = select(given.equals(0), 0, given ^ value)
    board[CELLS] = board[CELLS] | differs.resized(shape.bits)


def fill_candidates(shape: Shape, board: Vectors, cell: Value, solutions: Vectors, puzzles: Vectors) -> None:
    """Fill in a cell of all lanes, of puzzles given as sets of 32 bits, that of value v in bit v."""
    value, given = across(shape, solutions, cell, 8), across(shape, puzzles, cell, 32)
    board[cell] = 1 << (value.resized(shape.bits) - 1)
    differs = (given >> value.resized(32) & 1) ^ 1
    board[CELLS] = board[CELLS] | differs.resized(shape.bits)


def full_house(shape: Shape, board: Vectors, house: Value) -> list[Condition]:
    """Return the lanes in which a house has all values; ``house`` is the address of the numbers of its cells."""
    builder = board.builder
    cells = builder.inttoptr(house, INT.as_pointer())
    found = [board[builder.load(builder.gep(cells, [ir.Constant(INT, number)]))] for number in range(shape.side)]
    return [union(found).equals(shape.everything)]


def begin(shape: Shape, board: Vectors) -> None:  # noqa: ARG001
    """Know of no difference yet."""
    board[CELLS] = 0


def same(shape: Shape, board: Vectors) -> list[Condition]:  # noqa: ARG001
    """Return the lanes in which every cell is as its puzzle says."""
    return [board[CELLS].equals(0)]


begin_lanes = lane_kernel(begin, SHAPE, MACHINE)
value_cell = lane_kernel(fill_values, SHAPE, MACHINE)
candidate_cell = lane_kernel(fill_candidates, SHAPE, MACHINE)
has_all = lane_kernel(full_house, SHAPE, MACHINE, masks=1)
as_given = lane_kernel(same, SHAPE, MACHINE, masks=1)
bytes_at, numbers_at = pointer_to(uint8), pointer_to(int64)

inlined = njit(nogil=True, error_model="numpy", forceinline=True)
compiled = njit(nogil=True, error_model="numpy", cache=KEPT)


@compiled
def check_values(puzzles: int, solutions: int, right: int, number: int, board: int, houses: int) -> None:
    """Write of each of ``number`` filled grids, a whole vector at least, whether it solves its puzzle, given as values.

    Arrays come as addresses: ``board`` (`VECTORS`, lanes) is room, ``houses`` (houses, side) are the numbers of their cells.
    """
    for start in range(0, number, LANES):
        first = min(start, number - LANES)  # the last vector looks at some again
        begin_lanes(board)
        for cell in range(CELLS):
            value_cell(board, cell, solutions + first * CELLS, puzzles + first * CELLS)
        note(board, houses, right + first)


@compiled
def check_candidates(puzzles: int, solutions: int, right: int, number: int, board: int, houses: int) -> None:
    """Do the same for puzzles given as sets of candidates."""
    for start in range(0, number, LANES):
        first = min(start, number - LANES)
        begin_lanes(board)
        for cell in range(CELLS):
            candidate_cell(board, cell, solutions + first * CELLS, puzzles + first * CELLS * 4)
        note(board, houses, right + first)


@inlined
def note(board: int, houses: int, right: int) -> None:
    """Write for each lane whether it has all values in every house and is as its puzzle says."""
    table, told = numbers_at(houses), bytes_at(right)
    full = as_given(board)[0]
    for house in range(HOUSES):
        full &= has_all(board, at(table, house * SIDE))[0]
    for lane in range(LANES):
        told[lane] = full >> uint64(lane) & uint64(1)
