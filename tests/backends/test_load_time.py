"""Loading and compiling never count against a question's time."""

from __future__ import annotations

import subprocess
import sys
from threading import Event, Thread

import pytest

from sudoku_cp import time_limits
from sudoku_cp.backends import Limits
from sudoku_cp.time_limits import loading, loading_seconds, time_without_loading


class HandClock:
    """A clock that only the test advances."""

    def __init__(self) -> None:
        """Start anywhere."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HandClock:
    """Replace the clock that measures loading."""
    hands = HandClock()
    monkeypatch.setattr(time_limits, "perf_counter", hands)
    return hands


def test_a_clock_stands_still_while_something_is_loaded(clock: HandClock) -> None:
    """Loading does not count against a limit; all other time does."""
    running = Limits(60).started()
    with loading():
        clock.now += 100
        assert running.elapsed == 0
    assert running.reached() is None
    clock.now += 59
    assert running.seconds_left == 1
    clock.now += 1
    assert running.reached() == "deadline"
    assert running.seconds_left == 0


def test_loads_within_loads_and_beside_loads_count_once(clock: HandClock) -> None:
    """The seconds in which anything is loaded are counted, not the loads."""
    begun, enough = Event(), Event()

    def work() -> None:
        with loading():
            begun.set()
            enough.wait()

    thread = Thread(target=work)
    before = loading_seconds()
    thread.start()
    begun.wait()
    with loading(), loading():
        clock.now += 5
    clock.now += 2
    assert loading_seconds() - before == 7, "the other thread goes on"
    enough.set()
    thread.join()
    clock.now += 30
    assert loading_seconds() - before == 7


def test_a_load_that_fails_has_ended(clock: HandClock) -> None:
    """After an error or Ctrl-C while something is loaded, clocks go on."""
    with pytest.raises(KeyboardInterrupt), loading():
        raise KeyboardInterrupt
    first = time_without_loading()
    clock.now += 1
    assert time_without_loading() == first + 1


@pytest.mark.parametrize("ends", [False, True], ids=["goes on", "has ended"])
def test_a_load_that_falls_between_two_looks_takes_no_time_back(clock: HandClock, ends: bool) -> None:
    """Another thread may load something just when the time is read: the clock stands still, and never goes back."""
    first, finish = time_without_loading(), Event()

    def load(begun: Event) -> None:
        with loading():
            clock.now += 5
            if not ends:
                begun.set()
                finish.wait()
        begun.set()

    class Interrupted(HandClock):
        """The clock, at which another thread comes in between, once."""

        looks = 0

        def __call__(self) -> float:
            """Return the time, which has passed by the time that the caller has it."""
            self.looks, now = self.looks + 1, clock.now
            if self.looks == 1:
                begun = Event()
                Thread(target=load, args=(begun,)).start()
                begun.wait()
            return now

    looked = Interrupted()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time_limits, "perf_counter", looked)
        times = [time_without_loading() for _ in range(3)]
    finish.set()
    assert times == [first] * 3


SLOW = """
import sys, time
from importlib.abc import MetaPathFinder

passed, perf_counter = 0, time.perf_counter
time.perf_counter = lambda: perf_counter() + passed

class Slow(MetaPathFinder):
    '''An import system that seems to take 1000 s, as that of a full disk.'''
    def find_spec(self, name, path, target=None):
        global passed
        if name in {"numba", "pysat", "ortools"}:
            passed += 1000

sys.meta_path.insert(0, Slow())
from sudoku_cp import Limits, Puzzle, solve, true_candidates
puzzle = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
start = time.perf_counter()
answer = solve(puzzle, backend=sys.argv[1], limits=Limits(seconds=500))
assert time.perf_counter() - start > 1000
assert answer.status == "unique", answer
assert answer.seconds < 500, answer
"""


@pytest.mark.parametrize("engine", ["fast:lanes", "sat", "cpsat"])
def test_an_engine_that_loads_slowly_has_its_whole_time(engine: str) -> None:
    """A deadline shorter than the loading alone is kept."""
    subprocess.run([sys.executable, "-c", SLOW, engine], check=True)
