"""Every engine keeps every promise of the contract, and the kit detects engines that do not."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import BUILT_IN, NOTHING, UNLIMITED, Limits, backend, sat, sat_oracle
from sudoku_cp.backends.base import Harvest
from sudoku_cp.backends.conformance import CHECKS, check
from sudoku_cp.backends.conformance.checks import AUXILIARIES, MAKERS, SOLVED, empty_board, random_cases, small_board
from sudoku_cp.backends.fast.session import Fast
from sudoku_cp.backends.native.tiers import Native
from sudoku_cp.errors import LimitReached, UnknownName, Unsupported
from sudoku_cp.model import Table, cells_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.backends import Assumed, Session, Solution
    from sudoku_cp.model import Model

ENGINES = (
    "race",
    *(
        "native",
        "native:readable",
        "native:first",
        "native:compiled",
        "sat",
        "cpsat",
        "cpsat:alldifferent",
        "sat:cadical153",
        "sat:minisat22",
    ),
    *("fast", "fast:bigint", "fast:lanes", "fast:scalar"),
)
EXTERNAL = {"dimacs", "minizinc"}
"""Programs on the PATH, which tests/backends/test_external.py tests if they are installed."""
SLOWEST = {
    ("cpsat:alldifferent", name)
    for name in ("assumptions", "auxiliaries", "Automaton against brute force", "interleaved enumerations")
} | {(engine, "assumptions") for engine in ("native:first", "sat:minisat22")}
"""Checks that take long, of an engine whose session is the same as that of another in this list."""
SHARED = {"native:first": "native:readable", "fast": "fast:bigint", "sat:minisat22": "sat", "cpsat:alldifferent": "cpsat"}
"""Engines whose sessions keep limits as those of another do, in the same code."""
OTHER_SOLVERS = sorted(sat_oracle.SOLVERS - {"glucose4", "cadical153", "minisat22"})
FEW = ("the 288 grids of 4x4", "several constraints together", "auxiliaries", "interleaved enumerations")
LIMITED = ("a deadline in the middle", "cancelled meanwhile", "never a silent end")
CLOCKED = {*LIMITED, "when the clock starts"}


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tolerate lateness, which a busy machine causes too."""
    monkeypatch.setattr("sudoku_cp.backends.conformance.checks.LATE", 60.0)
    monkeypatch.setattr("sudoku_cp.backends.conformance.checks.MOMENT", 0.1)


def _contract() -> Iterator[object]:
    """Yield every engine with every check; those that only repeat another engine's code are slow tests."""
    for engine, name in product(ENGINES, CHECKS):
        repeated = (engine, name) in SLOWEST or (engine in SHARED and name in CLOCKED)
        yield pytest.param(engine, name, marks=[pytest.mark.slow] * repeated)


def test_every_engine_of_ours_is_asked() -> None:
    """The kit checks new engines too."""
    missing = set(BUILT_IN) - {engine.partition(":")[0] for engine in ENGINES} - EXTERNAL
    assert not missing, f"write into ENGINES above, with each of its kinds: {missing}"


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize(("engine", "name"), list(_contract()))
def test_every_engine_keeps_the_contract(engine: str, name: str) -> None:
    """Every engine of ours keeps the promises of the contract."""
    CHECKS[name](backend(engine))


@pytest.mark.parametrize("solver", OTHER_SOLVERS)
def test_every_sat_solver_finds_the_solutions(solver: str) -> None:
    """Every supported solver finds all solutions, each once."""
    for name in FEW:
        CHECKS[name](backend(f"sat:{solver}"))


@pytest.mark.slow
@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("name", LIMITED)
@pytest.mark.parametrize("solver", OTHER_SOLVERS)
def test_every_sat_solver_can_be_stopped(solver: str, name: str) -> None:
    """Every solver stops at its limits, and never silently."""
    CHECKS[name](backend(f"sat:{solver}"))


def test_what_aborts_the_process_is_no_solver() -> None:
    """Lingeling, which aborts on a second question, is refused by name."""
    with pytest.raises(UnknownName, match="lingeling"):
        backend("sat:lingeling")


@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("name", [*FEW, "assumptions", *LIMITED])
def test_sat_with_a_fresh_formula_for_each_question(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large boards get a formula reduced to the live candidates each time, which answers the same."""
    monkeypatch.setattr(sat, "INCREMENTAL", 0)
    CHECKS[name](sat.Sat())


@pytest.mark.parametrize("name", ["assumptions", "interleaved enumerations", "an abandoned enumeration"])
def test_sat_with_a_solver_made_anew(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that renews its solver every few questions answers the same."""
    monkeypatch.setattr(sat, "RENEWED", 2)
    CHECKS[name](sat.Sat())


# --- the kit itself ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", MAKERS)
def test_random_models_are_of_all_sorts(kind: type) -> None:
    """For each constraint the kit has models with and without solutions, with cells named twice and with decided cells."""
    cases = random_cases((kind,), 2)
    assert sum(bool(case.solutions) for case in cases) >= len(cases) // 3
    assert not all(case.solutions for case in cases)
    told = [constraint for case in cases for constraint in case.model.constraints]
    assert any(type(constraint) is kind and len(cells_of(constraint)) > 2 for constraint in told)
    lengths = [len(getattr(one, "cells", ()) or getattr(one, "terms", ()) or getattr(one, "literals", ())) for one in told]
    twice = any(len(cells_of(constraint)) < length for constraint, length in zip(told, lengths, strict=True))
    assert twice or kind is Table  # a model's tables name each cell once
    decided = [domain for case in cases for domain in case.model.domains if not domain & (domain - 1)]
    assert decided


def test_auxiliaries_need_not_follow_from_the_board() -> None:
    """Among the kit's models are some in which one grid goes with several values of the auxiliaries."""

    def ways(model: Model) -> int:
        free = sum(
            all(cell not in cells_of(constraint) for constraint in model.constraints) for cell in range(len(model.domains))
        )
        return free if len(model.domains) > model.board else 0

    assert any(case.solutions and ways(case.model) for case in random_cases(tuple(MAKERS), 3, AUXILIARIES))


def test_the_288_grids_are_288() -> None:
    """The kit's own count of the 4x4 grids is the known one, and its hard puzzle's solution is a grid."""
    assert len(small_board().solutions) == 288
    assert empty_board(9).holds(tuple(map(int, SOLVED)))


Bend = "Callable[[Session, Assumed, Limits], Iterable[Solution]]"


@dataclass
class Bent:
    """The native engine with one fault."""

    bend: Bend
    name: str = "bent"
    takes: frozenset[type] = Native.takes

    def open(self, model: Model) -> BentSession:
        """Open a session that has the fault."""
        return BentSession(Native().open(model), self.bend)


@dataclass
class BentSession:
    """A session with a fault; it has none of the abilities."""

    session: Session
    bend: Bend

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Answer wrongly."""
        return iter(self.bend(self.session, assume, limits))


def drops_the_second(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Forgets the second solution."""
    found = session.solutions(assume, limits=limits)
    return chain(islice(found, 1), islice(found, 1, None))


def drops_the_last(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Forgets the last of many solutions."""
    return islice(session.solutions(assume, limits=limits), 287)


def gives_a_wrong_grid(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Gives a wrong grid in place of the third."""
    for number, solution in enumerate(session.solutions(assume, limits=limits)):
        yield solution if number != 2 else solution[:1] * len(solution)


def repeats(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Gives the first grid again, in place of the last."""
    found = list(session.solutions(assume, limits=limits))
    return iter([*found[:-1], *found[:1]])


def ends_silently(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Takes every limit for the end."""
    with suppress(LimitReached):
        yield from session.solutions(assume, limits=limits)


def ends_silently_without_nodes(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Takes only a node limit for the end."""
    try:
        yield from session.solutions(assume, limits=limits)
    except LimitReached as reached:
        if reached.reason != "nodes":
            raise


def looks_at_no_clock(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Ignores limits."""
    return session.solutions(assume)


def deaf(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Ignores cancellations."""
    return session.solutions(assume, limits=Limits(limits.seconds, limits.nodes))


def says_deadline(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Calls every limit a deadline."""
    try:
        yield from session.solutions(assume, limits=limits)
    except LimitReached as reached:
        raise LimitReached("deadline") from reached


def raises_at_the_end(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Raises a limit after the complete answer."""
    yield from session.solutions(assume, limits=limits)
    if limits.seconds is not None:
        raise LimitReached("deadline")


def hears_no_givens(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Ignores assumptions."""
    return session.solutions(limits=limits)


def takes_sets_for_their_least(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Reads a set of values as its smallest one."""
    return session.solutions({cell: allowed & -allowed for cell, allowed in assume.items()}, limits=limits)


def starts_at_once(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
    """Starts its clock when it is called, before the first solution is requested."""
    clock = limits.started()

    def rest() -> Iterator[Solution]:
        clock.check()
        yield from session.solutions(assume, limits=clock.left())

    return rest()


def remembers() -> Bend:
    """Keeps the givens of earlier questions."""
    kept: dict[int, int] = {}

    def bend(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
        kept.update(assume)
        return session.solutions(dict(kept), limits=limits)

    return bend


def asks_one_at_a_time() -> Bend:
    """Has a single enumeration, which the next question takes over."""
    running: dict[int, int] = {}

    def bend(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
        running[id(session)] = mine = running.get(id(session), 0) + 1
        for solution in session.solutions(assume, limits=limits):
            yield solution
            if running[id(session)] != mine:
                return

    return bend


def dies_of_a_limit() -> Bend:
    """Stops working after a limit."""
    dead: list[int] = []

    def bend(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
        if id(session) in dead:
            return
        try:
            yield from session.solutions(assume, limits=limits)
        except LimitReached:
            dead.append(id(session))
            raise

    return bend


@pytest.mark.parametrize(
    ("bend", "names"),
    [
        (drops_the_second, ["the 288 grids of 4x4", "Linear against brute force", "assumptions", "generous limits"]),
        (drops_the_last, ["the 288 grids of 4x4", "an abandoned enumeration", "generous limits"]),
        (gives_a_wrong_grid, ["the 288 grids of 4x4", "Table against brute force", "several constraints together"]),
        (repeats, ["the 288 grids of 4x4", "Clause against brute force", "auxiliaries"]),
        (ends_silently, ["no time", "no nodes", "a deadline in the middle", "cancelled before", "never a silent end"]),
        (ends_silently_without_nodes, ["no nodes", "never a silent end"]),
        (looks_at_no_clock, ["no time", "a deadline in the middle", "cancelled before", "cancelled meanwhile"]),
        (deaf, ["cancelled before", "cancelled meanwhile"]),
        (says_deadline, ["no nodes", "cancelled before", "cancelled meanwhile", "never a silent end"]),
        (raises_at_the_end, ["generous limits"]),
        (hears_no_givens, ["assumptions", "interleaved enumerations"]),
        (takes_sets_for_their_least, ["assumptions", "interleaved enumerations"]),
        (starts_at_once, ["when the clock starts"]),
        (remembers(), ["assumptions", "an abandoned enumeration"]),
        (asks_one_at_a_time(), ["interleaved enumerations"]),
        (dies_of_a_limit(), ["a deadline in the middle", "cancelled meanwhile", "never a silent end"]),
    ],
    ids=lambda value: value.__qualname__.partition(".")[0] if callable(value) else "",
)
def test_the_kit_finds_the_fault(bend: Bend, names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken engine does not pass."""
    monkeypatch.setattr("sudoku_cp.backends.conformance.checks.LATE", 0.2)
    monkeypatch.setattr("sudoku_cp.backends.conformance.checks.MOMENT", 0.1)
    for name in names:
        with pytest.raises((AssertionError, LimitReached)):
            CHECKS[name](Bent(bend))


@dataclass
class Reaper:
    """An engine that supports harvests and has one fault: what they yield is changed."""

    change: Callable[[list[Harvest]], list[Harvest]]
    name: str = "reaper"
    takes: frozenset[type] = sat.Sat.takes

    def open(self, model: Model) -> Session:
        """Open a session with the fault."""
        session = sat.Sat().open(model)
        whole = session.harvest
        session.harvest = lambda *args, **options: self.change(list(whole(*args, **options)))
        return session


@pytest.mark.parametrize(
    "change",
    [
        lambda found: found[:-1],
        lambda found: [one for one in found if one.solution is None],
        lambda found: [*found, *found],
        lambda found: [Harvest(None, dict.fromkeys(range(16), 0b11110)), *found],
        lambda found: [one if one.solution is None else Harvest((1,) * 16) for one in found],
    ],
    ids=["ends early", "shows nothing", "repeats", "says no too soon", "shows wrong grids"],
)
def test_the_kit_finds_who_harvests_badly(change: Callable[[list[Harvest]], list[Harvest]]) -> None:
    """An engine whose harvest breaks the contract does not pass."""
    with pytest.raises(AssertionError):
        CHECKS["harvests"](Reaper(change))


def test_check_names_what_is_wrong() -> None:
    """``check`` names every check that fails, and goes on after an engine raises."""

    def bend(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
        raise RuntimeError("no solver today")

    problems = check(Bent(bend))
    assert [problem.partition(":")[0] for problem in problems] == [
        name for name in CHECKS if name not in {"counters", "traces", "harvests"}
    ]
    assert "no solver today" in problems[0]


@dataclass
class Choosy:
    """The big integers, without counters, and only for boards of certain sizes."""

    cells: range
    name: str = "choosy"
    takes: frozenset[type] = Fast.takes

    def open(self, model: Model) -> Session:
        """Open a session that counts nothing; refuse boards of other sizes."""
        if model.board not in self.cells:
            raise Unsupported("expected another size")
        session = Fast("bigint").open(model)
        session.counters = lambda: {"nodes": 0}
        return session


@pytest.mark.usefixtures("busy")
def test_an_engine_may_take_plain_grids_alone_but_not_nothing() -> None:
    """An engine may refuse models, as long as it supports plain grids, including small ones."""
    assert check(Fast("bigint"), patience=600) == []
    refused = [problem.partition(":")[0] for problem in check(Choosy(range(17, 700)))]
    assert {"the 288 grids of 4x4", "assumptions", "interleaved enumerations", "no time"} <= set(refused)
    assert len(check(Choosy(range(0)))) >= 11


def test_counting_nothing_is_found_out() -> None:
    """An engine that always says 0 nodes does not pass."""
    with pytest.raises(AssertionError, match="a hard puzzle to take more than 0 nodes"):
        CHECKS["counters"](Choosy(range(500)))


def test_a_slow_engine_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kit asks a slow engine as many questions as its patience allows, and names those it was waiting for."""
    seconds = 0.0
    monkeypatch.setattr("sudoku_cp.backends.conformance.perf_counter", lambda: seconds)
    monkeypatch.setattr("sudoku_cp.backends.conformance.time_budget.perf_counter", lambda: seconds)

    def bend(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
        nonlocal seconds
        seconds += 1
        return session.solutions(assume, limits=limits)

    problems = check(Bent(bend), patience=60.0, report=str)
    assert seconds < 60 + len(CHECKS)
    assert all("questions asked until then, waiting for solutions under" in problem for problem in problems)
    assert {"assumptions", "never a silent end"} <= {problem.partition(":")[0] for problem in problems}
    assert "the 288 grids of 4x4" not in {problem.partition(":")[0] for problem in problems}


class HandTimer:
    """A timer that the test sets off."""

    def __init__(self, _seconds: float, go_off: Callable[[], object]) -> None:
        """Store the function to call when it goes off."""
        self.go_off = go_off
        self.daemon = False

    def start(self) -> None:
        """Become the timer of the running check."""
        HandTimer.running = self

    def cancel(self) -> None:
        """Do nothing: it never goes off by itself."""


def test_a_question_without_an_end_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an engine ignores limits, the kit reports which question it is waiting for."""
    monkeypatch.setattr("sudoku_cp.backends.conformance.time_budget.Timer", HandTimer)
    reports: list[str] = []

    def bend(session: Session, assume: Assumed, limits: Limits) -> Iterator[Solution]:
        HandTimer.running.go_off()
        raise RuntimeError("at last")

    problems = check(Bent(bend), patience=600, report=reports.append)
    assert "the 288 grids of 4x4: after" in reports[0]
    assert "still waiting for solutions under {}" in reports[0]
    assert problems[0] == "the 288 grids of 4x4: raised RuntimeError('at last')"


@pytest.mark.usefixtures("busy")
def test_check_finds_nothing_wrong_with_a_sound_engine() -> None:
    """``check`` of a sound engine is empty, even if it has none of the optional abilities."""
    assert check(Bent(lambda session, assume, limits: session.solutions(assume, limits=limits)), patience=600) == []
