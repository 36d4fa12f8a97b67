"""True candidates: every value of every cell that occurs in some solution, and in how many, up to a cap."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Lock
from time import perf_counter
from typing import Literal, TypeAlias

from sudoku_cp.arguments import ShortRepr, checked
from sudoku_cp.backends import (
    UNLIMITED,
    Clock,
    Limits,
    Session,
    Solution,
    SupportsArrays,
    SupportsCounters,
    SupportsHarvest,
    choose,
)
from sudoku_cp.errors import InvalidInput, LimitReached, Reason
from sudoku_cp.grid import Cell
from sudoku_cp.load_time import loading
from sudoku_cp.model import Domain, Model, members
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.queries.candidate_tally import CandidateTally
from sudoku_cp.queries.session_pool import ENGINE, LEARNING_ENGINE, Engine, engine_of, iter_solutions, session_of

Known: TypeAlias = Literal["unique", "multiple", "none", "unknown"]
"""How many solutions the candidates show that there are; ``unknown``: a limit came first."""

KEPT = 1000
"""Solutions that an answer keeps, for later questions about the same puzzle with more givens."""
PAUSE = 0.1
"""Seconds between two reports."""


@dataclass(frozen=True, repr=False)
class TrueCandidates(ShortRepr):
    """What is known of the candidates of a puzzle; if ``complete``, everything.

    For each cell a set of values (bits): ``possible`` occur in some solution, ``impossible`` in none, the others are undecided.
    For ``settled`` candidates the number of solutions is known: ``counts`` has it for each possible one, up to ``cap``.
    ``solutions`` are those seen, all checked, at most `KEPT`; counts above 1 from the array engine are taken on trust.
    ``reason`` is the limit that came first, if one did; ``calls`` the number of questions to an engine.
    """

    puzzle: Puzzle
    cap: int
    possible: tuple[Domain, ...]
    settled: tuple[Domain, ...]
    counts: tuple[Mapping[int, int], ...] = field(hash=False)
    solutions: tuple[Solution, ...] = field(repr=False)
    calls: int
    backend: str
    seconds: float
    reason: Reason | None = None

    @property
    def impossible(self) -> tuple[Domain, ...]:
        """The values that occur in no solution, including those that the puzzle itself excludes."""
        return tuple(settled & ~possible for settled, possible in zip(self.settled, self.possible, strict=True))

    @property
    def undecided(self) -> tuple[Domain, ...]:
        """The values that are not yet known to occur in a solution, or to occur in none."""
        return tuple(self._everything & ~(settled | seen) for settled, seen in zip(self.settled, self.possible, strict=True))

    @property
    def complete(self) -> bool:
        """Whether every candidate is settled."""
        return all(settled == self._everything for settled in self.settled)

    @property
    def forced(self) -> dict[Cell, int]:
        """The cells known to have the same value in all solutions (the backbone), with that value."""
        decided = enumerate(zip(self.possible, self.undecided, strict=True))
        return {cell: seen.bit_length() - 1 for cell, (seen, open_) in decided if seen and not open_ and not seen & (seen - 1)}

    @property
    def status(self) -> Known:
        """What is known of the number of solutions."""
        if any(seen & (seen - 1) for seen in self.possible):
            return "multiple"
        if any(settled == self._everything and not seen for settled, seen in zip(self.settled, self.possible, strict=True)):
            return "none"
        return "unique" if len(self.forced) == len(self.possible) else "unknown"

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks: forced values, and in other cells all candidates that are not impossible."""
        from sudoku_cp.render import svg  # noqa: PLC0415  # only pictures need it

        forced = self.forced
        values = [forced.get(cell) for cell in self.puzzle.grid.cells]
        marks = [possible | undecided for possible, undecided in zip(self.possible, self.undecided, strict=True)]
        return svg(replace(Position.of(self.puzzle, values), marks=tuple(marks)))

    @property
    def _everything(self) -> Domain:
        values = self.puzzle.grid.values
        return (1 << values.stop) - (1 << values.start)

    @checked
    def count(self, cell: Cell, value: int) -> int:
        """Return how many solutions with this value in this cell were seen."""
        return self.counts[cell].get(value, 0)

    @checked
    def exact(self, cell: Cell, value: int) -> bool:
        """Return whether `count` is the number of all such solutions, not only of those seen."""
        return bool(self.settled[cell] >> value & 1) and self.count(cell, value) < self.cap

    @checked
    def covers(self, puzzle: Puzzle) -> bool:
        """Return whether every solution of ``puzzle`` solves this puzzle too: it has all of its rules, givens and candidates."""
        ours, theirs = self.puzzle, puzzle.assume()
        return (
            ours.grid == puzzle.grid
            and set(ours.rules) <= set(puzzle.rules)
            and all(theirs.get(cell, -1) & self._everything & ~domain == 0 for cell, domain in ours.assume().items())
        )


@checked
def true_candidates(
    puzzle: Puzzle,
    *,
    cap: int = 1,
    backend: Engine = "auto",
    limits: Limits = UNLIMITED,
    known: TrueCandidates | None = None,
    report: Callable[[TrueCandidates], object] | None = None,
    expected_count: int = 1,
) -> TrueCandidates:
    """Return which values of which cells occur in solutions, and in how many of them up to ``cap``.

    A limit does not raise: the answer then has a ``reason`` and holds what was found before it. ``known`` is an earlier answer
    to a puzzle with fewer givens (or rules), whose solutions and impossible candidates are not looked for again; any other
    raises `InvalidInput`. ``report`` is called with partial answers, ten times a second at most. ``expected_count`` is how many
    such puzzles are to come, which helps ``auto`` to choose.
    """
    pause = PAUSE if report else None
    for found in true_candidate_stream(
        puzzle, cap=cap, backend=backend, limits=limits, known=known, pause=pause, expected_count=expected_count
    ):
        if report and not (found.complete or found.reason):
            report(found)
    return found


@checked
def true_candidate_stream(
    puzzle: Puzzle,
    *,
    cap: int = 1,
    backend: Engine = "auto",
    limits: Limits = UNLIMITED,
    known: TrueCandidates | None = None,
    pause: float | None = 0.0,
    expected_count: int = 1,
) -> Iterator[TrueCandidates]:
    """Yield partial answers, at most every ``pause`` seconds (None: none), and finally the answer of `true_candidates`.

    Answers only grow: what is possible, impossible or settled remains so, and counts never decrease.
    """
    if cap < 1:
        raise InvalidInput(f"expected a cap of 1 solution or more, got {cap!r}")
    work = _CandidateSearch(puzzle, cap, backend, limits.started(), expected_count)
    if known is not None:
        work.begin_with(known)
    reason: Reason | None = None
    last = perf_counter()
    try:
        with closing(work.steps()) as steps:
            for _ in steps:
                if pause is not None and perf_counter() - last >= pause and work.tally.wanted():
                    yield work.answer()
                    last = perf_counter()
    except LimitReached as reached:
        reason = reached.reason
    except KeyboardInterrupt:
        yield work.answer("cancelled")  # so that an interrupt loses nothing found so far
        raise
    yield work.answer(reason)


class _CandidateSearch:
    """The search for the true candidates of one puzzle."""

    def __init__(self, puzzle: Puzzle, cap: int, backend: Engine, clock: Clock, expected_count: int) -> None:
        """Start no engine yet. ``backend`` is the one requested, ``expected_count`` how many such puzzles are to come."""
        self.tally = CandidateTally(puzzle, cap)
        self._puzzle, self._backend, self._clock = puzzle, backend, clock
        self._expected_count = expected_count * len(puzzle.grid.cells)
        self._by = backend if isinstance(backend, str) else backend.name

    def begin_with(self, known: TrueCandidates) -> None:
        """Take over the results of an earlier answer that hold for this puzzle too."""
        if not known.covers(self._puzzle):
            raise InvalidInput("expected an earlier answer to the same puzzle with fewer restrictions, got one to another puzzle")
        self.tally.settle(dict(enumerate(known.impossible)))
        for solution in known.solutions:
            if self._puzzle.holds(solution):
                self.tally.add(solution)
        if (
            known.cap == self.tally.cap
            and known.puzzle.rules == self._puzzle.rules
            and known.puzzle.assume() == self._puzzle.assume()
        ):
            for cell, settled in enumerate(known.settled):
                for value in members(settled & known.possible[cell]):
                    self.tally.count(cell, value, known.count(cell, value))

    def steps(self) -> Generator[None]:
        """Work until every candidate is settled, and yield after each step; the array engine leaves hard ones to SAT."""
        if not self.tally.wanted():
            return
        model = self._puzzle.model(self._clock.check)
        engines = [engine_of(engine, model) for engine in self._engines(model)]
        for engine in engines:
            if self.tally.wanted():
                self._by = engine.name
                with session_of(engine, model, self._clock.check) as session:
                    yield from _settle_candidates(session, self.tally, self._clock, hasty=engine is not engines[-1])

    def _engines(self, model: Model) -> list[Engine]:
        """Return the engines to use, in order; ``auto`` means the array engine where that pays, then SAT."""
        if self._backend != "auto":
            return [self._backend]
        return [ENGINE, LEARNING_ENGINE] if choose(model, self._expected_count) == ENGINE else [LEARNING_ENGINE]

    def answer(self, reason: Reason | None = None) -> TrueCandidates:
        """Return what is known so far."""
        tally = self.tally
        return TrueCandidates(
            puzzle=self._puzzle,
            cap=tally.cap,
            possible=tuple(tally.seen),
            settled=tuple(tally.settled),
            counts=tuple(map(dict, tally.numbers)),
            solutions=tuple(tally.solutions)[:KEPT],
            calls=tally.calls,
            backend=self._by,
            seconds=self._clock.elapsed,
            reason=reason,
        )


# --- ways to settle candidates, chosen by what the engine can do, never by the rules ------------------------------


def _settle_candidates(session: Session, tally: CandidateTally, clock: Clock, *, hasty: bool = False) -> Iterator[None]:
    """Settle every candidate in the best way that the session offers; raises `LimitReached` where a limit comes first.

    If ``hasty``, the array engine leaves what it does not find quickly to another engine.
    """
    if isinstance(session, SupportsArrays):
        with loading():
            from sudoku_cp.queries.candidate_arrays import settle_by_arrays  # noqa: PLC0415  # numpy costs 0.1 s

        yield from settle_by_arrays(session, tally, clock)
        if hasty or not tally.wanted():
            return
    if isinstance(session, SupportsHarvest):
        yield from _settle_by_harvest(session, tally, clock)
    else:
        yield from _settle_by_cells(session, tally, clock)


def _settle_by_harvest(session: SupportsHarvest, tally: CandidateTally, clock: Clock) -> Iterator[None]:
    """Have the session itself look for the wanted candidates."""
    known = list(tally.solutions)
    wanted = tally.wanted()
    found = session.harvest(tally.assume(), wanted, tally.cap, known=known, limits=clock.left())
    for solution, exhausted, searched in found:
        if solution is None:
            tally.settle(exhausted)
        else:
            tally.add(solution)
        tally.calls += searched
        yield
    tally.settle(wanted)
    yield


def _settle_by_cells(session: Session, tally: CandidateTally, clock: Clock) -> Iterator[None]:
    """Ask, cell by cell, for solutions in which the cell has a wanted value; any session can do that."""
    for cell in tally.puzzle.grid.cells:
        while wanted := tally.wanted().get(cell, 0):
            yield from _settle_cell(session, tally, cell, wanted, clock)


def _settle_cell(session: Session, tally: CandidateTally, cell: Cell, wanted: Domain, clock: Clock) -> Iterator[None]:
    """Count solutions with a wanted value in ``cell`` until one value has reached the cap, or there are no more."""
    tally.calls += 1
    try:
        with closing(iter_solutions(session, {**tally.assume(), cell: wanted}, clock.left())) as found:
            for solution in found:
                tally.add(solution)
                if tally.settled[cell] >> solution[cell] & 1:
                    yield
                    return
    finally:
        clock.nodes += session.counters().get("nodes", 0) if isinstance(session, SupportsCounters) else 0
    tally.settle({cell: wanted})
    yield


# --- earlier answers --------------------------------------------------------------------------------------------

MOST_KEPT = 1_000_000
"""Answers remembered at most, as each question searches all of them."""


class CandidateMemory:
    """Answers repeated questions about a puzzle in the making, each time starting from earlier answers.

    Threads may share it.
    """

    @checked
    def __init__(self, size: int = 16) -> None:
        """Start empty; the last ``size`` answers will be remembered."""
        if not 0 <= size <= MOST_KEPT:
            raise InvalidInput(f"CandidateMemory, size: expected 0 to {MOST_KEPT:,} answers, got {size!r:.80}")
        self._answers: deque[TrueCandidates] = deque(maxlen=size)
        self._lock = Lock()

    @checked
    def ask(
        self,
        puzzle: Puzzle,
        *,
        cap: int = 1,
        backend: Engine = "auto",
        limits: Limits = UNLIMITED,
        report: Callable[[TrueCandidates], object] | None = None,
    ) -> TrueCandidates:
        """Return the answer of `true_candidates`, which starts from an earlier answer if one helps."""
        with self._lock:
            known = next((answer for answer in self._answers if answer.covers(puzzle)), None)
        found = true_candidates(puzzle, cap=cap, backend=backend, limits=limits, known=known, report=report)
        with self._lock:
            self._answers.appendleft(found)
        return found
