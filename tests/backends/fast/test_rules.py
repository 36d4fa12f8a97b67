"""The vector rules are sound: they never remove a candidate of a solution, and a board they call solved is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from numba import njit

from sudoku_cp.backends.fast import SHAPES, side_of
from sudoku_cp.backends.fast.kernel import vector_rules
from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.backends.fast.kernel.intrinsics import vector_intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.backends.fast.kernel.lane_expressions import Condition
    from sudoku_cp.backends.fast.kernel.vector_memory import Vectors

HOST = host_instruction_set()
EMPTY = {}


def full_grid(boxes, random):
    """A filled grid: the pattern of shifted rows, its values, and its rows and columns within their bands, shuffled."""
    height, width = boxes
    side = height * width
    line = np.arange(side)
    grid = (line[:, None] % height * width + line[:, None] // height + line) % side
    rows = np.concatenate([band * height + random.permutation(height) for band in random.permutation(width)])
    columns = np.concatenate([stack * width + random.permutation(width) for stack in random.permutation(height)])
    return random.permutation(side)[grid[rows][:, columns]]


def one_round(boxes):
    """A round of the rules as a function of the address of a board."""
    if boxes not in EMPTY:
        shape = vector_rules.BoardLayout(*boxes, HOST.counting)
        begin, by_rows, by_columns = (
            vector_intrinsic(one, shape, HOST)
            for one in (vector_rules.begin_round, vector_rules.propagate_rows, vector_rules.propagate_columns)
        )
        judge = vector_intrinsic(vector_rules.lane_outcomes, shape, HOST, masks=3)
        bands, stacks = shape.width, shape.height

        @njit
        def run(address):
            begin(address)
            for band in range(bands):
                by_rows(address, band)
            for stack in range(stacks):
                by_columns(address, stack)
            return judge(address)

        EMPTY[boxes] = shape, run
    return EMPTY[boxes]


QUICK_BOXES = {(2, 2), (2, 3), (3, 3)}


@pytest.mark.parametrize(
    "boxes", [pytest.param(one, marks=[] if one in QUICK_BOXES else pytest.mark.slow, id=str(one)) for one in SHAPES]
)
def test_no_solution_is_lost(boxes):
    """With random candidates around a filled grid, each round keeps the grid, and removes something or reports no change."""
    shape, run = one_round(boxes)
    lanes = HOST.lanes(shape.bits)
    random = np.random.default_rng(side_of(boxes))
    for density in (0.0, 0.1, 0.3, 0.6, 0.9):
        board = np.zeros((shape.vectors, lanes), np.dtype(f"uint{shape.bits}"))
        solutions = np.stack([1 << full_grid(boxes, random).ravel() for _ in range(lanes)], axis=1)
        extra = random.random((shape.side, shape.cells, lanes)) < density
        board[: shape.cells] = solutions | (extra * (1 << np.arange(shape.side))[:, None, None]).sum(axis=0)
        board[shape.ones] = 1
        while True:
            before = board[: shape.cells].copy()
            dead, solved, still = run(board.ctypes.data)
            after = board[: shape.cells]
            assert dead == 0
            assert ((after & solutions) == solutions).all()
            assert ((after & ~before) == 0).all()
            unchanged = (after == before).all(axis=0)
            for lane in range(lanes):
                assert not solved >> lane & 1 or (after[:, lane] == solutions[:, lane]).all()
                assert not still >> lane & 1 or unchanged[lane]
            if unchanged.all():
                break


def test_contradictions_are_seen():
    """An empty cell, a value without a place in a row, a column or a box, or twice in a box, kill the lane in one round.

    So does a cell that the round itself empties.
    """
    shape, run = one_round((3, 3))
    lanes = HOST.lanes(shape.bits)
    board = np.zeros((shape.vectors, lanes), np.uint16)
    board[:81] = 511
    board[shape.ones] = 1
    board[40, 0] = 0
    for lane, cells in ((1, range(9)), (2, range(4, 81, 9)), (3, (30, 31, 32, 39, 40, 41, 48, 49, 50))):
        board[list(cells), lane] &= 511 ^ 16
    for lane, cells in ((4, (0, 10)), (5, (0, 1, 20))):
        board[list(cells), lane] = 16
    board[[0, 10, 20], 6] = 1, 2, 3
    dead, _, _ = run(board.ctypes.data)
    assert dead & 0b11111111 == 0b01111111


def assert_lanes_of_sizes(ask, shape: vector_rules.BoardLayout, wanted: Callable[[int], list[bool]]) -> None:
    """Ask about every set of nine values, a lane each; of the size of a set, ``wanted`` says which answers are true."""
    lanes = HOST.lanes(shape.bits)
    board = np.zeros((shape.vectors, lanes), np.uint16)
    board[shape.ones] = 1

    @njit
    def run(address):
        return ask(address)

    for first in range(0, 512, lanes):
        board[0] = np.arange(first, first + lanes)
        answers = zip(*(wanted((first + lane).bit_count()) for lane in range(lanes)), strict=True)
        assert list(run(board.ctypes.data)) == [sum(true << lane for lane, true in enumerate(one)) for one in answers]


@pytest.mark.parametrize("chained", [False, True])
def test_sizes_are_counted_or_found_by_removing_values(chained: bool) -> None:
    """Both ways find the same lanes, those of empty sets among the others."""
    shape = vector_rules.BoardLayout(3, 3, counting=True, chained=chained)

    def sizes(layout: vector_rules.BoardLayout, board: Vectors) -> list[Condition]:
        return [vector_rules.has_size(layout, board, board[0], number) for number in (1, 2, 3, 4)]

    ask = vector_intrinsic(sizes, shape, HOST, masks=4)
    assert_lanes_of_sizes(ask, shape, lambda size: [size == number for number in (1, 2, 3, 4)])


def test_sizes_are_bounded_by_removing_values() -> None:
    """A set has more values than a number if and only if some are left after removing that many."""
    shape = vector_rules.BoardLayout(3, 3, counting=False)

    def larger(layout: vector_rules.BoardLayout, board: Vectors) -> list[Condition]:
        return [vector_rules.exceeds(board[layout.ones], board[0], number) for number in (1, 2, 3)]

    ask = vector_intrinsic(larger, shape, HOST, masks=3)
    assert_lanes_of_sizes(ask, shape, lambda size: [size > number for number in (1, 2, 3)])
