"""The check of solutions: whether filled grids solve their puzzles, independent of the rules and the search that solve them.

This module is a template, as `search_template` is: `kernel_templates` runs it for each shape of grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir
from numba import int64, njit, uint8, uint64

from sudoku_cp.backends.fast.kernel.intrinsics import address_of, pointer_to, vector_intrinsic
from sudoku_cp.backends.fast.kernel.lane_expressions import INT, select, union
from sudoku_cp.backends.fast.kernel.template_parameters import CACHED, INSTRUCTION_SET, LAYOUT

if TYPE_CHECKING:
    from sudoku_cp.backends.fast.kernel.lane_expressions import Condition, Lanes, Value
    from sudoku_cp.backends.fast.kernel.vector_memory import Vectors
    from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout

LANES = INSTRUCTION_SET.lanes(LAYOUT.bits)
CELLS, SIDE = LAYOUT.cells, LAYOUT.side
HOUSES = 3 * SIDE
VECTORS = CELLS + 1
"""A vector for each cell, the set of the value it holds; and one that is not 0 where a cell contradicts its puzzle."""


def gather_cell(layout: BoardLayout, grids: Vectors, cell: Value, bits: int) -> Lanes:
    """Return a cell of ``bits`` bits of as many grids as there are lanes; the grids lie one after the other."""
    items = grids.of(1, bits)
    places = [grids.builder.add(cell, ir.Constant(INT, lane * layout.cells)) for lane in range(grids.count)]
    return grids.of(grids.count, bits).gather([items[place] for place in places])


def fill_values(layout: BoardLayout, board: Vectors, cell: Value, solutions: Vectors, puzzles: Vectors) -> None:
    """Load a cell of all lanes, and note where it differs from its puzzle, given as values, 0 in blank cells."""
    value, given = gather_cell(layout, solutions, cell, 8), gather_cell(layout, puzzles, cell, 8)
    board[cell] = 1 << (value.resize(layout.bits) - 1)
    differs = select(given.equals(0), 0, given ^ value)
    board[CELLS] = board[CELLS] | differs.resize(layout.bits)


def fill_candidates(layout: BoardLayout, board: Vectors, cell: Value, solutions: Vectors, puzzles: Vectors) -> None:
    """Do the same for puzzles given as sets of 32 bits, with value v in bit v."""
    value, given = gather_cell(layout, solutions, cell, 8), gather_cell(layout, puzzles, cell, 32)
    board[cell] = 1 << (value.resize(layout.bits) - 1)
    differs = (given >> value.resize(32) & 1) ^ 1
    board[CELLS] = board[CELLS] | differs.resize(layout.bits)


def has_all_values(layout: BoardLayout, board: Vectors, house: Value) -> list[Condition]:
    """Return the lanes in which a house has all values; ``house`` is the address of its cells' indices."""
    builder = board.builder
    cells = builder.inttoptr(house, INT.as_pointer())
    found = [board[builder.load(builder.gep(cells, [ir.Constant(INT, number)]))] for number in range(layout.side)]
    return [union(found).equals(layout.everything)]


def clear_differences(layout: BoardLayout, board: Vectors) -> None:  # noqa: ARG001
    """Forget all differences between grids and puzzles."""
    board[CELLS] = 0


def agrees_with_puzzle(layout: BoardLayout, board: Vectors) -> list[Condition]:  # noqa: ARG001
    """Return the lanes in which every cell agrees with its puzzle."""
    return [board[CELLS].equals(0)]


begin_lanes = vector_intrinsic(clear_differences, LAYOUT, INSTRUCTION_SET)
value_cell = vector_intrinsic(fill_values, LAYOUT, INSTRUCTION_SET)
candidate_cell = vector_intrinsic(fill_candidates, LAYOUT, INSTRUCTION_SET)
has_all = vector_intrinsic(has_all_values, LAYOUT, INSTRUCTION_SET, masks=1)
as_given = vector_intrinsic(agrees_with_puzzle, LAYOUT, INSTRUCTION_SET, masks=1)
bytes_at, numbers_at = pointer_to(uint8), pointer_to(int64)

inlined = njit(nogil=True, error_model="numpy", forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
compiled = njit(nogil=True, error_model="numpy", cache=CACHED)


@compiled
def check_values(puzzles: int, solutions: int, right: int, number: int, board: int, houses: int) -> None:
    """Write for each of ``number`` filled grids, at least a whole vector, whether it solves its puzzle, given as values.

    Arrays are passed as addresses: ``board`` (`VECTORS`, lanes) is working memory, ``houses`` (houses, side) has their cells.
    """
    for start in range(0, number, LANES):
        first = min(start, number - LANES)  # the last vector may repeat some grids
        begin_lanes(board)
        for cell in range(CELLS):
            value_cell(board, cell, solutions + first * CELLS, puzzles + first * CELLS)
        write_verdicts(board, houses, right + first)


@compiled
def check_candidates(puzzles: int, solutions: int, right: int, number: int, board: int, houses: int) -> None:
    """Do the same for puzzles given as sets of candidates."""
    for start in range(0, number, LANES):
        first = min(start, number - LANES)
        begin_lanes(board)
        for cell in range(CELLS):
            candidate_cell(board, cell, solutions + first * CELLS, puzzles + first * CELLS * 4)
        write_verdicts(board, houses, right + first)


@inlined
def write_verdicts(board: int, houses: int, right: int) -> None:
    """Write for each lane whether it has all values in every house and agrees with its puzzle."""
    cells, verdicts = numbers_at(houses), bytes_at(right)
    full = as_given(board)[0]
    for house in range(HOUSES):
        full &= has_all(board, address_of(cells, house * SIDE))[0]
    for lane in range(LANES):
        verdicts[lane] = full >> uint64(lane) & uint64(1)
