"""Grids of pencil marks for a terminal: every candidate of a cell at its own place within the cell."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING

from sudoku_cp.puzzle import Origin
from sudoku_cp.render.region_borders import region_borders
from sudoku_cp.render.terminal_grid import (
    COLOURS,
    PLAIN,
    Look,
    centre_text,
    check_drawing_size,
    circle_sign,
    close_gaps,
    colour_sign,
    display_width,
    frame_cells,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle


def draw_candidates(puzzle: Puzzle, notes: Sequence[Mapping[int, str]], look: Look = PLAIN) -> str:
    """Return the grid with the candidates of each cell; ``notes`` maps them to a suffix ("?", ":12", or nothing).

    A given is alone in its cell, and so is a single candidate without a suffix, in a circle.
    """
    entry = max(len(puzzle.symbols.sign(value) + note) for cell in notes for value, note in cell.items()) if any(notes) else 1
    check_candidates_size(puzzle, entry)
    grid = close_gaps(puzzle.grid)
    across = ceil(sqrt(len(grid.values)))
    width = across * (entry + 1) + 1
    blocks = [_cell_lines(puzzle, cell, notes[cell], across, entry, look) for cell in grid.cells]
    texts = [{place: f" {line} " for place, line in zip(grid.places, row, strict=True)} for row in zip(*blocks, strict=True)]
    return frame_cells(region_borders(grid), texts, width, look)


def check_candidates_size(puzzle: Puzzle, entry: int) -> None:
    """Raise `Unsupported` if the drawing, with ``entry`` characters for a candidate and its suffix, would be too large."""
    places = close_gaps(puzzle.grid).places
    rows, columns = (max(place[axis] for place in places) + 1 for axis in (0, 1))
    across = ceil(sqrt(len(puzzle.grid.values)))
    check_drawing_size(rows * ceil(len(puzzle.grid.values) / across), columns * (across * (entry + 1) + 1))


def _cell_lines(puzzle: Puzzle, cell: Cell, notes: Mapping[int, str], across: int, entry: int, look: Look) -> list[str]:
    """Return the lines of one cell."""
    values, sign_of = puzzle.grid.values, puzzle.symbols.sign
    rows = [values[start : start + across] for start in range(0, len(values), across)]
    if len(notes) == 1 and (cell in puzzle.givens or not any(notes.values())):
        (value,) = notes
        width = across * (entry + 1) - 1
        return _single_value_lines(sign_of(value), len(rows), width, look, given=cell in puzzle.givens)
    lines = [" ".join(_format_candidate(sign_of(value), notes.get(value), entry, look) for value in row) for row in rows]
    short = across - len(rows[-1])
    return [*lines[:-1], lines[-1] + " " * short * (entry + 1)]


def _format_candidate(sign: str, note: str | None, entry: int, look: Look) -> str:
    """Return one candidate with its note, or a dot for a missing one."""
    if note is None:
        return ".".ljust(entry)
    return colour_sign(f"{sign}{note}".ljust(entry), COLOURS[Origin.GUESSED] if note == "?" else "", look)


def _single_value_lines(sign: str, rows: int, width: int, look: Look, *, given: bool) -> list[str]:
    """Return the lines of a cell with one value in the middle."""
    circle = sign if given else f"[{sign}]" if look.ascii_only else circle_sign(sign)
    shown = colour_sign(circle, COLOURS[Origin.GIVEN if given else Origin.FORCED], look)
    middle = centre_text(shown, display_width(circle), width)
    return [middle if row == rows // 2 else " " * width for row in range(rows)]
