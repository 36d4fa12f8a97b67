"""Families of lines as data: what holds along a line, where it begins, how it grows and which rule it becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sudoku_cp.generate.variants.families.finder_family import FinderContext
from sudoku_cp.generate.variants.families.random_paths import Growth, PathTest, count_bends, grow_at_end, random_path, start_cells
from sudoku_cp.generate.variants.proposals import Proposal, spots_of_line
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.rules.base import Cells, Rule

LineTest: TypeAlias = Callable[[Sequence[int], Grid, Cells], bool]
"""Returns whether the values along a path are allowed; the grid and the path follow, for tests that need more than the values."""
LineStart: TypeAlias = Callable[[FinderContext, Cell], Cells]
"""Returns the first cells of a path from a cell; () where none can begin there."""

LINES = 1.3
"""Searches for lines per cell."""
BENDS, BEND = 2, 0.1
"""The bends that are pretty, and the cost of each further one."""


def start_at_cell_or_pair(context: FinderContext, cell: Cell) -> Cells:
    """Return the cell, or just as often the cell and one that touches it: the middle of a line that grows at both ends."""
    two = context.random.random() < 0.5  # noqa: PLR2004
    return grow_at_end(context.random, context.grid, (cell,))[-1] if two and len(context.grid.cells) > 1 else (cell,)


@dataclass(frozen=True)
class LineFinder:
    """Finds the lines of a family and turns each into a rule by ``draw``.

    ``fits`` is called on every prefix of more than one cell, and need only look at the cells added last; ``done`` is called on
    the whole line. A line with a ``head`` is a different clue when read backwards. A line has at least ``least`` cells,
    and aims at ``longer`` more than usual.
    """

    draw: Callable[[Cells], Rule]
    fits: LineTest
    done: LineTest = lambda *_: True
    head: bool = False
    least: int = 3
    longer: int = 0
    begin: LineStart = lambda _, cell: (cell,)
    grow: Growth = grow_at_end

    def __call__(self, context: FinderContext) -> Iterator[Proposal]:
        """Yield the lines found, and in a symmetric style their images."""
        fits, done = self._tests(context)
        # In a symmetric style few lines hold, and those that do not are given up quickly.
        number = LINES * (1 + 2 * bool(context.opposite)) * len(context.grid.cells)
        for start in start_cells(context.random, context.grid, round(number)):
            size = min(context.length(self.least) + self.longer, len(context.grid.values) + self.longer)
            begun = self.begin(context, start)
            if not begun or (len(begun) > 1 and not fits(begun)):
                continue
            cells = random_path(context.random, context.grid, begun, size, fits, done, self.grow)
            for image in context.images(cells) if cells else ():
                yield self._line(context.grid, image if self.head else min(image, image[::-1]))

    def _tests(self, context: FinderContext) -> tuple[PathTest, PathTest]:
        grid, views = context.grid, context.views
        if len(views) == 1:
            at = views[0].__getitem__
            return (
                lambda cells: self.fits([*map(at, cells)], grid, cells),
                lambda cells: len(cells) >= self.least and self.done([*map(at, cells)], grid, cells),
            )

        def fits(cells: Cells) -> bool:
            return all(
                self.fits([values[cell] for cell in cells], grid, cells) for values in views
            ) and context.is_clear_of_image(cells)

        def done(cells: Cells) -> bool:
            return len(cells) >= self.least and all(self.done([values[cell] for cell in cells], grid, cells) for values in views)

        return fits, done

    def _line(self, grid: Grid, cells: Cells) -> Proposal:
        return Proposal((self.draw(cells),), 1 + BEND * max(0, count_bends(grid, cells) - BENDS), spots_of_line(grid, cells))
