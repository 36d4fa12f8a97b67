"""Random irregular regions, as of a jigsaw: connected, without holes, all of the same size.

Starting from boxes, cells are swapped across borders many times (a Metropolis walk): a cell goes to a region beside it, and one
of that region comes back. Longer borders are penalised, or regions would become strings; less so at first, or they would stay
straight. Not all such boards have a full grid.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import MAX_SIDE, default_boxes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

SWAPS, FREELY = 60, 20
"""Swaps tried per cell, and how many of them with the smaller penalty."""
BEND, FREE_BEND = 0.8, 0.2
"""The penalty of each further edge of a border: a swap is accepted with probability exp(-penalty)."""
LOOSE_SWAPS, LOOSE_BEND = 2, -0.4
"""Swaps tried per cell where a grid must be kept. There shorter borders are penalised: otherwise most regions would stay near the
boxes, which have the most grids."""
RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The steps (down, right) to the cells around a cell, in a circle; every second cell shares an edge with it."""


class _Step(NamedTuple):
    """A cell that moves from one region to another."""

    cell: int
    source: int
    target: int


def random_regions(
    random: Random, rows: int, columns: int, size: int | None = None, *, symmetric: bool = False
) -> tuple[int, ...]:
    """Return for each cell, in reading order, the number of its region; regions have ``size`` cells, or as many as a row.

    In a ``symmetric`` layout half a turn maps regions to regions, if the straight regions that it starts from allow that.
    """
    size = columns if size is None else size
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE) or size < 1 or rows * columns % size:
        raise InvalidInput(f"expected regions whose size divides {rows} x {columns} cells, got {size!r}")
    layout = _Layout(random, rows, columns, size, symmetric=symmetric)
    for number in range(SWAPS * rows * columns if rows * columns > size else 0):
        layout.swap(FREE_BEND if number < FREELY * rows * columns else BEND)
    for _ in range(SWAPS * rows * columns if rows * columns > size else 0):
        if layout.is_irregular():
            break
        layout.swap(FREE_BEND)
    return layout.regions()


def straight_regions(rows: int, columns: int) -> tuple[int, ...]:
    """Return for each cell the number of its region: the usual boxes, or simple regions of the same size."""
    return tuple(_straight_labels(rows, columns, columns))


def swap_regions(random: Random, rows: int, columns: int, labels: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    """Return regions with as many cells of each of these ``values`` as those of ``labels`` have.

    Neighbouring regions exchange cells with equal values, and all regions stay connected.
    """
    layout = _Layout(random, rows, columns, columns, symmetric=False, labels=labels)
    for _ in range(LOOSE_SWAPS * rows * columns):
        layout.swap(LOOSE_BEND, values)
    return layout.regions()


class _Layout:
    """Regions under change; after each swap they are connected and of the same size."""

    def __init__(
        self, random: Random, rows: int, columns: int, size: int, *, symmetric: bool, labels: Sequence[int] | None = None
    ) -> None:
        self.random = random
        self.cells, self.columns = rows * columns, columns
        self.labels = _straight_labels(rows, columns, size) if labels is None else list(labels)
        self.members: list[list[int]] = [[] for _ in range(self.cells // size)]
        for cell, label in enumerate(self.labels):
            self.members[label].append(cell)
        self.rings = [_ring(cell, rows, columns) for cell in range(self.cells)]
        self.near = [tuple(other for other in ring[1::2] if other is not None) for ring in self.rings]
        last = self.cells - 1
        turned = {label: self.labels[last - cell] for cell, label in enumerate(self.labels)}
        # Unless half a turn maps the straight regions to each other, it cannot map swaps to swaps.
        symmetric = symmetric and all(self.labels[last - cell] == turned[label] for cell, label in enumerate(self.labels))
        self.turned = turned if symmetric else {}

    def regions(self) -> tuple[int, ...]:
        """Return the region of each cell, numbered in the order in which they first occur."""
        numbers: dict[int, int] = {}
        return tuple(numbers.setdefault(label, len(numbers)) for label in self.labels)

    def is_irregular(self) -> bool:
        """Return whether some region is not a rectangle."""
        for cells in self.members:
            rows, columns = ({place[axis] for place in (divmod(cell, self.columns) for cell in cells)} for axis in (0, 1))
            if len(rows) * len(columns) > len(cells):
                return True
        return False

    def swap(self, bend: float, values: Sequence[int] | None = None) -> None:
        """Try one swap; nothing changes where it is impossible or rejected. With ``values``, only equal cells are swapped."""
        one = self.random.randrange(self.cells)
        source, target = self.labels[one], self.labels[self.random.choice(self.near[one])]
        if source == target or not self._can_lose(one):
            return
        others = [cell for cell in self.members[target] if values is None or values[cell] == values[one]]
        others = [cell for cell in others if self._touches(cell, source)]
        if not others:
            return
        other = self.random.choice(others)
        self._apply(self._with_images([_Step(one, source, target), _Step(other, target, source)]), bend)

    def _with_images(self, steps: list[_Step]) -> list[_Step]:
        if not self.turned:
            return steps
        last = self.cells - 1
        return steps + [_Step(last - cell, self.turned[source], self.turned[target]) for cell, source, target in steps]

    def _apply(self, steps: list[_Step], bend: float) -> None:
        """Apply the steps if each leaves all regions connected; undo them where the penalty rejects them."""
        longer, taken = 0, []
        for step in steps:
            cell, source, target = step
            if self.labels[cell] != source or not self._can_lose(cell) or not self._touches(cell, target):
                break
            longer += sum((self.labels[other] == source) - (self.labels[other] == target) for other in self.near[cell])
            self._move(step)
            taken.append(step)
        longer //= 1 + bool(self.turned)
        if len(taken) < len(steps) or (bend * longer > 0 and self.random.random() >= exp(-bend * longer)):
            for cell, source, target in reversed(taken):
                self._move(_Step(cell, target, source))

    def _move(self, step: _Step) -> None:
        self.labels[step.cell] = step.target
        self.members[step.source].remove(step.cell)
        self.members[step.target].append(step.cell)

    def _touches(self, cell: int, label: int) -> bool:
        return any(self.labels[other] == label for other in self.near[cell])

    def _can_lose(self, cell: int) -> bool:
        """Return whether the region stays connected without the cell, by the ring around it alone, so that no holes appear."""
        own, mask = self.labels[cell], 0
        for place, other in enumerate(self.rings[cell]):
            if other is not None and self.labels[other] == own:
                mask |= 1 << place
        return _JOINED[mask]


def _straight_labels(rows: int, columns: int, size: int) -> list[int]:
    """Return the usual boxes, or else rows, or else pieces of a path that zigzags over all rows."""
    boxes = default_boxes(rows) if rows == columns == size else None
    if boxes:
        height, width = boxes
        return [row // height * (columns // width) + column // width for row in range(rows) for column in range(columns)]
    return [
        (row * columns + (columns - 1 - column if row % 2 else column)) // size
        for row in range(rows)
        for column in range(columns)
    ]


def _ring(cell: int, rows: int, columns: int) -> list[int | None]:
    row, column = divmod(cell, columns)
    places = [(row + down, column + right) for down, right in RING]
    return [r * columns + c if 0 <= r < rows and 0 <= c < columns else None for r, c in places]


def _is_joined(mask: int) -> bool:
    """Return whether all cells of a ring that share an edge with its middle are connected along the ring."""
    edges = [place for place in range(1, 8, 2) if mask >> place & 1]
    # Each missing corner between one such cell and the next breaks the ring.
    gaps = sum(not (mask >> (place + 1) % 8 & 1 and mask >> (place + 2) % 8 & 1) for place in edges)
    return bool(edges) and gaps <= 1


_JOINED = tuple(map(_is_joined, range(256)))
