"""Random irregular regions."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.base import random_stream
from sudoku_cp.generate.random_regions import random_regions, straight_regions, swap_regions
from sudoku_cp.grid import Board, Grid, default_boxes


def _is_connected(cells: set[int], columns: int) -> bool:
    reached = {min(cells)}
    while True:
        beside = {
            other
            for cell in reached
            for other, same_row in ((cell - 1, True), (cell + 1, True), (cell - columns, False), (cell + columns, False))
            if other in cells and (not same_row or other // columns == cell // columns)
        }
        if beside <= reached:
            return reached == cells
        reached |= beside


SHAPES = [
    (4, 4, 4),
    (5, 5, 5),
    (6, 6, 6),
    (7, 7, 7),
    (6, 4, 4),
    (3, 8, 6),
    (4, 4, 2),
    (4, 4, 16),
    (3, 3, 1),
    (1, 6, 3),
    (9, 9, 9),
]


@given(shape=st.sampled_from(SHAPES), seed=st.integers(0, 2**32), symmetric=st.booleans())
@settings(max_examples=30)
def test_partition(shape: tuple[int, int, int], seed: int, symmetric: bool) -> None:
    """Every cell has a region; each region is connected and has the size requested."""
    rows, columns, size = shape
    labels = random_regions(random_stream(seed, 1), rows, columns, size, symmetric=symmetric)
    assert len(labels) == rows * columns
    assert set(Counter(labels).values()) == {size}
    assert [*dict.fromkeys(labels)] == [*range(rows * columns // size)]
    for number in set(labels):
        assert _is_connected({cell for cell, label in enumerate(labels) if label == number}, columns)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_irregular(size: int) -> None:
    """Layouts are not the usual boxes, nor all rows or all columns, and other random streams give others."""
    found = {random_regions(random_stream(seed, 1), size, size) for seed in range(6)}
    assert len(found) > 3
    for labels in found:
        regions = [{divmod(cell, size) for cell, label in enumerate(labels) if label == number} for number in range(size)]
        spans = [len({row for row, _ in region}) * len({column for _, column in region}) for region in regions]
        assert max(spans) > size


def test_same_chance_same_regions() -> None:
    """The same random stream gives the same layout."""
    assert random_regions(random_stream(1, 1), 9, 9) == random_regions(random_stream(1, 1), 9, 9)


@pytest.mark.parametrize("size", [4, 5, 6, 9])
def test_half_a_turn(size: int) -> None:
    """A symmetric layout is the same after half a turn, and still irregular."""
    for seed in range(3):
        labels = random_regions(random_stream(seed, 1), size, size, symmetric=True)
        turned = labels[::-1]
        assert len(set(zip(labels, turned, strict=True))) == size


def test_grid() -> None:
    """The labels make a board whose houses are those regions."""
    labels = random_regions(random_stream(2, 1), 6, 6)
    grid = Grid.of((Board(6, 6, None, labels),), range(1, 7))
    assert sorted(map(len, grid.regions)) == [6] * 6


@given(seed=st.integers(0, 2**32), size=st.sampled_from([4, 6, 9, 12]))
@settings(max_examples=20)
def test_swaps_keep_a_grid(seed: int, size: int) -> None:
    """Where cells of the same value are swapped, each region stays connected and has the values that it had."""
    boxes = straight_regions(size, size)
    height, width = default_boxes(size) or (0, 0)
    grid = [(width * (row % height) + row // height + column) % size for row in range(size) for column in range(size)]
    labels = swap_regions(random_stream(seed, 1), size, size, boxes, grid)
    for number in range(size):
        cells = {cell for cell, label in enumerate(labels) if label == number}
        assert sorted(grid[cell] for cell in cells) == [*range(size)]
        assert _is_connected(cells, size)


def test_swaps_leave_the_boxes() -> None:
    """Regions do become irregular, differently for each random stream."""
    boxes, values = straight_regions(9, 9), [cell % 2 for cell in range(81)]
    found = {swap_regions(random_stream(seed, 1), 9, 9, boxes, values) for seed in range(5)}
    assert len(found | {boxes}) == 6


def test_no_such_regions() -> None:
    """A size that does not divide the board is refused."""
    with pytest.raises(InvalidInput, match="expected regions whose size divides 4 x 4 cells, got 5"):
        random_regions(random_stream(1, 1), 4, 4, 5)
