"""The kinds of the engine: single puzzles, arrays, and all solutions by repeated first solutions of the kernel."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from sudoku_cp.backends import ArrayAnswer, Limits, SupportsArrays, SupportsCounters, SupportsUnsearched, backend
from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.backends.fast import lane_solver
from sudoku_cp.backends.fast.lane_solver import partition_around
from sudoku_cp.backends.fast.puzzle_arrays import grid_from_assumptions
from sudoku_cp.errors import LimitReached, UnknownName
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

FOUR = Puzzle(Grid.square(4))
ALL = sorted(small_board().solutions)


class Kernel:
    """A kernel in name only: it knows the 288 grids of 4x4 by heart."""

    def __init__(self) -> None:
        """Start without any recorded calls."""
        self.asked: list[int] = []
        self.stops: set[int] = set()

    def solve_many(self, puzzles, solution_limit=2, *, boxes, candidates, limits, threads=1) -> ArrayAnswer:
        """Look up the answers; stop at once in the calls numbered in ``stops``."""
        assert (boxes, solution_limit, candidates, threads) == ((2, 2), 2, True, 1)
        solutions, counts = np.zeros(puzzles.shape, np.uint8), np.zeros(len(puzzles), np.int64)
        stopped = len(self.asked) in self.stops
        for row, grid in enumerate(puzzles.tolist()):
            assert all(grid)
            found = [one for one in ALL if all(grid[cell] >> value & 1 for cell, value in enumerate(one))][:solution_limit]
            counts[row] = min(1, len(found)) if stopped else len(found)
            solutions[row] = found[0] if found else 0
        self.asked.append(len(puzzles))
        return ArrayAnswer(solutions, counts, (counts < solution_limit) & (not stopped))


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Replace the kernel by a fake one."""
    found = Kernel()
    monkeypatch.setattr(lane_solver, "solve_many", found.solve_many)
    return found


def test_the_kinds_have_their_abilities() -> None:
    """Big integers can return what a limit left unsearched, lanes answer arrays, the engine without a kind does both."""
    model = FOUR.model()
    abilities = {
        kind: [
            isinstance(backend(kind).open(model), ability) for ability in (SupportsCounters, SupportsUnsearched, SupportsArrays)
        ]
        for kind in ("fast", "fast:bigint", "fast:lanes", "fast:scalar")
    }
    lanes = [True, False, True]
    assert abilities == {"fast": [True] * 3, "fast:bigint": [True, True, False], "fast:lanes": lanes, "fast:scalar": lanes}


def test_an_unknown_kind_is_refused() -> None:
    """The message names the kinds there are."""
    with pytest.raises(UnknownName, match=r"expected a kind of the fast engine, one of bigint, lanes, scalar; got 'slow'"):
        backend("fast:slow")


def test_all_solutions_come_out_of_first_ones(kernel: Kernel) -> None:
    """With a kernel that finds a first solution and whether there are more, a session yields all, each once."""
    session = backend("fast:lanes").open(FOUR.model())
    assert sorted(session.solutions()) == ALL
    assert session.counters()["nodes"] == sum(kernel.asked)
    assert sorted(session.solutions({0: 0b10, 5: 0b11000})) == [one for one in ALL if one[0] == 1 and one[5] in {3, 4}]
    assert list(session.solutions({3: 0b100000})) == []


@pytest.mark.parametrize("question", [0, 1, 5])
def test_a_limit_within_the_kernel_is_told(kernel: Kernel, question: int) -> None:
    """The solutions that the kernel found before its limit are yielded, and then the limit is raised."""
    kernel.stops = {question}
    found = []
    with pytest.raises(LimitReached, match="stopped by nodes"):
        found.extend(backend("fast:lanes").open(FOUR.model()).solutions())
    assert len(found) == len(set(found)) > 0
    assert set(found) < set(ALL)


def test_grids_asked_about_are_nodes(kernel: Kernel) -> None:
    """A node limit ends an enumeration before the kernel searches more grids."""
    session = backend("fast:lanes").open(FOUR.model())
    with pytest.raises(LimitReached, match="stopped by nodes"):
        list(session.solutions(limits=Limits(nodes=40)))
    assert sum(kernel.asked) <= 40


def test_an_array_is_handed_to_the_kernel(kernel: Kernel) -> None:
    """``solve_many`` of a session passes the boxes on."""
    found = backend("fast").open(FOUR.model()).solve_many(np.full((3, 16), 0b11110, np.uint32), candidates=True)
    assert found.counts.tolist() == [2, 2, 2]


@pytest.mark.parametrize("sets", [{}, {0: 0b10}, {0: 0b110, 1: 0b11000, 15: 0b10100}])
def test_the_parts_have_every_solution_but_one(sets) -> None:
    """The parts around a solution have every other solution once, and that one never."""
    grid = grid_from_assumptions(4, sets)
    inside = [one for one in ALL if all(int(grid[cell]) >> value & 1 for cell, value in enumerate(one))]
    chosen = inside[len(inside) // 2]
    parts = partition_around(grid, np.array(chosen, np.uint8)).tolist()
    homes = [sum(all(part[cell] >> value & 1 for cell, value in enumerate(one)) for part in parts) for one in inside]
    assert homes == [int(one != chosen) for one in inside]
    assert all(map(all, parts))


@pytest.mark.parametrize("boxes", [(2, 3), (3, 3), pytest.param((3, 4), marks=pytest.mark.slow)])
def test_the_kernel_and_big_integers_find_the_same(boxes) -> None:
    """On candidates at random, both find the same solutions, up to a hundred."""
    side = boxes[0] * boxes[1]
    model = Puzzle(Grid.square(side, boxes)).model()
    lanes, bigint = backend("fast:lanes").open(model), backend("fast:bigint").open(model)
    random = np.random.default_rng(7)
    for _ in range(15):
        cells = random.choice(side**2, side**2 // 4, replace=False).tolist()
        assume = dict(zip(cells, random.integers(1 << side, 2 << side, len(cells)).tolist(), strict=True))
        ours, theirs = ([*islice(session.solutions(assume), 100)] for session in (lanes, bigint))
        assert len(set(ours)) == len(ours) == len(theirs)
        assert len(ours) == 100 or set(ours) == set(theirs)
