"""Sessions that stay open: the rules are translated for an engine once, and asked about puzzle after puzzle."""

from __future__ import annotations

import atexit
from collections import OrderedDict
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.backends import Assumed, Backend, Limits, Session, Solution, backend, choose
from sudoku_cp.errors import LimitReached

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from sudoku_cp.model import Model, Values
    from sudoku_cp.puzzle import Puzzle

Engine: TypeAlias = str | Backend
"""An engine, or its name; ``auto`` for the one that suits the model and the amount of work."""

KEPT = 32
"""So many pairs of an engine and a model keep their idle sessions."""

_idle: OrderedDict[tuple[int, Model], tuple[Backend, list[Session]]] = OrderedDict()
"""By the engine's identity (an engine need not be hashable), with the engine, so that no other takes its identity."""
_lock = RLock()
# Solvers that outlive their library cannot be closed any more, and would say so when the program ends.
atexit.register(_idle.clear)


def engine_of(engine: Engine, model: Model, expected_count: int = 1, *, learning_only: bool = True) -> Backend:
    """Return the engine of that name for so many puzzles of a model; ``auto`` means one that learns if ``steady``."""
    if not isinstance(engine, str):
        return engine
    return backend(choose(model, expected_count, learning_only=learning_only) if engine == "auto" else engine)


def is_solution(puzzle: Puzzle, values: Values) -> bool:
    """Say whether what an engine gave is a solution; one of another length is none, for which nobody's input is to blame."""
    return len(values) == len(puzzle.grid.cells) and puzzle.holds(values)


@contextmanager
def session_of(engine: Backend, model: Model) -> Iterator[Session]:
    """Lend a session of ``engine`` on ``model``, an idle one where there is one; nobody else has it meanwhile."""
    with _lock:
        _, idle = _idle.get((id(engine), model), (engine, []))
        session = idle.pop() if idle else None
    if session is None:
        session = engine.open(model)
    try:
        yield session
    except (LimitReached, GeneratorExit):
        _put_back(engine, model, session)
        raise
    # After any other error nobody knows what state the session is in: it is left to the garbage.
    _put_back(engine, model, session)


def iter_solutions(session: Session, assume: Assumed, limits: Limits) -> Generator[Solution]:
    """Yield the session's solutions, in a generator that can be closed whatever kind of iterator the session returns."""
    yield from session.solutions(assume, limits=limits)


def _put_back(engine: Backend, model: Model, session: Session) -> None:
    with _lock:
        _idle.setdefault((id(engine), model), (engine, []))[1].append(session)
        _idle.move_to_end((id(engine), model))
        while len(_idle) > KEPT:
            _idle.popitem(last=False)
