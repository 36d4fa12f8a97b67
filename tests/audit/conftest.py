"""Fixtures for the audit tests: sound puzzles, and ways to spoil them."""

from __future__ import annotations

import pytest

from sudoku_cp.formats import records_of_text
from sudoku_cp.puzzle import Puzzle

SOUND = [
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "52...6.........7.13...........4..8..6......5...........418.........3..2...87.....",
    "6.....8.3.4.7.................5.4.7.3..2.....1.6.......2.....5.....8.6......1....",
    "48.3............71.2.......7.5....6....2..8.............1.76...3.....4......5....",
    "....14....3....2...7..........9...3.6.1.............8.2.....1.4....5.6.....7.8...",
    "......52..8.4......3...9...5.1...6..2..7........3.....6...1..........7.4.......3.",
    "6.2.5.........3.4..........43...8....1....2........7..5..27...........81...6.....",
    ".524.........7.1..............8.2...3.....6...9.5.....1.6.3...........897........",
    "6.2.5.........4.3..........43...8....1....2........7..5..27...........81...6.....",
    ".923.........8.1...........1.7.4...........658.........6.5.2...4.....7.....9.....",
]
"""Minimal puzzles with one solution each, no two of them alike (Norvig's "top 95", the first ten)."""


@pytest.fixture(scope="session")
def sound() -> list[str]:
    """Gives minimal puzzles with one solution each, no two of them alike, one per line."""
    return SOUND


@pytest.fixture(scope="session")
def scrambled():
    """Writes a 9x9 line in another guise, the one that `random` (a `Random`) draws."""

    def scramble(line: str, random) -> str:
        def order() -> list[int]:
            bands = random.sample(range(3), 3)
            return [3 * band + row for band in bands for row in random.sample(range(3), 3)]

        rows, columns, signs = order(), order(), random.sample("123456789", 9)
        cells = [line[9 * row + column] for row in rows for column in columns]
        if random.random() < 0.5:
            cells = [cells[9 * column + row] for row in range(9) for column in range(9)]
        return "".join(sign if sign == "." else signs[int(sign) - 1] for sign in cells)

    return scramble


@pytest.fixture(scope="session")
def read():
    """Reads text as records."""
    return lambda text, **options: list(records_of_text(text, **options))


@pytest.fixture(scope="session")
def solution():
    """Gives the first solution of a line, as a line."""

    def solve(line: str) -> str:
        puzzle = Puzzle.parse(line)
        return puzzle.line(next(puzzle.solutions()))

    return solve
