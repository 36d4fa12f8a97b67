"""A random solution of a puzzle that has many."""

from __future__ import annotations

from contextlib import closing
from random import Random
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Clock, Limits, Session, Solution, SupportsCounters
from sudoku_cp.errors import LimitReached, WrongAnswer, require_seed
from sudoku_cp.model import Domain, members, to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.session_pool import Engine, engine_of, is_solution, iter_solutions, session_of
from sudoku_cp.queries.solution_search import Answer

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell


@checked
def random_solution(puzzle: Puzzle, *, seed: int | None = None, backend: Engine = "auto", limits: Limits = UNLIMITED) -> Answer:
    """Return a random solution, the same for the same ``seed`` and engine; the status is ``none`` if there is none.

    The cells, in random order, each take the first value, in random order, that leaves a solution. Every solution is possible,
    though not all are equally likely.
    """
    random = Random(None if seed is None else require_seed(seed))  # noqa: S311  # not used for secrets
    clock = limits.started()
    found, reason = None, None
    name = backend if isinstance(backend, str) else backend.name
    try:
        model = puzzle.model(clock.check)
        # Every step is another question to the same session, so this is as much work as many puzzles.
        engine = engine_of(backend, model, expected_count=len(puzzle.grid.cells))
        name = engine.name
        with session_of(engine, model, clock.check) as session:
            found = _draw(puzzle, session, random, clock)
    except LimitReached as reached:
        reason = reached.reason
    if found is not None and not is_solution(puzzle, found):
        raise WrongAnswer(f"expected a solution of {puzzle!r}, got {found!r}")
    return Answer(
        status="solved" if found else "unknown" if reason else "none",
        count=int(found is not None),
        exact=found is None and reason is None,
        backend=name,
        seconds=clock.elapsed,
        solutions=(found,) if found else (),
        reason=reason,
    )


def _draw(puzzle: Puzzle, session: Session, random: Random, clock: Clock) -> Solution | None:
    assume = puzzle.assume()
    current = _first_solution(session, assume, clock)
    if current is None:
        return None
    everything = to_mask(puzzle.grid.values)
    for cell in random.sample(puzzle.grid.cells, len(puzzle.grid.cells)):
        values = members(assume.get(cell, everything) & everything)
        for value in random.sample(values, len(values)):
            trial = {**assume, cell: 1 << value}
            found = current if current[cell] == value else _first_solution(session, trial, clock)
            if found is not None:
                assume, current = trial, found
                break
    return current


def _first_solution(session: Session, assume: dict[Cell, Domain], clock: Clock) -> Solution | None:
    with closing(iter_solutions(session, assume, clock.left())) as found:
        first = next(found, None)
    clock.nodes += session.counters()["nodes"] if isinstance(session, SupportsCounters) else 0
    return first
