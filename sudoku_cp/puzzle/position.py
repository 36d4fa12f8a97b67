"""A position: a puzzle with some cells filled, and the origin of each value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from sudoku_cp.arguments import CheckedFields, checked
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Cell
from sudoku_cp.model import Domain
from sudoku_cp.puzzle import upward_calls
from sudoku_cp.puzzle.puzzle import Puzzle, draw_rows


class Origin(StrEnum):
    """Where a value came from: the puzzle, a deduction, or a guess."""

    GIVEN = "given"
    FORCED = "forced"
    GUESSED = "guessed"


@dataclass(frozen=True)
class Position(CheckedFields):
    """For each cell a value (None if open), its origin, and pencil marks (a set of values as bits, 0 for none)."""

    such_as: ClassVar[str] = "Position.of(puzzle)"
    puzzle: Puzzle
    values: tuple[int | None, ...]
    origins: tuple[Origin | None, ...]
    marks: tuple[Domain, ...] = ()

    def __post_init__(self) -> None:
        """Refuse lengths that do not fit the grid, and values without an origin."""
        super().__post_init__()
        cells = self.puzzle.grid.cells
        lengths = len(self.values), len(self.origins), len(self.marks)
        if lengths not in {(len(cells), len(cells), marks) for marks in (0, len(cells))}:
            raise InvalidInput(f"expected a value, an origin and marks for each of {len(cells)} cells, got {lengths}")
        pairs = zip(cells, self.values, self.origins, strict=True)
        if wrong := [cell for cell, value, origin in pairs if (value is None) != (origin is None)]:
            name, origin = self.puzzle.grid.cell_name(wrong[0]), self.origins[wrong[0]]
            got = f"no origin of the value in {name}" if origin is None else f"{origin.value!r} for {name}, which is open"
            raise InvalidInput(f"expected an origin for every value and for no open cell, got {got}")

    @staticmethod
    @checked
    def of(puzzle: Puzzle, values: Iterable[int | None] = (), origins: Mapping[Cell, Origin] | None = None) -> Position:
        """Return the position of the givens, or of ``values``, whose origin is "forced" unless given or in ``origins``."""
        found = tuple(values) or tuple(map(puzzle.givens.get, puzzle.grid.cells))
        given = (cell for cell, value in puzzle.givens.items() if found[cell] == value)
        known = {**(origins or {}), **dict.fromkeys(given, Origin.GIVEN)}
        kinds = tuple(None if value is None else known.get(cell, Origin.FORCED) for cell, value in enumerate(found))
        return Position(puzzle, found, kinds)

    def __str__(self) -> str:
        """Return the values, one row per line."""
        sign = self.puzzle.symbols.sign
        return draw_rows(self.puzzle.grid, {cell: sign(value) for cell, value in enumerate(self.values) if value is not None})

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        return upward_calls.svg(self)
