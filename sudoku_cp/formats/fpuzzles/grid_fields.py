"""The grid of an f-puzzles document: its size and regions, what is given in its cells, and its stated solution."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.base import SolvingState
from sudoku_cp.formats.document_fields import is_empty, iter_elements, parse_all, parse_whole_number, short_repr
from sudoku_cp.formats.grid_text import board_of_regions
from sudoku_cp.grid import MAX_SIDE, Board, Grid
from sudoku_cp.model import members, to_mask
from sudoku_cp.symbols import BLANKS

if TYPE_CHECKING:
    from sudoku_cp.formats.document_fields import ProblemCollector
    from sudoku_cp.grid import Cell, Place
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules.base import Cells


_CELL_KEYS = {"value", "given", "givenPencilMarks", "region", "parity"}
_UNREAD = {
    "pencil marks": ("centerPencilMarks", "cornerPencilMarks", "candidates"),
    "colours": ("c", "cArray", "highlight", "colors"),
    "fog": ("fog",),
}
"""Notes of a player, and fog."""
_UNREAD_KEYS = {key for keys in _UNREAD.values() for key in keys}


@dataclass
class FpuzzlesCells:
    """The contents of the cells: givens, given pencil marks, cells marked odd or even, and how much is a player's."""

    givens: dict[Cell, int] = field(default_factory=dict)
    candidates: dict[Cell, Domain] = field(default_factory=dict)
    parity: dict[str, list[Cell]] = field(default_factory=dict)
    entered: int = 0
    unread: Counter[str] = field(default_factory=Counter)


def read_grid(data: Mapping[str, Any], collector: ProblemCollector) -> Grid | None:
    """Return the grid with the stated size and regions, None if these are invalid."""
    rows = collector.read("", lambda: _parse_rows(data))
    if rows is None:
        return None
    side, board = len(rows), Grid.square(len(rows)).boards[0]
    usual = board.labels() if board.boxes else [cell // side for cell in range(side * side)]
    labels: list[int | None] = []
    for cell, entry in enumerate(entry for row in rows for entry in row):
        row, column = divmod(cell, side)
        if "region" not in entry:
            labels.append(usual[cell])
            continue
        raw = entry["region"]
        number = None if raw is None else collector.read(f"{place_name((row, column))}, region", partial(parse_whole_number, raw))
        labels.append(number)
    return make_grid(side, side, labels, range(1, side + 1))


def _parse_rows(data: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """Return the cells' entries, as many rows and columns as the size says."""
    raw = data.get("grid")
    size = data.get("size")
    if is_empty(size) and not isinstance(raw, list):
        raise InvalidInput("expected the fields size and grid of an f-puzzles document, got neither")
    side = len(raw) if is_empty(size) and isinstance(raw, list) else parse_whole_number(size, "a size")
    if not 2 <= side <= MAX_SIDE:  # noqa: PLR2004
        raise InvalidInput(f"size: expected 2 to {MAX_SIDE}, got {short_repr(side)}")
    if raw is None:
        return [[{} for _ in range(side)] for _ in range(side)]
    rows = [row for _, row in iter_elements(raw, "grid", "grid: an array of rows")]
    problems = [] if len(rows) == side else [f"grid: expected {side} rows, got {len(rows)}"]
    for number, row in enumerate(rows[:side], 1):
        if not isinstance(row, list) or len(row) != side:
            got = f"{len(row)}" if isinstance(row, list) else short_repr(row)
            problems.append(f"grid, row {number}: expected an array of {side} cells, got {got}")
            continue
        strange = [(column, one) for column, one in enumerate(row) if not isinstance(one, dict | None)]
        for column, one in strange:
            problems.append(f"{place_name((number - 1, column))}: expected an object, got {short_repr(one)}")
    if problems:
        raise InvalidInput(problems)
    return [[one or {} for one in row] for row in rows]


def make_grid(rows: int, columns: int, labels: Sequence[int | None], values: range) -> Grid:
    """Return the grid with these regions: as boxes if they are boxes; without regions if no cell has a label."""
    numbers = {label: number for number, label in enumerate(dict.fromkeys(label for label in labels if label is not None))}
    regions = tuple(None if label is None else numbers[label] for label in labels)
    if not numbers or (len(numbers) == rows and all(label == cell // columns for cell, label in enumerate(regions))):
        return Grid.of((Board(rows, columns),), values)  # regions that are the rows say nothing more
    return Grid.of((board_of_regions(rows, columns, regions),), values)


def read_contents(data: Mapping[str, Any], grid: Grid, collector: ProblemCollector) -> FpuzzlesCells:
    """Return the contents of the cells; the shape of the grid has been checked."""
    found = FpuzzlesCells()
    rows = data.get("grid") or []
    for cell, entry in enumerate(entry or {} for row in rows for entry in row):
        name = place_name(grid.places[cell])
        collector.read(name, partial(_read_cell, entry, cell, grid, found))
        for key in sorted(entry.keys() - _CELL_KEYS - _UNREAD_KEYS):
            if not is_empty(entry[key]):
                collector.problems.append(f"{name}: expected only what is known of a cell, got {key!r:.40}")
        found.unread.update(noun for noun, keys in _UNREAD.items() if not all(is_empty(entry.get(key)) for key in keys))
    if found.entered:
        collector.warnings.append(f"values that a player has filled in are not read: {found.entered}")
    for noun, count in sorted(found.unread.items()):
        collector.warnings.append(f"not read: {noun} in {count} cell{'s' * (count > 1)}")
    return found


def _read_cell(entry: Mapping[str, Any], cell: Cell, grid: Grid, found: FpuzzlesCells) -> None:
    value = entry.get("value")
    if not is_empty(value) and value != 0:
        number = parse_whole_number(value, "a value")
        if entry.get("given") is True:
            found.givens[cell] = number
        else:
            found.entered += 1
    marks = entry.get("givenPencilMarks")
    if not is_empty(marks):
        values = {parse_whole_number(one, "a value") for _, one in iter_elements(marks, "givenPencilMarks")}
        if strange := sorted(values - set(grid.values)):
            raise InvalidInput(f"givenPencilMarks: expected values from 1 to {grid.values[-1]}, got {short_repr(strange)}")
        if values != set(grid.values):
            found.candidates[cell] = to_mask(values)
    parity = entry.get("parity")
    if not is_empty(parity):
        kind = str(parity).lower()
        if kind not in {"odd", "even"}:
            raise InvalidInput(f"parity: expected 'Odd' or 'Even', got {short_repr(parity)}")
        found.parity.setdefault(kind, []).append(cell)


def read_solution(raw: Any, grid: Grid, warnings: list[str]) -> tuple[int, ...] | None:
    """Return the solution stated as an array or text of values; None, with a warning, if it is incomplete."""
    if is_empty(raw):
        return None
    found = _parse_solution(raw, grid)
    if found is None and any(not is_empty(one) and str(one) not in BLANKS for one in raw):
        warnings.append("the stated solution is not read: it is not complete")
    return found


def _parse_solution(raw: Any, grid: Grid) -> tuple[int, ...] | None:
    if not isinstance(raw, list | str):
        raise InvalidInput(f"expected a solution as an array or a text, got {short_repr(raw)}")
    cells = len(grid.cells)
    if isinstance(raw, str) and "," in raw:
        raw = raw.split(",")
    elif isinstance(raw, str):
        width = max(1, len(raw) // cells)  # above nine, each value takes two digits
        raw = [raw[at : at + width] for at in range(0, len(raw), width)]
    if len(raw) != cells or not all(isinstance(one, int) or (isinstance(one, str) and one.strip().isdecimal()) for one in raw):
        return None
    values = tuple(parse_whole_number(one, "a value") for one in raw)
    return values if set(values) <= set(grid.values) else None


# --- writing ----------------------------------------------------------------------------------------------------


def write_cells(puzzle: Puzzle) -> list[list[dict[str, Any]]]:
    """Return the rows of cells: givens, given pencil marks, and regions that are not the usual boxes."""
    grid, side = puzzle.grid, puzzle.grid.boards[0].rows
    labels = grid.boards[0].labels()
    usual = Grid.square(side).boards[0].labels()
    own_regions = list(labels) != list(usual)
    rows: list[list[dict[str, Any]]] = [[] for _ in range(side)]
    for cell in grid.cells:
        entry: dict[str, Any] = {}
        if cell in puzzle.givens:
            entry |= {"value": puzzle.givens[cell], "given": True}
        if cell in puzzle.candidates:
            entry["givenPencilMarks"] = members(puzzle.candidates[cell])
        if own_regions:
            entry["region"] = labels[cell]
        rows[cell // side].append(entry)
    return rows


# Clue entries of an f-puzzles document: their cells inside and outside the grid, lines and values.


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


# What a player has entered in an f-puzzles document: values that are not given, and centre marks.


def player_state(data: Mapping[str, Any], puzzle: Puzzle) -> SolvingState:
    """Return the values and the centre marks entered in a document; ``puzzle`` is the one that it states.

    Marks that are no values of the puzzle are passed over, as the site itself does; so are those of filled cells.
    """
    placed: dict[Cell, int] = {}
    left: dict[Cell, Domain] = {}
    values = set(puzzle.grid.values)
    entries = [entry or {} for row in data.get("grid") or [] for entry in row]
    for cell, entry in enumerate(entries):
        value, marks = entry.get("value"), entry.get("centerPencilMarks")
        if cell in puzzle.givens:
            continue
        if not is_empty(value) and value != 0:
            placed[cell] = parse_whole_number(value, "a value")
        elif not is_empty(marks):
            marked = {parse_whole_number(one, "a value") for _, one in iter_elements(marks, "centerPencilMarks")} & values
            if marked:
                left[cell] = to_mask(marked)
    return SolvingState(placed, left)
