"""Solve, enumerate, test uniqueness: every answer is checked, every question stays within its limits."""

from __future__ import annotations

import atexit
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudoku_cp.arguments import ShortRepr, checked
from sudoku_cp.backends import (
    FALLBACK_NODES,
    NON_LEARNING,
    UNLIMITED,
    Assumed,
    Backend,
    Clock,
    Limits,
    Session,
    Solution,
    SupportsAnsweredBy,
    SupportsCounters,
    SupportsUnsearched,
    backend,
    choose,
    fallbacks,
    open_session,
)
from sudoku_cp.errors import InvalidInput, LimitReached, Reason, WrongAnswer, require_seed
from sudoku_cp.model import Domain, Model, Values, members, to_mask
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.time_limits import ticking

if TYPE_CHECKING:
    from random import Random

    from sudoku_cp.grid import Cell


# A pool of open sessions: the rules are translated for an engine once, for any number of puzzles.


Engine: TypeAlias = str | Backend
"""An engine, or its name; ``auto`` is the one that suits the model and the amount of work."""

KEPT = 32
"""Pairs of an engine and a model whose idle sessions are kept."""

_idle: OrderedDict[tuple[int, Model], tuple[Backend, list[Session]]] = OrderedDict()
"""Idle sessions by the engine's id, as engines need not be hashable; an entry holds the engine, so that its id is not reused."""
_lock = RLock()
# Solvers that outlive their library cannot be closed any more, and would complain when the program ends.
atexit.register(_idle.clear)


def engine_of(engine: Engine, model: Model, expected_count: int = 1, *, learning_only: bool = True) -> Backend:
    """Return the engine of that name; ``auto`` is one that suits so many puzzles, and that learns if ``learning_only``."""
    if not isinstance(engine, str):
        return engine
    return backend(choose(model, expected_count, learning_only=learning_only) if engine == "auto" else engine)


def is_solution(puzzle: Puzzle, values: Values) -> bool:
    """Return whether an engine's values are a solution; values of the wrong length, the engine's fault, are not."""
    return len(values) == len(puzzle.grid.cells) and puzzle.holds(values)


@contextmanager
def session_of(engine: Backend, model: Model, tick: Callable[[], object] = int) -> Iterator[Session]:
    """Lend a session of ``engine`` on ``model``, an idle one if there is any, for exclusive use within the block.

    ``tick`` is called while a model is rewritten for an engine of another package, and may raise.
    """
    with _lock:
        _, idle = _idle.get((id(engine), model), (engine, []))
        session = idle.pop() if idle else None
    if session is None:
        session = open_session(engine, model, tick)
    try:
        yield session
    except (LimitReached, GeneratorExit):
        _put_back(engine, model, session)
        raise
    # After any other error the state of the session is unknown, so it is dropped.
    _put_back(engine, model, session)


def iter_solutions(session: Session, assume: Assumed, limits: Limits) -> Generator[Solution]:
    """Yield the session's solutions from a generator, which can be closed, whatever iterator the session returns."""
    yield from session.solutions(assume, limits=limits)


def _put_back(engine: Backend, model: Model, session: Session) -> None:
    with _lock:
        _idle.setdefault((id(engine), model), (engine, []))[1].append(session)
        _idle.move_to_end((id(engine), model))
        while len(_idle) > KEPT:
            _idle.popitem(last=False)


# Which puzzles go to the array engine, and how long each may take there; the code that needs NumPy is in `array_solver`.
#
# The array engine (``fast:lanes``) answers plain puzzles by the thousand and learns nothing from its conflicts, so a puzzle
# that exceeds its node budget goes to an engine that does. The budgets of all packages are here.


ENGINE = "fast:lanes"
LEARNING_ENGINE = "sat"
"""The engine for puzzles that exceed the array engine's budget: it learns from its conflicts."""
ENGINE_NAMES = frozenset({"fast", ENGINE})
"""The names that select the array engine."""
NODE_BUDGET, NODES_PER_SOLUTION = 100_000, 10
"""Nodes for each puzzle (about 50 ms), and for each solution to count, if the caller sets no limit."""
GIVEN_BUDGET = 10_000
"""Nodes to find out whether one given is needed."""
CANDIDATE_BUDGET = 500
"""Nodes to find out whether a candidate occurs in a solution, for each solution to count."""


def array_engine_serves(backend: Engine, model: Model, expected_count: int) -> bool:
    """Return whether ``expected_count`` plain puzzles of this model go to the array engine if ``backend`` is requested."""
    if backend == "auto":
        return choose(model, expected_count) in ENGINE_NAMES
    return isinstance(backend, str) and backend in ENGINE_NAMES


def with_node_budget(limits: Limits, solution_limit: int) -> Limits:
    """Return the limits with the usual node budget, unless they have their own."""
    return limits if limits.nodes is not None else replace(limits, nodes=NODE_BUDGET + NODES_PER_SOLUTION * solution_limit)


def with_nodes_at_most(limits: Limits, nodes: int) -> Limits:
    """Return the limits with at most ``nodes`` nodes."""
    return replace(limits, nodes=nodes if limits.nodes is None else min(limits.nodes, nodes))


def limits_for_all(limits: Limits, number: int) -> Limits:
    """Return limits for ``number`` puzzles at once, with the sum of their time limits."""
    return replace(limits, seconds=None if limits.seconds is None else limits.seconds * number)


MOST, PAUSE = 1000, 1.0
"""Solutions in a partial answer, at most, and seconds between two partial answers if there are fewer."""

Status: TypeAlias = Literal["unique", "multiple", "none", "solved", "unknown"]
"""What is known of a puzzle's solutions. ``solved``: there is one, no other was looked for; ``unknown``: a limit came first."""


@dataclass(frozen=True, repr=False)
class Answer(ShortRepr):
    """What an engine found out about a puzzle, and how.

    ``count`` solutions were found, which are all if ``exact``. ``reason`` is the limit that came first, if one did; it is always
    there if ``status`` is ``unknown``. ``stated`` says whether the solution that the puzzle's source states obeys the rules.
    ``counters`` are the engine's own. A ``partial`` answer comes before the end; see `solve_stream`. The ``puzzle`` is there
    unless the answer was read from JSON.
    """

    status: Status
    count: int
    exact: bool
    backend: str
    seconds: float
    solutions: tuple[Solution, ...] = ()
    reason: Reason | None = None
    stated: Literal["right", "wrong"] | None = None
    counters: Mapping[str, int] = field(default_factory=dict, hash=False)
    partial: bool = False
    puzzle: Puzzle | None = field(default=None, repr=False, compare=False)

    @property
    def solution(self) -> Solution | None:
        """The first solution, None if none was found."""
        return self.solutions[0] if self.solutions else None

    def _repr_svg_(self) -> str | None:
        """Return the picture for notebooks: the first solution, with the cells in which the second one differs highlighted."""
        if self.puzzle is None:
            return None
        from sudoku_cp.render import svg  # noqa: PLC0415  # only pictures need it

        first, second = self.solution or (), self.solutions[1] if len(self.solutions) > 1 else ()
        pointed = [cell for cell, (one, other) in enumerate(zip(first, second, strict=False)) if one != other]
        return svg(Position.of(self.puzzle, first), pointed=pointed)


@checked
def solutions(
    puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED, expected_count: int = 1
) -> Iterator[Solution]:
    """Yield every solution as the engine finds it, checked by the rules' own `holds`.

    ``expected_count`` is how many such puzzles are to come, which helps ``auto`` to choose. Raises `LimitReached` if a limit
    comes before the end, and `WrongAnswer` if the engine errs.
    """
    yield from Search(puzzle, backend, limits.started(), expected_count).solutions()


class Search:
    """A search for solutions by an engine; ``auto`` begins with one that does not learn, and goes on with SAT if need be."""

    engine: Backend

    def __init__(self, puzzle: Puzzle, backend: Engine, clock: Clock, expected_count: int) -> None:
        """Start no engine yet; ``backend`` is the one requested, ``expected_count`` how many such puzzles are to come."""
        self.answered_by = backend if isinstance(backend, str) else backend.name
        self.counters: dict[str, int] = {}
        self._backend, self._expected_count = backend, expected_count
        self._puzzle = puzzle
        self._clock = clock
        self._patience: int | None = None
        self._fallbacks: Iterator[tuple[str, int | None]] = iter(())
        self._known: frozenset[Solution] = frozenset()
        self._previous: Solution | None = None

    def solutions(self) -> Generator[Solution]:
        """Yield every solution until there are no more or a limit comes; translating the rules counts as time."""
        model = self._puzzle.searched_model(self._clock.check)
        self.engine = engine_of(self._backend, model, self._expected_count, learning_only=False)
        self.answered_by = self.engine.name
        if self._backend == "auto" and self.engine.name in NON_LEARNING:
            self._patience, self._fallbacks = FALLBACK_NODES, fallbacks(self.engine.name, model)
        parts: list[Assumed] = [self._puzzle.assume()]
        while parts:
            parts += yield from self._search_part(parts.pop())

    def _search_part(self, part: Assumed) -> Generator[Solution, None, list[Assumed]]:
        """Yield the solutions under ``part``; return what was left unsearched when the node budget was spent."""
        limits, patience, nodes, engine = self._clock.left(), self._patience, self._clock.nodes, self.engine
        hasty = patience is not None and (limits.nodes is None or limits.nodes > patience)
        given: list[Solution] = []
        rest: list[Assumed] = []
        with session_of(self.engine, self._puzzle.searched_model(), self._clock.check) as session:
            try:
                with closing(
                    self._checked_solutions(session, part, replace(limits, nodes=patience) if hasty else limits)
                ) as found:
                    for solution in found:
                        if hasty:
                            given.append(solution)
                        yield solution
            except LimitReached as reached:
                if not hasty or reached.reason != "nodes":
                    raise
                with ticking(self._clock.check):
                    rest = self._rest_of(session, part, given)
        if self._patience is not None and self.engine is engine:
            self._patience = FALLBACK_NODES if given else max(0, self._patience - (self._clock.nodes - nodes))
        return rest

    def _checked_solutions(self, session: Session, part: Assumed, limits: Limits) -> Generator[Solution]:
        """Yield the session's solutions, checked, and add up its counters."""
        try:
            with closing(iter_solutions(session, part, limits)) as found:
                for solution in found:
                    if not is_solution(self._puzzle, solution):
                        raise WrongAnswer(f"expected a solution of {self._puzzle!r}, got {solution!r}")
                    if solution == self._previous:
                        raise WrongAnswer(f"expected each solution of {self._puzzle!r} once, got {solution!r} twice")
                    self._previous = solution
                    if solution not in self._known:
                        yield solution
        finally:
            self.answered_by = session.answered_by if isinstance(session, SupportsAnsweredBy) else self.engine.name
            counters = session.counters() if isinstance(session, SupportsCounters) else {}
            self._clock.nodes += counters.get("nodes", 0)
            self.counters = {name: self.counters.get(name, 0) + number for name, number in counters.items()}

    def _rest_of(self, session: Session, part: Assumed, given: list[Solution]) -> list[Assumed]:
        """Return what an engine has left unsearched, for itself if it finds solutions, else for the next engine."""
        if isinstance(session, SupportsUnsearched) and given:
            return session.unsearched()
        name, patience = (LEARNING_ENGINE, None) if given else next(self._fallbacks)
        self.engine, self._patience, self.counters = engine_of(name, self._puzzle.searched_model()), patience, {}
        if isinstance(session, SupportsUnsearched):
            return session.unsearched()
        # The next engine starts over, and may find first what was found last.
        self._known, self._previous = frozenset(given) | frozenset(self._known), None
        return [part]


@checked
def solve(
    puzzle: Puzzle,
    *,
    backend: Engine = "auto",
    limits: Limits = UNLIMITED,
    solution_limit: int | None = 2,
    expected_count: int = 1,
) -> Answer:
    """Return the first solution and whether it is the only one.

    ``solution_limit`` is the number of solutions to look for: 2 decides uniqueness, 1 finds any solution, None finds all.
    """
    *_, answer = solve_stream(
        puzzle, backend=backend, limits=limits, solution_limit=solution_limit, expected_count=expected_count, most=None
    )
    return answer


def solve_stream(
    puzzle: Puzzle,
    *,
    backend: Engine = "auto",
    limits: Limits = UNLIMITED,
    solution_limit: int | None = None,
    expected_count: int = 1,
    most: int | None = MOST,
    pause: float = PAUSE,
) -> Iterator[Answer]:
    """Yield answers, each with the solutions found since the one before; all but the last are ``partial``.

    An answer comes when there are ``most`` solutions for it (None: only at the end), or ``pause`` seconds after the one before,
    so memory and waiting are bounded however many there are; ``count`` is the number of all found until then.
    """
    refuse_zero_limit(solution_limit)
    clock = limits.started()
    search = Search(puzzle, backend, clock, expected_count)
    number, fresh, due = 0, list[Solution](), perf_counter() + pause
    exact, reason = False, None

    def part(*, partial: bool) -> Answer:
        return make_answer(
            puzzle,
            count=number,
            exact=exact,
            reason=reason,
            backend=search.answered_by,
            seconds=clock.elapsed,
            solutions=tuple(fresh),
            counters=search.counters,
            partial=partial,
        )

    try:
        with closing(search.solutions()) as checked:
            while not exact and (solution_limit is None or number < solution_limit):
                # With the second solution it is certain that there are several; before, a partial answer would say nothing.
                if most is not None and number > 1 and fresh and (len(fresh) >= most or perf_counter() >= due):
                    yield part(partial=True)
                    fresh, due = [], perf_counter() + pause
                solution = next(checked, None)
                if solution is None:
                    exact = True
                else:
                    fresh.append(solution)
                    number += 1
    except LimitReached as reached:
        reason = reached.reason
    yield part(partial=False)


@checked
def is_unique(puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED) -> bool:
    """Return whether there is exactly one solution; raises `LimitReached` if a limit comes before that is known."""
    answer = solve(puzzle, backend=backend, limits=limits)
    if answer.status == "unknown" and answer.reason:
        raise LimitReached(answer.reason, f"{answer.seconds:.3g} s")
    return answer.status == "unique"


def refuse_zero_limit(solution_limit: int | None) -> None:
    """Raise `InvalidInput` for a limit of less than one solution."""
    if solution_limit is not None and solution_limit < 1:
        raise InvalidInput(f"expected a limit of 1 solution or more, got {solution_limit!r}")


def make_answer(puzzle: Puzzle, *, count: int, exact: bool, reason: Reason | None, **rest: Any) -> Answer:
    """Return an answer with its status, and whether the solution that the puzzle's source states is right."""
    stated: Literal["right", "wrong"] | None = None
    if puzzle.solution is not None:
        stated = "right" if puzzle.holds(puzzle.solution) else "wrong"
    status = _status(count, exact=exact, stopped=reason is not None)
    return Answer(status=status, count=count, exact=exact, reason=reason, stated=stated, puzzle=puzzle, **rest)


def _status(number: int, *, exact: bool, stopped: bool) -> Status:
    if number > 1:
        return "multiple"
    if exact:
        return "unique" if number else "none"
    return "unknown" if stopped or not number else "solved"


# A random solution of a puzzle that has many.


@checked
def random_solution(puzzle: Puzzle, *, seed: int | None = None, backend: Engine = "auto", limits: Limits = UNLIMITED) -> Answer:
    """Return a random solution, the same for the same ``seed`` and engine; the status is ``none`` if there is none.

    The cells, in random order, each take the first value, in random order, that leaves a solution. Every solution is possible,
    though not all are equally likely.
    """
    from random import Random  # noqa: PLC0415  # 1 ms that few calls need

    random = Random(None if seed is None else require_seed(seed))  # noqa: S311  # not used for secrets
    clock = limits.started()
    found, reason = None, None
    name = backend if isinstance(backend, str) else backend.name
    try:
        model = puzzle.model(clock.check)
        # Every step is another question to the same session, so this is as much work as many puzzles.
        engine = engine_of(backend, model, expected_count=len(puzzle.grid.cells))
        name = engine.name
        with session_of(engine, model, clock.check) as session:
            found = _draw(puzzle, session, random, clock)
    except LimitReached as reached:
        reason = reached.reason
    if found is not None and not is_solution(puzzle, found):
        raise WrongAnswer(f"expected a solution of {puzzle!r}, got {found!r}")
    return Answer(
        status="solved" if found else "unknown" if reason else "none",
        count=int(found is not None),
        exact=found is None and reason is None,
        backend=name,
        seconds=clock.elapsed,
        solutions=(found,) if found else (),
        reason=reason,
    )


def _draw(puzzle: Puzzle, session: Session, random: Random, clock: Clock) -> Solution | None:
    assume = puzzle.assume()
    current = _first_solution(session, assume, clock)
    if current is None:
        return None
    everything = to_mask(puzzle.grid.values)
    for cell in random.sample(puzzle.grid.cells, len(puzzle.grid.cells)):
        values = members(assume.get(cell, everything) & everything)
        for value in random.sample(values, len(values)):
            trial = {**assume, cell: 1 << value}
            found = current if current[cell] == value else _first_solution(session, trial, clock)
            if found is not None:
                assume, current = trial, found
                break
    return current


def _first_solution(session: Session, assume: dict[Cell, Domain], clock: Clock) -> Solution | None:
    with closing(iter_solutions(session, assume, clock.left())) as found:
        first = next(found, None)
    clock.nodes += session.counters()["nodes"] if isinstance(session, SupportsCounters) else 0
    return first
