"""What follows from regions to be found: cells whose labels are known to be equal hold different values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.model.constraints import AllDifferent, Partition, Table
from sudoku_cp.model.model import IMPLIED, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.constraints import Constraint

PAIR = 2


def region_facts(constraints: Sequence[Constraint]) -> Iterator[Statement]:
    """Yield that the cells of one region differ, where tables of two cells make their labels equal."""
    for partition in constraints:
        if not isinstance(partition, Partition):
            continue
        for labels in _equal_cells(constraints):
            cells = tuple(cell for cell, label in zip(partition.cells, partition.labels, strict=True) if label in labels)
            if len(set(cells)) == len(cells) > 1:
                yield Statement(AllDifferent(cells), IMPLIED, "cells of one region")


def _equal_cells(constraints: Sequence[Constraint]) -> list[list[Cell]]:
    """Return the groups of cells that tables of two cells make equal."""
    groups: dict[Cell, list[Cell]] = {}
    for constraint in constraints:
        match constraint:
            case Table((one, other), tuples) if all(first == second for first, second in tuples):
                own, joined = groups.setdefault(one, [one]), groups.setdefault(other, [other])
                if own is not joined:
                    own += joined
                    groups |= dict.fromkeys(joined, own)
            case _:
                pass
    return list({id(group): group for group in groups.values()}.values())
