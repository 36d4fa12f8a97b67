"""The engine works around CP-SAT's own defects."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from signal import SIGINT, pthread_kill
from threading import Event, Timer, main_thread
from typing import TYPE_CHECKING, Any

import pytest
from ortools.sat.python import cp_model

from sudoku_cp.backends import Cancellation, Limits, backend, cpsat
from sudoku_cp.backends.cpsat import Encoding
from sudoku_cp.backends.race import abandoned_threads
from sudoku_cp.errors import LimitReached
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import CountingCircles, Houses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TWICE = {
    "grid": {"rows": 4, "columns": 4, "regions": [[0, 0, 1, 1], [0, 0, 1, 1], [None, 2, 2, None], [None, 2, 2, None]]},
    "rules": ["houses", {"kind": "value-indexing", "value": "r2c4", "index": "r4c3", "cells": ["r3c4", "r4c3"]}],
    "givens": {"r3c4": 3},
}
"""The automaton of this rule reads r4c3 twice."""


def test_an_automaton_that_reads_a_cell_twice_does_not_end_the_process() -> None:
    """Without presolve CP-SAT accepts wrong grids there, and then aborts; so it is given a copy of the cell."""
    code = (
        "import json, sys\n"
        "from sudoku_cp import count\n"
        "from sudoku_cp.puzzle import from_json\n"
        "puzzle = from_json(json.loads(sys.argv[1]))\n"
        "print(*(count(puzzle, backend=engine).count for engine in ('cpsat', 'cpsat:alldifferent', 'sat')))"
    )
    ran = subprocess.run([sys.executable, "-c", code, json.dumps(TWICE)], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout) == (0, "4 4 4\n"), ran.stderr


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bool], None]]:
    """CP-SAT ignores clock and interrupts, as while it reads a large model, until the test ends; all models count as large."""
    hears = Event()
    real: Any = cp_model.CpSolver.solve

    def solve(solver: cp_model.CpSolver, *arguments: object) -> object:
        # Optionally only long searches do not react: those that presolve.
        if not only_long or solver.parameters.max_time_in_seconds != cpsat.SLICE:
            hears.wait(10)
        return real(solver, *arguments)

    only_long: list[bool] = []
    monkeypatch.setattr(cp_model.CpSolver, "solve", solve)
    monkeypatch.setattr(cpsat, "SMALL", 0)
    yield only_long.append
    hears.set()
    for thread in abandoned_threads():
        thread.join()


@pytest.mark.parametrize("search", ["short", "long"])
@pytest.mark.parametrize("how", ["deadline", "cancelled", "interrupted"])
def test_a_search_that_does_not_hear_is_left_behind(deaf: Callable[[bool], None], how: str, search: str) -> None:
    """A deadline, a cancellation and Ctrl-C work while CP-SAT does not react to them, and the session answers again."""
    if search == "long":
        deaf(True)
    cancel = Cancellation()
    wait = {"cancelled": cancel.cancel, "interrupted": lambda: pthread_kill(main_thread().ident or 0, SIGINT)}
    timer = Timer(0.3, wait.get(how, lambda: None))
    model = Puzzle.parse("." * 81).model()
    session = backend("cpsat").open(model)
    timer.start()
    with pytest.raises(KeyboardInterrupt if how == "interrupted" else LimitReached):
        list(session.solutions(limits=Limits(0.3 if how == "deadline" else None, None, cancel)))
    timer.join()
    assert abandoned_threads()


def test_a_session_answers_again_after_a_search_was_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model that an abandoned search still reads is not edited: it is encoded anew, and the answer is correct."""
    puzzle = Puzzle.parse("1..." + "." * 12)
    session = backend("cpsat").open(puzzle.model())
    hears, real = Event(), cp_model.CpSolver.solve
    with monkeypatch.context() as patch:
        patch.setattr(cpsat, "SMALL", 0)
        patch.setattr(cp_model.CpSolver, "solve", lambda *given: (hears.wait(10), real(*given))[1])
        with pytest.raises(LimitReached):
            list(session.solutions(puzzle.assume(), limits=Limits(0.1)))
    first = len(set(session.solutions(puzzle.assume())))
    hears.set()
    assert first == len(set(session.solutions(puzzle.assume()))) == 72
    assert len(set(session.solutions())) == 288


@pytest.mark.parametrize("engine", ["cpsat", "cpsat:alldifferent"])
def test_nobody_edits_a_model_that_a_search_still_reads(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """If solutions are forbidden one by one, a search that outlives its question keeps its model, and none is found twice."""
    grid = Grid.square(4)
    puzzle = Puzzle(grid, (Houses(), CountingCircles.example(grid)))
    assert len(puzzle.model().domains) > len(grid.cells)  # auxiliaries: the same grid comes several times
    real, read, edited = cp_model.CpSolver.solve, [], []
    forbid = Encoding.forbid

    def solve(solver: cp_model.CpSolver, model: cp_model.CpModel, *arguments: Any) -> object:
        read.append(model)
        try:
            return real(solver, model, *arguments)
        finally:
            Event().wait(0.3)
            read.remove(model)

    monkeypatch.setattr(cpsat, "SLICE", 0)  # the short search finds nothing
    monkeypatch.setattr(cp_model.CpSolver, "solve", solve)
    monkeypatch.setattr(Encoding, "forbid", lambda *given: (edited.append(any(given[1] is one for one in read)), forbid(*given)))
    found = list(islice(backend(engine).open(puzzle.model()).solutions(), 4))
    assert len(set(found)) == 4
    assert edited == [False] * 3


@pytest.mark.parametrize("seconds", [0, 60])
def test_nodes_are_limited_however_long_the_short_search_lasts(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """A search that ends above its node limit is no answer, short or long: else the answer would depend on the load."""
    puzzle = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")
    monkeypatch.setattr(cpsat, "SLICE", seconds)
    with pytest.raises(LimitReached) as reached:
        list(backend("cpsat").open(puzzle.model()).solutions(puzzle.assume(), limits=Limits(nodes=0)))
    assert reached.value.reason == "nodes"
