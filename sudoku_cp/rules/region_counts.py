"""Cells that count cells of a region, where other cells hold the numbers of the regions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Note
from sudoku_cp.grid import Cell  # a field's type is read at run time
from sudoku_cp.rules.automata import AutomatonTemplate
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid
    from sudoku_cp.model import Values


@dataclass(frozen=True)
class RegionCount(Rule):
    """The cell counts the cells that lie in one region: along each arm, up to the first that has another value.

    All arms start in the same cell, which counts once; among ``others`` it does not. Where values are the numbers of regions, an
    arrow has long arms, and a count of any cells has an arm to each of them.
    """

    kind = "region-count"
    elsewhere = MappingProxyType({"ISS": "ChaosArrow, ChaosCount"})
    cell: Cell
    arms: tuple[Cells, ...]
    others: bool = False

    @property
    def omitted(self) -> int:
        """How many cells of the region are not counted: the first, or none."""
        return int(self.others)

    def lower(self, grid: Grid) -> Lowered:
        """One automaton, which reads the first cell, the arms, and the cell that counts."""
        cells = (self.arms[0][0], *chain.from_iterable(arm[1:] for arm in self.arms))
        template = _count_automaton(grid.values, tuple(len(arm) - 1 for arm in self.arms), self.omitted)
        yield part_name("count of", grid, (self.cell, *cells)), template.on_cells((*cells, self.cell))

    def holds(self, grid: Grid, values: Values) -> bool:
        """Walk along each arm while the value is that of its first cell."""
        region = values[self.arms[0][0]]
        runs = (takewhile(lambda cell: values[cell] == region, arm[1:]) for arm in self.arms)
        return values[self.cell] + self.omitted == 1 + sum(1 for run in runs for _ in run)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find arms that do not start in the same cell, and no arm."""
        if not all(self.arms) or len({arm[0] for arm in self.arms}) != 1:
            got = [[*map(grid.cell_name, arm)] for arm in self.arms if {*arm} <= {*grid.cells}]
            yield f"{self.kind}, arms: expected lists of cells that all start with the same one, got {got!r:.80}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """Words for the legend, and a sign in the cell."""
        noun = "other cells" if self.others else "cells"
        ways = " / ".join(" ".join(map(grid.cell_name, arm)) for arm in self.arms)
        yield Note((self.cell,), f"counts the {noun} with the value of the first: {ways}", "#")

    @classmethod
    def example(cls, grid: Grid) -> RegionCount:
        """Return a count of the second row from its second cell on, both ways, in the cell above that."""
        row = grid.lines[1]
        return cls(grid.lines[0][1], (row[1::-1], row[1:]))


@lru_cache(maxsize=256)
def _count_automaton(values: range, lengths: tuple[int, ...], omitted: int) -> AutomatonTemplate:
    """Return the automaton that reads a region, then arms of these lengths, and how many cells at their beginnings are in it.

    Its states are made directly, not step by step: there are thousands.
    """
    most = values[-1] + omitted
    # A state is a region, how many cells are in it so far, and whether the next one counts if it is in it.
    layer = {(value, 1, True): 1 + index for index, value in enumerate(values)}
    edges = [(0, region, number) for (region, _, _), number in layer.items()]
    used = len(layer)
    for left in chain.from_iterable(range(length - 1, -1, -1) for length in lengths):
        after: dict[tuple[int, int, bool], int] = {}
        for (region, count, counts), number in layer.items():
            other = after.setdefault((region, count, not left), used + 1 + len(after))
            edges += [(number, value, other) for value in values if value != region or not counts]
            if counts and count < most:
                edges.append((number, region, after.setdefault((region, count + 1, True), used + 1 + len(after))))
        used += len(after)
        layer = after
    edges += [(number, count - omitted, used + 1) for (_, count, _), number in layer.items() if count - omitted in values]
    return AutomatonTemplate(frozenset(edges), frozenset({used + 1}))
