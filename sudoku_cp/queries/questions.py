"""Solve, enumerate, count, is it unique: every answer checked, every question within its limits."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudoku_cp.backends import FEW, UNLIMITED, Backend, Clock, Counters, Limits, Session, Solution
from sudoku_cp.errors import InvalidInput, LimitReached, Reason, WrongAnswer
from sudoku_cp.queries.sessions import Engine, asked, engine_of, session_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from sudoku_cp.puzzle import Puzzle

Status: TypeAlias = Literal["unique", "multiple", "none", "solved", "unknown"]
"""What is known of a puzzle's solutions. ``solved``: there is one, and nobody asked for another; ``unknown``: a limit came
before the answer."""

QUICK = 500
"""Nodes after which ``auto`` takes a puzzle from the native engine (50 to 100 ms) to one that has no bad days."""
KEPT_BY_COUNT = 2
"""So many solutions a count keeps, to show that there are several."""


@dataclass(frozen=True)
class Answer:
    """What an engine found out about a puzzle, and how.

    ``count`` solutions were found, all there are if ``exact``. ``reason`` says which limit came first, where one did;
    it is always there when ``status`` is ``unknown``. ``stated`` compares the solution that the puzzle's source states with
    the rules. ``counters`` are the engine's own.
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

    @property
    def solution(self) -> Solution | None:
        """The first solution, None where none was found."""
        return self.solutions[0] if self.solutions else None


def solutions(puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED, amount: int = 1) -> Iterator[Solution]:
    """Yield every solution, each checked against the rules' own words, as the engine finds them.

    ``amount`` says how many puzzles of this kind are to come, for ``auto`` to choose by. Raises `LimitReached` when a
    limit comes before the end, and `WrongAnswer` when the engine errs.
    """
    clock = limits.started()
    model = puzzle.model()
    # An enumeration cannot change horses midstream, so ``auto`` takes the engine that has no bad days.
    engine = engine_of(backend, model, amount if backend != "auto" else max(amount, FEW))
    with session_of(engine, model) as session:
        yield from _checked(puzzle, session, clock)


def _checked(puzzle: Puzzle, session: Session, clock: Clock) -> Generator[Solution]:
    previous: Solution | None = None
    with closing(asked(session, puzzle.assume(), clock.left())) as found:
        for solution in found:
            if not puzzle.holds(solution):
                raise WrongAnswer(f"expected a solution of {puzzle!r}, got {solution!r}")
            if solution == previous:
                raise WrongAnswer(f"expected each solution of {puzzle!r} once, got {solution!r} twice")
            yield solution
            previous = solution


def solve(
    puzzle: Puzzle,
    *,
    backend: Engine = "auto",
    limits: Limits = UNLIMITED,
    limit: int | None = 2,
    amount: int = 1,
) -> Answer:
    """Return the first solution and whether it is the only one.

    ``limit`` is the number of solutions to look for: 2 proves uniqueness, 1 asks for a solution only, None for all.
    """
    return _answer(puzzle, backend, limits, limit, amount, kept=None)


def count(
    puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED, limit: int | None = None, amount: int = 1
) -> Answer:
    """Return how many solutions there are, counting no further than ``limit``; only the first two are kept."""
    return _answer(puzzle, backend, limits, limit, amount, kept=KEPT_BY_COUNT)


def is_unique(puzzle: Puzzle, *, backend: Engine = "auto", limits: Limits = UNLIMITED) -> bool:
    """Return whether there is exactly one solution, or raise `LimitReached`: "no" is never "I ran out"."""
    answer = solve(puzzle, backend=backend, limits=limits)
    if answer.status == "unknown" and answer.reason:
        raise LimitReached(answer.reason, f"{answer.seconds:.3g} s")
    return answer.status == "unique"


def _answer(puzzle: Puzzle, backend: Engine, limits: Limits, limit: int | None, amount: int, *, kept: int | None) -> Answer:
    if limit is not None and limit < 1:
        raise InvalidInput(f"expected a limit of 1 solution or more, got {limit!r}")
    clock = limits.started()
    engine = engine_of(backend, puzzle.model(), amount)
    if backend == "auto" and engine.name == "native" and (limits.nodes is None or limits.nodes > QUICK):
        quick = _asked(puzzle, engine, replace(limits, nodes=QUICK), limit, kept)
        if quick.reason != "nodes":
            return quick
        clock.nodes += quick.counters["nodes"]
        engine = engine_of("sat", puzzle.model())
    return replace(_asked(puzzle, engine, clock.left(), limit, kept), seconds=clock.elapsed)


def _asked(puzzle: Puzzle, engine: Backend, limits: Limits, limit: int | None, kept: int | None) -> Answer:
    clock = limits.started()
    model = puzzle.model()
    found: list[Solution] = []
    number = 0
    exact, reason = False, None
    with session_of(engine, model) as session:
        try:
            with closing(_checked(puzzle, session, clock)) as checked:
                while limit is None or number < limit:
                    solution = next(checked, None)
                    if solution is None:
                        exact = True
                        break
                    number += 1
                    if kept is None or number <= kept:
                        found.append(solution)
        except LimitReached as reached:
            reason = reached.reason
        counters = session.counters() if isinstance(session, Counters) else {}
    return told(
        puzzle,
        count=number,
        exact=exact,
        reason=reason,
        backend=engine.name,
        seconds=clock.elapsed,
        solutions=tuple(found),
        counters=counters,
    )


def told(puzzle: Puzzle, *, count: int, exact: bool, reason: Reason | None, **rest: Any) -> Answer:
    """Return the answer with its status, and what it says of the solution that the puzzle's source states."""
    stated: Literal["right", "wrong"] | None = None
    if puzzle.solution is not None:
        stated = "right" if puzzle.holds(puzzle.solution) else "wrong"
    status = _status(count, exact=exact, stopped=reason is not None)
    return Answer(status=status, count=count, exact=exact, reason=reason, stated=stated, **rest)


def _status(number: int, *, exact: bool, stopped: bool) -> Status:
    if number > 1:
        return "multiple"
    if exact:
        return "unique" if number else "none"
    return "unknown" if stopped or not number else "solved"
