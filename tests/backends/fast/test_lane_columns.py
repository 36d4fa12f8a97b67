"""Columns: what the search reads from the board of one lane, to choose where to branch."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from sudoku_cp.backends.fast import SHAPES, house_cells
from sudoku_cp.backends.fast.kernel import lane_columns
from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet, host_instruction_set
from sudoku_cp.backends.fast.kernel.intrinsics import vector_intrinsic
from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout
from sudoku_cp.backends.fast.lane_kernel import _peers

HOST = host_instruction_set()
MACHINES = {"host": HOST, "counting": InstructionSet("counting", HOST.vector_bits, counting=True)}
"""The instructions of this processor, and those of one that counts the bits of vectors, which LLVM replaces if need be."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("host", MACHINES)
@pytest.mark.parametrize("boxes", [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5)])
def test_bitboards_rank_cells(boxes, host):
    """Bitboards are the cells of each value and those with two candidates; a cell's score counts its peers in them."""
    assert boxes in SHAPES
    layout = BoardLayout(*boxes, counting=False)
    words, room = lane_columns.word_count(layout), lane_columns.column_size(layout)
    write = vector_intrinsic(lane_columns.bitboards, layout, MACHINES[host], masks=words)
    count = vector_intrinsic(lane_columns.shared_candidates, layout, MACHINES[host])
    random = np.random.default_rng(layout.side)
    column = np.zeros(room, np.dtype(f"uint{layout.bits}"))
    column[: layout.cells] = random.integers(1, layout.everything + 1, layout.cells) & random.integers(
        1, layout.everything + 1, layout.cells
    )
    boards, peers = np.zeros((layout.side + 1, words), np.uint64), _peers(layout, room)
    found = njit(lambda one, other: write(one, other))(column.ctypes.data, boards.ctypes.data)  # noqa: PLW0108
    score = njit(lambda one, other, cell, first, second: count(one, other, cell, first, second))  # noqa: PLW0108

    sets = np.unpackbits(boards.view(np.uint8), axis=1, bitorder="little").astype(bool)
    pairs = np.array([int(one).bit_count() == 2 for one in column])
    assert found == tuple(map(int, boards[layout.side]))
    assert (sets[layout.side] == pairs).all()
    for value in range(layout.side):
        assert (sets[value] == (column >> value & 1 == 1)).all()
    for cell in random.integers(0, layout.cells, 20).tolist():
        first, second = random.permutation(layout.side)[:2].tolist()
        others = {peer for house in house_cells(boxes) if cell in house for peer in house} - {cell}
        weights = [lane_columns.PAIRS if pairs[peer] else lane_columns.OTHERS for peer in sorted(others)]
        candidates = [int(column[peer]) for peer in sorted(others)]
        wanted = sum(
            weight * (one >> value & 1) for value in (first, second) for weight, one in zip(weights, candidates, strict=True)
        )
        assert score(boards.ctypes.data, peers.ctypes.data, cell, first, second) == wanted
