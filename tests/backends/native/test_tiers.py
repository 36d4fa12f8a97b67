"""The native engine continues in its compiled tier when a puzzle takes long, repeats no grid, and keeps its limits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from contextlib import nullcontext, suppress
from itertools import islice, zip_longest
from pathlib import Path
from time import perf_counter, sleep
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import sudoku_cp
from sudoku_cp import compile_child, time_limits
from sudoku_cp.backends import (
    Cancellation,
    Limits,
    SupportsCounters,
    SupportsResuming,
    SupportsTracing,
    SupportsUnsearched,
    backend,
)
from sudoku_cp.backends.conformance.checks import HARD, SOLVED, empty_board, givens, small_board
from sudoku_cp.backends.native import kernel_loading, tiers
from sudoku_cp.backends.native.compiled_session import CompiledSession
from sudoku_cp.backends.native.readable_search import ReadableSession
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import BackendMissing, LimitReached, UnknownName
from sudoku_cp.model import Linear, build_model

ROOT = Path(__file__).parents[3]
compiler = pytest.mark.skipif(not can_compile(), reason="Numba's compiler is turned off")


def test_a_library_that_is_just_being_imported_can_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """One thread may ask while another is in the middle of importing Numba."""
    monkeypatch.setitem(sys.modules, "numba", ModuleType("numba"))
    assert can_compile()


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A process that has not loaded the compiled tier, though it is cached; record what it does about that."""
    heard: list[str] = []
    monkeypatch.setattr(kernel_loading, "is_loaded", lambda: False)
    monkeypatch.setattr(kernel_loading, "cached_or_started", lambda: bool(heard.append("looked")) or True)
    monkeypatch.setattr(tiers, "PATIENCE", 0.0)
    return heard


def test_kinds() -> None:
    """Each kind is called by its name, and an unknown one is refused with those there are."""
    for kind in tiers.KINDS:
        assert backend(f"native:{kind}").name == f"native:{kind}"
    with pytest.raises(UnknownName, match="compiled"):
        backend("native:third")


@pytest.mark.parametrize("kind", ["native", "native:readable", "native:compiled"])
def test_abilities(kind: str) -> None:
    """Whatever the tier, a session counts, returns what is unsearched, resumes, and records path trees."""
    session = backend(kind).open(small_board().model)
    abilities = SupportsCounters, SupportsUnsearched, SupportsResuming, SupportsTracing
    assert [isinstance(session, ability) for ability in abilities] == [True] * 4
    assert len(session.trace(stop_after=None).solutions) == 288


@compiler
def test_a_trace_counts_its_own_work() -> None:
    """After a trace, which the readable tier makes, the counts are its own, whichever tier had answered before."""
    session = tiers.Native("compiled").open(small_board().model)
    assert len(list(session.solutions())) == 288
    session.trace(stop_after=None)
    assert session.counters()["guesses"] > 0


def test_an_easy_puzzle_loads_no_compiler() -> None:
    """A puzzle that is solved at once is answered without Numba and NumPy."""
    code = (
        "import sys\n"
        "from sudoku_cp.backends import backend\n"
        "from sudoku_cp.backends.conformance.checks import small_board\n"
        "print(len(list(backend('native').open(small_board().model).solutions({0: 2, 5: 16}))))\n"
        "print({'numba', 'numpy', 'llvmlite'} & set(sys.modules))\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()
    assert int(told[0]) > 0
    assert told[1] == "set()"


@compiler
def test_tiering_up_before_any_solution_starts_anew(unloaded: list[str]) -> None:
    """A hard puzzle is continued in the compiled tier."""
    session = tiers.Native().open(empty_board(9))
    assert list(session.solutions(givens(HARD))) == [tuple(map(int, SOLVED))]
    assert unloaded == ["looked"]
    assert isinstance(session._last, CompiledSession)


@compiler
@pytest.mark.parametrize("before", [1, 2, 100, 287, 288])
def test_tiering_up_between_solutions_repeats_none(unloaded: list[str], monkeypatch: pytest.MonkeyPatch, before: int) -> None:
    """Wherever the tier changes, all grids are found, each once; the next question starts in the readable tier again."""
    found: list[object] = []
    monkeypatch.setattr(
        tiers.NativeSession,
        "can_tier_up",
        lambda self, _: len(found) >= before and self._open_compiled(Limits().started()) is not None,
    )
    session = tiers.Native().open(small_board().model)
    for _ in range(2):
        found.clear()
        found.extend(session.solutions())
        assert sorted(found) == sorted(small_board().solutions)
        assert isinstance(session._last, CompiledSession) == (before < 288)


@compiler
@pytest.mark.parametrize("before", [1, 3, 40, 130])
def test_questions_asked_in_turns_change_the_tier_on_their_own(
    unloaded: list[str], monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    """Two questions whose solutions are taken in turns find all of them, each once, whenever the tier changes."""
    found: dict[int, list[object]] = {1: [], 2: []}
    monkeypatch.setattr(
        tiers.NativeSession,
        "can_tier_up",
        lambda self, _: sum(map(len, found.values())) >= before and self._open_compiled(Limits().started()) is not None,
    )
    session = tiers.Native().open(small_board().model)
    for pair in zip_longest(*(session.solutions({0: 1 << value}) for value in found)):
        for value, solution in zip(found, pair, strict=True):
            found[value].append(solution)
    for value, own in found.items():
        assert sorted(own) == sorted(small_board().under({0: 1 << value}))
    assert isinstance(session._last, CompiledSession)


@compiler
def test_what_a_limit_left_over_both_tiers(unloaded: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The solutions found and those of the unsearched parts are all, in whichever tier a node limit stops the search."""
    for patience in (0.0, 0.002, 1000.0):
        monkeypatch.setattr(tiers, "PATIENCE", patience)
        for nodes in (0, 1, 30, 200):
            session, given = tiers.Native().open(small_board().model), []
            with suppress(LimitReached):
                given.extend(session.solutions(limits=Limits(nodes=nodes)))
            for part in session.unsearched():
                given += small_board().under(part)
            assert sorted(given) == sorted(small_board().solutions)


@compiler
@pytest.mark.parametrize("kind", ["", "readable", "compiled"])
def test_what_a_limit_left_is_that_of_the_question_it_stopped(kind: str) -> None:
    """Of two questions whose solutions are taken in turns, what is unsearched is that of the one a limit has just stopped."""
    for nodes in (30, 100, 200):
        session = tiers.Native(kind).open(small_board().model)
        stopped, other = ({0: 1 << value} for value in (1, 2))
        given, beside = [], session.solutions(other)
        with suppress(LimitReached):
            for solution in session.solutions(stopped, limits=Limits(nodes=nodes)):
                given.append(solution)
                next(beside)
        for part in session.unsearched():
            given += small_board().under(part)
        assert sorted(given) == sorted(small_board().under(stopped))


@compiler
@pytest.mark.parametrize("kind", ["", "readable", "compiled"])
def test_a_question_goes_on_where_a_limit_stopped_it(kind: str) -> None:
    """However often a limit stops a question that is resumed, every solution is yielded once, whatever was asked before."""
    for nodes in (10, 50, 200):
        session = tiers.Native(kind).open(small_board().model)
        assert len(list(session.solutions({0: 2}))) == 72
        found: list[tuple[int, ...]] = []
        ask, stops = session.solutions, 0
        while True:
            try:
                found.extend(ask(limits=Limits(nodes=nodes)))
                break
            except LimitReached:
                ask, stops = session.resume, stops + 1
        assert stops
        assert sorted(found) == sorted(small_board().solutions)
        assert list(session.resume()) == session.unsearched() == []


@compiler
def test_what_is_nothing_for_machine_words_stays_readable(unloaded: list[str]) -> None:
    """Sums too large for the compiled tier are answered by the readable one."""
    total = 10**30
    model = build_model(
        [0b1111110] * 9, [("large", [("sum", Linear((*((cell, total) for cell in range(9)),), "==", 9 * total))])]
    )
    session = tiers.Native().open(model)
    assert list(session.solutions()) == [(1,) * 9]
    assert isinstance(session._last, ReadableSession)


def test_too_little_time_to_load(unloaded: list[str]) -> None:
    """With a near deadline the readable tier goes on, and is stopped in time; compiling the code is started."""
    session = tiers.Native().open(empty_board(9))
    with pytest.raises(LimitReached, match="deadline"):
        list(session.solutions(limits=Limits(seconds=0.2)))
    assert unloaded
    assert isinstance(session._last, ReadableSession)


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """If Numba must not compile, the readable tier answers everything, and the other is refused with a message."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(tiers, "PATIENCE", 0.0)
    session = tiers.Native().open(empty_board(9))
    assert list(session.solutions(givens(HARD))) == [tuple(map(int, SOLVED))]
    assert isinstance(session._last, ReadableSession)
    with pytest.raises(BackendMissing, match="NUMBA_DISABLE_JIT"):
        list(tiers.Native("compiled").open(small_board().model).solutions())


# --- compiling ----------------------------------------------------------------------------------------------------


class Child:
    """A child process that compiles for ever, or has died."""

    def __init__(self, code: int | None) -> None:
        """Take its exit code, None while it runs."""
        self.code = code

    def poll(self) -> int | None:
        """Return its exit code, None while it runs."""
        return self.code


def test_waiting_for_the_compiler_hears_a_cancellation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question to the compiled tier ends when it is cancelled, whatever the compiler does."""
    cancel = Cancellation()
    cancel.cancel()
    monkeypatch.setattr(kernel_loading, "is_loaded", lambda: False)
    monkeypatch.setattr(kernel_loading, "is_cached", lambda: False)
    monkeypatch.setattr(kernel_loading, "_start_child", lambda: Child(None))
    with pytest.raises(LimitReached, match="cancelled"):
        list(tiers.Native("compiled").open(small_board().model).solutions(limits=Limits(60, None, cancel)))


def test_the_time_of_the_compiler_is_not_that_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a question waits for the compiler, its clock stands still, as it does in every load."""
    looks, is_loading = iter([False, False, False, True, True]), []
    monkeypatch.setattr(kernel_loading, "is_loaded", lambda: False)
    monkeypatch.setattr(kernel_loading, "is_cached", lambda: next(looks))
    monkeypatch.setattr(kernel_loading, "_start_child", lambda: Child(None))
    monkeypatch.setattr(kernel_loading, "sleep", lambda _: is_loading.append(bool(time_limits._loading._inside)))
    kernel_loading.wait_for_kernel(Limits(60).started())
    assert is_loading == [True, True]


@pytest.mark.parametrize("child", [None, Child(1)])
def test_where_no_code_can_be_kept(monkeypatch: pytest.MonkeyPatch, child: Child | None) -> None:
    """If no child can cache the code, a question with a deadline is refused; one without would compile in this process."""
    monkeypatch.setattr(kernel_loading, "is_loaded", lambda: False)
    monkeypatch.setattr(kernel_loading, "is_cached", lambda: False)
    monkeypatch.setattr(kernel_loading, "_start_child", lambda: child)
    with pytest.raises(BackendMissing, match="SUDOKU_CP_CACHE"):
        list(tiers.Native("compiled").open(small_board().model).solutions(limits=Limits(seconds=5)))
    kernel_loading.wait_for_kernel(Limits().started())


ASKED = """
import sys, time
from itertools import islice, zip_longest
from sudoku_cp.backends import Limits, backend
from sudoku_cp.backends.conformance.checks import empty_board
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import LimitReached
session = backend(sys.argv[1]).open(empty_board(9))
start = time.perf_counter()
try:
    print(len(list(islice(session.solutions(limits=Limits(seconds=float(sys.argv[2]))), int(sys.argv[3])))))
except LimitReached as reached:
    print(reached.reason)
print(type(session._last).__name__, time.perf_counter() - start)
"""


def asked(kind: str, seconds: float, amount: int, cache: Path) -> list[str]:
    """Return what a new process with its cache in ``cache`` prints."""
    env = {**os.environ, "SUDOKU_CP_CACHE": str(cache), "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", ASKED, kind, str(seconds), str(amount)],
        env=env, cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.split()


def test_who_waits_for_the_child_sees_it(monkeypatch) -> None:
    """While a question waits for a child to compile the code, that is shown."""
    told: list[str] = []
    looks = iter([False, False, False, True, True])
    monkeypatch.setattr(kernel_loading, "is_cached", lambda: next(looks))
    monkeypatch.setattr(kernel_loading, "is_loaded", lambda: False)
    monkeypatch.setattr(kernel_loading, "_start_child", lambda: SimpleNamespace(poll=lambda: None))
    monkeypatch.setattr(kernel_loading, "show_progress", lambda words, _is_done: told.append(words) or nullcontext())
    kernel_loading.wait_for_kernel(Limits().started())
    assert told == ["compiling the native engine's kernel"]


def test_a_child_may_outlive_this_process() -> None:
    """At the end of the process nothing warns of a child that still compiles, and it is not ended."""
    child = subprocess.Popen(["sleep", "60"])
    number = child.pid
    compile_child._release(child)
    with warnings.catch_warnings(record=True, action="always") as told:
        del child
    assert told == []
    os.kill(number, signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(number, 0)[1]) == signal.SIGKILL


def test_nowhere_to_keep_code_is_no_harm(tmp_path: Path) -> None:
    """If the cache is not a directory, the engine stays in its readable tier."""
    (tmp_path / "file").write_text("in the way")
    assert asked("native", 0.5, 10**9, tmp_path / "file")[:2] == ["deadline", "ReadableSession"]


@compiler
@pytest.mark.slow
def test_compiled_once_a_machine(tmp_path: Path) -> None:
    """A process that ends early leaves a child that goes on compiling; then every process finds the code."""
    told = asked("native", 0.5, 10**9, tmp_path)
    assert told[:2] == ["deadline", "ReadableSession"]
    deadline = perf_counter() + 200
    while not [*tmp_path.glob("*/**/*.search-*.nbc")]:
        assert perf_counter() < deadline
        sleep(0.2)
    assert len([*tmp_path.iterdir()]) == 1
    assert asked("native", 30, 100_000, tmp_path)[:2] == ["100000", "CompiledSession"]
    assert asked("native:compiled", 30, 100_000, tmp_path)[:2] == ["100000", "CompiledSession"]


@compiler
def test_solutions_come_one_by_one_at_first() -> None:
    """The first of very many solutions take few nodes, so that an enumeration given up early costs no more."""
    session = backend("native:compiled").open(empty_board(9))
    assert len(list(islice(session.solutions(), 3))) == 3
    assert session.counters()["nodes"] < 300


def test_the_child_compiles_the_package_of_its_parent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder of the same name in the working directory, such as another checkout, is not what is compiled."""
    (tmp_path / "sudoku_cp").mkdir()
    (tmp_path / "sudoku_cp" / "__init__.py").write_text("raise SystemExit('another package')", encoding="utf-8")
    started: list[tuple[list[str], dict[str, str]]] = []

    def start(command: list[str], **options: Any) -> SimpleNamespace:
        started.append((command, options["env"]))
        return SimpleNamespace(poll=lambda: 0)

    monkeypatch.setattr(compile_child.subprocess, "Popen", start)
    compile_child.start_compiler.cache_clear()
    assert kernel_loading._start_child() is not None
    compile_child.start_compiler.cache_clear()
    monkeypatch.undo()
    ((command, environment),) = started
    script = [*command[:-1], "import sudoku_cp; print(sudoku_cp.__file__)"]
    done = subprocess.run(script, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert Path(done.stdout.strip()) == Path(sudoku_cp.__file__)
