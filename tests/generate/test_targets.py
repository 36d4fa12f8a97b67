"""A target misses by 0 exactly where the request is fulfilled, and by more the farther a puzzle is from it."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp import Puzzle
from sudoku_cp.backends import Limits, backend
from sudoku_cp.errors import LimitReached, UnknownName
from sudoku_cp.generate import GenerateRequest, Span
from sudoku_cp.generate.targets import (
    CombinedTarget,
    GivensTarget,
    GuessesTarget,
    LevelTarget,
    SinglesOnlyTarget,
    count_guesses,
    iter_puzzles,
    make_target,
    with_limits,
)
from sudoku_cp.grid import Grid
from sudoku_cp.logic import Level, level_of, open_cells_of
from sudoku_cp.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable

EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."
MEDIUM = "38.75...2..........2..3.....98.........847...26..9.3....1........56..14....1.39.7"
NEAR = "..4......6..59.......3...8.8.36...2..2.7..6..4...5......9....1..6.2........8712.."
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
LINES = (EASY, MEDIUM, NEAR, HARD)
BASES = {
    "4x4": Puzzle(Grid.square(4)),
    "6x6": Puzzle(Grid.square(6)),
    "5x5 jigsaw": Puzzle(Grid.jigsaw("bbbbb dddde ccdae ccaae caaee")),
    "2x5": Puzzle(Grid.rectangle(2, 5)),
    "pencil marks": Puzzle(Grid.square(4), candidates={0: 0b11000, 5: 0b11100, 6: 0b01010}),
    "6x6 anti-king": Puzzle(Grid.square(6), (RULES["houses"](), RULES["anti-king"]())),
    "6x6 nonconsecutive": Puzzle(Grid.square(6), (RULES["houses"](), RULES["nonconsecutive"]())),
}


def rows(*lines: str) -> np.ndarray:
    """Return puzzles as an array."""
    return np.array([[int(sign) for sign in line.replace(".", "0")] for line in lines], np.uint8)


def asked(puzzle: Puzzle) -> int:
    """Return the guesses that the reference engine itself counts while it checks for a second solution."""
    session = backend("native:readable").open(puzzle.model())
    list(islice(session.solutions(puzzle.assume()), 2))
    return session.counters()["guesses"]


@pytest.mark.parametrize("level", Level)
def test_words_are_reached_at_their_level(level):
    """A level misses by 0 exactly where the readable steps give that level, and by 1 to 3 elsewhere."""
    missed = LevelTarget(level).miss(Puzzle(), rows(*LINES))
    for line, miss in zip(LINES, missed, strict=True):
        assert (miss == 0) == (level_of(Puzzle.parse(line)) is level)
        assert miss == 0 or 1 <= miss <= 3


def test_words_have_a_slope():
    """A level two away is farther than one next to it; of two medium puzzles the one with more open cells is nearer to hard."""
    order = rows(*LINES)
    hard = LevelTarget(Level.HARD).miss(Puzzle(), order)
    easy = LevelTarget(Level.EASY).miss(Puzzle(), order)
    assert hard[0] > hard[1]
    assert hard[0] > hard[2]
    assert easy[3] > easy[1] > easy[2] > 0
    assert open_cells_of(Puzzle.parse(MEDIUM)).after_hidden > open_cells_of(Puzzle.parse(NEAR)).after_hidden
    assert hard[1] < hard[2]
    more = np.where(order[:1] == 0, 0, order[:1]).repeat(2, axis=0)
    solution = next(Puzzle.parse(EASY).solutions())
    more[1] = solution
    for level in (Level.MEDIUM, Level.HARD):
        fewer, full = LevelTarget(level).miss(Puzzle(), more)
        assert fewer < full


def test_singles_only():
    """Easy and medium puzzles reach the target."""
    missed = SinglesOnlyTarget().miss(Puzzle(), rows(*LINES))
    assert (missed[:3] == 0).all()
    assert missed[3] > 1


@settings(max_examples=60)
@given(st.sampled_from(sorted(BASES)), st.integers(0, 999), st.floats(0, 0.5))
def test_guesses_are_those_of_the_engine(name, seed, share):
    """Whatever the rules and however many solutions there are, the count is the engine's own, cut off at the maximum."""
    base, random = BASES[name], Random(seed)  # noqa: S311
    solution = next(base.solutions())
    some = {cell: solution[cell] for cell in base.grid.cells if random.random() < share}
    if seed % 4 == 0:  # most likely without a solution
        some[0] = random.choice(base.grid.values)
    puzzle = base.with_givens(some)
    row = np.array([[puzzle.givens.get(cell, 0) for cell in base.grid.cells]], np.uint8)
    number = asked(puzzle)
    assert count_guesses(base, row, 10_000).tolist() == [number]
    assert count_guesses(base, row, 3).tolist() == [min(3, number)]


def test_guesses_of_known_puzzles(puzzle_lines: Callable[[str], list[str]]):
    """The compiled search makes as many guesses as the readable one, on hard puzzles and many at once."""
    lines = [*LINES, *puzzle_lines("norvig_top95.txt")[:6], *puzzle_lines("generated_minimal_50k.txt.gz")[:30]]
    told = count_guesses(Puzzle(), rows(*lines), 100_000).tolist()
    assert told == [asked(Puzzle.parse(line)) for line in lines]
    assert told[:3] == [0, 0, 0]
    assert max(told) > 100


def test_guesses_miss_by_doublings():
    """0 within the span, beyond it the number of doublings; without any guess, less where naked singles are needed."""
    number = asked(Puzzle.parse(HARD))
    missed = {span: GuessesTarget(span).miss(Puzzle(), rows(*LINES)) for span in (Span(0, 0), Span(1), Span(number, number))}
    assert missed[Span(0, 0)][:3].tolist() == [0, 0, 0]
    assert missed[Span(0, 0)][3] > 1
    assert missed[Span(1)][3] == 0
    assert missed[Span(number, number)][3] == 0
    assert missed[Span(1)][0] > missed[Span(1)][2] > missed[Span(1)][1] > 0
    twice = GuessesTarget(Span(2 * number + 1)).miss(Puzzle(), rows(HARD))
    assert twice == pytest.approx([1])


def test_guesses_of_any_rules():
    """Under rules that say more than which cells differ, the engine itself counts."""
    base = Puzzle(Grid.square(4), (RULES["houses"](), RULES["killer-cage"]((0, 1), 3)))
    solution = next(base.solutions())
    row = np.array([[value if cell % 3 else 0 for cell, value in enumerate(solution)]], np.uint8)
    number = asked(next(iter_puzzles(base, row)))
    assert GuessesTarget(Span(number, number)).miss(base, row).tolist() == [0]
    assert GuessesTarget(Span(number + 1)).miss(base, row)[0] > 0


def test_givens():
    """A puzzle misses by as many givens as are too few or too many."""
    numbers = [17, 20, 25, 30]
    puzzles = np.array([[1] * number + [0] * (81 - number) for number in numbers], np.uint8)
    assert GivensTarget(Span(20, 25)).miss(Puzzle(), puzzles).tolist() == [3, 0, 0, 5]
    assert GivensTarget(Span(25)).miss(Puzzle(), puzzles).tolist() == [8, 5, 0, 0]
    assert GivensTarget(Span(20, 25)).miss(Puzzle(), puzzles).tolist() == [Span(20, 25).miss(number) for number in numbers]


def test_targets_add_up():
    """Several targets miss by their sum; an empty request is always fulfilled."""
    puzzles = rows(*LINES)
    both = make_target(GenerateRequest(difficulty="hard", givens=Span(30, 40))).miss(Puzzle(), puzzles)
    one, other = LevelTarget(Level.HARD).miss(Puzzle(), puzzles), GivensTarget(Span(30, 40)).miss(Puzzle(), puzzles)
    assert both.tolist() == (one + other).tolist()
    assert make_target(GenerateRequest()).miss(Puzzle(), puzzles).tolist() == [0] * 4


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (GenerateRequest(difficulty="easy"), LevelTarget(Level.EASY)),
        (GenerateRequest(singles_only=True), SinglesOnlyTarget()),
        (GenerateRequest(guesses=Span(1, 5)), GuessesTarget(Span(1, 5))),
        (GenerateRequest(givens=Span(20)), GivensTarget(Span(20))),
        (GenerateRequest(guesses=Span(1), givens=Span(20)), CombinedTarget((GuessesTarget(Span(1)), GivensTarget(Span(20))))),
    ],
)
def test_requests_become_targets(wanted, expected):
    """Each part of a request has its own target."""
    assert make_target(wanted) == expected


def test_words_of_any_rules():
    """Under rules that say more than which cells differ, levels are reached where the readable steps give them."""
    base = Puzzle(Grid.square(4), (RULES["houses"](), RULES["killer-cage"]((0, 1), 3)))
    solution = np.array(next(base.solutions()), np.uint8)
    order = solution * [[cell % 3 > 0 for cell in range(16)], [cell > 8 for cell in range(16)], [False] * 16]
    levels = [level_of(puzzle) for puzzle in iter_puzzles(base, order)]
    assert {*levels} >= {Level.EASY, Level.HARD}
    for level in Level:
        missed = make_target(GenerateRequest(families=("killer-cage",), difficulty=str(level))).miss(base, order)
        assert [miss == 0 for miss in missed] == [one is level for one in levels]
    missed = SinglesOnlyTarget().miss(base, order)
    assert [miss == 0 for miss in missed] == [one is not Level.HARD for one in levels]
    with pytest.raises(LimitReached):
        with_limits(LevelTarget(Level.EASY), Limits(seconds=0)).miss(base, order)


def test_unknown_words_are_refused():
    """The message lists the known ones."""
    with pytest.raises(UnknownName, match="easy, hard, medium"):
        make_target(GenerateRequest(difficulty="evil"))


def test_search_effort_obeys_a_deadline():
    """A target keeps to its limits."""
    together = with_limits(make_target(GenerateRequest(guesses=Span(1, 5), givens=Span(20))), Limits(seconds=0))
    with pytest.raises(LimitReached, match="deadline"):
        together.miss(Puzzle(), rows(HARD))
    with pytest.raises(LimitReached, match="deadline"):
        with_limits(GuessesTarget(Span(1, 5)), Limits(seconds=0)).miss(BASES["6x6 nonconsecutive"], np.zeros((1, 36), np.uint8))
    assert with_limits(GivensTarget(Span(3)), Limits(seconds=0)) == GivensTarget(Span(3))
