"""Every engine finds the known number of solutions for whole sets of puzzles made by others."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import Limits, backend
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sudoku_cp.backends import Session
    from sudoku_cp.model import Model

ENGINES = ("native", "sat", "cpsat", "fast:bigint", "fast:lanes")
LIMITS = Limits(seconds=120)
SAMPLE = 60
MONSTERS = {0, 8, 9, 10, 14, 15}
"""The lines of the 25x25 set, counted from 0, that no engine solves in seconds."""

Read = "Callable[[str], list[str]]"


def _counts(engine: str, lines: Iterable[str]) -> list[int]:
    """Return how many solutions each puzzle has, 2 for several; each solution is checked by the rules."""
    sessions: dict[Model, Session] = {}
    counts = []
    for line in lines:
        puzzle = Puzzle.parse(line)
        model = puzzle.model()
        if model not in sessions:
            sessions[model] = backend(engine).open(model)
        found = list(islice(sessions[model].solutions(puzzle.assume(), limits=LIMITS), 2))
        assert all(puzzle.holds(solution) for solution in found)
        assert len(set(found)) == len(found)
        counts.append(len(found))
    return counts


def _spread(lines: list[str]) -> list[str]:
    """Return a sample spread evenly over the lines."""
    return lines[:: max(1, len(lines) // SAMPLE)][:SAMPLE]


UNIQUE = (
    "euler96.txt",
    "norvig_top95.txt",
    "norvig_hardest.txt",
    "gecode_9x9.txt",
    "gen_6x6_2x3_minimal.txt",
    "gecode_16x16.txt",
)
COMPILED = "gen_12x12_3x4_minimal.txt"
"""A set of a shape for which a kernel must be compiled first."""
LONG = {
    "17clue.txt.gz": 1,
    "multi_16clue_5000.txt.gz": 2,
    "no_solution_5000.txt.gz": 0,
    "magictour_top1465.txt": 1,
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", [*UNIQUE, pytest.param(COMPILED, marks=pytest.mark.slow)])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_whole_set_is_unique(engine: str, name: str, puzzle_lines: Read) -> None:
    """Every puzzle of the set has exactly one solution."""
    lines = _spread(puzzle_lines(name))
    assert lines
    assert _counts(engine, lines) == [1] * len(lines)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_sample_has_the_known_count(engine: str, name: str, puzzle_lines: Read) -> None:
    """Each of a sample of puzzles has no solution, one, or several, as is known for the set."""
    lines = _spread(puzzle_lines(name))
    assert len(lines) == SAMPLE
    assert _counts(engine, lines) == [LONG[name]] * SAMPLE


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LONG, *UNIQUE, COMPILED])
@pytest.mark.parametrize("engine", ENGINES)
def test_all_have_the_known_count(engine: str, name: str, puzzle_lines: Read) -> None:
    """Each puzzle has no solution, one, or several, as is known for the set."""
    lines = puzzle_lines(name)
    assert set(_counts(engine, lines)) == {LONG.get(name, 1)}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_the_hardest_known_are_unique(engine: str, puzzle_lines: Read) -> None:
    """Each of a sample of the hardest puzzles known has exactly one solution."""
    assert set(_counts(engine, _spread(puzzle_lines("forum_hardest_11plus_20k.txt.gz")))) == {1}


@pytest.mark.slow
def test_boards_of_25_are_unique(puzzle_lines: Read) -> None:
    """Every 25x25 puzzle that is not among the hardest has exactly one solution."""
    lines = [line for number, line in enumerate(puzzle_lines("gecode_25x25.txt")) if number not in MONSTERS]
    assert len(lines) == 12
    assert _counts("sat", lines) == [1] * len(lines)


def test_the_checksum_of_euler_96(puzzle_lines: Read) -> None:
    """The three digits at the top left of the fifty solutions add up to Project Euler's answer."""
    session = backend("native").open(Puzzle().model())
    total = 0
    for line in puzzle_lines("euler96.txt"):
        (solution,) = session.solutions(Puzzle.parse(line).assume())
        total += 100 * solution[0] + 10 * solution[1] + solution[2]
    assert total == 24702
