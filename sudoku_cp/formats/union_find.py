"""Groups of cells: numbered from pairs of neighbours that belong together, and as the regions of a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sudoku_cp.grid import Board

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell


def label_components(size: int, together: Sequence[tuple[Cell, Cell]]) -> list[int]:
    """Return the number of the group of each cell, counted in reading order, where these pairs are of one group (union-find)."""
    head = list(range(size))

    def first(cell: Cell) -> Cell:
        while head[cell] != cell:
            head[cell] = cell = head[head[cell]]
        return cell

    for one, other in together:
        low, high = sorted((first(one), first(other)))
        head[high] = low
    numbers: dict[Cell, int] = {}
    return [numbers.setdefault(first(cell), len(numbers)) for cell in range(size)]


def board_of_regions(rows: int, columns: int, labels: tuple[int | None, ...]) -> Board:
    """Return the board with these regions, numbered in reading order (None: in none): with boxes if they are boxes."""
    for height in range(1, rows + 1):
        width, rest = divmod(labels.count(0), height)
        if rest == 0 and width and rows % height == 0 and columns % width == 0:
            boxed = Board(rows, columns, (height, width))
            if tuple(boxed.labels()) == labels:
                return boxed
    return Board(rows, columns, None, labels)
