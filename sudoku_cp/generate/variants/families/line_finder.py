"""How a family of lines is told: what holds along a line, where one begins, how it grows and what rule it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from sudoku_cp.backends import Solution
from sudoku_cp.generate.variants.families.finder_family import FinderContext
from sudoku_cp.generate.variants.families.random_paths import Growth, PathTest, count_bends, grow_at_end, random_path, start_cells
from sudoku_cp.generate.variants.proposals import Proposal, spots_of_line
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.rules.base import Cells, Rule

LineTest: TypeAlias = Callable[[Grid, Solution, Cells], bool]
"""Says whether the values along a path are right."""
LineStart: TypeAlias = Callable[[FinderContext, Cell], Cells]
"""Returns the cells with which a path from a cell begins; none where there is no such beginning."""
MakeLineRule: TypeAlias = Callable[[Cells], Rule]

LINES = 1.3
"""Lines looked for, to a cell."""
BENDS, BEND = 2, 0.1
"""So many bends are pretty; what each further one costs."""


def start_at_cell(_: FinderContext, cell: Cell) -> Cells:
    """Return the cell alone."""
    return (cell,)


def start_at_cell_or_pair(sight: FinderContext, cell: Cell) -> Cells:
    """Return the cell alone or, as often, with one that touches it: the middle of a line that grows at both ends."""
    two = sight.random.random() < 0.5  # noqa: PLR2004
    return grow_at_end(sight.random, sight.grid, (cell,))[-1] if two and len(sight.grid.cells) > 1 else (cell,)


def _always(_: Grid, _values: Solution, _cells: Cells) -> bool:
    return True


@dataclass(frozen=True)
class LineFinder:
    """Finds the lines of a family.

    ``fits`` is asked of every beginning of a line with more than one cell, and need look only at what came last; ``done`` is
    asked of the whole. A line that has a ``head`` is another one when it is read backwards. A line has ``least`` cells, and
    is ``longer`` than the usual one.
    """

    draw: MakeLineRule
    fits: LineTest
    done: LineTest = _always
    head: bool = False
    least: int = 3
    longer: int = 0
    begin: LineStart = start_at_cell
    grow: Growth = grow_at_end

    def __call__(self, sight: FinderContext) -> Iterator[Proposal]:
        """Yield the lines that are found, and in a symmetric style their images."""
        fits, done = self._tests(sight)
        # Few lines hold after half a turn too, and those that do not are soon given up.
        number = LINES * (1 + 2 * bool(sight.opposite)) * len(sight.grid.cells)
        for start in start_cells(sight.random, sight.grid, round(number)):
            size = min(sight.length(self.least) + self.longer, len(sight.grid.values) + self.longer)
            begun = self.begin(sight, start)
            if not begun or (len(begun) > 1 and not fits(begun)):
                continue
            cells = random_path(sight.random, sight.grid, begun, size, fits, done, self.grow)
            for image in sight.images(cells) if cells else ():
                yield self._line(sight.grid, image if self.head else min(image, image[::-1]))

    def _tests(self, sight: FinderContext) -> tuple[PathTest, PathTest]:
        grid, views = sight.grid, sight.views
        if len(views) == 1:
            values = views[0]
            return lambda cells: self.fits(
                grid, values, cells
            ), lambda cells: len(cells) >= self.least and self.done(grid, values, cells)

        def fits(cells: Cells) -> bool:
            return all(self.fits(grid, values, cells) for values in views) and sight.own(cells)

        def done(cells: Cells) -> bool:
            return len(cells) >= self.least and all(self.done(grid, values, cells) for values in views)

        return fits, done

    def _line(self, grid: Grid, cells: Cells) -> Proposal:
        return Proposal((self.draw(cells),), 1 + BEND * max(0, count_bends(grid, cells) - BENDS), spots_of_line(grid, cells))
