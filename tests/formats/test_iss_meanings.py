"""What the words of the Interactive Sudoku Solver mean, as its own sources tell it: by brute force, and for every engine."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from sudoku_cp import queries
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import records_of_text
from sudoku_cp.formats.iss.coding import Machine, machine_text

ENGINES = ("native", "sat", "cpsat")
LINE = ".Shape~1x3~4~Raw"
"""Three cells in a row, with values from 1 to 4 and no houses: 64 ways to fill them."""


def read(text):
    """Return the puzzle of a string, or raise what is wrong with it."""
    (record,) = records_of_text(text + "\n", format="iss")
    if record.error:
        raise record.error
    return record.puzzle


def found(puzzle, backend, cells):
    """Return every way in which an engine fills the first cells, which the rules' own meanings must confirm."""
    solutions = list(queries.solutions(puzzle, backend=backend))
    assert all(puzzle.holds(solution) for solution in solutions)
    assert len({tuple(solution) for solution in solutions}) == len(solutions)
    return {tuple(solution)[:cells] for solution in solutions}


def agrees(puzzle, meaning, cells=3, values=range(1, 5), engines=ENGINES):
    """Compare what rules and engines say of every way to fill some cells with a meaning told apart from both."""
    expected = {filled for filled in product(values, repeat=cells) if meaning(*filled)}
    for backend in engines:
        assert found(puzzle, backend, cells) == expected


# --- cells listed twice -----------------------------------------------------------------------------------------


def _different(*values):
    return len(set(values)) == len(values)


TWICE = {
    "Cage~5~R1C1~R1C1~R1C2": lambda a, b, _: 2 * a + b == 5 and a != b,
    "Cage~0~R1C1~R1C1~R1C2": lambda a, b, _: a != b,
    "Cage~~R1C1~R1C2~R1C1": lambda a, b, _: a != b,
    "Cage~12~R1C3~R1C3~R1C3": lambda _a, _b, c: 3 * c == 12,
    "AllDifferent~R1C1~R1C2~R1C1": lambda a, b, _: a != b,
    "Sum~5~R1C1~R1C1~R1C2": lambda a, b, _: 2 * a + b == 5,
    "Sum~1_=_2_-1_-3~R1C1~R1C1~R1C2": lambda a, b, _: a - 3 * b == 1,
    "Arrow~R1C1~R1C2~R1C2": lambda a, b, _: a == 2 * b,
    "Arrow~R1C1~R1C1~R1C2": lambda a, b, _: a == a + b,
    "DoubleArrow~R1C1~R1C2~R1C2~R1C3": lambda a, b, c: a + c == 2 * b,
    "PillArrow~2~R1C1~R1C2~R1C3~R1C3": lambda a, b, c: 10 * a + b == 2 * c,
    "Zipper~R1C1~R1C2~R1C1": lambda a, b, _: b == 2 * a,
    "SumLine~4~R1C1~R1C1~R1C2": lambda a, b, _: (a, b) in {(1, 2), (2, 4), (4, 4)},
    "EqualSum~R1C1~R1C1~-~R1C2~R1C3": lambda a, b, c: 2 * a == b + c,
    "EqualSum~-~R1C1~-~-~R1C2~R1C3~-": lambda a, b, c: a == b + c,
    "SameValues~2~R1C1~R1C1~R1C2~R1C3": lambda a, b, c: a == b == c,
    "Palindrome~R1C1~R1C2~R1C1": lambda _a, _b, _c: True,
    "Between~R1C1~R1C2~R1C2~R1C3": lambda a, b, c: a < b < c or a > b > c,
    "Lockout~2~R1C1~R1C2~R1C2~R1C3": lambda a, b, c: abs(a - c) >= 2 and not min(a, c) <= b <= max(a, c),
    "Whisper~2~R1C1~R1C2~R1C1": lambda a, b, _: abs(a - b) >= 2,
    "Whisper~2~R1C1~R1C1~R1C2": lambda _a, _b, _c: False,
    "Modular~3~R1C1~R1C2~R1C3~R1C1": lambda a, b, c: _different(a % 3, b % 3, c % 3),
    "Modular~3~R1C1~R1C2~R1C1": lambda _a, _b, _c: False,
    "Modular~2~R1C1~R1C2~R1C1": lambda a, b, _: a % 2 != b % 2,
    "CountDistinct~R1C1~R1C1~R1C2~R1C2": lambda a, b, _: a == len({a, b}),
    "ContainExact~1_1~R1C1~R1C1~R1C2": lambda a, b, _: a == 1 != b,
    "ContainAtLeast~1_1~R1C1~R1C1~R1C2": lambda a, _b, _c: a == 1,
    "LookAndSay~21~R1C1~R1C1~R1C2": lambda a, b, _: a == 1 != b,
    "WhiteDot~R1C1~R1C2~R1C1": lambda a, b, _: abs(a - b) == 1,
    "GreaterThan~R1C1~R1C2~R1C1": lambda a, b, _: a > b,
}


@pytest.mark.parametrize("word", TWICE)
def test_a_cell_listed_twice_counts_twice_and_is_one_cell(word):
    """Sums and counts take a cell as often as it is listed; that values differ is said of different cells."""
    agrees(read(f"{LINE}.{word}"), TWICE[word])


@pytest.mark.parametrize(
    "word",
    [
        "EqualityCage~R1C1~R1C1~R1C2",
        "RellikCage~3~R1C1~R1C1",
        "CountingCircles~R1C1~R1C1",
        "Lunchbox~2~R1C1~R1C2~R1C1",
        "Renban~R1C1~R1C2~R1C2",
    ],
)
def test_words_that_mean_nothing_certain_with_a_cell_listed_twice_are_refused(word):
    """Where it is not known what a word means with a cell listed twice, the cell is named."""
    with pytest.raises(InvalidInput, match=r"(?i)expected each cell once, got R1C[12] more than once"):
        read(f"{LINE}.{word}")


# --- breaks -----------------------------------------------------------------------------------------------------

COUNTS_BREAKS = machine_text(
    Machine(5, (0,), tuple((breaks, sign, breaks) for breaks in range(5) for sign in range(4))
            + tuple((breaks, 4, breaks + 1) for breaks in range(4)) + (), (3,))
)  # fmt: skip
"""An automaton over four values that accepts whatever has three breaks in it."""
RISES = machine_text(
    Machine(5, (0,), (*((low, value - 1, value) for low, value in combinations(range(5), 2)), *((low, 4, 0) for low in range(5))),
            (0,))
)  # fmt: skip
"""An automaton over four values that reads rising runs, and accepts behind a break only."""


@pytest.mark.parametrize(
    ("line", "breaks"),
    [
        ("R1C1~-~R1C2~-~R1C3", 2),
        ("-~R1C1~-~R1C2~-~R1C3", 3),
        ("R1C1~-~R1C2~R1C3~-~-", 3),
        ("-~-~R1C1~R1C2~-~R1C3", 3),
        ("R1C1~-~-~-~R1C2~R1C3", 3),
        ("-~R1C1~R1C2~R1C3~-", 2),
        ("-~R1C1~R1C2~R1C3", 1),
        ("R1C1~R1C2~R1C3", 0),
    ],
)
def test_every_break_is_read(line, breaks):
    """An automaton reads a break before, between and behind the cells wherever one stands, though nothing stands there."""
    puzzle = read(f"{LINE}.NFA~{COUNTS_BREAKS}~_~{line}")
    assert len(found(puzzle, "native", 3)) == (64 if breaks == 3 else 0)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("-~R1C1~R1C2~-~R1C3~-", lambda a, b, _: a < b),
        ("R1C1~R1C2~R1C3~-", lambda a, b, c: a < b < c),
        ("R1C1~R1C2~R1C3", lambda _a, _b, _c: False),
        ("R1C1~-~R1C2~R1C3~-~-", lambda _a, b, c: b < c),
    ],
)
def test_runs_are_read_one_after_the_other(line, meaning):
    """An automaton begins each run where the break has led it, and ends where the last break has."""
    agrees(read(f"{LINE}.NFA~{RISES}~_~{line}"), meaning)
