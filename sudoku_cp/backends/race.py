"""A portfolio of two engines on one question: native for easy puzzles, joined by SAT once native takes long.

Theory of operation. Native runs alone for `HEAD_START` seconds in the caller's thread; most puzzles need no more. Then each
engine gets a `_Runner`, a thread that puts solutions into the runner's queue (``waiting``) and announces them in a shared one
(``finds``), native going on where its head start ended; the caller's thread takes them in turn, yields those not in ``known``,
and checks the limits in between. The first runner that has finished and has nothing left to yield ends the question, and the
other is cancelled.
Invariants: every solution is yielded once; the end of one engine suffices, since each enumerates all solutions; a runner is never
more than `AHEAD` solutions ahead of the caller; no thread outlives the question. After `LONG` solutions the other engine is
stopped (``dropped``), since recognising duplicates costs memory.
Why it is fast: both engines release the interpreter's lock. On a single core native runs alone: two would only take turns.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import closing, suppress
from dataclasses import replace
from queue import Empty, Queue
from threading import Semaphore, Thread
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.backends.base import (
    NOTHING,
    UNLIMITED,
    Assumed,
    Cancellation,
    Clock,
    Limits,
    Session,
    Solution,
    SupportsCounters,
    SupportsResuming,
)
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.interrupts import start_thread
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Constraint,
    Count,
    DigitSet,
    Linear,
    Model,
    Partition,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from sudoku_cp.backends.base import Backend


# Stopping searches in threads, and abandoning those that do not react, so that no caller waits for them.
#
# A search does not react while its library checks no flag: Glucose between two restarts, CP-SAT while it reads a large model.
# It ends by itself, and its result is dropped.


PATIENCE = 0.1
"""Seconds in which an interrupted search must end."""
MOST = 2
"""The most searches abandoned at a time; any more are waited for, so that they do not fill the machine."""

_abandoned: list[Thread] = []


def stop_or_abandon(thread: Thread, interrupt: Callable[[], object]) -> bool:
    """Stop a search by calling ``interrupt``; return False if it did not react and was abandoned."""
    patience = perf_counter() + PATIENCE
    while thread.is_alive() and (perf_counter() < patience or len(abandoned_threads()) >= MOST):
        interrupt()
        with suppress(KeyboardInterrupt):  # a second Ctrl-C, while the first one ends the search
            thread.join(PATIENCE / 2)
    if thread.is_alive():
        _abandoned.append(thread)
        return False
    return True


def abandoned_threads() -> list[Thread]:
    """Return the abandoned searches that are still running."""
    _abandoned[:] = [thread for thread in _abandoned if thread.is_alive()]
    return _abandoned


_Sessions: TypeAlias = "dict[str, Session]"
"""The sessions of a question by the names of their engines, each opened when it is first needed."""
HEAD_START = 2.0
"""Seconds of the processor's time for which native runs alone, however busy the machine is: few puzzles that it needs longer
for are quicker for SAT, and two engines cost twice."""
SHORTEST = 0.05
"""Seconds for which native goes on at least if it has not had all of its head start, as others used the processor."""
LOOK = 0.05
"""Seconds between two checks of the limits."""
AHEAD = 64
"""How many solutions an engine may be ahead of the caller."""
PLENTY = 50
"""If native finds this many solutions in its head start, it goes on alone."""
LONG = 1000
"""Solutions after which the engine that finds the next one goes on alone: recognising duplicates costs memory."""


class Race:
    """Runs native, joined by SAT when native takes long; the first answer wins."""

    name = "race"
    takes: frozenset[type[Constraint]] = frozenset(
        {AllDifferent, DigitSet, Linear, Table, Automaton, Clause, Count, Connected, Partition}
    )

    def __init__(self, kind: str = "") -> None:
        """Refuse a name with a colon: there is only one kind of race."""
        if kind:
            raise InvalidInput(f"expected 'race', an engine without kinds; got 'race:{kind:.60}'")

    def open(self, model: Model) -> RaceSession:
        """Return a session on ``model``."""
        from sudoku_cp.backends import backend  # noqa: PLC0415  # that module imports this one on demand

        return RaceSession(model, (backend("native"), backend("sat")))


class RaceSession:
    """One model for both engines. Each open question has their sessions to itself, as it uses them in threads of its own."""

    def __init__(self, model: Model, engines: tuple[Backend, Backend]) -> None:
        """Keep the ``model`` and the two ``engines``, the first of which gets the head start."""
        self._model = model
        self._engines = engines
        self._idle: list[_Sessions] = []
        self._last: _Sessions = {}
        self.answered_by = engines[0].name

    def counters(self) -> Mapping[str, int]:
        """Return the counts of the engine that answered the last question."""
        return _counters_of(self._last.get(self.answered_by))

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution that agrees with ``assume``, whichever engine finds it first."""
        sessions = self._last = self._idle.pop() if self._idle else {}
        try:
            yield from self._search(sessions, assume, limits.started())
        finally:
            self._idle.append(sessions)

    def _search(self, sessions: _Sessions, assume: Assumed, clock: Clock) -> Iterator[Solution]:
        first = self._engines[0]
        self.answered_by = first.name
        left = clock.seconds_left
        if cores() == 1 or (left is not None and left <= HEAD_START):
            yield from self._run_engine(first, sessions, assume, clock.left())
            return
        known: set[Solution] = set()
        if (yield from self._run_ahead(sessions, assume, clock, known)):
            return
        if len(known) < PLENTY:
            yield from self._race(sessions, assume, clock, known)
            return
        with closing(self._go_on(first, sessions, assume, clock.left())) as found:
            yield from (solution for solution in found if solution not in known)

    def _run_ahead(
        self, sessions: _Sessions, assume: Assumed, clock: Clock, known: set[Solution]
    ) -> Generator[Solution, None, bool]:
        """Yield what the first engine finds in its head start, and add it to ``known``; return whether that is all."""
        first, start, counted = self._engines[0], thread_time(), 0
        run = self._run_engine
        while True:
            seconds = max(SHORTEST, HEAD_START - (thread_time() - start))
            try:
                with closing(run(first, sessions, assume, replace(clock.left(), seconds=seconds))) as found:
                    for solution in found:
                        if solution not in known:
                            known.add(solution)
                            yield solution
            except LimitReached as reached:
                nodes = _counters_of(sessions[first.name])["nodes"]  # of all the runs so far
                clock.nodes += max(0, nodes - counted)
                counted = nodes
                if reached.reason != "deadline" or clock.reached():
                    raise
            else:
                return True
            left = clock.seconds_left
            is_spent = thread_time() - start >= HEAD_START or (left is not None and left <= HEAD_START)
            if is_spent or len(known) >= PLENTY or not isinstance(sessions[first.name], SupportsResuming):
                return False
            run = self._go_on

    def _run_engine(self, engine: Backend, sessions: _Sessions, assume: Assumed, limits: Limits) -> Generator[Solution]:
        if engine.name not in sessions:
            sessions[engine.name] = engine.open(self._model)
        yield from sessions[engine.name].solutions(assume, limits=limits)

    def _go_on(self, engine: Backend, sessions: _Sessions, assume: Assumed, limits: Limits) -> Generator[Solution]:
        """Yield the solutions after the head start: if the engine that had it can resume, only those that it has not reached."""
        session = sessions.get(engine.name)
        if engine is self._engines[0] and session is not None and isinstance(session, SupportsResuming):
            yield from session.resume(limits=limits)
        else:
            yield from self._run_engine(engine, sessions, assume, limits)

    def _race(self, sessions: _Sessions, assume: Assumed, clock: Clock, known: set[Solution]) -> Generator[Solution]:
        """Run both engines and yield the solutions of either until one has finished."""
        finds: Queue[_Runner] = Queue()
        runners = [_Runner(engine.name, finds) for engine in self._engines]
        try:
            for runner, engine in zip(runners, self._engines, strict=True):
                runner.start(self._go_on(engine, sessions, assume, replace(clock.left(), cancel=runner.cancel)))
            while not self._is_over(runners):
                clock.check()
                with suppress(Empty):
                    yield from self._take_solution(finds.get(timeout=LOOK), runners, known)
        finally:  # on the end, a limit, a closed generator, or Ctrl-C, even twice
            for runner in runners:
                runner.stop()
            for runner in runners:
                runner.join()

    def _is_over(self, runners: list[_Runner]) -> bool:
        """Return whether an engine has finished and all it found has been yielded; raise if all that still race have failed."""
        racing = [runner for runner in runners if not runner.dropped]
        done = [runner for runner in racing if not runner.waiting and (runner.finished or runner.error)]
        for runner in done:
            if runner.finished:
                self.answered_by = runner.name
                return True
        errors = [runner.error for runner in done if runner.error]
        if len(errors) == len(racing):
            raise next((error for error in errors if isinstance(error, LimitReached)), errors[0])
        return False

    def _take_solution(self, runner: _Runner, runners: list[_Runner], known: set[Solution]) -> Iterator[Solution]:
        """Yield the runner's next solution if it is new; drop the others once there are too many to remember."""
        if not runner.waiting:
            return
        solution = runner.waiting.popleft()
        runner.room.release()
        if runner.dropped or solution in known:
            return
        self.answered_by = runner.name
        if len(known) < LONG:
            known.add(solution)
        else:
            for other in runners:
                if other is not runner and not other.dropped:
                    other.dropped = True
                    other.stop()
        yield solution


def _counters_of(session: Session | None) -> Mapping[str, int]:
    return session.counters() if session is not None and isinstance(session, SupportsCounters) else {"nodes": 0}


class _Runner:
    """An engine in its own thread: the solutions waiting to be taken, and how the search ended."""

    def __init__(self, name: str, finds: Queue[_Runner]) -> None:
        self.name = name
        self.cancel = Cancellation()
        self.waiting: deque[Solution] = deque()
        self.room = Semaphore(AHEAD)
        self.finished = False
        self.error: BaseException | None = None
        self.dropped = False
        self._finds = finds
        self._thread: Thread | None = None

    def start(self, found: Generator[Solution]) -> None:
        """Start collecting the engine's solutions."""
        self._thread = Thread(target=self._run, args=(found,), daemon=True)
        start_thread(self._thread)

    def _run(self, found: Generator[Solution]) -> None:
        try:
            with closing(found):
                for solution in found:
                    self.room.acquire()
                    self.waiting.append(solution)
                    self._finds.put(self)
                    if self.cancel.cancelled:
                        return
            self.finished = True
        except BaseException as error:  # noqa: BLE001  # whatever it is, it is raised in the caller's thread
            self.error = error
        finally:
            self._finds.put(self)

    def stop(self) -> None:
        """Ask the engine to stop."""
        self.cancel.cancel()
        self.room.release()

    def join(self) -> None:
        """Wait for the thread to end, even if Ctrl-C is pressed meanwhile."""
        while self._thread is not None and self._thread.is_alive():
            with suppress(KeyboardInterrupt):
                self._thread.join()


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
