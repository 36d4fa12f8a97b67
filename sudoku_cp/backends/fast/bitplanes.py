"""The layout of a shape of grid as big integers: the bit of each candidate, and the masks that propagation needs.

- **plane**: the bits of one value, one for each cell; the planes follow each other.
- **segment**: the cells that a line (row or column) and a box have in common; its first cell stands for it.

A group is folded onto its first member by shifts, and unfolded by a product, whose terms never overlap.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Bits: TypeAlias = int
"""A set of candidates, or of places in a plane."""


def _bits(places: Iterable[int]) -> Bits:
    return sum(1 << place for place in places)


class ShiftGroup:
    """Bits at equal distances, such as the cells of a segment; the first one represents them all."""

    __slots__ = ("shifts", "whole")

    def __init__(self, count: int, step: int) -> None:
        """Compute the shifts of ``count`` members a ``step`` apart, and ``whole``: a first times it sets all members."""
        self.shifts = tuple(range(step, count * step, step))
        self.whole = _bits((0, *self.shifts))

    def any(self, members: Bits) -> Bits:
        """Return, at each first, whether any member is set (and nonsense elsewhere)."""
        found = members
        for shift in self.shifts:
            found |= members >> shift
        return found

    def any_and_more(self, members: Bits) -> tuple[Bits, Bits]:
        """Return, at each first, whether any member is set, and whether more than one is."""
        shifts = self.shifts
        if len(shifts) == 2:  # noqa: PLR2004  # most have three members: a special formula saves 5% of the time
            second, third = members >> shifts[0], members >> shifts[1]
            found = members | second
            return found | third, members & second | third & found
        found, more = members, 0
        for shift in shifts:
            other = members >> shift
            more |= found & other
            found |= other
        return found, more


class SegmentDirection:
    """One way to cut every line and box into segments: along the rows, or along the columns."""

    __slots__ = ("cells", "firsts", "in_box", "in_line", "lines")

    def __init__(self, cells: ShiftGroup, in_line: ShiftGroup, in_box: ShiftGroup, firsts: Bits, lines: Bits) -> None:
        """Keep the cells of a segment, the segments of a line and of a box, the first cells of all segments and lines."""
        self.cells, self.in_line, self.in_box, self.firsts, self.lines = cells, in_line, in_box, firsts, lines


class BitplaneBoard:
    """The masks of all grids with boxes of one height and width."""

    __slots__ = ("box", "boxes", "columns", "every", "far", "full", "houses", "near", "plane", "planes", "rows")

    def __init__(self, height: int, width: int) -> None:
        """Compute the masks for boxes of ``height`` rows and ``width`` columns."""
        side = height * width
        size = side * side
        whole, tops, lefts = range(side), range(0, side, height), range(0, side, width)

        def at(rows: range, columns: range) -> Bits:
            return _bits(row * side + column for row in rows for column in columns)

        self.planes = range(0, side * size, size)
        """Where the plane of each value begins."""
        self.near, self.far = ShiftGroup(width, size), ShiftGroup(height, width * size)
        """The planes within a group of ``width`` values, and the ``height`` such groups."""
        self.every = _bits(self.planes)
        self.plane = (1 << size) - 1
        self.full = (1 << side * size) - 1
        self.box = at(range(height), range(width))
        self.boxes = at(tops, lefts) * self.every
        """The first cell of every box."""
        beside, below = ShiftGroup(width, 1), ShiftGroup(height, side)
        row, column = at(range(1), whole), at(whole, range(1))
        self.rows = SegmentDirection(beside, ShiftGroup(height, width), below, at(whole, lefts) * self.every, column * self.every)
        self.columns = SegmentDirection(
            below, ShiftGroup(width, height * side), beside, at(tops, whole) * self.every, row * self.every
        )
        self.houses = {
            1 << down * side + right: row << down * side
            | column << right
            | self.box << down // height * height * side + right // width * width
            for down in whole
            for right in whole
        }
        """For the bit of each cell in a plane, the cells in its houses."""


@lru_cache(maxsize=32)
def bitplane_board(height: int, width: int) -> BitplaneBoard:
    """Return the board with boxes of ``height`` rows and ``width`` columns, the same object each time."""
    return BitplaneBoard(height, width)
