"""The engines that solve models. Importing this package imports no engine and no solver library.

An engine is named ``sat``, or ``sat:cadical153`` if it comes in several kinds: the part after the colon is passed to the engine.
Other packages add engines through the entry-point group ``sudoku_cp.backends``.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from operator import index
from pathlib import PurePath
from threading import Event, Lock, Thread, get_ident
from types import MappingProxyType
from typing import Any

from sudoku_cp.arguments import checked
from sudoku_cp.backends.base import (
    NOTHING,
    UNLIMITED,
    ArrayAnswer,
    Assumed,
    Backend,
    Cancellation,
    Clock,
    Harvest,
    Limits,
    Session,
    Solution,
    SupportsAnsweredBy,
    SupportsArrays,
    SupportsCounters,
    SupportsHarvest,
    SupportsResuming,
    SupportsTracing,
    SupportsUnsearched,
)
from sudoku_cp.errors import (
    BackendFailed,
    BackendMissing,
    LimitReached,
    SudokuError,
    UnknownName,
    Unsupported,
    WrongAnswer,
    shorten,
)
from sudoku_cp.interrupts import defer_interrupts, start_thread
from sudoku_cp.model import Automaton, Clause, Model
from sudoku_cp.time_limits import loading

BUILT_IN = MappingProxyType(
    {
        "fast": "sudoku_cp.backends.fast.session:Fast",
        "cpsat": "sudoku_cp.backends.cpsat:CpSat",
        "sat": "sudoku_cp.backends.sat:Sat",
        "native": "sudoku_cp.backends.native.tiers:Native",
        "race": "sudoku_cp.backends.race:Race",
        "dimacs": "sudoku_cp.backends.external:Dimacs",
        "minizinc": "sudoku_cp.backends.external:MiniZinc",
    }
)
"""The class of each engine of this package."""


@lru_cache(maxsize=1)
def known_backends() -> dict[str, str]:
    """Return the class of every engine, including those of other packages, which cannot replace ours."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # 12 ms that few calls need

    return {point.name: point.value for point in entry_points(group="sudoku_cp.backends")} | BUILT_IN


@checked
@lru_cache(maxsize=32)
def backend(name: str) -> Backend:
    """Return the engine of that name, the same object each time; its library is imported only now."""
    return new_backend(name)


def new_backend(name: str) -> Backend:
    """Return a new engine of that name: what a shared one has learnt can change which solution comes first."""
    family, _, kind = name.partition(":")
    where = BUILT_IN.get(family) or known_backends().get(family)
    if where is None:
        raise UnknownName("backend", name, known_backends())

    def load() -> Backend:
        engine = _engine_class(family, where)
        found: Backend = engine(kind) if kind else engine()
        return found

    return load() if family in BUILT_IN else load_engine(load, name)


def _engine_class(family: str, where: str) -> Callable[..., Backend]:
    """Return the class of an engine; ``where`` is its module and its name."""
    module, _, attribute = where.partition(":")
    try:
        with defer_interrupts(), loading():
            found: Callable[..., Backend] = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        # A package that has been imported is installed: a module missing from it, as from ours, is a defect to be shown.
        if error.name is None or sys.modules.get(error.name.partition(".")[0]) is not None:
            raise
        raise BackendMissing(f"backend {family!r} needs {error.name!r}, which is not installed") from error
    return found


# --- what ``auto`` means ------------------------------------------------------------------------------------------


def _plain(model: Model) -> bool:
    """Return whether the model is a plain grid that `fast` supports."""
    if not model.is_houses:
        return False
    from sudoku_cp.backends.fast import shape_of  # noqa: PLC0415  # other models need none of it

    return shape_of(model) is not None


MANY, MANY_LOADED = 1000, 50
"""How many plain puzzles make the kernel worth while, and how many once it is loaded. It takes 0.3 s to load (seconds, once a
machine, to compile), 0.1 ms for a call, and then 0.0002 ms for a puzzle of 17 clues and 0.01 for one of the hardest, for which
big integers take 0.17 and 4: it pays from 1,700 of the former or 70 of the latter; once it is loaded, from a few."""
WIDE = 256
"""The most cells for which the kernel is faster: it solves 16x16 40 to 130 times as fast as SAT, but of the twelve settled 25x25
boards of Gecode only three within 40 s, while SAT, which learns from conflicts, solves each in 2 s."""


def _for_lanes(model: Model, expected_count: int) -> bool:
    if expected_count < MANY_LOADED or model.board > WIDE or not _plain(model):
        return False
    from sudoku_cp.backends.fast import LOADED, shape_of  # noqa: PLC0415  # as above

    return expected_count >= MANY or shape_of(model) in LOADED


CHOICES: tuple[tuple[str, Callable[[Model, int], bool], str], ...] = (
    ("plain grids by the thousand, up to 16x16", _for_lanes, "fast:lanes"),
    ("plain grids", lambda model, expected_count: _plain(model), "fast:bigint"),  # noqa: ARG005
    ("other rules", lambda model, expected_count: True, "race"),  # noqa: ARG005
    ("all else", lambda model, expected_count: True, "sat"),  # noqa: ARG005
)
"""What ``auto`` means: the engine of the first line that fits.

Measured on cold processes (ms until the last answer, minima):

| puzzles | fast:bigint | native | sat | cpsat |
|---|---:|---:|---:|---:|
| 1 easy | 1.3 | 1.7 | 27 | 347 |
| 100 easy | 15 | 47 | 48 | 751 |
| 1 of 17 clues | 1.8 | 12 | 27 | |
| 100 of 17 clues | 21 | 143 | 50 | |
| 1 of the hardest | 6 | 55 | 28 | |
| 100 of the hardest | 426 | 3104 | 224 | |
| 1 of 16x16 | 4 | 19 | 143 | |
| 100 of 16x16 | 488 | 9907 | 356 | |

On other rules native is faster for three puzzles out of four, and SAT for some that take native a long time: see `race`.
"""

NON_LEARNING = frozenset(["fast:lanes", "fast:bigint"])
"""Engines that do not learn from conflicts: fast as a rule, and hopeless on a few grids, most of them large."""
TEAMS = frozenset(["race"])
"""Engines in which several compete: which of them answers first depends on timing."""
FALLBACK_NODES = 500
"""Nodes without a solution after which ``auto`` turns from a `NON_LEARNING` engine to SAT: 20 ms at 9x9, 0.3 s at 25x25,
about what SAT takes to load there."""


LANE_NODES = 4_000_000
"""Nodes without a solution after which ``auto`` turns from the lane kernel to SAT: about two seconds."""
SHORT_CONFLICTS = 2_000
"""Conflicts that SAT has where the lane kernel would have to be loaded first; they answer most questions about 9x9."""


def fallbacks(engine: str, model: Model) -> Iterator[tuple[str, int | None]]:
    """Yield the engines to which ``auto`` turns when a `NON_LEARNING` one spends its nodes, each with nodes of its own.

    SAT has the last word. Before it, the lane kernel answers in milliseconds what takes SAT seconds: plain grids with many
    solutions to refute. It is compiled for nobody's question.
    """
    if engine == "fast:bigint" and model.board <= WIDE:
        from sudoku_cp.backends.fast import LOADED, shape_of  # noqa: PLC0415  # as above

        boxes = shape_of(model)
        if boxes in LOADED:
            yield "fast:lanes", LANE_NODES
        else:
            yield "sat", SHORT_CONFLICTS
            if boxes is not None and _has_lane_kernel(boxes):
                yield "fast:lanes", LANE_NODES
    yield "sat", None


def _has_lane_kernel(boxes: tuple[int, int]) -> bool:
    """Return whether the lane kernel for grids with such boxes has been compiled; if not, begin that for the next question."""
    try:
        from sudoku_cp.backends.fast.lane_kernel import cached_or_started  # noqa: PLC0415  # NumPy, for hard puzzles alone
    except ImportError:
        return False
    return cached_or_started(boxes)


def choose(model: Model, expected_count: int = 1, *, learning_only: bool = False) -> str:
    """Return the name of the engine that ``auto`` means for so many puzzles of a model; ``learning_only`` gives SAT."""
    refused = NON_LEARNING | TEAMS if learning_only else frozenset()
    return next(engine for _, fits, engine in CHOICES if engine not in refused and fits(model, expected_count))


__all__ = [
    "BUILT_IN",
    "FALLBACK_NODES",
    "MANY",
    "NON_LEARNING",
    "NOTHING",
    "TEAMS",
    "UNLIMITED",
    "ArrayAnswer",
    "Assumed",
    "Backend",
    "Cancellation",
    "Clock",
    "Harvest",
    "Limits",
    "Session",
    "Solution",
    "SupportsAnsweredBy",
    "SupportsArrays",
    "SupportsCounters",
    "SupportsHarvest",
    "SupportsResuming",
    "SupportsTracing",
    "SupportsUnsearched",
    "backend",
    "choose",
    "fallbacks",
    "known_backends",
    "new_backend",
]


# Sessions of engines of other packages, which promise the contract but are not ours to mend.
#
# Theory of operation. `open_session` is the only place where an engine is opened. Our own engines get the model as it is: they
# strengthen it before they rewrite it. An engine of another package gets it with every constraint outside of its ``takes``
# rewritten as clauses, and its session is wrapped in a `GuardedSession` with the same abilities, since queries choose by
# ability. Whatever such an engine raises, except the errors of the contract and Ctrl-C, becomes `BackendFailed`, which names
# the engine, the error and its place; so does whatever it returns that is not of the kind it promised. Whether a grid obeys the
# rules is for `queries` to check, as for every engine. A deadline is checked at each solution, for engines that look at no
# clock; a `_Watchdog` interrupts Python code that does not come back `GRACE` seconds after it. Nothing can interrupt other
# code.


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
    if not others and Automaton not in takes:
        return model
    from sudoku_cp.model.rewrite import rewrite_model  # noqa: PLC0415  # our own engines, which rewrite by themselves, rarely need it

    return rewrite_model(model, takes, tick)


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
