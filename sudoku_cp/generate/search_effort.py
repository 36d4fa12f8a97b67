"""Search effort: how many values the reference engine tries before it knows that a puzzle has one solution.

The engine is ``native:readable``. Where propagation alone finds the solution it tries none, so puzzles that singles solve take
0 guesses. Its search is deterministic, so the number is a property of the puzzle.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.backends import UNLIMITED, Clock, Limits, SupportsCounters
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate import reference_search_kernel
from sudoku_cp.generate.reference_search_kernel import SEVERAL
from sudoku_cp.logic.array_singles import FlatGroups, flatten_groups, levels
from sudoku_cp.logic.cell_groups import groups_of
from sudoku_cp.logic.difficulty_level import Level
from sudoku_cp.queries.session_pool import engine_of, session_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sudoku_cp.puzzle import Puzzle

NODES = 2_000_000
"""Work between two looks at the clock, in cells visited: some hundredths of a second."""

_kernel = CachedModule.of_functions(
    "reference-search", (reference_search_kernel,), ("count_guesses",), "the kernel that counts guesses"
)


def count_guesses(base: Puzzle, givens: NDArray[np.uint8], most: int, *, limits: Limits = UNLIMITED) -> NDArray[np.int64]:
    """Return how many guesses prove each puzzle (N, cells), with the rules of ``base``, to have one solution; at most ``most``.

    Raises `LimitReached`.
    """
    clock = limits.started()
    if base.model(clock.check).is_houses and all(len(set(group)) == len(group) for group in groups_of(base).cells):
        return _count_compiled(base, givens, most, clock)
    return np.array([_count_by_engine(base, row, most, clock) for row in givens.tolist()], np.int64)


def _count_compiled(base: Puzzle, givens: NDArray[np.uint8], most: int, clock: Clock) -> NDArray[np.int64]:
    """Return the guesses under rules that only require cells to differ."""
    groups = groups_of(base)
    shape = flatten_groups(groups)
    found = np.zeros(len(givens), np.int64)
    hard = np.flatnonzero(levels(groups, givens, limits=clock.left()) == Level.HARD)
    puzzles, number = np.ascontiguousarray(givens[hard], np.uint8), np.zeros(len(hard), np.int64)
    size = givens.shape[1]
    room = [np.zeros((size + 1, size), np.uint64), np.zeros(size + 1, np.int64), np.zeros(size + 1, np.uint64)]
    room.append(np.zeros(len(shape.starts) - 1, np.bool_))
    about = shape.domains.astype(np.uint64), shape.first, shape.cells, shape.starts, *_owners(shape, size)
    state, nodes = np.zeros(4, np.int64), 1 + NODES // (10 + 10 * len(shape.cells))
    while _kernel.call("count_guesses", puzzles, *about, most, number, state, *room, nodes):
        clock.check()
    found[hard] = number
    return found


def _owners(shape: FlatGroups, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the groups of all cells, cell by cell, and where those of each cell begin."""
    groups = np.repeat(np.arange(len(shape.starts) - 1), np.diff(shape.starts))
    order = np.argsort(shape.cells, kind="stable")
    return groups[order], np.searchsorted(shape.cells[order], np.arange(size + 1))


def _count_by_engine(base: Puzzle, row: list[int], most: int, clock: Clock) -> int:
    """Return the guesses that the engine itself makes."""
    puzzle = base.with_givens({cell: value for cell, value in enumerate(row) if value})
    engine = engine_of("native:readable", base.model())
    with session_of(engine, base.model()) as session:
        try:
            for _ in islice(session.solutions(puzzle.assume(), limits=replace(clock.left(), nodes=most)), SEVERAL):
                pass
        except LimitReached as reached:
            if reached.reason != "nodes":
                raise
        assert isinstance(session, SupportsCounters)  # noqa: S101  # the engine is our own
        return min(most, session.counters()["guesses"])
