"""A position is a puzzle with values, and knows where each came from."""

from __future__ import annotations

import pickle

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Origin, Position, Puzzle
from sudoku_cp.symbols import Symbols

PUZZLE = Puzzle.parse("12.." + "." * 12)
SOLVED = tuple(map(int, "1234341221434321"))


def test_a_puzzle_is_a_position() -> None:
    """Without values, the givens are what is there."""
    position = Position.of(PUZZLE)
    assert position.values == (1, 2, *[None] * 14)
    assert position.origins == (Origin.GIVEN, Origin.GIVEN, *[None] * 14)
    assert position.marks == ()


def test_a_value_that_is_not_given_is_forced_unless_said_otherwise() -> None:
    """Origins stated for given cells do not count; those cells are given."""
    position = Position.of(PUZZLE, iter(SOLVED), {0: Origin.GUESSED, 2: Origin.GUESSED})
    assert position.origins == (Origin.GIVEN, Origin.GIVEN, Origin.GUESSED, *[Origin.FORCED] * 13)
    assert position.values == SOLVED


def test_a_position_may_be_half_filled() -> None:
    """Open cells have no origin."""
    position = Position.of(PUZZLE, (1, 2, 3, *[None] * 13))
    assert position.origins[2:4] == (Origin.FORCED, None)


def test_a_position_is_drawn_in_rows() -> None:
    """Str shows the values in the puzzle's signs, one row per line."""
    puzzle = Puzzle(Grid.square(4), givens={0: 1}, symbols=Symbols("abcd"))
    assert str(Position.of(puzzle, (1, 2, *[None] * 13, 4))) == "a b . .\n. . . .\n. . . .\n. . . d"


def test_a_position_is_a_value() -> None:
    """Equal parts make equal positions, here and in another process."""
    position = Position.of(PUZZLE, SOLVED)
    assert position == Position.of(PUZZLE, SOLVED)
    assert pickle.loads(pickle.dumps(position)) == position  # noqa: S301
    assert hash(position) == hash(Position.of(PUZZLE, SOLVED))


def test_origins_are_words() -> None:
    """An origin is the word that JSON and drawings use."""
    assert [f"{origin}" for origin in Origin] == ["given", "forced", "guessed"]


@pytest.mark.parametrize(
    ("values", "origins", "marks"),
    [
        ([None] * 15, [None] * 16, []),
        ([None] * 16, [None] * 17, []),
        ([None] * 16, [None] * 16, [0] * 15),
        ([], [], []),
    ],
    ids=["values", "origins", "marks", "all"],
)
def test_lengths_that_do_not_fit_are_refused(values, origins, marks) -> None:
    """Values and origins must be given for every cell, marks for every cell or not at all."""
    with pytest.raises(InvalidInput, match="expected a value, an origin and marks for each of 16 cells"):
        Position(PUZZLE, tuple(values), tuple(origins), tuple(marks))


@pytest.mark.parametrize(
    ("value", "origin", "got"),
    [(1, None, "no origin of the value in r1c1"), (None, Origin.FORCED, "'forced' for r1c1, which is open")],
)
def test_a_value_and_its_origin_come_together(value: int | None, origin: Origin | None, got: str) -> None:
    """No value without an origin, no origin without a value: the first cell that has only one is named."""
    with pytest.raises(InvalidInput, match=f"expected an origin for every value and for no open cell, got {got}"):
        Position(PUZZLE, (value, *[None] * 15), (origin, *[None] * 15))
