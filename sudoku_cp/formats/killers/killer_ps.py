"""Killer sudokus as a list of numbers: ``3x3::k:`` and 256 times the sum of its cage plus the cage's number for each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.killers.cages import CELLS, CellSum, killer_format, puzzle_from_cages, require_cages

if TYPE_CHECKING:
    from sudoku_cp.puzzle import Puzzle

_START = "3x3:"
_KILLER = "k"
_CAGES = 256
_SHOWN = 5


def _parse_puzzle(text: str) -> Puzzle:
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
    return puzzle_from_cages(_make_cages([divmod(int(one), _CAGES) for one in numbers]), diagonals=diagonals == "d")


def _make_cages(entries: list[tuple[int, int]]) -> list[CellSum]:
    """Return the cages; cells whose sum is 0 are in none."""
    sums: dict[int, int] = {}
    cells: dict[int, list[int]] = {}
    for cell, (total, cage) in enumerate(entries):
        if total:
            if sums.setdefault(cage, total) != total:
                raise ParseError(f"expected one sum for cage {cage}, got {sums[cage]} and {total}")
            cells.setdefault(cage, []).append(cell)
    return [CellSum(tuple(inside), sums[cage]) for cage, inside in cells.items()]


def _puzzle_to_line(puzzle: Puzzle) -> str:
    """Return the line; cells in no cage get a number of their own and the sum 0."""
    cages, diagonals = require_cages(puzzle, "killer-ps", jigsaw=False, diagonals=True, sums=True)
    cages = sorted(cages, key=lambda cage: min(cage.cells))
    numbers = {cell: (cage.total or 0) * _CAGES + number for number, cage in enumerate(cages) for cell in cage.cells}
    free = len(cages)
    for cell in range(CELLS):
        if cell not in numbers:
            numbers[cell], free = free, free + 1
    return f"{_START}{'d' * diagonals}:k:" + "".join(f"{numbers[cell]}:" for cell in range(CELLS)) + "\n"


FORMAT = killer_format(
    "killer-ps",
    "a killer sudoku a line: 3x3::k: and a number for each cell",
    lambda line: line.startswith(("3x3::k:", "3x3:d:k:")),
    _parse_puzzle,
    _puzzle_to_line,
)
