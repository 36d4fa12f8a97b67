"""Equal lines of a board, and equal groups of lines: swapping them changes nothing, so one order of them is enough.

The conventions are those of `minlex`. A line is given by its first cell, the step from each of its cells to the next, and
its length; a group by its first line, the number of its lines, and the pitch from each to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Numbers: TypeAlias = list[int]
"""A flat sequence of whole numbers that is written to: a list in Python, an array in compiled code."""
Given: TypeAlias = Sequence[int]
"""A flat sequence of whole numbers that is only read."""
Shape: TypeAlias = tuple[int, int, int, int, int]
"""Rows, columns, height and width of boxes, number of values."""


def are_equal_lines(given: Given, one: int, other: int, step: int, length: int) -> bool:
    """Return whether two lines of ``length`` cells, each ``step`` from the one before, are equal."""
    for cell in range(0, length * step, step):  # noqa: SIM110  # Numba compiles no generator
        if given[one + cell] != given[other + cell]:
            return False
    return True


def are_equal_groups(given: Given, one: int, other: int, lines: int, pitch: int, step: int, length: int) -> bool:
    """Return whether two groups of ``lines`` lines, each ``pitch`` from the one before, have equal lines in some order."""
    for line in range(one, one + lines * pitch, pitch):
        more = 0
        for number in range(0, lines * pitch, pitch):
            more += are_equal_lines(given, line, one + number, step, length)
            more -= are_equal_lines(given, line, other + number, step, length)
        if more:
            return False
    return True


def equal_group_before(given: Given, start: int, number: int, lines: int, pitch: int, step: int, length: int) -> int:
    """Return the last group before group ``number`` that equals it, -1 if there is none."""
    own = start + number * lines * pitch
    for other in range(number - 1, -1, -1):
        if are_equal_groups(given, own, start + other * lines * pitch, lines, pitch, step, length):
            return other
    return -1


def find_equal_lines(given: Given, turns: int, after: Numbers, shape: Shape) -> None:
    """Write to ``after``, for each row and band of each turn and then each stack, the last equal one before it, or -1."""
    rows, columns, height, width, _ = shape
    bands, stacks = rows // height, columns // width
    likes = turns * (rows + bands)
    for turn in range(turns):
        start, own = turn * rows * columns, turn * (rows + bands)
        for row in range(rows):
            band = row // height * height
            like = equal_group_before(given, start + band * columns, row - band, 1, columns, 1, columns)
            after[own + row] = like if like < 0 else band + like
        for band in range(bands):
            after[own + rows + band] = equal_group_before(given, start, band, height, columns, 1, columns)
        for stack in range(stacks):
            after[likes + turn * stacks + stack] = equal_group_before(given, start, stack, width, 1, columns, rows)


def equal_lines_size(turns: int, shape: Shape) -> int:
    """Return how many numbers `find_equal_lines` writes."""
    rows, columns, height, width, _ = shape
    return turns * (rows + rows // height + columns // width)


def in_order(orders: Given, start: int, after: Given, likes: int, stacks: int) -> bool:
    """Return whether every stack that equals an earlier one comes after it."""
    seen = 0
    for place in range(stacks):
        stack = orders[start + place]
        like = after[likes + stack]
        if like >= 0 and not seen >> like & 1:
            return False
        seen |= 1 << stack
    return True
