"""Rules about other sets of cells of a board: diagonals, extra regions, windows, positions in regions, 2x2 squares."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, product
from types import MappingProxyType
from typing import TYPE_CHECKING

from sudoku_cp.cosmetics import Line, Shade
from sudoku_cp.model import AllDifferent, Count, Values
from sudoku_cp.rules.base import Cells, Lowered, Rule, part_name
from sudoku_cp.rules.houses import different
from sudoku_cp.rules.wording import listed, remainder_classes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.cosmetics import Cosmetic
    from sudoku_cp.grid import Cell, Grid, House
    from sudoku_cp.rules.wording import RuleWording


CORNER = 0.7
"""The distance from the middle of a cell to its corner, in cells."""


@dataclass(frozen=True)
class Diagonals(Rule):
    """The long diagonals of each square board hold different values: down from the top left, up from the bottom left."""

    kind = "diagonals"
    elsewhere = MappingProxyType(
        {
            "ISS": "Diagonal",
            "f-puzzles": "diagonal+, diagonal-",
            "SudokuSolver": "dpos, dneg",
            "also": "diagonal, X-sudoku, sudoku X, X",
        }
    )
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
        """One all-different per diagonal."""
        for name, cells in self._lines(grid):
            yield name, AllDifferent(cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice on a diagonal."""
        return all(different(cells, values) for _, cells in self._lines(grid))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        if self.down and self.up:
            return "Values do not repeat on either of the long diagonals."
        corner = "top" if self.down else "bottom"
        return (
            f"Values do not repeat on the long diagonal from the {corner} left corner."
            if self.down or self.up
            else "Diagonals are free."
        )

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A thin line along each diagonal."""
        for _, cells in self._lines(grid):
            yield Line(cells, colour="#34BBE6", beyond=CORNER, width=0.05)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a grid that has no diagonal."""
        if not any(board.rows == board.columns for board in grid.boards):
            yield f"{self.kind}: expected a square board, got {grid}"


@dataclass(frozen=True)
class ExtraRegion(Rule):
    """The cells of a shaded region hold different values."""

    kind = "extra-region"
    elsewhere = MappingProxyType(
        {"ISS": "AllDifferent", "f-puzzles": "extraregion", "SudokuSolver": "extraregion", "also": "shaded region"}
    )
    cells: Cells

    def lower(self, grid: Grid) -> Lowered:
        """One all-different."""
        yield part_name("extra region", grid, self.cells), AllDifferent(self.cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice in the region."""
        return different(self.cells, values)

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values do not repeat in a shaded region."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over the region."""
        yield Shade(self.cells, group=True)

    @classmethod
    def example(cls, grid: Grid) -> ExtraRegion:
        """Return the middle of a grid of side 4: four cells of four boxes."""
        return cls(tuple(grid.cell_at[place] for place in ((1, 1), (1, 2), (2, 1), (2, 2))))


@dataclass(frozen=True)
class Windoku(Rule):
    """The windows hold different values: the blocks of box size inside the border, a cell apart (hyper sudoku)."""

    kind = "windoku"
    elsewhere = MappingProxyType({"ISS": "Windoku", "also": "windows, hyper sudoku, hyper, NRC, four-box, four windows"})

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
        """One all-different per window."""
        for number, cells in enumerate(self._windows(grid), 1):
            yield f"window {number}", AllDifferent(cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice in a window."""
        return all(different(cells, values) for cells in self._windows(grid))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return "Values do not repeat in any of the shaded windows."

    def cosmetics(self, grid: Grid) -> Iterator[Cosmetic]:
        """A shade over each window."""
        for cells in self._windows(grid):
            yield Shade(cells)

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a grid that has no windows."""
        if not any(True for _ in self._windows(grid)):
            yield f"{self.kind}: expected a board with rectangular boxes and room for a window, got {grid}"


@dataclass(frozen=True)
class DisjointGroups(Rule):
    """Cells at the same position in the regions of a board, counted in reading order, hold different values."""

    kind = "disjoint-groups"
    elsewhere = MappingProxyType(
        {"ISS": "DisjointSets", "f-puzzles": "disjointgroups", "SudokuSolver": "djg", "also": "offset sudoku, disjoint"}
    )

    def _groups(self, grid: Grid) -> Iterator[House]:
        for board in grid.boards:
            groups: dict[int, list[Cell]] = {}
            before: Counter[int] = Counter()
            for place, label in zip(board.places(), board.labels(), strict=True):
                if label is not None:
                    groups.setdefault(before[label], []).append(grid.cell_at[place])
                    before[label] += 1
            yield from (tuple(groups[number]) for number in sorted(groups))

    def lower(self, grid: Grid) -> Lowered:
        """One all-different for each position in a region."""
        for number, cells in enumerate(self._groups(grid), 1):
            yield f"disjoint group {number}", AllDifferent(cells)

    def holds(self, grid: Grid, values: Values) -> bool:
        """No value twice at the same position of two regions of a board."""
        for board in grid.boards:
            named_cells = [(label, grid.cell_at[place]) for place, label in zip(board.places(), board.labels(), strict=True)]
            for label, other in combinations({label for label, _ in named_cells} - {None}, 2):
                one, two = ([cell for found, cell in named_cells if found == wanted] for wanted in (label, other))
                if any(values[cell] == values[same] for cell, same in zip(one, two, strict=False)):
                    return False
        return True

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        return f"Cells at the same place in different {wording.regions} hold different values."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a grid without regions."""
        if not grid.regions:
            yield f"{self.kind}: expected a board with boxes or regions, got {grid}"


def _squares(grid: Grid) -> Iterator[House]:
    """Yield the four cells of every 2x2 square of a board."""
    for board in grid.boards:
        top, left = board.at
        for row, column in product(range(top, top + board.rows - 1), range(left, left + board.columns - 1)):
            yield tuple(grid.cell_at[row + down, column + right] for down in range(2) for right in range(2))


@dataclass(frozen=True)
class GlobalEntropy(Rule):
    """Every 2x2 square of a board holds a low, a middle and a high value: one of each third of the values.

    The number of values must be divisible by 3.
    """

    kind = "global-entropy"
    elsewhere = MappingProxyType({"ISS": "GlobalEntropy", "also": "entropy"})

    def lower(self, grid: Grid) -> Lowered:
        """At least one of each third in each square."""
        size = -(-len(grid.values) // 3)
        thirds = [frozenset(grid.values[start : start + size]) for start in range(0, len(grid.values), size)]
        for cells in _squares(grid):
            for third in thirds:
                yield part_name("square", grid, cells), Count(cells, third, ">=", 1)

    def holds(self, grid: Grid, values: Values) -> bool:
        """All thirds are in each square."""
        first, size = grid.values[0], -(-len(grid.values) // 3)
        wanted = {(value - first) // size for value in grid.values}
        return all({(values[cell] - first) // size for cell in cells} == wanted for cells in _squares(grid))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        values, size = wording.grid.values, -(-len(wording.grid.values) // 3)
        low, middle, high = (wording.signs(values[start : start + size]) for start in (0, size, 2 * size))
        return f"Every 2x2 square of cells holds a low ({low}), a middle ({middle}) and a high value ({high})."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a number of values that is not divisible by 3."""
        if len(grid.values) % 3:
            yield f"{self.kind}: expected a number of values divisible by 3, got {len(grid.values)}"


@dataclass(frozen=True)
class GlobalMod(Rule):
    """Every 2x2 square of a board holds a value of each remainder: 1 4 7, 2 5 8 and 3 6 9 where the modulus is 3."""

    kind = "global-mod"
    elsewhere = MappingProxyType({"ISS": "GlobalMod"})
    modulus: int = 3

    def lower(self, grid: Grid) -> Lowered:
        """At least one of each remainder in each square."""
        alike = [frozenset(value for value in grid.values if value % self.modulus == rest) for rest in range(self.modulus)]
        for cells in _squares(grid):
            for values in alike:
                yield part_name("square", grid, cells), Count(cells, values, ">=", 1)

    def holds(self, grid: Grid, values: Values) -> bool:
        """All remainders are in each square."""
        return all(len({values[cell] % self.modulus for cell in cells}) == self.modulus for cells in _squares(grid))

    def sentence(self, wording: RuleWording) -> str:
        """Return the rule as setters write it."""
        sets = listed([*map(wording.signs, remainder_classes(wording.grid.values, self.modulus))], "and")
        return f"Every 2x2 square of cells holds a value of each of these sets: {sets}."

    def problems(self, grid: Grid) -> Iterator[str]:
        """Find a modulus other than 1 to 4."""
        if not 1 <= self.modulus <= 4:  # noqa: PLR2004
            yield f"{self.kind}, modulus: expected 1 to 4, as a square has four cells, got {self.modulus!r:.80}"
