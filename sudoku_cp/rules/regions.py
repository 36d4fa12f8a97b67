"""Rules about further sets of cells that must all be different: diagonals, extra regions, windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Line, Shade
from sudoku_cp.model import AllDifferent, Values
from sudoku_cp.rules.base import Cells, Lowered, Rule, named
from sudoku_cp.rules.houses import different

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Grid, House


@dataclass(frozen=True)
class Diagonals(Rule):
    """The long diagonals of each square board hold different values: down from the top left, up from the bottom left."""

    kind = "diagonals"
    down: bool = True
    up: bool = True

    def _lines(self, grid: Grid) -> Iterator[tuple[str, House]]:
        for board in grid.boards:
            top, left = board.at
            if board.rows != board.columns:
                continue
            if self.down:
                yield "diagonal \\", tuple(grid.cell_at[top + k, left + k] for k in range(board.rows))
            if self.up:
                yield "diagonal /", tuple(grid.cell_at[top + board.rows - 1 - k, left + k] for k in range(board.rows))

    def lower(self, grid: Grid) -> Lowered:
        """One all-different a diagonal."""
        for name, cells in self._lines(grid):
            yield name, AllDifferent(cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice on a diagonal."""
        return all(different(cells, values) for _, cells in self._lines(grid))

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A thin line along each diagonal."""
        for _, cells in self._lines(grid):
            yield Line(cells, colour="#34BBE6")

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a grid that has no diagonal."""
        if not any(board.rows == board.columns for board in grid.boards):
            yield f"{self.kind}: expected a square board, got {grid}"

    @classmethod
    def example(cls, grid: Grid) -> Diagonals:  # noqa: ARG003
        """Return both diagonals."""
        return cls()


@dataclass(frozen=True)
class ExtraRegion(Rule):
    """The cells of a shaded region hold different values."""

    kind = "extra-region"
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """One all-different."""
        yield named("extra region", grid, self.cells), AllDifferent(self.cells)

    def holds(self, grid: Grid, values: Values) -> bool:  # noqa: ARG002
        """No value twice in the region."""
        return different(self.cells, values)

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:  # noqa: ARG002
        """A shade over the region."""
        yield Shade(self.cells)

    @classmethod
    def example(cls, grid: Grid) -> ExtraRegion:
        """Return the middle of a grid of side 4: four cells of four boxes."""
        return cls(tuple(grid.cell_at[place] for place in ((1, 1), (1, 2), (2, 1), (2, 2))))


@dataclass(frozen=True)
class Windoku(Rule):
    """The windows hold different values: the blocks of box size inside the border, a cell apart (hyper sudoku)."""

    kind = "windoku"

    def _windows(self, grid: Grid) -> Iterator[House]:
        for board in grid.boards:
            if board.boxes is None:
                continue
            (height, width), (top, left) = board.boxes, board.at
            for row in range(1, board.rows - height, height + 1):
                for column in range(1, board.columns - width, width + 1):
                    yield tuple(
                        grid.cell_at[top + row + down, left + column + right] for down in range(height) for right in range(width)
                    )

    def lower(self, grid: Grid) -> Lowered:
        """One all-different a window."""
        for number, cells in enumerate(self._windows(grid), 1):
            yield f"window {number}", AllDifferent(cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice in a window."""
        return all(different(cells, values) for cells in self._windows(grid))

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over each window."""
        for cells in self._windows(grid):
            yield Shade(cells)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a grid that has no windows."""
        if not any(True for _ in self._windows(grid)):
            yield f"{self.kind}: expected a board with rectangular boxes and room for a window, got {grid}"

    @classmethod
    def example(cls, grid: Grid) -> Windoku:  # noqa: ARG003
        """Return the rule."""
        return cls()
