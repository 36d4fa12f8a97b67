"""Engines of other packages: what they do not take reaches them as clauses, and whatever they do wrong names them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from sudoku_cp import queries
from sudoku_cp.backends import (
    NOTHING,
    UNLIMITED,
    Harvest,
    Limits,
    SupportsCounters,
    SupportsHarvest,
    SupportsResuming,
    SupportsTracing,
    backend,
    open_session,
)
from sudoku_cp.backends.base import assumed_domains
from sudoku_cp.backends.conformance import CHECKS, check
from sudoku_cp.backends.conformance.checks import small_board
from sudoku_cp.errors import BackendFailed, LimitReached, Unsupported, WrongAnswer
from sudoku_cp.grid import Grid
from sudoku_cp.model import AllDifferent, Clause, cells_of, members
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules import RULES, Houses, Thermometer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.backends import Assumed, Session, Solution
    from sudoku_cp.model import Constraint, Model

BOARD = Grid.square(4)
PUZZLE = Puzzle(BOARD, (Houses(), Thermometer((0, 1, 2))), {15: 4})
GRID = next(grid for grid in sorted(small_board().solutions) if PUZZLE.holds(grid))


@dataclass
class Brute:
    """An engine as a newcomer writes it: it tries values cell by cell, and knows two constraints."""

    name: str = "brute"
    takes: Any = frozenset({AllDifferent, Clause})
    seen: set[type[Constraint]] = field(default_factory=set)

    def open(self, model: Model) -> BruteSession:
        """Open a session, and note which constraints came."""
        self.seen |= {type(constraint) for constraint in model.constraints}
        return BruteSession(model)


@dataclass
class BruteSession:
    """One model of the newcomer's engine."""

    model: Model

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterator[Solution]:
        """Yield every solution."""
        clock, model, seen = limits.started(), self.model, set()
        domains = [*assumed_domains(model, assume), *model.domains[model.board :]]
        about = [[one for one in model.constraints if cell in (cells_of(one) or range(1))] for cell in range(len(domains))]

        def fill(values: tuple[int, ...]) -> Iterator[Solution]:
            clock.check()
            if len(values) == len(domains):
                yield values[: model.board]
                return
            for value in members(domains[len(values)]):
                longer = (*values, value)
                if all(self.may_hold(one, longer) for one in about[len(values)]):
                    yield from fill(longer)

        for solution in fill(()):
            if solution not in seen:
                seen.add(solution)
                yield solution

    @staticmethod
    def may_hold(constraint: Constraint, values: tuple[int, ...]) -> bool:
        """Return whether the values so far leave a constraint of a kind that it takes open."""
        if isinstance(constraint, AllDifferent):
            known = [values[cell] for cell in constraint.cells if cell < len(values)]
            return len(set(known)) == len(known)
        assert isinstance(constraint, Clause)
        return any(one.cell >= len(values) or (values[one.cell] == one.value) == one.equal for one in constraint.literals)


@pytest.mark.parametrize("kind", sorted(RULES))
def test_an_engine_that_takes_two_constraints_gets_only_those(kind: str) -> None:
    """Whatever the rules, everything outside of an engine's ``takes`` reaches it as clauses."""
    rule = RULES[kind]
    grids = [Grid.square(6), Grid.square(9), Grid.square(6, values=range(7))]
    grid = next((one for one in grids if not [*rule.example(one).problems(one)]), grids[0])
    engine = Brute()
    puzzle = Puzzle(grid, (Houses(), rule.example(grid)))
    with queries.session_of(engine, puzzle.model()):
        assert engine.seen <= engine.takes


def test_the_answers_of_such_an_engine_are_those_of_ours() -> None:
    """A model rewritten for an engine has the same solutions."""
    for given in ({15: 4}, {0: 1, 15: 3}, {0: 4}):
        puzzle = Puzzle(BOARD, PUZZLE.rules, given)
        found = [sorted(queries.solutions(puzzle, backend=engine)) for engine in (Brute(), "native")]
        assert found[0] == found[1]


@pytest.mark.parametrize("name", ["several constraints together", "auxiliaries", "assumptions", "Connected against brute force"])
def test_the_kit_opens_engines_as_the_core_does(name: str) -> None:
    """The conformance kit asks an engine about every constraint, those that it does not take as clauses."""
    CHECKS[name](Brute())


# --- what an engine may do wrong ----------------------------------------------------------------------------------------


@dataclass
class Faulty:
    """An engine with one fault: ``answer`` stands for its session's solutions."""

    answer: Callable[[], Iterable[Any]]
    name: str = "faulty"
    takes: Any = frozenset({Clause})
    opens: Callable[[Model], Any] | None = None

    def open(self, model: Model) -> Any:
        """Open a session that has the fault."""
        return self.opens(model) if self.opens else FaultySession(self.answer)


@dataclass
class FaultySession:
    """A session with the fault."""

    answer: Callable[[], Iterable[Any]]

    def solutions(self, assume: Assumed = NOTHING, *, limits: Limits = UNLIMITED) -> Iterable[Any]:
        """Answer wrongly."""
        return self.answer()


class Unprintable(Exception):
    """An error that fails when it is shown."""

    def __str__(self) -> str:
        """Fail."""
        raise ZeroDivisionError


class Panic(BaseException):
    """An error that is no ``Exception``, as bindings to other languages raise."""


def raising(error: BaseException, after: int = 0) -> Callable[[], Iterable[Any]]:
    """Return an answer that raises an error after so many solutions."""

    def answer() -> Iterator[Any]:
        yield from repeat(GRID, after)
        raise error

    return answer


def raising_at_once() -> Iterable[Any]:
    """Raise before there is an iterator."""
    raise OSError(2, "no such file")


ERRORS = [
    RuntimeError("boom"),
    KeyError(3),
    StopIteration(),
    SystemExit(0),
    SystemExit("bye"),
    MemoryError(),
    RecursionError("too deep"),
    AssertionError(),
    Panic("panicked"),
    Unprintable(),
]
NONSENSE: list[Any] = [
    None,
    7,
    "4" * 16,
    GRID[:-1],
    (*GRID, 1),
    tuple(map(float, GRID)),
    tuple(map(str, GRID)),
    ((1, 2, 3, 4),) * 4,
    {},
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("ask", [queries.solve, queries.true_candidates, queries.random_solution, queries.check, queries.count])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: f"{type(error).__name__}{len(error.args)}{error.args!r:.3}")
def test_an_error_of_an_engine_names_it(error: BaseException, ask: Callable[..., Any]) -> None:
    """Whatever an engine raises, and whichever question is asked, the failure names the engine and the error."""
    with pytest.raises(BackendFailed, match="from engine 'faulty', got") as failed:
        ask(PUZZLE, backend=Faulty(raising(error)))
    assert failed.value.engine == "faulty"
    assert failed.value.exit_code == 4


@pytest.mark.parametrize("given", NONSENSE, ids=lambda value: f"{value!r:.10} {type(value).__name__}{len(str(value))}")
def test_nonsense_is_a_failure(given: Any) -> None:
    """What is no tuple of a whole number for each cell is no solution, and never "no"."""
    with pytest.raises(BackendFailed, match="expected a whole number for each of 16 cells from engine 'faulty', got"):
        queries.solve(PUZZLE, backend=Faulty(lambda: [given]))


@pytest.mark.parametrize("value", [0, 5, -1, 10**30, -(10**30)])
def test_values_that_no_cell_may_have_are_a_wrong_answer(value: int) -> None:
    """A grid with values outside of the board's is as wrong as one that breaks a rule."""
    with pytest.raises(WrongAnswer, match="expected a solution"):
        queries.solve(PUZZLE, backend=Faulty(lambda: [(value, *GRID[1:])]))


@pytest.mark.parametrize("given", [list(GRID), np.array(GRID, np.uint8), tuple(np.array(GRID)), iter(GRID)], ids=type)
def test_numbers_of_other_kinds_become_plain_ones(given: Any) -> None:
    """Lists and NumPy's numbers are accepted, and leave as tuples of ints."""
    (solution,) = queries.solve(PUZZLE, backend=Faulty(lambda: [given]), solution_limit=1).solutions
    assert solution == GRID
    assert {type(value) for value in solution} == {int}


@pytest.mark.parametrize(
    "engine",
    [
        Faulty(list, opens=lambda _: 1 // 0),
        Faulty(list, opens=lambda _: None),
        Faulty(list, opens=lambda _: sys.exit(1)),
        Faulty(raising_at_once),
        Faulty(lambda: None),  # type: ignore[arg-type, return-value]
        Faulty(list, takes=None),
    ],
    ids=["open raises", "no session", "open exits", "solutions raises", "no iterator", "takes nothing"],
)
def test_a_fault_before_the_first_solution_names_the_engine(engine: Any) -> None:
    """Opening a session and asking it are guarded too."""
    with pytest.raises(BackendFailed, match="'faulty'"):
        queries.solve(PUZZLE, backend=engine)


def test_errors_of_the_contract_pass() -> None:
    """A limit stays a limit, a refusal a refusal, and Ctrl-C an interrupt."""
    assert queries.solve(PUZZLE, backend=Faulty(raising(LimitReached("deadline")))).reason == "deadline"
    for error in (Unsupported("expected another board"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            queries.solve(PUZZLE, backend=Faulty(raising(error)))


def test_an_engine_without_clauses_takes_what_it_can() -> None:
    """Models of what it takes are its own to answer; of any other it says what is missing."""
    engine = Faulty(list, takes=frozenset({AllDifferent}))
    assert queries.solve(Puzzle(BOARD), backend=engine).status == "none"
    with pytest.raises(Unsupported, match=r"expected engine 'faulty' to take .* or Clause, got one that takes AllDifferent"):
        queries.solve(PUZZLE, backend=engine)


def test_an_engine_that_goes_on_after_its_deadline_is_stopped() -> None:
    """Between two solutions the core looks at the clock itself."""
    given = iter(repeat(GRID))
    session = open_session(Faulty(lambda: given), PUZZLE.model())
    with pytest.raises(LimitReached) as stopped:
        list(session.solutions(limits=Limits(seconds=0)))
    assert stopped.value.reason == "deadline"


def test_an_engine_that_hangs_is_interrupted_after_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python code that never looks at the clock, and catches what it can, does not hang the question."""
    monkeypatch.setattr("sudoku_cp.backends.GRACE", 0.0)
    rounds = []

    def answer() -> Iterator[Any]:
        while True:
            try:
                rounds.append(len(rounds))
                rounds.clear()
            except Exception:  # noqa: BLE001, S112  # as careless code does
                continue
        yield ()

    with pytest.raises(BackendFailed, match="expected an end from engine 'faulty' at its deadline, got none"):
        queries.solve(PUZZLE, backend=Faulty(answer), limits=Limits(seconds=0.5))  # so long that the engine has begun


def test_the_engine_s_iterator_is_closed() -> None:
    """A question given up midway closes what the engine holds open."""
    closed = []

    def answer() -> Iterator[Any]:
        try:
            yield from repeat(GRID)
        finally:
            closed.append(True)

    found = open_session(Faulty(answer), PUZZLE.model()).solutions()
    assert list(islice(found, 2)) == [GRID, GRID]
    found.close()  # type: ignore[attr-defined]
    assert closed


# --- abilities ----------------------------------------------------------------------------------------------------------


def _with(session: Session, **methods: object) -> Faulty:
    """Return an engine whose session has these methods besides those of ``session``."""
    for name, method in methods.items():
        setattr(session, name, method)
    return Faulty(list, opens=lambda _: session)


def test_a_guarded_session_has_the_abilities_of_the_engine_s() -> None:
    """Queries choose by ability, so a session has those of the engine's own, and no others."""
    model = PUZZLE.model()
    plain = open_session(Brute(), model)
    assert not isinstance(plain, SupportsCounters | SupportsHarvest | SupportsTracing | SupportsResuming)
    native = open_session(Faulty(list, opens=lambda _: backend("native:readable").open(model)), model)
    assert isinstance(native, SupportsCounters)
    assert isinstance(native, SupportsTracing)
    assert list(native.solutions(PUZZLE.assume())) == list(native.trace(PUZZLE.assume(), stop_after=None).solutions)
    assert native.counters()["nodes"] > 0
    sat = open_session(Faulty(list, opens=lambda _: backend("sat").open(model)), model)
    assert isinstance(sat, SupportsHarvest)
    assert queries.true_candidates(PUZZLE, backend=Faulty(list, opens=lambda _: backend("sat").open(model))).complete


@pytest.mark.parametrize(
    ("ask", "methods"),
    [
        (queries.solve, {"counters": lambda: None}),
        (queries.solve, {"counters": lambda: {"guesses": 3}}),
        (queries.solve, {"counters": lambda: {"nodes": "many"}}),
        (queries.solve, {"counters": lambda: 1 // 0}),
        (queries.trace, {"trace": lambda *_, **__: None}),
        (queries.trace, {"trace": lambda *_, **__: 1 // 0}),
        (queries.true_candidates, {"harvest": lambda *_, **__: None}),
        (queries.true_candidates, {"harvest": lambda *_, **__: [GRID]}),
        (queries.true_candidates, {"harvest": lambda *_, **__: [Harvest(GRID[1:])]}),
        (queries.true_candidates, {"harvest": lambda *_, **__: 1 // 0}),
    ],
)
def test_faults_of_abilities_name_the_engine(ask: Callable[..., Any], methods: dict[str, Any]) -> None:
    """What an optional ability raises or returns is checked as solutions are."""
    with pytest.raises(BackendFailed, match="'faulty'"):
        ask(PUZZLE, backend=_with(FaultySession(lambda: [GRID]), **methods))


def test_the_kit_names_the_fault_of_an_engine() -> None:
    """The kit goes on after an engine raises, and shows its own error."""
    problems = check(Faulty(raising(RuntimeError("boom"))), report=list)
    assert all("boom" in problem for problem in problems)
    assert len(problems) > len(CHECKS) // 2
