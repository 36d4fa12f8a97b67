"""Clue entries of an f-puzzles document: their cells inside and outside the grid, lines and values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.document_fields import is_empty, iter_elements, parse_all, parse_whole_number, short_repr

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid, Place
    from sudoku_cp.rules.base import Cells

_T = TypeVar("_T")

_NAME = re.compile(r"R([0-9]{1,3})C([0-9]{1,3})", re.IGNORECASE)
STEPS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}
"""The directions of little killers: rows down, columns right."""


def place_name(place: Place) -> str:
    """Return ``R4C7`` for the place in row 4, column 7; row 0 is above the grid."""
    return f"R{place[0] + 1}C{place[1] + 1}"


def cell_names(grid: Grid, cells: Iterable[Cell]) -> list[str]:
    """Return the names of cells, in their order."""
    return [place_name(grid.places[cell]) for cell in cells]


def parse_place(name: Any) -> Place:
    """Return the place called ``R4C7``, inside a grid or outside it."""
    found = _NAME.fullmatch(name.strip()) if isinstance(name, str) else None
    if not found:
        raise InvalidInput(f"expected a cell such as 'R4C7', got {short_repr(name)}")
    return int(found[1]) - 1, int(found[2]) - 1


def cells_along(grid: Grid, start: Place, step: Place) -> Cells:
    """Return the cells met from ``start`` (in the grid or just outside of it) in steps, until the grid ends."""
    row, column = start if start in grid.cell_at else (start[0] + step[0], start[1] + step[1])
    found = []
    while (row, column) in grid.cell_at:
        found.append(grid.cell_at[row, column])
        row, column = row + step[0], column + step[1]
    return tuple(found)


class ClueEntry:
    """An entry of a clue key: an object with cells, lines or a value."""

    def __init__(self, grid: Grid, data: Any) -> None:
        """Take the ``data`` of an entry, which must be an object."""
        if not isinstance(data, dict):
            raise InvalidInput(f"expected an object, got {short_repr(data)}")
        self.grid = grid
        self._data = data

    def get(self, field: str) -> Any:
        """Return the field as it is, None if it is empty."""
        data = self._data.get(field)
        return None if is_empty(data) else data

    def number(self, field: str = "value") -> int | None:
        """Return the number in a field, None if there is none."""
        data = self.get(field)
        return None if data is None else self._in(field, lambda: parse_whole_number(data))

    def clue(self) -> int | None:
        """Return the number in ``value``, None if there is none or a question mark."""
        data = self.get("value")
        return None if isinstance(data, str) and not data.strip(" ?") else self.number()

    def numbers(self, field: str) -> tuple[int, ...]:
        """Return all numbers in a field."""
        return self._all(field, parse_whole_number)

    def cells(self, field: str = "cells") -> Cells:
        """Return the cells in a field; a single one may stand in ``cell`` instead."""
        if field == "cells" and self.get("cells") is None and self.get("cell") is not None:
            return (self._in("cell", lambda: self._cell(self._data["cell"])),)
        return self._all(field, self._cell)

    def lines(self) -> tuple[Cells, ...]:
        """Return the cells of every line; a single one may stand in ``cells`` instead."""

        def line(data: Any) -> Cells:
            return parse_all(iter_elements(data, "cell", "a line as an array of cells"), self._cell)

        return self._all("lines", line) if self.get("lines") is not None else (self.cells(),)

    def clue_place(self) -> Place:
        """Return the place of a clue."""
        return self._in("cell", lambda: parse_place(self._data.get("cell")))

    def _cell(self, name: Any) -> Cell:
        cell = self.grid.cell_at.get(parse_place(name))
        if cell is None:
            raise InvalidInput(f"expected a cell of {self.grid}, got {name!r:.80}")
        return cell

    def _all(self, field: str, parse: Callable[[Any], _T]) -> tuple[_T, ...]:
        if self.get(field) is None:
            return ()
        return parse_all(iter_elements(self._data[field], field), parse)

    def _in(self, field: str, parse: Callable[[], _T]) -> _T:
        try:
            return parse()
        except InvalidInput as error:
            raise InvalidInput([f"{field}: {problem}" for problem in error.problems]) from error
