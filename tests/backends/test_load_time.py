"""Loading and compiling never count against a question's time."""

from __future__ import annotations

import subprocess
import sys
from threading import Event, Thread
from time import perf_counter, sleep

import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.load_time import loading, loading_seconds, working_time

LONG, SHORT = 0.2, 0.05


def test_a_clock_stands_still_while_something_is_loaded() -> None:
    """What is loaded costs a limit nothing; time that passes otherwise does."""
    clock = Limits(60).started()
    with loading():
        before = clock.elapsed
        sleep(LONG)
        assert clock.elapsed - before < LONG / 2
    clock = Limits(SHORT).started()
    sleep(SHORT)
    assert clock.reached() == "deadline"
    assert clock.seconds_left == 0


def test_loads_within_loads_and_beside_loads_count_once() -> None:
    """The seconds in which anything is loaded are counted, not the loads."""
    begun, enough = Event(), Event()

    def work() -> None:
        with loading():
            begun.set()
            enough.wait()

    thread = Thread(target=work)
    start, before = perf_counter(), loading_seconds()
    thread.start()
    begun.wait()
    with loading(), loading():
        sleep(SHORT)
    assert loading_seconds() < loading_seconds(), "the other thread goes on"
    enough.set()
    thread.join()
    assert SHORT <= loading_seconds() - before <= perf_counter() - start
    assert loading_seconds() == loading_seconds()


def test_a_load_that_fails_has_ended() -> None:
    """An error or Ctrl-C while something is loaded lets the clocks go on."""
    with pytest.raises(KeyboardInterrupt), loading():
        raise KeyboardInterrupt
    first = working_time()
    sleep(0.01)
    assert working_time() > first


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
    """A deadline that loading alone would pass is one that the answer keeps."""
    subprocess.run([sys.executable, "-c", SLOW, engine], check=True)
