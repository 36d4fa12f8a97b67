"""Grids of pencil marks for a terminal: every candidate of a cell at its own place within the cell."""

from __future__ import annotations

from math import ceil, sqrt
from typing import TYPE_CHECKING

from sudoku_cp.render.region_borders import region_borders
from sudoku_cp.render.terminal_grid import PLAIN, Look, circle_sign, close_gaps, frame_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle

_BOLD, _CYAN, _YELLOW, _RESET = "\x1b[1m", "\x1b[36m", "\x1b[33m", "\x1b[0m"


def draw_candidates(puzzle: Puzzle, notes: Sequence[Mapping[int, str]], look: Look = PLAIN) -> str:
    """Return the grid with the candidates of each cell; ``notes`` maps them to a suffix ("?", ":12", or nothing).

    A given is alone in its cell, and so is a single candidate without a suffix, in a circle.
    """
    grid = close_gaps(puzzle.grid)
    across = ceil(sqrt(len(grid.values)))
    entry = max(len(puzzle.symbols.sign(value) + note) for cell in notes for value, note in cell.items()) if any(notes) else 1
    width = across * (entry + 1) + 1
    blocks = [_cell_lines(puzzle, cell, notes[cell], across, entry, look) for cell in grid.cells]
    texts = [
        {place: f" {block[line]} " for place, block in zip(grid.places, blocks, strict=True)} for line in range(len(blocks[0]))
    ]
    return frame_cells(region_borders(grid), texts, width, look)


def _cell_lines(puzzle: Puzzle, cell: Cell, notes: Mapping[int, str], across: int, entry: int, look: Look) -> list[str]:
    """Return the lines of one cell."""
    values = puzzle.grid.values
    rows = [values[start : start + across] for start in range(0, len(values), across)]
    if len(notes) == 1 and (cell in puzzle.givens or not any(notes.values())):
        (value,) = notes
        return _single_value_lines(
            puzzle.symbols.sign(value), len(rows), across * (entry + 1) - 1, look, given=cell in puzzle.givens
        )
    lines = [
        " ".join(_format_candidate(puzzle.symbols.sign(value), notes.get(value), entry, look) for value in row) for row in rows
    ]
    short = across - len(rows[-1])
    return [*lines[:-1], lines[-1] + " " * short * (entry + 1)]


def _format_candidate(sign: str, note: str | None, entry: int, look: Look) -> str:
    """Return one candidate with its note, or a point for a missing one."""
    if note is None:
        return ".".ljust(entry)
    text = f"{sign}{note}".ljust(entry)
    return f"{_YELLOW}{text}{_RESET}" if look.colour and note == "?" else text


def _single_value_lines(sign: str, rows: int, width: int, look: Look, *, given: bool) -> list[str]:
    """Return the lines of a cell with one value in the middle."""
    circle = sign if given else f"[{sign}]" if look.ascii_only else circle_sign(sign)
    seen = len(circle.replace("\u20dd", ""))
    before = (width - seen) // 2
    shown = f"{_BOLD if given else _CYAN}{circle}{_RESET}" if look.colour else circle
    middle = " " * before + shown + " " * (width - seen - before)
    return [middle if row == rows // 2 else " " * width for row in range(rows)]
