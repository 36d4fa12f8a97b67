"""The grid, read from the puzzle's JSON: boards of cells on the plane, their houses and values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from .report import CheckBudget, CheckLimitReached, Rejected, is_number, require, shown

Cells = Sequence[int]
_CELL = re.compile(r"r([1-9][0-9]{0,3})c([1-9][0-9]{0,3})", re.IGNORECASE)
LARGEST_VALUE = 61
MAX_CELLS, CELL_BYTES = 100_000, 1000
"""The most cells of all boards, those that boards share counted for each; and the memory that a cell takes with its houses."""


class CertifiedBoard(NamedTuple):
    """A rectangle of cells in rows on the plane; ``labels`` give each cell, in reading order, its region or None."""

    rows: list[list[int]]
    box: tuple[int, int] | None
    labels: list[int | None]


@dataclass
class CertifiedGrid:
    """Cells, numbered in reading order over the plane, with their places, names and houses, and the values they can hold.

    ``budget`` counts what is made of them.
    """

    boards: list[CertifiedBoard]
    values: range
    places: list[tuple[int, int]]
    cell_at: dict[tuple[int, int], int]
    names: list[str]
    houses: dict[str, list[int]]
    budget: CheckBudget = field(default_factory=CheckBudget, repr=False, kw_only=True)

    def cell(self, name: Any) -> int:
        """Parse the name of a cell."""
        found = _CELL.fullmatch(name) if isinstance(name, str) else None
        cell = self.cell_at.get((int(found[1]) - 1, int(found[2]) - 1), -1) if found else -1
        if cell < 0:
            raise Rejected(f"expected a cell of the grid, got {shown(name)}")
        return cell

    def cell_names(self, cells: Iterable[int]) -> str:
        """Format the names of cells."""
        return " ".join(self.names[cell] for cell in cells)

    def value(self, data: Any) -> int:
        """Read a value of the grid."""
        require(is_number(data) and data in self.values, f"expected a value of the grid, got {shown(data)}")
        return int(data)

    @cached_property
    def regions(self) -> list[list[int]]:
        """The boxes or irregular regions of every board."""
        return [cells for name, cells in self.houses.items() if name.startswith(("box", "region"))]

    @cached_property
    def regions_of(self) -> dict[int, set[int]]:
        """For each cell that is in a region, the numbers of its regions."""
        found: dict[int, set[int]] = {}
        for number, cells in enumerate(self.regions):
            for cell in cells:
                found.setdefault(cell, set()).add(number)
        return found

    @cached_property
    def extent(self) -> tuple[int, int]:
        """How many rows and columns the furthest cells are apart."""
        rows, columns = zip(*self.places, strict=True)
        return max(rows) - min(rows), max(columns) - min(columns)

    def apart(self, steps: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield every pair of cells that are one of the steps apart, in any direction, once."""
        high, wide = self.extent
        near = set[tuple[int, int]]()
        for step in steps:
            self.budget.spend(4)
            one, other = map(abs, step)
            near |= {(down, right) for down, right in ((one, other), (other, one)) if down <= high and right <= wide}
        ways = sorted({(down * one, right * other) for one, other in near for down in (1, -1) for right in (1, -1)})
        for cell, (row, column) in enumerate(self.places):
            for number, (down, right) in enumerate(ways):
                if number % 256 == 0:
                    self.budget.spend(min(256, len(ways) - number))
                other_cell = self.cell_at.get((row + down, column + right), -1)
                if other_cell > cell:
                    yield cell, other_cell


def read_grid(data: Any, budget: CheckBudget) -> CertifiedGrid:
    """Read a grid: its cells, houses and values."""
    require(isinstance(data, dict), f"expected a grid as an object, got {shown(data)}")
    only = "boards" not in data or not data.keys() - {"boards", "values"}
    require(only, "expected only boards and values in a grid of several boards")
    shapes = data.get("boards", [{key: data[key] for key in data if key != "values"}])
    require(isinstance(shapes, list) and 1 <= len(shapes) <= 1000, "expected 1 to 1000 boards")
    read, count = [], 0
    for shape in shapes:
        sides = _sides(shape)
        count += sides[0] * sides[1]
        if count > MAX_CELLS:
            raise CheckLimitReached(f"puzzle.json: grid: more than {MAX_CELLS:,} cells")
        budget.hold(CELL_BYTES * sides[0] * sides[1])
        budget.tick()
        read.append(_read_board(shape))
    places = sorted({place for rows, _, _ in read for row in rows for place in row})
    cell_at = {place: cell for cell, place in enumerate(places)}
    boards = [CertifiedBoard([[cell_at[place] for place in row] for row in rows], box, labels) for rows, box, labels in read]
    houses: dict[str, list[int]] = {}
    for number, (rows, box, labels) in enumerate(boards, 1):
        budget.tick()
        suffix = f" of board {number}" if len(boards) > 1 else ""
        houses |= {f"row {row}{suffix}": cells for row, cells in enumerate(rows, 1)}
        houses |= {f"column {column}{suffix}": list(cells) for column, cells in enumerate(zip(*rows, strict=True), 1)}
        regions: dict[int, list[int]] = {}
        for cell, label in zip(chain.from_iterable(rows), labels, strict=True):
            if label is not None:
                regions.setdefault(label, []).append(cell)
        houses |= {f"{'box' if box else 'region'} {region}{suffix}": own for region, own in enumerate(regions.values(), 1)}
    longest = max(map(len, houses.values()))
    low, high = _read_numbers(data["values"], 0, LARGEST_VALUE, 2) if "values" in data else (1, longest)
    require(low <= high <= LARGEST_VALUE, f"expected a lowest value before the highest, and none above {LARGEST_VALUE}")
    names = [f"r{row + 1}c{column + 1}" for row, column in places]
    return CertifiedGrid(boards, range(low, high + 1), places, cell_at, names, houses, budget=budget)


def _sides(data: Any) -> list[int]:
    """Return how many rows and columns a board has."""
    known = isinstance(data, dict) and not data.keys() - {"rows", "columns", "boxes", "regions", "at"}
    require(known, "expected a board with rows, columns, and boxes or regions")
    return _read_numbers([data.get("rows"), data.get("columns")], 1, 36, 2)


def _read_board(data: Any) -> tuple[list[list[tuple[int, int]]], tuple[int, int] | None, list[int | None]]:
    """Return the places of a board in rows, the height and width of its boxes if it has any, and each cell's region."""
    rows, columns = _sides(data)
    top, left = _read_numbers(data.get("at", [0, 0]), 0, 999, 2)
    places = [[(top + row, left + column) for column in range(columns)] for row in range(rows)]
    require("boxes" not in data or "regions" not in data, "expected boxes or regions, got both")
    if "boxes" in data:
        height, width = _read_numbers(data["boxes"], 1, 36, 2)
        require(not rows % height and not columns % width, "expected boxes that tile the board")
        boxes = [row // height * (columns // width) + column // width for row in range(rows) for column in range(columns)]
        return places, (height, width), [*boxes]
    lines = data.get("regions", [[None] * columns] * rows)
    shaped = isinstance(lines, list) and len(lines) == rows and all(isinstance(a, list) and len(a) == columns for a in lines)
    labels = [label for line in lines for label in line] if shaped else []
    right = shaped and all(label is None or is_number(label) for label in labels)
    require(right, "expected a region, or null, for every cell of the board")
    return places, None, labels


def _read_numbers(data: Any, least: int, most: int, size: int) -> list[int]:
    right = isinstance(data, list) and len(data) == size and all(is_number(one) and least <= one <= most for one in data)
    require(right, f"expected {size} whole numbers from {least} to {most}, got {shown(data)}")
    return list(data)
