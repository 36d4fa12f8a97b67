"""Candidates settled by the array engine, which answers hundreds of small questions at once: one for each candidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.model import members
from sudoku_cp.queries.session_pool import CANDIDATE_BUDGET, with_nodes_at_most

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sudoku_cp.backends import ArrayAnswer, Clock, SupportsArrays
    from sudoku_cp.grid import Cell
    from sudoku_cp.queries.candidate_tally import CandidateTally

AT_ONCE = 1024
"""Questions in one array; limits are checked between arrays."""
HOPELESS = 4
"""If more than one question in this many is left open, the rest are not asked."""


def settle_by_arrays(session: SupportsArrays, tally: CandidateTally, clock: Clock) -> Iterator[None]:
    """Settle the candidates that can be settled quickly, and yield after each array."""
    whole = _ask(session, _domains_of(tally)[None], tally, clock)
    if whole.exact[0] and not whole.counts[0]:
        tally.settle(tally.wanted())
        yield
        return
    if whole.counts[0]:
        tally.add(tuple(whole.solutions[0].tolist()))
    yield
    wanted = [(cell, value) for cell, domain in tally.wanted().items() for value in members(domain)]
    for start in range(0, len(wanted), AT_ONCE):
        part = wanted[start : start + AT_ONCE]
        masks = np.repeat(_domains_of(tally)[None], len(part), axis=0)
        masks[range(len(part)), [cell for cell, _ in part]] = [1 << value for _, value in part]
        answer = _ask(session, masks, tally, clock)
        _add(tally, part, answer)
        yield
        if answer.stopped(tally.cap).sum() * HOPELESS > len(part):
            return


def _domains_of(tally: CandidateTally) -> NDArray[np.uint32]:
    everything = (2 << len(tally.puzzle.grid.values)) - 2
    assume = tally.assume()
    return np.array([assume.get(cell, everything) for cell in tally.puzzle.grid.cells], np.uint32)


def _ask(session: SupportsArrays, masks: NDArray[np.uint32], tally: CandidateTally, clock: Clock) -> ArrayAnswer:
    """Return the first solution of each question and how many there are up to the cap."""
    tally.calls += len(masks)
    clock.nodes += len(masks)
    clock.check()
    limits = with_nodes_at_most(clock.left(), CANDIDATE_BUDGET * tally.cap)
    return session.solve_many(masks, tally.cap, candidates=True, limits=limits)


def _add(tally: CandidateTally, part: list[tuple[Cell, int]], answer: ArrayAnswer) -> None:
    """Add the solutions that show something new, and note the counts."""
    counts = answer.counts.tolist()
    for (cell, value), solution, count in zip(part, answer.solutions.tolist(), counts, strict=True):
        if count and not tally.seen[cell] >> value & 1:
            tally.add(tuple(solution))
    for (cell, value), count, stopped in zip(part, counts, answer.stopped(tally.cap), strict=True):
        if not stopped:
            tally.count(cell, value, count)
