"""Digging in a batch gives the same result as digging cell by cell; minimal puzzles are minimal and stay the same."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from itertools import islice

import numpy as np
import pytest

from sudoku_cp import Grid, LimitReached, Limits, Puzzle, backend
from sudoku_cp.backends import Cancellation
from sudoku_cp.backends.fast import side_of
from sudoku_cp.backends.fast.lane_solver import solve_many
from sudoku_cp.generate.plain.dig import dig_with_probes, minimal_boards, random_orders
from sudoku_cp.generate.plain.full_grids import full_grids
from sudoku_cp.generate.plain.generator_kernel import all_4x4_grids


def small_is_unique(givens):
    """Return whether a 4x4 board has one solution, by looking through all grids."""
    return int(((all_4x4_grids() == givens) | (givens == 0)).all(axis=1).sum()) == 1


def is_unique(givens):
    """Return whether a board has one solution, by another engine."""
    side = int(len(givens) ** 0.5)
    assume = {cell: 1 << value for cell, value in enumerate(givens.tolist()) if value}
    session = backend("fast:bigint").open(Puzzle(Grid.square(side)).model())
    return len(list(islice(session.solutions(assume), 2))) == 1


def naive(grid, units, unique, least=0, start=None):
    """Return the givens after removing each unit in turn if the rest has one solution."""
    givens = np.array(grid if start is None else start)
    for unit in units:
        cells = [cell for cell in np.atleast_1d(unit).tolist() if cell >= 0 and givens[cell]]
        without = givens.copy()
        without[cells] = 0
        if cells and (without > 0).sum() >= least and unique(without):
            givens = without
    return givens


def dug(*boards, **wanted):
    """Return the remaining givens."""
    return dig_with_probes(*boards, **wanted).givens


def same_as_naive(boxes, number, unique, *, units=1, seed=1, least=None, again=False):
    """Dig boards both ways, from full grids or from dug boards with some cells put back."""
    grids = full_grids(boxes, seed, range(number))
    cells = grids.shape[1]
    orders = random_orders(seed, range(number), cells)
    start = None
    random = np.random.default_rng(seed)
    if again:
        start = np.where(random.random(grids.shape) < 0.2, grids, dug(grids, orders, boxes=boxes))
        orders = random_orders(seed + 1, range(number), cells)
    if units > 1:
        orders = np.concatenate([orders, np.full((number, -cells % units), -1)], 1).reshape(number, -1, units)
        orders[random.random(orders.shape) < 0.2] = -1
    lows = [0] * number if least is None else least
    told = dug(grids, orders, boxes=boxes, start=start, least=None if least is None else np.array(least))
    for row in range(number):
        begun = None if start is None else start[row]
        assert (told[row] == naive(grids[row], orders[row], unique, lows[row], begun)).all()
    return told


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("units", [1, 2, 3, 5])
@pytest.mark.parametrize("least", [False, True])
def test_small_boards_as_naively(units, least, again):
    """Single cells and larger units, down to a number of givens or as far as possible, from full grids or from givens."""
    lows = [(5 * row) % 17 for row in range(60)] if least else None
    told = same_as_naive((2, 2), 60, small_is_unique, units=units, seed=units, least=lows, again=again)
    if lows:
        assert ((told > 0).sum(1) >= np.minimum(lows, 4)).all()


@pytest.mark.parametrize(("units", "again"), [(1, False), (2, False), (1, True)])
def test_boards_as_naively(units, again):
    """The same on 9x9 boards."""
    same_as_naive((3, 3), 3, is_unique, units=units, again=again)


@pytest.mark.slow
@pytest.mark.parametrize("units", [1, 2, 4])
@pytest.mark.parametrize("again", [False, True])
def test_many_boards_as_naively(units, again):
    """The same on many."""
    same_as_naive((3, 3), 100, is_unique, units=units, again=again, seed=9)


@pytest.mark.slow
def test_large_boards_as_naively():
    """The same on boards of 16x16."""
    same_as_naive((4, 4), 3, is_unique)


def test_nothing_to_dig():
    """No boards, no units, units without cells, and a board that may lose nothing are left unchanged."""
    grids = full_grids((2, 2), 1, range(3))
    assert dug(grids[:0], np.zeros((0, 16), int), boxes=(2, 2)).shape == (0, 16)
    for orders in (np.zeros((3, 0), int), np.full((3, 4, 2), -1)):
        assert (dug(grids, orders, boxes=(2, 2)) == grids).all()
    found = dig_with_probes(grids, random_orders(1, range(3), 16), boxes=(2, 2), least=16)
    assert (found.givens == grids).all()
    assert found.proved.all()


def test_arguments_stay():
    """The arrays passed in are not changed."""
    grids, orders = full_grids((2, 2), 1, range(9)), random_orders(1, range(9), 16)[:, :, None]
    start = grids.copy()
    start[:, :3] = 0
    before = [one.copy() for one in (grids, orders, start)]
    dug(grids, orders, boxes=(2, 2), start=start)
    assert all((one == other).all() for one, other in zip(before, (grids, orders, start), strict=True))


def test_limit_of_a_probe():
    """A given whose probe runs out stays, and the board is not proved; it still has one solution."""
    grids, orders = full_grids((3, 3), 2, range(200)), random_orders(2, range(200), 81)
    full, cut = (dig_with_probes(grids, orders, boxes=(3, 3), most_nodes=most) for most in (10**9, 5))
    assert full.proved.all()
    assert 0 < cut.proved.mean() < 0.9
    assert (solve_many(cut.givens, boxes=(3, 3)).counts == 1).all()
    assert (full.givens[cut.proved] == cut.givens[cut.proved]).all()
    assert (cut.givens > 0).sum() > (full.givens > 0).sum()
    assert (dig_with_probes(grids, orders, boxes=(3, 3), limits=Limits(nodes=5)).givens == cut.givens).all()


# --- minimal puzzles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("boxes", [(2, 2), (3, 3)], ids=str)
def test_minimal(boxes):
    """Every puzzle has one solution, and several without any one of its givens."""
    givens, solutions = minimal_boards(3, range(300), boxes=boxes)
    found = solve_many(givens, boxes=boxes)
    assert (found.counts == 1).all()
    assert (found.solutions == solutions).all()
    row, cell = np.nonzero(givens)
    without = givens[row]
    without[np.arange(len(row)), cell] = 0
    assert (solve_many(without, boxes=boxes).counts == 2).all()
    assert all(map(is_unique, givens[:30]))
    assert not any(map(is_unique, without[:: len(without) // 30]))
    mean = (givens > 0).sum(1).mean()
    assert mean == pytest.approx(24.4 if boxes == (3, 3) else 4.4, abs=0.4)


def test_a_puzzle_hangs_on_its_number(monkeypatch):
    """Neither blocks, nor other puzzles, nor threads change a puzzle; another seed does."""
    numbers = [2**33, 5, 17, *range(400)]
    given, solved = minimal_boards(1, numbers)
    for place in (0, 1, 20, 402):
        assert (minimal_boards(1, [numbers[place]])[0][0] == given[place]).all()
    monkeypatch.setattr(import_module("sudoku_cp.generate.plain.full_grids"), "BLOCK", 37)
    for threads in (1, 2):
        again, solutions = minimal_boards(1, numbers[::-1], threads=threads)
        assert again[::-1].tobytes() == given.tobytes()
        assert solutions[::-1].tobytes() == solved.tobytes()
    assert (minimal_boards(2, numbers)[0] != given).any(axis=1).all()


def test_by_steps():
    """Minimal boards are dug from the grids and in the orders of the same seed."""
    numbers = range(50, 150)
    grids, orders = full_grids((3, 3), 4, numbers), random_orders(4, numbers, 81)
    givens, solutions = minimal_boards(4, numbers)
    assert (solutions == grids).all()
    assert (dug(grids, orders, boxes=(3, 3)) == givens).all()


def test_known_puzzles():
    """The puzzles of a seed stay the same from version to version."""
    small, large = minimal_boards(1, [1], boxes=(2, 2)), minimal_boards(1, [1])
    assert "".join(map(str, small[0][0].tolist())) == SMALL
    assert "".join(map(str, large[0][0].tolist())) == LARGE


SMALL = "0040030010000002"
LARGE = "500100060000470000000000007001200000005000104670000003000308270903001500000000009"


def test_limits():
    """A deadline or a cancellation ends the work soon, and the error names it."""
    cancel = Cancellation()
    cancel.cancel()
    for limits, reason in ((Limits(seconds=0.1), "deadline"), (Limits(cancel=cancel), "cancelled")):
        with pytest.raises(LimitReached) as told:
            minimal_boards(1, range(200_000), limits=limits, threads=2)
        assert told.value.reason == reason
        grids = np.repeat(full_grids((3, 3), 1, range(1)), 50_000, 0)
        with pytest.raises(LimitReached):
            dug(grids, np.repeat(random_orders(1, range(1), 81), 50_000, 0), boxes=(3, 3), limits=limits)


def test_no_compiler():
    """Where Numba may not compile, the error says so."""
    code = "from sudoku_cp.generate.plain.dig import minimal_boards; minimal_boards(1, [1], boxes=(2, 2))"
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert "BackendMissing" in done.stderr
    assert "NUMBA_DISABLE_JIT" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("boxes", [(2, 3), (3, 4), (4, 4), (5, 5)], ids=str)
def test_other_shapes(boxes):
    """Boards of other shapes are dug too, the largest as far as a few guesses can show."""
    grids = full_grids(boxes, 1, range(4))
    orders = random_orders(1, range(4), side_of(boxes) ** 2)
    found = dig_with_probes(grids, orders, boxes=boxes, most_nodes=3)
    again = solve_many(found.givens, boxes=boxes)
    assert (again.counts == 1).all()
    assert (again.solutions == grids).all()
    assert ((found.givens > 0).mean(1) < 0.6).all()
