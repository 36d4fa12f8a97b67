"""Puzzles dug under singles have the level requested and one solution, and can lose nothing more."""

from __future__ import annotations

from functools import cache
from itertools import islice

import numpy as np
import pytest

from sudoku_cp import Puzzle
from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.generate.plain.dig import dig_with_singles, reshuffle_orders
from sudoku_cp.generate.targets import iter_puzzles
from sudoku_cp.grid import Grid
from sudoku_cp.logic import Level, groups_of, level_of
from sudoku_cp.logic.array_singles import levels
from sudoku_cp.rules import RULES

BASES = {
    "4x4": Puzzle(Grid.square(4)),
    "5x5 jigsaw": Puzzle(Grid.jigsaw("bbbbb dddde ccdae ccaae caaee")),
    "6x6": Puzzle(Grid.square(6)),
    "9x9": Puzzle(),
    "9x9 diagonals": Puzzle(rules=(RULES["houses"](), RULES["diagonals"]())),
}
EASY_OR_MEDIUM = (Level.EASY, Level.MEDIUM)


@cache
def grids(name: str, number: int = 8) -> np.ndarray:
    """Return full grids of a base."""
    return np.array(list(islice(BASES[name].solutions(), number)), np.uint8)


def orders(count: int, units: int, seed: int = 1) -> np.ndarray:
    """Return random orders."""
    return np.argsort(np.random.default_rng(seed).random((count, units)), axis=1)


def turned(size: int) -> np.ndarray:
    """Return the units of a half turn of a square board."""
    cells = np.arange(size * size)
    pairs = np.stack([cells, cells[::-1]], axis=1)[: (len(cells) + 1) // 2].copy()
    if len(cells) % 2:
        pairs[-1, 1] = -1
    return pairs


def dug(name: str, level: Level, **asked) -> tuple[np.ndarray, np.ndarray]:
    """Return puzzles of a base, and whether they reached the level."""
    full = grids(name)
    units = asked.get("units")
    order = orders(len(full), full.shape[1] if units is None else len(units))
    return dig_with_singles(full, order, level, groups=groups_of(BASES[name]), **asked)


@pytest.mark.parametrize("level", EASY_OR_MEDIUM)
@pytest.mark.parametrize("name", BASES)
def test_puzzles_are_of_the_level(name, level):
    """Each has its level according to the readable steps, and one solution according to an engine."""
    givens, reached = dug(name, level)
    for puzzle, solution, said in zip(iter_puzzles(BASES[name], givens), grids(name), reached, strict=True):
        assert all(solution[cell] == value for cell, value in puzzle.givens.items())
        assert (level_of(puzzle) is level) == said
        assert len(list(islice(puzzle.solutions(), 2))) == 1
    if level is Level.EASY or name.startswith("9x9"):
        assert reached.all()


@pytest.mark.parametrize("level", EASY_OR_MEDIUM)
@pytest.mark.parametrize("units", [None, turned(9)], ids=["cells", "half turn"])
def test_no_unit_can_go(level, units):
    """Without any one of its units a puzzle is harder than requested."""
    givens, _ = dug("9x9", level, units=units)
    for row in givens[:2]:
        for unit in turned(9) if units is not None else np.arange(81)[:, None]:
            cells = unit[unit >= 0]
            if row[cells].any():
                fewer = row.copy()
                assert fewer[cells].all(), "half of a unit is given"
                fewer[cells] = 0
                assert level_of(next(iter_puzzles(Puzzle(), fewer[None]))) > level


@pytest.mark.parametrize("least", [0, 30])
@pytest.mark.parametrize("level", EASY_OR_MEDIUM)
def test_units_go_in_their_order(level, least):
    """The result is the same as trying one unit after the other."""
    full, units, groups = grids("9x9")[:3], turned(9), groups_of(Puzzle())
    order = orders(3, len(units))
    givens = dig_with_singles(full, order, level, groups=groups, units=units, least=np.full(3, least), exactly=False).givens
    for row, solution, own in zip(givens, full, order, strict=True):
        left = solution.copy()
        for unit in units[own]:
            fewer = left.copy()
            fewer[unit[unit >= 0]] = 0
            if np.count_nonzero(fewer) >= least and levels(groups, fewer[None])[0] <= level:
                left = fewer
        assert row.tolist() == left.tolist()


@pytest.mark.parametrize("level", EASY_OR_MEDIUM)
def test_givens_asked_for_are_left(level):
    """A puzzle ends with the least number of givens; medium puzzles reach it too."""
    least = np.array([0, 26, 28, 30, 32, 34, 36, 40])
    givens, reached = dug("9x9", level, least=least)
    numbers = (givens > 0).sum(axis=1)
    assert (numbers >= least).all()
    assert (numbers[3:] == least[3:]).all()
    assert reached[:6].all()
    assert [level_of(puzzle) is level for puzzle in iter_puzzles(Puzzle(), givens)] == reached.tolist()


def test_units_end_with_the_givens_asked_for():
    """With pairs of cells there is at most one given more."""
    least = np.full(8, 33)
    for level in EASY_OR_MEDIUM:
        numbers = (dug("9x9", level, least=least, units=turned(9)).givens > 0).sum(axis=1)
        assert set(numbers.tolist()) <= {33, 34}


@pytest.mark.parametrize("level", EASY_OR_MEDIUM)
def test_only_givens_to_begin_with_are_left(level):
    """No given is added to those at the start; a puzzle that cannot reach the level stays unchanged, and is reported so."""
    start = grids("9x9").copy()
    start[:, ::4] = 0
    start[0, 1:70] = 0
    givens, reached = dug("9x9", level, start=start)
    assert ((givens == start) | (givens == 0)).all()
    assert not reached[0]
    assert (givens[0] == start[0]).all()
    assert reached[1:].all()


def test_easier_may_do():
    """With easier puzzles allowed, all singles are used, and naked ones need not be necessary."""
    least = np.full(8, 45)
    givens, reached = dug("9x9", Level.MEDIUM, least=least, exactly=False)
    assert reached.all()
    assert {level_of(puzzle) for puzzle in iter_puzzles(Puzzle(), givens)} == {Level.EASY}


@pytest.mark.parametrize("level", EASY_OR_MEDIUM)
def test_a_puzzle_is_the_same_beside_others(level):
    """The result for a grid depends on its own rows alone: among more boards than lanes, in another order, or by itself."""
    full = np.resize(grids("9x9"), (90, 81))
    order, least = orders(90, 81), np.arange(90) % 3 * 15
    groups = groups_of(Puzzle())
    together = dig_with_singles(full, order, level, groups=groups, least=least).givens
    back = dig_with_singles(full[::-1], order[::-1], level, groups=groups, least=least[::-1]).givens
    assert (together == back[::-1]).all()
    for row in (0, 41, 89):
        alone = dig_with_singles(full[[row]], order[[row]], level, groups=groups, least=least[[row]]).givens
        assert (alone[0] == together[row]).all()


def test_shuffled_orders():
    """Each is a permutation of its own row, different for each number and each row."""
    order = orders(20, 81)
    first, second = reshuffle_orders(order, 0), reshuffle_orders(order, 1)
    assert (np.sort(first) == np.arange(81)).all()
    assert len({tuple(row) for row in [*first.tolist(), *second.tolist(), *order.tolist()]}) == 60
    assert abs(first[:, :40].mean() - 40) < 5


def test_hard_is_refused():
    """Puzzles that singles do not solve cannot be dug under singles."""
    with pytest.raises(InvalidInput, match="got 'hard'"):
        dug("4x4", Level.HARD)


@pytest.mark.parametrize("level", EASY_OR_MEDIUM)
def test_a_deadline_is_kept(level):
    """A deadline raises."""
    with pytest.raises(LimitReached, match="deadline"):
        dug("9x9", level, limits=Limits(seconds=0))


@pytest.mark.slow
@pytest.mark.parametrize("size", [16, 25])
@pytest.mark.parametrize("level", EASY_OR_MEDIUM)
def test_large_boards(size, level):
    """Large boards reach the level too."""
    base = Puzzle(Grid.square(size))
    full = np.array([next(base.solutions())], np.uint8)
    givens, reached = dig_with_singles(full, orders(1, size * size), level, groups=groups_of(base))
    assert reached.all()
    assert level_of(next(iter_puzzles(base, givens))) is level
