"""A pool of open sessions: the rules are translated for an engine once, for any number of puzzles."""

from __future__ import annotations

import atexit
from collections import OrderedDict
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.backends import Assumed, Backend, Limits, Session, Solution, backend, choose
from sudoku_cp.backends.guarded_sessions import open_session
from sudoku_cp.errors import LimitReached

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from sudoku_cp.model import Model, Values
    from sudoku_cp.puzzle import Puzzle

Engine: TypeAlias = str | Backend
"""An engine, or its name; ``auto`` is the one that suits the model and the amount of work."""

KEPT = 32
"""Pairs of an engine and a model whose idle sessions are kept."""

_idle: OrderedDict[tuple[int, Model], tuple[Backend, list[Session]]] = OrderedDict()
"""Idle sessions by the engine's id, as engines need not be hashable; an entry holds the engine, so that its id is not reused."""
_lock = RLock()
# Solvers that outlive their library cannot be closed any more, and would complain when the program ends.
atexit.register(_idle.clear)


def engine_of(engine: Engine, model: Model, expected_count: int = 1, *, learning_only: bool = True) -> Backend:
    """Return the engine of that name; ``auto`` is one that suits so many puzzles, and that learns if ``learning_only``."""
    if not isinstance(engine, str):
        return engine
    return backend(choose(model, expected_count, learning_only=learning_only) if engine == "auto" else engine)


def is_solution(puzzle: Puzzle, values: Values) -> bool:
    """Return whether an engine's values are a solution; values of the wrong length, the engine's fault, are not."""
    return len(values) == len(puzzle.grid.cells) and puzzle.holds(values)


@contextmanager
def session_of(engine: Backend, model: Model, tick: Callable[[], object] = int) -> Iterator[Session]:
    """Lend a session of ``engine`` on ``model``, an idle one if there is any, for exclusive use within the block.

    ``tick`` is called while a model is rewritten for an engine of another package, and may raise.
    """
    with _lock:
        _, idle = _idle.get((id(engine), model), (engine, []))
        session = idle.pop() if idle else None
    if session is None:
        session = open_session(engine, model, tick)
    try:
        yield session
    except (LimitReached, GeneratorExit):
        _put_back(engine, model, session)
        raise
    # After any other error the state of the session is unknown, so it is dropped.
    _put_back(engine, model, session)


def iter_solutions(session: Session, assume: Assumed, limits: Limits) -> Generator[Solution]:
    """Yield the session's solutions from a generator, which can be closed, whatever iterator the session returns."""
    yield from session.solutions(assume, limits=limits)


def _put_back(engine: Backend, model: Model, session: Session) -> None:
    with _lock:
        _idle.setdefault((id(engine), model), (engine, []))[1].append(session)
        _idle.move_to_end((id(engine), model))
        while len(_idle) > KEPT:
            _idle.popitem(last=False)
