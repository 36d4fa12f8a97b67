"""What rules along a line share: tables of pairs, equal sums, and the problems that a line can have.

Whatever depends on parameters, values and lengths alone is cached, so that rules share the same objects.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, pairwise, product
from typing import TYPE_CHECKING, ClassVar

from sudoku_cp.cosmetics import Line
from sudoku_cp.model import Clause, Linear, Literal, Table
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Self

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid


def example_line(grid: Grid) -> Cells:
    """Return the cells of the short line that most examples use."""
    return tuple(grid.cell_at[place] for place in ((0, 0), (0, 1), (1, 2)))


@dataclass(frozen=True)
class LineRule(Rule, family=True):
    """The base class of rules about the cells of a line, which are drawn as one."""

    drawn: ClassVar[Line] = Line(())
    """How the line is drawn, without its cells."""
    fewest: ClassVar[int] = 1
    """The least number of cells."""
    cells: Cells

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a line with fewer cells than it needs."""
        if len(self.cells) < self.fewest:
            yield f"{self.kind}: expected at least {self.fewest} {'cell' if self.fewest == 1 else 'cells'}, got {len(self.cells)}"

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """The line."""
        yield replace(self.drawn, cells=self.cells)

    @classmethod
    def example(cls, grid: Grid) -> Self:
        """Return a line of three cells."""
        return cls(example_line(grid))


# --- pairs -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def allowed_pairs(test: Callable[..., bool], values: range, *numbers: int) -> frozenset[tuple[int, int]]:
    """Return the pairs of ``values`` that pass ``test(one, other, *numbers)``, the same object each time."""
    return frozenset(pair for pair in product(values, values) if test(*pair, *numbers))


def differ_by(one: int, other: int, least: int) -> bool:
    """Return whether two values differ by ``least`` or more."""
    return abs(one - other) >= least


def neighbour_tables(noun: str, grid: Grid, cells: Cells, pairs: frozenset[tuple[int, int]]) -> Lowered:
    """Yield tables: every two neighbours on the line hold one of ``pairs``."""
    for pair in pairwise(cells):
        yield part_name(noun, grid, pair), Table(pair, pairs)


def cyclic_tables(
    part: str, cells: Cells, period: int, apart: frozenset[tuple[int, int]], alike: frozenset[tuple[int, int]]
) -> Lowered:
    """Yield tables: cells less than ``period`` steps apart hold one of ``apart``, those whole periods apart one of ``alike``."""
    for (start, one), (end, other) in combinations(enumerate(cells), 2):
        if end - start < period:
            yield part, Table((one, other), apart)
        elif not (end - start) % period:
            yield part, Table((one, other), alike)


# --- sums ------------------------------------------------------------------------------------------------------------


def equal_sums(parts: Sequence[Cells]) -> Iterator[Linear]:
    """Yield equations: each of ``parts`` has the sum of the shortest, which has the fewest possible sums."""
    shortest, *others = sorted(parts, key=len) or [()]
    for one in others:
        yield equal_sum(one, shortest)


def equal_sum(one: Iterable[int], other: Iterable[int]) -> Linear:
    """Return the equation that two groups of cells have the same sum; a cell in both cancels out."""
    factors = Counter(one)
    factors.subtract(other)
    return Linear(tuple((cell, factor) for cell, factor in factors.items() if factor), "==", 0)


# --- implications ----------------------------------------------------------------------------------------------------


def pointing_clause(cell: Cell, value: int, target: Cell | None, there: int, grid: Grid) -> Clause:
    """Return the clause: if ``cell`` is ``value``, ``target`` is ``there``; if that is impossible, ``cell`` is not ``value``."""
    goal = () if target is None or there not in grid.values else (Literal(target, there),)
    return Clause((Literal(cell, value, equal=False), *goal))


# --- problems --------------------------------------------------------------------------------------------------------


def too_many_cells(rule: Rule, cells: Cells, most: int, why: str) -> Iterator[str]:
    """Find a line with more cells than it can have."""
    if len(cells) > most:
        yield f"{rule.kind}: expected at most {most} cells ({why}), got {len(cells)}"


def repeated_cells(rule: Rule, grid: Grid, *parts: Iterable[int]) -> Iterator[str]:
    """Find cells that are named more than once."""
    again = [cell for cell, times in Counter(chain(*parts)).items() if times > 1 and cell in grid.cells]
    if again:
        yield f"{rule.kind}: expected each cell once, got {' '.join(map(grid.cell_name, again))} more than once"
