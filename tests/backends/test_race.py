"""The race: the first engine to finish answers, and no solution is yielded twice or lost."""

from __future__ import annotations

import threading
from time import perf_counter, sleep

import pytest

from sudoku_cp.backends import Cancellation, Limits, race
from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.backends.race import RaceSession
from sudoku_cp.errors import LimitReached


class Runner:
    """An engine that yields given solutions, with a pause before each and before its end."""

    takes = frozenset()

    def __init__(self, name, finds, pause=0.0, *, ends=True, error=None):
        """Take the solutions to yield, and how to end."""
        self.name, self._finds, self._pause, self._ends, self._error = name, finds, pause, ends, error

    def open(self, model):
        """Return itself."""
        return self

    def _wait(self, clock, seconds):
        end = perf_counter() + seconds
        while perf_counter() < end:
            clock.check()
            sleep(0.001)

    def solutions(self, assume, *, limits):
        """Yield the solutions within the limits."""
        clock = limits.started()
        for found in self._finds:
            self._wait(clock, self._pause)
            yield found
        self._wait(clock, self._pause if self._ends else 60)
        if self._error:
            raise self._error


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    """Race even on a machine with one core, and soon."""
    monkeypatch.setattr(race, "cores", lambda: 2)
    monkeypatch.setattr(race, "HEAD_START", 0.05)


@pytest.fixture
def racing():
    """A function that lists the threads of races that began in the test; other tests leave services with such threads."""
    before = {*threading.enumerate()}
    return lambda: [thread for thread in threading.enumerate() if thread not in before and "_run" in thread.name]


def raced(*runners):
    """Return a session in which the engines race."""
    return RaceSession(small_board().model, runners)


def test_who_is_quick_is_alone():
    """An engine that answers within its head start runs alone."""
    session = raced(Runner("a", [(1,), (2,)]), Runner("b", [], error=AssertionError("asked")))
    assert [*session.solutions()] == [(1,), (2,)]
    assert session.answered_by == "a"


class Sleeper(Runner):
    """An engine that sleeps a few times before it ends, and goes on where a limit has stopped it."""

    naps = 4

    def solutions(self, assume, *, limits):
        """Yield the solutions after all the naps."""
        yield from self.resume(limits=limits)

    def resume(self, *, limits):
        """Sleep as often as is left, and yield the solutions."""
        clock = limits.started()
        while self.naps:
            self.naps -= 1
            self._wait(clock, race.HEAD_START)
        yield from self._finds


def test_the_head_start_is_time_of_the_processor():
    """Where others use the processor, the head start lasts longer: the second engine joins after as much work as elsewhere."""
    session = raced(Sleeper("a", [(1,)]), Runner("b", [(1,)]))
    assert [*session.solutions()] == [(1,)]
    assert session.answered_by == "a"


def test_the_first_at_the_end_has_answered():
    """If the first engine takes long, the end of the other ends the question, and each solution is yielded once."""
    session = raced(Runner("a", [(1,)], 0.02, ends=False), Runner("b", [(1,), (2,)], 0.02))
    assert [*session.solutions()] == [(1,), (2,)]
    assert session.answered_by == "b"
    session = raced(Runner("a", [(1,), (2,)], 0.1), Runner("b", [(2,)], 0.1, ends=False))
    assert sorted(session.solutions()) == [(1,), (2,)]
    assert session.answered_by == "a"


class Resuming(Runner):
    """An engine that goes on after its head start with the solutions that it has not yielded."""

    def solutions(self, assume, *, limits):
        """Yield the first solution within the limits, and wait for the next one."""
        clock = limits.started()
        yield self._finds[0]
        self._wait(clock, 60)

    def resume(self, *, limits):
        """Yield the others."""
        clock = limits.started()
        for found in self._finds[1:]:
            self._wait(clock, self._pause)
            yield found


def test_the_first_engine_goes_on_after_its_head_start():
    """An engine that can resume is not asked anew, so that its head start is not lost."""
    session = raced(Resuming("a", [(1,), (2,), (3,)], 0.01), Runner("b", [], ends=False))
    assert [*session.solutions()] == [(1,), (2,), (3,)]
    assert session.answered_by == "a"


class Exclusive(Runner):
    """An engine whose sessions refuse a question while another is open: it would run in another thread at the same time."""

    def open(self, model):
        """Return a session of its own."""
        return Exclusive(self.name, self._finds, self._pause)

    def solutions(self, assume, *, limits):
        """Yield the solutions within the limits."""
        assert not vars(self).get("busy")
        self.busy = True
        try:
            yield from super().solutions(assume, limits=limits)
        finally:
            self.busy = False


def test_open_questions_share_no_session():
    """Questions whose solutions are taken in turns have sessions of their own, which later questions use again."""
    wanted = [(number,) for number in range(5)]
    session = raced(Exclusive("a", wanted, 0.02), Exclusive("b", wanted, 0.03))
    for _ in range(2):
        turns = [[*pair] for pair in zip(session.solutions(), session.solutions(), strict=True)]
        assert [sorted(found) for found in zip(*turns, strict=True)] == [wanted, wanted]
    assert len(session._idle) == 2


def test_a_failure_of_one_is_no_failure():
    """If an engine fails, the other answers; if both fail, the error is raised."""
    session = raced(Runner("a", [], 0.2), Runner("b", [], 0.0, error=RuntimeError("broken")))
    assert [*session.solutions()] == []
    session = raced(Runner("a", [], 0.2, error=RuntimeError("broken")), Runner("b", [], 0.0, error=RuntimeError("broken")))
    with pytest.raises(RuntimeError, match="broken"):
        [*session.solutions()]


@pytest.mark.parametrize("limits", [Limits(seconds=0.3), Limits(cancel=Cancellation())], ids=["deadline", "cancelled"])
def test_a_limit_stops_both(limits, racing):
    """A limit is raised as such, and no thread outlives the question."""
    session = raced(Runner("a", [], ends=False), Runner("b", [], ends=False))
    if limits.cancel:
        threading.Timer(0.2, limits.cancel.cancel).start()
    with pytest.raises(LimitReached):
        [*session.solutions(limits=limits)]
    assert not racing()


def test_an_abandoned_race_ends(racing):
    """If the caller stops after one solution, no engine goes on running."""
    session = raced(Runner("a", [], ends=False), Runner("b", [(1,), (2,)], 0.01, ends=False))
    found = session.solutions()
    assert next(found) == (1,)
    found.close()
    assert not racing()


def test_many_solutions_are_the_leaders_alone(monkeypatch):
    """After `LONG` solutions one engine goes on alone, and still every solution is yielded once."""
    monkeypatch.setattr(race, "LONG", 5)
    wanted = [(number,) for number in range(40)]
    session = raced(Runner("a", wanted[::-1], 0.04), Runner("b", wanted, 0.001))
    found = [*session.solutions()]
    assert sorted(found) == wanted


def test_the_end_of_a_leader_alone_is_the_end(monkeypatch):
    """Whatever ends an engine that goes on alone ends the question, with its own reason and after all that it has found."""
    monkeypatch.setattr(race, "LONG", 5)
    monkeypatch.setattr(race, "AHEAD", 2)
    wanted = [(number,) for number in range(40)]
    session = raced(*(Runner(name, wanted, 0.01, error=LimitReached("nodes")) for name in "ab"))
    found = []

    def take_slowly():
        for solution in session.solutions(limits=Limits(seconds=10)):
            found.append(solution)
            sleep(0.02)  # both wait until some of theirs are taken

    with pytest.raises(LimitReached) as caught:
        take_slowly()
    assert (caught.value.reason, sorted(found)) == ("nodes", wanted)


def test_on_one_core_there_is_no_race(monkeypatch):
    """On one core, where a second engine would only take its time, native runs alone."""
    monkeypatch.setattr(race, "cores", lambda: 1)
    session = raced(Runner("a", [(1,)], 0.1), Runner("b", [], error=AssertionError("asked")))
    assert [*session.solutions()] == [(1,)]
