"""Fixtures of the format tests: the real files, and puzzles to write."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.symbols import ALPHABETS

DATA = Path(__file__).parents[2] / "../shared/data"


@pytest.fixture(scope="session")
def data():
    """Return the path of a real file, or skip the test if the files are not there."""

    def find(name):
        path = DATA / name
        if not path.exists():
            pytest.skip(f"the shared data file {name} is not here")
        return path

    return find


@st.composite
def _plain(draw, sizes=(4, 5, 6, 9, 12, 16, 25), alphabets=tuple(ALPHABETS)):
    grid = Grid.square(draw(st.sampled_from(sizes)))
    givens = draw(st.dictionaries(st.sampled_from(grid.cells), st.sampled_from(grid.values), max_size=40))
    symbols = ALPHABETS[draw(st.sampled_from(alphabets))](grid.values)
    titles = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=20)
    return Puzzle(grid, givens=givens, symbols=symbols, title=" ".join(draw(titles).replace("#", "").split()))


@pytest.fixture(scope="session")
def plain():
    """Return the strategy of plain puzzles, of any usual size and alphabet, with a title."""
    return _plain


EASY = (
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".16.4......2....9.4......62.7.23.1..1.......3..3.87.4.96......5...8....7......68.",
)


@pytest.fixture
def easy():
    """Return two plain 9x9 puzzles."""
    return [Puzzle.parse(line) for line in EASY]


@pytest.fixture
def count_calls():
    """Return a function that counts the calls of functions while an action runs: a measure of work on any machine."""

    def count(action):
        calls = 0

        def note(_frame, event, _argument):
            nonlocal calls
            calls += event in {"call", "c_call"}

        sys.setprofile(note)
        try:
            found = action()
        finally:
            sys.setprofile(None)
        return found, calls

    return count
