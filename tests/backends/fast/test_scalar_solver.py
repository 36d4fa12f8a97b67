"""The scalar engine agrees with the others on every shape, keeps the limits of arrays, and shares no search with the lanes."""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from sudoku_cp.backends import Cancellation, Limits, backend
from sudoku_cp.backends.fast import SHAPES, scalar_kernel, scalar_solver, side_of
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

EUCLID = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
"""A puzzle against searches that take the first cell and the least value first."""


def _cyclic(boxes: tuple[int, int]) -> np.ndarray:
    """Return a full grid of that shape."""
    height, width = boxes
    side = side_of(boxes)
    rows, columns = np.divmod(np.arange(side * side), side)
    return ((rows % height * width + rows // height + columns) % side + 1).astype(np.uint8)


@pytest.mark.parametrize("boxes", SHAPES, ids=str)
def test_it_finds_what_big_integers_find(boxes: tuple[int, int]) -> None:
    """On boards of every shape, with ever more givens, some of them wrong, the counts agree, and first solutions are right."""
    full = _cyclic(boxes)
    kept = np.random.default_rng(7).random((8, len(full))) < np.linspace(0.6, 0.95, 8)[:, None]
    arrays = np.where(kept, full, 0).astype(np.uint8)
    arrays[::4, 0] = full[1]
    found = scalar_solver.solve_many(arrays, 3, boxes=boxes, limits=Limits(nodes=20_000))
    empty = Puzzle(Grid.square(side_of(boxes), boxes))
    session = backend("fast:bigint").open(empty.model())
    for row, solution, count in zip(arrays.tolist(), found.solutions.tolist(), found.counts.tolist(), strict=True):
        puzzle = empty.with_givens({cell: value for cell, value in enumerate(row) if value})
        assert count == len(list(islice(session.solutions(puzzle.assume()), 3)))
        assert puzzle.holds(solution) if count else not any(solution)
    assert set(found.counts.tolist()) >= {0, 1}
    assert (found.exact == (found.counts < 3)).all()


def test_arrays_of_candidates_are_answered() -> None:
    """Sets of candidates count as they are, and an empty one has no solution."""
    every = np.full((3, 16), 0b11110, np.uint32)
    every[1, 0], every[2, 5] = 0b10, 0
    found = scalar_solver.solve_many(every, None, boxes=(2, 2), candidates=True, threads=2)
    assert (found.counts.tolist(), found.exact.tolist()) == ([288, 72, 0], [True] * 3)
    assert not found.solutions[2].any()


@pytest.mark.parametrize(("limits", "least"), [(Limits(nodes=0), 0), (Limits(nodes=50), 1), (Limits(seconds=0.05), 0)], ids=str)
def test_limits_leave_counts_that_are_not_exact(limits: Limits, least: int) -> None:
    """A limit ends each count, and the answer says so."""
    found = scalar_solver.solve_many(np.zeros((2, 81), np.uint8), None, boxes=(3, 3), limits=limits)
    assert found.counts[0] >= least
    assert not found.exact.any()
    assert found.stopped(None).all()


def test_a_cancellation_ends_an_array() -> None:
    """A question that was cancelled counts nothing."""
    cancel = Cancellation()
    cancel.cancel()
    found = scalar_solver.solve_many(np.zeros((300, 81), np.uint8), None, boxes=(3, 3), limits=Limits(cancel=cancel))
    assert found.stopped(None).all()


def test_a_node_limit_of_what_it_takes_is_enough() -> None:
    """The search ends with the last node, not with one more; a node less is not enough."""
    session = backend("fast:scalar").open(Puzzle().model())
    puzzle = Puzzle.parse(EUCLID)
    [solution] = session.solutions(puzzle.assume())
    nodes = session.counters()["nodes"]
    assert puzzle.holds(solution)
    givens = np.array([[puzzle.givens.get(cell, 0) for cell in range(81)]], np.uint8)
    exact = [scalar_solver.solve_many(givens, boxes=(3, 3), limits=Limits(nodes=nodes - less)).exact[0] for less in (0, 1)]
    assert exact == [True, False]
    assert list(session.solutions(puzzle.assume(), limits=Limits(nodes=nodes))) == [solution]


def test_a_wrong_array_is_refused() -> None:
    """The message is that of the other engines."""
    with pytest.raises(InvalidInput, match="expected values from 0 to 4, got 5 in cell 3 of puzzle 0"):
        scalar_solver.solve_many([[0, 0, 0, 5, *[0] * 12]], boxes=(2, 2))


def test_nothing_is_shared_with_the_lanes() -> None:
    """A proof by the same code would prove little: the kernel imports nothing of ours."""
    tree = ast.parse(Path(scalar_kernel.__file__).read_text(encoding="utf-8"))
    modules = {one.module for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
    assert not {name for name in modules if name.startswith("sudoku_cp")}


def test_the_plain_code_answers_as_the_compiled() -> None:
    """The kernel's functions are plain Python, too."""
    grid = Grid.square(4)
    domains = np.full((1, 16), 0b11110, np.uint32)
    domains[0, 0] = 0b10
    tables, search = scalar_solver._board_tables((2, 2)), scalar_solver._new_search(16)
    solutions, counts, exact, nodes = (
        np.zeros((1, 16), np.uint8),
        np.zeros(1, np.int64),
        np.zeros(1, np.bool_),
        np.zeros(1, np.int64),
    )
    scalar_kernel.solve_array(tables, search, domains, solutions, counts, exact, nodes, 100, 10**6, np.zeros(1, np.uint8))
    assert (counts[0], exact[0]) == (72, True)
    assert Puzzle(grid).holds(tuple(solutions[0].tolist()))
