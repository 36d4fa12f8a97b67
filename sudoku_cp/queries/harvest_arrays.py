"""Candidates by the array engine, which answers hundreds of small questions at once: one a candidate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.model import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sudoku_cp.backends import Batches, Clock
    from sudoku_cp.grid import Cell
    from sudoku_cp.queries.tally import Tally

AT_ONCE = 1024
"""Questions in one array; between two the limits are looked at."""
PATIENCE = 500
"""Nodes a question may take, for each solution to count; what takes more is left to an engine that learns."""
HOPELESS = 4
"""If one question of so many is left open, so are all the others."""


def by_arrays(session: Batches, tally: Tally, clock: Clock) -> Iterator[None]:
    """Settle what can be settled quickly."""
    whole = _ask(session, _masks(tally)[None], tally, clock)
    if whole[1][0] == 0:
        tally.settle(tally.wanted())
        yield
        return
    if whole[1][0] not in {0, ~0}:
        tally.add(tuple(whole[0][0].tolist()))
    yield
    wanted = [(cell, value) for cell, domain in tally.wanted().items() for value in members(domain)]
    for start in range(0, len(wanted), AT_ONCE):
        part = wanted[start : start + AT_ONCE]
        masks = np.repeat(_masks(tally)[None], len(part), axis=0)
        masks[range(len(part)), [cell for cell, _ in part]] = [1 << value for _, value in part]
        solutions, counts = _ask(session, masks, tally, clock)
        _told(tally, part, solutions, counts)
        yield
        if (counts < 0).sum() * HOPELESS > len(part):
            return


def _masks(tally: Tally) -> NDArray[np.uint32]:
    everything = (2 << len(tally.puzzle.grid.values)) - 2
    assume = tally.assume()
    return np.array([assume.get(cell, everything) for cell in tally.puzzle.grid.cells], np.uint32)


def _ask(session: Batches, masks: NDArray[np.uint32], tally: Tally, clock: Clock) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the first solution of each question and how many there are up to the cap, as `Many` says."""
    tally.calls += len(masks)
    clock.nodes += len(masks)
    clock.check()
    left = clock.left()
    nodes = PATIENCE * tally.cap
    limits = replace(left, nodes=nodes if left.nodes is None else min(left.nodes, nodes))
    if not masks.all():
        return np.zeros(masks.shape, np.uint8), np.zeros(len(masks), np.int64)
    solutions, counts = session.solve_many(masks, tally.cap, candidates=True, limits=limits)
    return solutions, counts


def _told(tally: Tally, part: list[tuple[Cell, int]], solutions: NDArray[np.uint8], counts: NDArray[np.int64]) -> None:
    """Count the solutions that show something new, and note the numbers."""
    for (cell, value), solution, count in zip(part, solutions.tolist(), counts.tolist(), strict=True):
        if count not in {0, ~0} and not tally.seen[cell] >> value & 1:
            tally.add(tuple(solution))
    for (cell, value), count in zip(part, counts.tolist(), strict=True):
        if count >= 0:
            tally.count(cell, value, count)
