"""Connected cells as clauses: layers of auxiliaries count the steps in which each cell is reached from the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.model.constraints import Literal, members
from sudoku_cp.ticks import ticked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.model.constraints import Connected, Domain


def connection_clauses(
    constraint: Connected, domains: Sequence[Domain], fresh: Callable[[], Cell]
) -> Iterator[tuple[Literal, ...]]:
    """Yield clauses that keep cells connected.

    Each cell has an auxiliary in each layer: whether it is in, whether any cell up to it is, whether it is the first, and
    whether it is reached in 1, 2, ... steps. They are determined by the values of the cells.
    """
    if not constraint.cells:
        yield ()
        return
    if constraint.steps is None:
        return
    size, steps = len(constraint.cells), constraint.steps
    layers = [[fresh() for _ in range(size)] for _ in range(3 + steps)]
    for cell, inside in zip(constraint.cells, layers[0], strict=True):
        for value in members(domains[cell]):
            yield Literal(cell, value, equal=False), Literal(inside, int(value in constraint.values))
    yield from _spread_clauses(constraint.beside, layers)


def _spread_clauses(beside: Sequence[Sequence[int]], layers: Sequence[Sequence[Cell]]) -> Iterator[tuple[Literal, ...]]:
    """Yield clauses: the cells that are in, at least one, are all reached from the first of them in the last layer."""

    def name(layer: int, cell: int, equal: int) -> Literal:
        return Literal(layers[layer][cell], equal)

    for cell in range(len(beside)):
        before = cell - 1
        yield name(0, cell, 0), name(1, cell, 1)
        yield name(0, cell, 1), name(2, cell, 0)
        if cell:
            yield name(1, before, 0), name(1, cell, 1)
            yield name(1, before, 1), name(0, cell, 1), name(1, cell, 0)
            yield name(1, before, 0), name(2, cell, 0)
            yield name(0, cell, 0), name(1, before, 1), name(2, cell, 1)
        else:
            yield name(0, cell, 1), name(1, cell, 0)
            yield name(0, cell, 0), name(2, cell, 1)
        yield name(0, cell, 0), name(len(layers) - 1, cell, 1)
    yield (name(1, len(beside) - 1, 1),)
    for layer in ticked(range(3, len(layers)), every=1):
        for cell, near in enumerate(beside):
            around = (cell, *near)
            yield name(layer, cell, 0), name(0, cell, 1)
            yield name(layer, cell, 0), *(name(layer - 1, other, 1) for other in around)
            for other in around:
                yield name(layer - 1, other, 0), name(0, cell, 0), name(layer, cell, 1)
