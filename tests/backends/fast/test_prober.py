"""Probes find the right number of solutions and the one wanted, the same whatever other probes there are."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp import Grid, InvalidInput, Limits, Puzzle, backend
from sudoku_cp.backends import Cancellation
from sudoku_cp.backends.fast import SHAPES, side_of
from sudoku_cp.backends.fast.lane_solver import EXCEPT, Prober, probe, solve_many


def solutions_of(cells, boxes, number):
    """Return the first solutions of a probe that another engine finds, in any order."""
    side = side_of(boxes)
    everything = (2 << side) - 2
    assume = {
        cell: 1 << value if value < EXCEPT else everything & ~(1 << value - EXCEPT)
        for cell, value in enumerate(cells.tolist())
        if value
    }
    session = backend("sat").open(Puzzle(Grid.square(side, boxes)).model())
    return list(islice(session.solutions(assume), number))


def some_probes(boxes, number, seed, shown):
    """Random probes: cells of a full grid, some of which are forbidden their value."""
    random = np.random.default_rng(seed)
    side = side_of(boxes)
    full = solve_many(np.zeros((1, side**2), np.uint8), 1, boxes=boxes).solutions
    puzzles = np.repeat(full, number, 0) * (random.random((number, side**2)) < shown)
    return (puzzles + EXCEPT * ((random.random(puzzles.shape) < 0.1) & (puzzles > 0))).astype(np.uint8)


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4, 129, 130, 131, 132]), min_size=16, max_size=16), min_size=1))
def test_ordered(grids):
    """All solutions of any 4x4 probe come in lexicographic order, and the one wanted is kept; none where there are fewer."""
    puzzles = np.array(grids, np.uint8)[:4]
    for puzzle in puzzles:
        known = sorted(solutions_of(puzzle, (2, 2), 300))
        wanted = np.arange(1, len(known) + 2)
        found = probe(np.repeat(puzzle[None], len(wanted), 0), wanted, boxes=(2, 2), ordered=True)
        assert found.found.tolist() == [*wanted[:-1].tolist(), len(known)]
        assert [tuple(row) for row in found.solutions.tolist()] == [*known, (0,) * 16]


@pytest.mark.parametrize("cheap", [0, 2, 1000])
def test_every_solution_once(cheap):
    """However guesses are made, solution number j is a different one for each j, and all of them occur."""
    puzzles = some_probes((2, 3), 3, 4, 0.3)
    for puzzle in puzzles:
        known = solutions_of(puzzle, (2, 3), 60)
        found = probe(np.repeat(puzzle[None], len(known), 0), np.arange(1, len(known) + 1), boxes=(2, 3), cheap=cheap)
        assert (found.found == range(1, len(known) + 1)).all()
        rows = [tuple(row) for row in found.solutions.tolist()]
        assert len(set(rows)) == len(known)
        if len(known) < 60:
            assert set(rows) == set(known)


FEW = [boxes for boxes in SHAPES if boxes in {(2, 3), (3, 3)}]


@pytest.mark.parametrize("boxes", [one if one in FEW else pytest.param(one, marks=pytest.mark.slow) for one in SHAPES], ids=str)
def test_every_shape(boxes):
    """Probes of every shape count as `sat` counts them, or say that they do not know."""
    puzzles = some_probes(boxes, 12, 1, 0.45 if side_of(boxes) < 12 else 0.6)
    found = probe(puzzles, 5, boxes=boxes, most_nodes=3000)
    for puzzle, count, kept in zip(puzzles, found.found.tolist(), found.solutions, strict=True):
        known = len(solutions_of(puzzle, boxes, 5))
        assert count == known or (count < 0 and ~count <= known)
        assert (kept > 0).all() == (count == 5)
    assert (found.found >= 0).sum() > 6


def test_alone_and_together():
    """Which solution is the j-th depends neither on the other probes nor on the threads."""
    puzzles = some_probes((3, 3), 700, 2, 0.3)
    wanted = np.random.default_rng(3).integers(1, 12, 700)
    together = probe(puzzles, wanted, boxes=(3, 3), most_nodes=200)
    threads = probe(puzzles, wanted, boxes=(3, 3), most_nodes=200, threads=2)
    assert all((one == other).all() for one, other in zip(together, threads, strict=True))
    assert (together.found == wanted).sum() > 50
    for start in range(0, 700, 53):
        one = slice(start, start + 1)
        alone = probe(puzzles[one], wanted[one], boxes=(3, 3), most_nodes=200)
        assert all((one == other[start]).all() for one, other in zip(alone, together, strict=True))


def test_limits():
    """A probe that takes too many guesses is marked unknown; at a deadline or a cancellation, so is every unfinished one."""
    empty = np.zeros((400, 81), np.uint8)
    found = probe(empty, 10**9, boxes=(3, 3), most_nodes=60)
    assert (found.found < -1).all()
    assert (found.nodes == 61).all()
    assert (probe(empty, 10**9, boxes=(3, 3), limits=Limits(nodes=60)).found == found.found).all()
    cancel = Cancellation()
    cancel.cancel()
    for limits in (Limits(seconds=0.05), Limits(cancel=cancel)):
        assert (probe(empty, 10**9, boxes=(3, 3), limits=limits).found < 0).all()


WRONG = {
    "values": (np.full((1, 16), 5, np.uint8), 1, "values from 0 to 4, or 128 more; got 5 in cell 0 of 0"),
    "nothing forbidden": (np.full((1, 16), EXCEPT, np.uint8), 1, "got 128"),
    "another side": (np.zeros((1, 81), np.uint8), 1, r"shape \(N, 16\), got uint8 of \(1, 81\)"),
    "no bytes": (np.zeros((1, 16), np.int64), 1, "array of bytes"),
    "none wanted": (np.zeros((2, 16), np.uint8), [1, 0], "a number of solutions from 1, got 0"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arrays(name):
    """An array that holds no probes is refused."""
    puzzles, wanted, words = WRONG[name]
    with pytest.raises(InvalidInput, match=words):
        probe(puzzles, wanted, boxes=(2, 2))


def test_none_of_the_solutions_is_asked_for():
    """A caller who only counts gets the same counts, and no solution is written."""
    puzzles = some_probes((3, 3), 50, 5, 0.35)
    wanted, found, nodes = np.full(50, 3), np.zeros(50, np.int64), np.zeros(50, np.int64)
    before = puzzles.copy()
    Prober((3, 3)).ask(puzzles, wanted, found, nodes)
    assert (found == probe(puzzles, wanted, boxes=(3, 3)).found).all()
    assert (puzzles == before).all()


CHILD = """
import numpy as np
from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.backends.fast.lane_solver import probe
puzzles = np.zeros((300, {cells}), np.uint8)
puzzles[:, :3] = [1, 2, 3]
puzzles[range(300), np.arange(300) % {cells}] = 128 + np.arange(300) % 4 + 1
found = probe(puzzles, np.arange(300) % 40 + 1, boxes={boxes}, most_nodes=100, cheap=3)
print(host_instruction_set().name, found.found.sum(), found.nodes.sum(), (found.solutions * np.arange({cells})).sum())
"""


@pytest.mark.slow
@pytest.mark.parametrize("boxes", [(2, 2), (3, 3)], ids=str)
def test_processors(boxes, capsys):
    """Processors with narrower vectors, and without quick counting, make the same guesses and find the same solutions."""
    if platform.machine().lower() not in {"x86_64", "amd64"}:
        pytest.skip("these are names of features of x86-64")
    code = CHILD.format(cells=side_of(boxes) ** 2, boxes=boxes)
    told = {"NUMBA_CPU_FEATURES": "+sse2,+ssse3,+sse4.1,+sse4.2,+popcnt,+avx,+avx2,+bmi,+bmi2", "NUMBA_CPU_NAME": "generic"}
    env = {**os.environ, **told}
    done = subprocess.run([sys.executable, "-c", code], cwd=Path.cwd(), env=env, capture_output=True, text=True, check=True)
    exec(code)  # noqa: S102
    here, there = capsys.readouterr().out.split(), done.stdout.split()
    assert there[0] == "avx2"
    assert here[1:] == there[1:]


def test_no_compiler():
    """If Numba must not compile, the error says so."""
    code = "from sudoku_cp.backends.fast.lane_solver import Prober; Prober((3, 3))"
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert "BackendMissing" in done.stderr
    assert "NUMBA_DISABLE_JIT" in done.stderr
