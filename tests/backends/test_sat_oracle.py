"""A solver of python-sat keeps its limits, even while it does not react, and loses no clause."""

from __future__ import annotations

import os
from itertools import combinations, count
from signal import SIGINT, pthread_kill
from subprocess import Popen
from threading import Event, Thread, current_thread, main_thread
from time import sleep
from typing import TYPE_CHECKING

import pytest
from pysat.solvers import MainThread, Solver

from sudoku_cp.backends import UNLIMITED, Cancellation, Limits, base, sat_oracle
from sudoku_cp.backends.base import Clock
from sudoku_cp.backends.race import abandoned_threads
from sudoku_cp.backends.sat import Sat
from sudoku_cp.backends.sat_oracle import COUNTERS, SatOracle
from sudoku_cp.errors import LimitReached
from sudoku_cp.model import Clause, Literal, Model, Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def pigeons(holes: int = 10) -> list[list[int]]:
    """Return clauses: one pigeon more than holes, each in a hole, no two in one; they take long to refute."""
    places = [[pigeon * holes + hole for hole in range(1, holes + 1)] for pigeon in range(holes + 1)]
    return places + [[-one, -other] for hole in zip(*places, strict=True) for one, other in combinations(hole, 2)]


def model(holes: int = 10) -> Model:
    """Return the pigeons as a model: clauses over cells that hold 0 or 1."""
    said = [Clause(tuple(Literal(abs(one) - 1, int(one > 0)) for one in clause)) for clause in pigeons(holes)]
    cells = (holes + 1) * holes
    return Model((0b11,) * cells, tuple(Statement(one, "pigeons", "") for one in said), cells)


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Glucose ignores interrupts, as between two restarts, which can be 40,000 conflicts apart, until the test lets it react."""
    solvers, real = [], Solver.interrupt
    monkeypatch.setattr(Solver, "interrupt", lambda solver: solvers.append(solver))  # noqa: PLW0108  # binds

    def hear() -> None:
        for solver in solvers:
            real(solver)

    yield hear
    hear()
    for thread in abandoned_threads():
        thread.join()


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize("how", ["deadline", "cancelled", "interrupted"])
def test_a_search_that_does_not_hear_is_left_behind(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline, a cancellation and Ctrl-C work while the solver does not react to them."""
    monkeypatch.setattr("sudoku_cp.backends.sat_oracle.SLICE", 1)  # on to the thread at once, however busy the machine is
    monkeypatch.setattr("sudoku_cp.backends.race.MOST", 99)  # whatever other tests have left
    cancel, begun, real = Cancellation(), Event(), Solver.solve_limited

    def solve_limited(solver: Solver, *arguments: object, **options: object) -> bool | None:
        if current_thread() is not main_thread():
            begun.set()
        return real(solver, *arguments, **options)

    def stop() -> None:
        begun.wait()
        sleep(0.3)  # now it searches, and does not react
        if how == "cancelled":
            cancel.cancel()
        elif how == "interrupted":
            pthread_kill(main_thread().ident or 0, SIGINT)

    monkeypatch.setattr(Solver, "solve_limited", solve_limited)
    stopper = Thread(target=stop)
    stopper.start()
    with pytest.raises(KeyboardInterrupt if how == "interrupted" else LimitReached):
        next(Sat().open(model()).solutions(limits=Limits(1.0 if how == "deadline" else None, None, cancel)))
    assert any(thread.is_alive() for thread in abandoned_threads())
    stopper.join()


def test_what_is_said_meanwhile_counts_once_the_search_has_ended(
    deaf: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solver with an abandoned search can be used again, and then has all clauses added meanwhile."""
    monkeypatch.setattr("sudoku_cp.backends.sat_oracle.SETTLED", -1)  # in a thread at once, however busy the machine is
    oracle = SatOracle("glucose4", [[[*clause, -100] for clause in pigeons()]], UNLIMITED.started())
    counts = dict.fromkeys(COUNTERS, 0)
    with pytest.raises(LimitReached):
        oracle.solve([100], Limits(0.2).started(), counts)
    assert oracle.busy
    oracle.add([101])
    oracle.add([-101, -102])
    with pytest.raises(LimitReached):
        oracle.solve([100], Limits(0.01).started(), counts)
    assert oracle.busy, "a limit comes first"
    deaf()
    assert oracle.solve([], UNLIMITED.started(), counts)
    assert {101, -102} <= set(oracle.model())
    assert not oracle.busy


@pytest.mark.usefixtures("deaf")
def test_a_solver_is_searched_by_one_thread_though_the_clock_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """While something is loaded, a search lasts longer than the seconds left: a second one beside it would break the solver."""
    monkeypatch.setattr(sat_oracle, "SLICE", 1)
    threads, real = [], Solver.solve_limited

    def solve_limited(solver: Solver, *arguments: object, **options: object) -> bool | None:
        threads.append(current_thread())
        return real(solver, *arguments, **options)

    monkeypatch.setattr(Solver, "solve_limited", solve_limited)
    looks = count()
    monkeypatch.setattr(base, "time_without_loading", lambda: 0.0 if next(looks) < 20 else 1.0)
    oracle = SatOracle("glucose4", [pigeons()], UNLIMITED.started())
    with pytest.raises(LimitReached, match="deadline"):
        oracle.solve([], Clock(Limits(0.01), 0.0), dict.fromkeys(COUNTERS, 0))
    assert len(threads) == 2, "the first slice, and the thread"


@pytest.mark.usefixtures("deaf")
def test_no_more_than_a_few_searches_are_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """If too many abandoned searches are running, the next one is waited for, and its answer taken."""
    monkeypatch.setattr("sudoku_cp.backends.sat_oracle.SLICE", 1)  # on to the thread at once, however busy the machine is
    monkeypatch.setattr("sudoku_cp.backends.race.MOST", 0)
    monkeypatch.setattr("sudoku_cp.backends.race.PATIENCE", 0.001)  # otherwise it would be abandoned
    cancel, real = Cancellation(), Solver.solve_limited

    def solve_limited(solver: Solver, *arguments: object, **options: object) -> bool | None:
        if current_thread() is not main_thread():
            cancel.cancel()
        return real(solver, *arguments, **options)

    monkeypatch.setattr(Solver, "solve_limited", solve_limited)
    assert next(Sat().open(model(7)).solutions(limits=Limits(cancel=cancel)), None) is None
    assert cancel.cancelled
    assert not any(thread.is_alive() for thread in abandoned_threads())


@pytest.mark.parametrize(("clauses", "conflicts"), [(100, 1000), (30_000, 1000), (300_000, 100), (30_000_000, 1)])
@pytest.mark.parametrize("name", ["glucose4", "cadical153"])
def test_the_clock_is_looked_at_more_often_in_a_large_formula(
    monkeypatch: pytest.MonkeyPatch, name: str, clauses: int, conflicts: int
) -> None:
    """A conflict takes the longer the more clauses there are, so that there are fewer between two looks at the clock."""
    budgets: list[int] = []
    monkeypatch.setattr(Solver, "conf_budget", lambda _, most: budgets.append(most))

    class ManyTimes(list[list[int]]):
        """A block of a few clauses that stand for many."""

        def __len__(self) -> int:
            return clauses

    monkeypatch.setattr(sat_oracle, "PORTION", clauses)
    clock = UNLIMITED.started()
    oracle = SatOracle(name, [ManyTimes([[1, 2], [-1, 2]])], clock)
    assert oracle.solve([], clock, dict.fromkeys(COUNTERS, 0))
    assert budgets == [conflicts]


@pytest.mark.parametrize("name", ["glucose4", "cadical153", "cadical195"])
def test_ctrl_c_in_the_main_thread_is_a_keyboard_interrupt(name: str) -> None:
    """Ctrl-C ends a search as KeyboardInterrupt, not as an error of python-sat, and the solver still works after it."""
    oracle = SatOracle(name, [[[*clause, -200] for clause in pigeons(11)]], UNLIMITED.started())
    counts = dict.fromkeys(COUNTERS, 0)
    with Popen(["/bin/sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"]), pytest.raises(KeyboardInterrupt):
        oracle.solve([200], UNLIMITED.started(), counts)
    assert oracle.solve([-200], UNLIMITED.started(), counts)


@pytest.mark.parametrize("name", sorted(sat_oracle.SOLVERS))
def test_python_sat_never_handles_ctrl_c_in_our_calls(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No call takes Ctrl-C from Python, so none jumps out of a solver; calls by others in the same process still do."""
    seen: list[bool] = []
    real, is_main = Solver.solve_limited, MainThread.check

    def solve_limited(solver: Solver, *arguments: object, **options: object) -> bool | None:
        seen.append(MainThread.check())
        return real(solver, *arguments, **options)

    monkeypatch.setattr(Solver, "solve_limited", solve_limited)
    monkeypatch.setattr(Solver, "propagate", lambda *_: (seen.append(MainThread.check()), ()))
    oracle = SatOracle(name, [[[1, 2]]], UNLIMITED.started())
    assert oracle.solve([1], UNLIMITED.started(), dict.fromkeys(COUNTERS, 0))
    oracle.count_implied([1])
    assert seen == [False, False]
    assert is_main()
