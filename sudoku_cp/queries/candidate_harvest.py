"""Ways to find out which candidates occur in solutions: each yields after every step, with the `CandidateTally` richer.

Which of them is taken depends on what the engine can do, never on the puzzle's rules.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from sudoku_cp.backends import Batches, Clock, Counters, Harvests, Session
from sudoku_cp.load_time import loading
from sudoku_cp.queries.session_pool import iter_solutions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Domain
    from sudoku_cp.queries.candidate_tally import CandidateTally


def settle_candidates(session: Session, tally: CandidateTally, clock: Clock, *, hasty: bool = False) -> Iterator[None]:
    """Settle every candidate, by what the session can do best; raises `LimitReached` where a limit comes first.

    If ``hasty``, an engine for arrays leaves to others what it does not find quickly.
    """
    if isinstance(session, Batches):
        with loading():
            from sudoku_cp.queries.candidate_arrays import settle_by_arrays  # noqa: PLC0415  # numpy costs 0.1 s

        yield from settle_by_arrays(session, tally, clock)
        if hasty or not tally.wanted():
            return
    if isinstance(session, Harvests):
        yield from _settle_by_harvest(session, tally, clock)
    else:
        yield from _settle_by_cells(session, tally, clock)


def _settle_by_harvest(session: Harvests, tally: CandidateTally, clock: Clock) -> Iterator[None]:
    """Have the session look for what is wanted by itself."""
    known = list(tally.solutions)
    wanted = tally.wanted()
    found = session.harvest(tally.assume(), wanted, tally.cap, known=known, limits=clock.left())
    for solution, exhausted, searched in found:
        if solution is None:
            tally.settle(exhausted)
        else:
            tally.add(solution)
        tally.calls += searched
        yield
    tally.settle(wanted)
    yield


def _settle_by_cells(session: Session, tally: CandidateTally, clock: Clock) -> Iterator[None]:
    """Ask cell after cell for solutions in which it has a wanted value, in the words that every session knows."""
    for cell in tally.puzzle.grid.cells:
        while wanted := tally.wanted().get(cell, 0):
            yield from _settle_cell(session, tally, cell, wanted, clock)


def _settle_cell(session: Session, tally: CandidateTally, cell: Cell, wanted: Domain, clock: Clock) -> Iterator[None]:
    """Count solutions with a wanted value in ``cell`` until one of these has had its number, or there are no more."""
    tally.calls += 1
    try:
        with closing(iter_solutions(session, {**tally.assume(), cell: wanted}, clock.left())) as found:
            for solution in found:
                tally.add(solution)
                if tally.settled[cell] >> solution[cell] & 1:
                    yield
                    return
    finally:
        clock.nodes += session.counters().get("nodes", 0) if isinstance(session, Counters) else 0
    tally.settle({cell: wanted})
    yield
