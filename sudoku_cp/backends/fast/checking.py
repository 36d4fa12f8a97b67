"""Whether filled grids solve their puzzles: what sudoku says and no more, apart from the rules and the search that solve it.

This module is a template, as `search` is: `compiled` runs it for each shape of grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir
from numba import int64, njit, uint8, uint16, uint32, uint64

from sudoku_cp.backends.fast.kernels import at, lane_kernel, pointer_to
from sudoku_cp.backends.fast.lanes import INT, union
from sudoku_cp.backends.fast.template import KEPT, MACHINE, SHAPE

if TYPE_CHECKING:
    from sudoku_cp.backends.fast.lanes import Condition, Value
    from sudoku_cp.backends.fast.rules import Shape
    from sudoku_cp.backends.fast.vectors import Vectors

LANES = MACHINE.lanes(SHAPE.bits)
CELLS, SIDE = SHAPE.cells, SHAPE.side
HOUSES = 3 * SIDE
ALL_LANES = (1 << LANES) - 1


def full_house(shape: Shape, board: Vectors, house: Value) -> list[Condition]:
    """Return the lanes in which a house has all values; ``house`` is the address of the numbers of its cells."""
    builder = board.builder
    cells = builder.inttoptr(house, INT.as_pointer())
    found = [board[builder.load(builder.gep(cells, [ir.Constant(INT, number)]))] for number in range(shape.side)]
    return [union(found).equals(shape.everything)]


has_all = lane_kernel(full_house, SHAPE, MACHINE, masks=1)
bytes_at, sets_at, numbers_at = pointer_to(uint8), pointer_to(uint32), pointer_to(int64)
items_at = pointer_to({16: uint16, 32: uint32}[SHAPE.bits])


@njit(nogil=True, error_model="numpy", cache=KEPT)
def check(puzzles: int, candidates: bool, solutions: int, right: int, number: int, board: int, houses: int) -> None:  # noqa: FBT001
    """Write of each of ``number`` filled grids whether it solves its puzzle; arrays come as addresses.

    ``board`` (cells, lanes) is room for a vector a cell; ``houses`` (houses, side) are the numbers of their cells.
    """
    values, sets, filled, told = bytes_at(puzzles), sets_at(puzzles), bytes_at(solutions), bytes_at(right)
    items, table = items_at(board), numbers_at(houses)
    for first in range(0, number, LANES):
        lanes = min(LANES, number - first)
        for lane in range(lanes):
            start = (first + lane) * CELLS
            agrees = True
            for cell in range(CELLS):
                value = filled[start + cell]
                if candidates:
                    agrees &= sets[start + cell] >> value & 1 == 1
                else:
                    given = values[start + cell]
                    agrees &= (given == 0) | (given == value)
                items[cell * LANES + lane] = 1 << (int64(value) - 1)
            told[first + lane] = agrees
        full = uint64(ALL_LANES)
        for house in range(HOUSES):
            full &= has_all(board, at(table, house * SIDE))[0]
        for lane in range(lanes):
            told[first + lane] &= full >> uint64(lane) & uint64(1)
