"""Sessions of engines of other packages, which promise the contract but are not ours to mend.

Theory of operation. `open_session` is the only place where an engine is opened. Our own engines get the model as it is: they
strengthen it before they rewrite it. An engine of another package gets it with every constraint outside of its ``takes``
rewritten as clauses, and its session is wrapped in a `GuardedSession` with the same abilities, since queries choose by ability.
Whatever such an engine raises, except the errors of the contract and Ctrl-C, becomes `BackendFailed`, which names the engine, the
error and its place; so does whatever it returns that is not of the kind it promised. Whether a grid obeys the rules is for
`queries` to check, as for every engine. A deadline is checked at each solution, for engines that look at no clock; a `_Watchdog`
interrupts Python code that does not come back `GRACE` seconds after it. Nothing can interrupt other code.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from operator import index
from pathlib import PurePath
from threading import Event, Lock, Thread, get_ident
from typing import TYPE_CHECKING, Any

from sudoku_cp.backends.base import NOTHING, UNLIMITED, Assumed, Backend, Harvest, Limits, Session, Solution
from sudoku_cp.errors import BackendFailed, BackendMissing, LimitReached, SudokuError, Unsupported, WrongAnswer, shorten
from sudoku_cp.interrupts import start_thread
from sudoku_cp.model import Automaton, Clause
from sudoku_cp.model.rewrite import rewrite_model

if TYPE_CHECKING:
    from sudoku_cp.backends.base import Clock
    from sudoku_cp.model import Model

OURS = __name__.partition(".")[0]
"""The package whose engines need no guard."""
_OUR_FOLDER = str(PurePath(__file__).parents[1])
_CONTRACT = (LimitReached, Unsupported, BackendMissing, WrongAnswer)
"""Errors with which an engine may answer."""
_FOLDERS_SHOWN = 2
"""How many parts of a path name a module: its package and its file."""
_ERROR_LENGTH = 300
GRACE = 1.0
"""Seconds after its deadline in which an engine must come back, as the conformance kit demands."""


class _Overdue(BaseException):
    """Raised in the code of an engine that does not stop at its deadline; no ``Exception``, so that it is not caught there."""


def load_engine(load: Callable[[], Any], name: str) -> Backend:
    """Return the engine of another package that ``load`` imports and makes; raise `BackendFailed` unless it is one."""
    with engine_errors(name, "an engine that loads", (SudokuError,)):
        engine = load()
        # Looked up here, where a property that raises is the engine's fault.
        is_engine = isinstance(engine, Backend) and type(engine.name) is str
    if not is_engine:
        got = type(engine).__name__
        raise BackendFailed(f"expected an engine with 'name', 'takes' and 'open' as {name!r}, got {got}", engine=name)
    found: Backend = engine
    return found


def open_session(engine: Backend, model: Model, tick: Callable[[], object] = int) -> Session:
    """Return a session of ``engine`` on ``model``; ``tick`` is called while constraints are rewritten, and may raise."""
    if is_ours(engine):
        return engine.open(model)
    name = engine.name
    taken = taken_model(engine, model, tick)
    with engine_errors(name):
        session = engine.open(taken)
    if not callable(getattr(session, "solutions", None)):
        raise BackendFailed(f"expected a session from engine {name!r}, got {session!r:.80}", engine=name)
    abilities = frozenset(method for method in _ABILITIES if hasattr(session, method))
    return _session_class(abilities)(name, session, model.board)


def taken_model(engine: Backend, model: Model, tick: Callable[[], object] = int) -> Model:
    """Return the model as an engine gets it: our own as it is, others with clauses in place of what they do not take."""
    if is_ours(engine):
        return model
    with engine_errors(engine.name):
        takes = frozenset(engine.takes)
    others = {type(constraint) for constraint in model.constraints} - takes
    if others and Clause not in takes:
        missing, taken = (", ".join(sorted(kind.__name__ for kind in kinds)) for kinds in (others, takes))
        raise Unsupported(f"expected engine {engine.name!r} to take {missing} or Clause, got one that takes {taken or 'nothing'}")
    return rewrite_model(model, takes, tick) if others or Automaton in takes else model


def is_ours(engine: Backend) -> bool:
    """Return whether an engine belongs to this package."""
    return type(engine).__module__.partition(".")[0] == OURS


@contextmanager
def engine_errors(name: str, expected: str = "an answer", allowed: tuple[type[Exception], ...] = _CONTRACT) -> Iterator[None]:
    """Turn whatever the engine called ``name`` raises in the block, besides ``allowed`` errors, into `BackendFailed`."""
    passing: tuple[type[BaseException], ...] = (*allowed, KeyboardInterrupt, GeneratorExit, _Overdue)
    try:
        yield
    except passing:
        raise
    except BaseException as error:
        got = f"{_words(error)}{_place(error)}"
        raise BackendFailed(f"expected {expected} from engine {name!r}, got {got}", engine=name) from error


def _words(error: BaseException) -> str:
    """Return the kind of an error and its message, unless that is empty or cannot be shown."""
    kind, message = type(error).__name__, ""
    with suppress(Exception):
        message = str(error)
    return shorten(f"{kind}: {message}" if message else kind, _ERROR_LENGTH)


def _place(error: BaseException) -> str:
    """Return where an error was raised, as its author will look for it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(_OUR_FOLDER)]
    if not frames:
        return ""
    return f" ({'/'.join(PurePath(frames[-1].filename).parts[-_FOLDERS_SHOWN:])}, line {frames[-1].lineno})"


class GuardedSession:
    """A session of an engine of another package: its errors name the engine, and its solutions are tuples of whole numbers."""

    def __init__(self, name: str, session: Session, board: int) -> None:
        """Guard a ``session`` of the engine called ``name`` on a board of so many cells."""
        self._name, self._board = name, board
        self._session: Any = session

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield the engine's solutions; raise `LimitReached` where the engine goes on after its limit."""
        return self._iterate("solutions", self._solution, limits, assume)

    def _iterate(self, method: str, checked: Callable[[Any], Any], limits: Limits, *args: Any, **options: Any) -> Iterator[Any]:
        """Yield what the engine's method yields, checked; close it, as the engine's own iterator may hold what must be freed."""
        clock = limits.started()
        found: Any = None
        watchdog = _Watchdog(clock)
        try:
            with watchdog.inside(), engine_errors(self._name):
                found = iter(getattr(self._session, method)(*args, limits=limits, **options))
            while True:
                clock.check()
                with watchdog.inside(), engine_errors(self._name):
                    one = next(found, self)
                if one is self:
                    return
                yield checked(one)
        except _Overdue:
            expected = f"expected an end from engine {self._name!r} at its deadline"
            raise BackendFailed(f"{expected}, got none {GRACE:g} s later", engine=self._name) from None
        finally:
            watchdog.end()
            if hasattr(found, "close"):
                with engine_errors(self._name):
                    found.close()

    def _call(self, method: str, *args: Any, **options: Any) -> Any:
        with engine_errors(self._name):
            return getattr(self._session, method)(*args, **options)

    def _solution(self, values: Any) -> Solution:
        """Return a solution as a tuple of Python's own integers; NumPy's are accepted."""
        try:
            solution = tuple(map(index, values))
        except TypeError:
            solution = ()
        if len(solution) != self._board:
            raise self._failed(f"a whole number for each of {self._board} cells", values)
        return solution

    def _failed(self, expected: str, got: object) -> BackendFailed:
        with engine_errors(self._name):
            shown = repr(got)
        return BackendFailed(f"expected {expected} from engine {self._name!r}, got {shown:.200}", engine=self._name)


class _Watchdog:
    """Interrupts Python code of an engine that has not come back `GRACE` seconds after the deadline of its question."""

    def __init__(self, clock: Clock) -> None:
        """Watch from now on, in a thread of its own, if there is a deadline at all."""
        self._clock = clock
        self._watched: int | None = None
        self._lock = Lock()
        self._ended = Event()
        if clock.limits.seconds is not None:
            start_thread(Thread(target=self._watch, daemon=True))

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Watch the engine's code in the block; what interrupts it may come a few instructions after it."""
        self._watched = get_ident()
        try:
            yield
        finally:
            with self._lock:
                self._watched = None

    def end(self) -> None:
        """Watch no longer."""
        self._ended.set()

    def _watch(self) -> None:
        import ctypes  # noqa: PLC0415  # few questions need it

        while not self._ended.wait((self._clock.seconds_left or 0.0) + GRACE):
            with self._lock:
                if self._watched is not None and not self._clock.seconds_left:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), ctypes.py_object(_Overdue))
                    return


# --- abilities: methods that a guarded session has if the engine's has them ---------------------------------------------


def _counters(self: GuardedSession) -> Mapping[str, int]:
    found = self._call("counters")
    if not isinstance(found, Mapping) or "nodes" not in found:
        raise self._failed("counts, 'nodes' among them,", found)
    with engine_errors(self._name):
        return {str(name): index(number) for name, number in found.items()}


def _unsearched(self: GuardedSession) -> list[Assumed]:
    found = self._call("unsearched")
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise self._failed("a list of assumptions", found)
    return found


def _trace(self: GuardedSession, assume: Assumed = NOTHING, **options: Any) -> Any:
    from sudoku_cp.backends.search_tree import PathTree  # noqa: PLC0415  # few engines trace

    found = self._call("trace", assume, **options)
    if not isinstance(found, PathTree):
        raise self._failed("a path tree", found)
    return found


def _resume(self: GuardedSession, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
    return self._iterate("resume", self._solution, limits)


def _harvest(
    self: GuardedSession, assume: Assumed, wanted: Assumed, cap: int = 1, *, known: Any = (), limits: Limits = UNLIMITED
) -> Iterator[Harvest]:
    def checked(found: Any) -> Harvest:
        if not isinstance(found, Harvest):
            raise self._failed("a harvest", found)
        return found if found.solution is None else found._replace(solution=self._solution(found.solution))

    return self._iterate("harvest", checked, limits, assume, wanted, cap, known=known)


def _solve_many(self: GuardedSession, *args: Any, **options: Any) -> Any:
    return self._call("solve_many", *args, **options)


_ABILITIES: Mapping[str, object] = {
    "counters": _counters,
    "unsearched": _unsearched,
    "trace": _trace,
    "resume": _resume,
    "harvest": _harvest,
    "solve_many": _solve_many,
    "answered_by": property(lambda self: str(self._call("__getattribute__", "answered_by"))),
}
"""Optional methods of the contract (``Supports...``) by name, guarded."""


@lru_cache
def _session_class(abilities: frozenset[str]) -> type[GuardedSession]:
    """Return the class of guarded sessions with these abilities."""
    return type("GuardedSession", (GuardedSession,), {name: _ABILITIES[name] for name in abilities})
