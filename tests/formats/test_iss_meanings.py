"""What the words of the Interactive Sudoku Solver mean, as its own sources tell it: by brute force, and for every engine."""

from __future__ import annotations

from io import StringIO
from itertools import combinations, product

import pytest

from sudoku_cp import queries
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import records_of_text, write_puzzles
from sudoku_cp.formats.iss.coding import Machine, machine_text
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import AnyOf, Difference, NegativeDifference, NegativeRatio

ENGINES = ("native", "sat", "cpsat")
LINE = ".Shape~1x3~4~Raw"
"""Three cells in a row, with values from 1 to 4 and no houses: 64 ways to fill them."""


def read(text):
    """Return the puzzle of a string, or raise what is wrong with it."""
    (record,) = records_of_text(text + "\n", format="iss")
    if record.error:
        raise record.error
    return record.puzzle


def text_of(puzzle):
    """Return a puzzle as a string."""
    target = StringIO()
    write_puzzles([puzzle], target, "iss")
    return target.getvalue().strip()


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


# --- marks inside other words -----------------------------------------------------------------------------------

PAIRS = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]
"""The neighbours on two rows of three cells."""


def _strict(marks, allowed, forbidden):
    """Return the meaning of marks where no other neighbours may be like that."""
    return lambda *values: all(
        (allowed if pair in marks else lambda a, b: not forbidden(a, b))(*(values[cell] for cell in pair)) for pair in PAIRS
    )


def _like_dots(a, b):
    return abs(a - b) == 1 or a in {2 * b, b / 2}


@pytest.mark.parametrize(
    ("words", "marks"),
    [
        (".And.WhiteDot~R1C1~R1C2.End", {(0, 1)}),
        (".And.And.WhiteDot~R1C1~R1C2~R1C3.End.End", {(0, 1), (1, 2)}),
        (".Replicate~J.WhiteDot~R1C1~R1C2.End", {(0, 1), (3, 4)}),
        (".And.Replicate~J.WhiteDot~R1C1~R1C2.End.End", {(0, 1), (3, 4)}),
        (".WhiteDot~R1C1~R1C2.Or.Cage~9~R1C1~R1C2.Cage~0~R1C3.End", {(0, 1)}),
    ],
)
def test_marks_inside_and_and_replicate_are_marks(words, marks):
    """All neighbours are looked at but those with a dot, wherever the dot is said; as the writer says it too."""
    puzzle = read(f".Shape~2x3~4~Raw.StrictKropki{words}")
    meaning = _strict(marks, lambda a, b: abs(a - b) == 1, _like_dots)
    agrees(puzzle, meaning, 6, engines=("native",))
    agrees(read(text_of(puzzle)), meaning, 6, engines=("sat",))


def test_letters_inside_and_are_letters():
    """All neighbours are looked at but those with an X or a V."""
    puzzle = read(".Shape~2x3~4~Raw.StrictXV.And.V~R1C1~R2C1.End")
    agrees(puzzle, _strict({(0, 3)}, lambda a, b: a + b == 5, lambda a, b: a + b in {5, 10}), 6, engines=("native",))


@pytest.mark.parametrize(
    "words",
    [
        ".StrictKropki.Or.WhiteDot~R1C1~R1C2.WhiteDot~R2C1~R2C2.End",
        ".StrictKropki.And.Or.And.BlackDot~R1C1~R1C2.End.~R1C1_1.End.End",
        ".StrictXV.Or.X~R1C1~R1C2.V~R2C1~R2C2.End",
    ],
)
def test_marks_inside_or_beside_a_strict_word_are_refused(words):
    """Which neighbours are marked is not known where a mark is one of several alternatives; the solver refuses it as well."""
    with pytest.raises(InvalidInput, match=r"Strict(Kropki|XV): expected no marks inside Or, got '(difference|ratio|pair-sum)'"):
        read(f".Shape~4x4{words}")


def test_marks_inside_or_are_no_marks_for_the_writer():
    """Rules about unmarked neighbours beside alternatives with marks are said by what they mean."""
    dot = Difference((0, 1))
    rules = (AnyOf((dot, Difference((3, 4)))), NegativeDifference((1,), ((0, 1),)), NegativeRatio((2,), ((0, 1),)))
    puzzle = Puzzle(Grid.rectangle(2, 3, values=range(1, 5)), rules)
    text = text_of(puzzle)
    assert "Strict" not in text
    assert found(read(text), "native", 6) == found(puzzle, "native", 6)
