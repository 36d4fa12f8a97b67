"""A pool of open sessions: the rules are translated for an engine once, for any number of puzzles."""

from __future__ import annotations

import atexit
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import replace
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


# Which puzzles go to the array engine, and how long each may take there; the code that needs NumPy is in `array_solver`.
#
# The array engine (``fast:lanes``) answers plain puzzles by the thousand and learns nothing from its conflicts, so a puzzle
# that exceeds its node budget goes to an engine that does. The budgets of all packages are here.


ENGINE = "fast:lanes"
LEARNING_ENGINE = "sat"
"""The engine for puzzles that exceed the array engine's budget: it learns from its conflicts."""
ENGINE_NAMES = frozenset({"fast", ENGINE})
"""The names that select the array engine."""
NODE_BUDGET, NODES_PER_SOLUTION = 100_000, 10
"""Nodes for each puzzle (about 50 ms), and for each solution to count, if the caller sets no limit."""
GIVEN_BUDGET = 10_000
"""Nodes to find out whether one given is needed."""
CANDIDATE_BUDGET = 500
"""Nodes to find out whether a candidate occurs in a solution, for each solution to count."""


def array_engine_serves(backend: Engine, model: Model, expected_count: int) -> bool:
    """Return whether ``expected_count`` plain puzzles of this model go to the array engine if ``backend`` is requested."""
    if backend == "auto":
        return choose(model, expected_count) in ENGINE_NAMES
    return isinstance(backend, str) and backend in ENGINE_NAMES


def with_node_budget(limits: Limits, solution_limit: int) -> Limits:
    """Return the limits with the usual node budget, unless they have their own."""
    return limits if limits.nodes is not None else replace(limits, nodes=NODE_BUDGET + NODES_PER_SOLUTION * solution_limit)


def with_nodes_at_most(limits: Limits, nodes: int) -> Limits:
    """Return the limits with at most ``nodes`` nodes."""
    return replace(limits, nodes=nodes if limits.nodes is None else min(limits.nodes, nodes))


def limits_for_all(limits: Limits, number: int) -> Limits:
    """Return limits for ``number`` puzzles at once, with the sum of their time limits."""
    return replace(limits, seconds=None if limits.seconds is None else limits.seconds * number)
