"""Cells that belong together, from pairs of neighbours that do (union-find)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.grid import Cell


def number_groups(size: int, together: Sequence[tuple[Cell, Cell]]) -> list[int]:
    """Return the number of the group of each cell, counted in reading order, where these pairs are of one group each."""
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
