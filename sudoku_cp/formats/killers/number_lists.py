"""Killer sudokus as lists of numbers, one for each cell: ``killer-ps`` and ``sumocue``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.grid_text import jigsaw_grid
from sudoku_cp.formats.killers.cages import CELLS, SIDE, CellSum, killer_format, puzzle_from_cages, require_cages
from sudoku_cp.grid import Grid

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle


_START = "3x3:"
_KILLER = "k"
_CAGES = 256
_SHOWN = 5


def _parse_killer_ps(text: str) -> Puzzle:
    """Return the puzzle of a line."""
    size, diagonals, kind, *numbers = (*text.split(":"), "", "", "")[: max(3, text.count(":") + 1)]
    if size != "3x3" or kind != _KILLER or diagonals not in {"", "d"}:
        raise ParseError(f"expected a line that begins with '3x3::k:' or '3x3:d:k:', got {text[:20]!r}")
    if numbers and not numbers[-1]:
        numbers.pop()
    if len(numbers) != CELLS:
        raise ParseError(f"expected {CELLS} numbers, each followed by ':', got {len(numbers)}")
    wrong = [
        (cell, one) for cell, one in enumerate(numbers, 1) if not (one.isascii() and one.isdecimal() and len(one) < _SHOWN + 1)
    ]
    if wrong:
        raise ParseError([f"expected a number for cell {cell}, got {one[:20]!r}" for cell, one in wrong[:_SHOWN]])
    return puzzle_from_cages(_cages_of_numbers([divmod(int(one), _CAGES) for one in numbers]), diagonals=diagonals == "d")


def _cages_of_numbers(entries: list[tuple[int, int]]) -> list[CellSum]:
    """Return the cages; cells whose sum is 0 are in none."""
    sums: dict[int, int] = {}
    cells: dict[int, list[int]] = {}
    for cell, (total, cage) in enumerate(entries):
        if total:
            if sums.setdefault(cage, total) != total:
                raise ParseError(f"expected one sum for cage {cage}, got {sums[cage]} and {total}")
            cells.setdefault(cage, []).append(cell)
    return [CellSum(tuple(inside), sums[cage]) for cage, inside in cells.items()]


def _puzzle_to_killer_ps(puzzle: Puzzle) -> str:
    """Return the line; cells in no cage get a number of their own and the sum 0."""
    cages, diagonals = require_cages(puzzle, "killer-ps", jigsaw=False, diagonals=True, sums=True)
    cages = sorted(cages, key=lambda cage: min(cage.cells))
    numbers = {cell: (cage.total or 0) * _CAGES + number for number, cage in enumerate(cages) for cell in cage.cells}
    free = len(cages)
    for cell in range(CELLS):
        if cell not in numbers:
            numbers[cell], free = free, free + 1
    return f"{_START}{'d' * diagonals}:k:" + "".join(f"{numbers[cell]}:" for cell in range(CELLS)) + "\n"


KILLER_PS = killer_format(
    "killer-ps",
    "a killer sudoku a line: 3x3::k: and a number for each cell",
    lambda line: line.startswith(("3x3::k:", "3x3:d:k:")),
    _parse_killer_ps,
    _puzzle_to_killer_ps,
)


# Killer sudokus as SumoCue writes them: for each cell a sum (``=12``), or the cell that has the sum of its cage (``+5``).


_SUMOCUE_START = "SumoCueV1"
_CELL = re.compile(r"([=+])(\d{1,4})(?:J([0-8]))?")


def _parse_sumocue(text: str) -> Puzzle:
    """Return the puzzle of a line."""
    if not text.startswith(_SUMOCUE_START):
        raise ParseError(f"expected a line that begins with {_SUMOCUE_START!r}, got {text[:20]!r}")
    place = len(_SUMOCUE_START)
    diagonals = text[place : place + 1] == "D"
    place += diagonals
    entries: list[tuple[str, str, str]] = []
    while place < len(text):
        found = _CELL.match(text, place)
        if not found:
            expected = "a cell such as '=12', '+5' or '=12J3'"
            raise ParseError(f"expected {expected}, got {text[place : place + 10]!r} at column {place + 1}", column=place + 1)
        entries.append((found[1], found[2], found[3] or ""))
        place = found.end()
    if len(entries) != CELLS:
        raise ParseError(f"expected {CELLS} cells, got {len(entries)}")
    return puzzle_from_cages(_cages_of_cells(entries), grid=_make_grid([region for _, _, region in entries]), diagonals=diagonals)


def _cages_of_cells(entries: list[tuple[str, str, str]]) -> list[CellSum]:
    """Return the cages; a cell with the sum 0 that no other belongs to is in none."""
    heads = {cell: [cell] for cell, (sign, _, _) in enumerate(entries) if sign == "="}
    lost = [(cell, int(number)) for cell, (sign, number, _) in enumerate(entries) if sign == "+" and int(number) not in heads]
    if lost:
        wrong = ", ".join(f"{number} for cell {cell}" for cell, number in lost[:5])
        raise ParseError(f"expected the number (from 0) of a cell with a sum after '+', got {wrong}")
    for cell, (sign, number, _) in enumerate(entries):
        if sign == "+":
            heads[int(number)].append(cell)
    cages = [CellSum(tuple(cells), int(entries[head][1]) or None) for head, cells in heads.items()]
    return [cage for cage in cages if cage.total or len(cage.cells) > 1]


def _make_grid(regions: list[str]) -> Grid | None:
    if not any(regions):
        return None
    counts = [regions.count(str(region)) for region in range(SIDE)]
    if counts != [SIDE] * SIDE:
        raise ParseError(f"expected nine cells in each of the regions J0 to J8, got {', '.join(map(str, counts))}")
    return jigsaw_grid("".join(map(str, regions)), Grid.square(SIDE))


def _puzzle_to_sumocue(puzzle: Puzzle) -> str:
    """Return the line, with regions if they are not the usual boxes."""
    cages, diagonals = require_cages(puzzle, "sumocue", jigsaw=True, diagonals=True, sums=False)
    labels = list(dict.fromkeys(puzzle.grid.boards[0].labels()))
    regions = [""] * CELLS
    if not puzzle.grid.is_plain:
        regions = [f"J{labels.index(label)}" for label in puzzle.grid.boards[0].labels()]
    texts = ["=0"] * CELLS
    for cage in cages:
        head = min(cage.cells)
        for cell in cage.cells:
            texts[cell] = f"={cage.total or 0}" if cell == head else f"+{head}"
    return _SUMOCUE_START + "D" * diagonals + "".join(text + region for text, region in zip(texts, regions, strict=True)) + "\n"


SUMOCUE = killer_format(
    "sumocue",
    "a killer sudoku or jigsaw a line, as SumoCue writes it",
    lambda line: line.startswith(_SUMOCUE_START),
    _parse_sumocue,
    _puzzle_to_sumocue,
)
