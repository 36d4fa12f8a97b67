"""True candidates: every value of every cell that occurs in some solution, and in how many, up to a cap."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Literal, TypeAlias

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
from sudoku_cp.errors import InvalidInput, LimitReached, Reason, WrongAnswer
from sudoku_cp.grid import Cell
from sudoku_cp.model import Domain, Model, members, to_mask
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.queries.solution_search import (
    CANDIDATE_BUDGET,
    ENGINE,
    LEARNING_ENGINE,
    Engine,
    engine_of,
    is_solution,
    iter_solutions,
    session_of,
    with_nodes_at_most,
)
from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.backends import ArrayAnswer, Assumed


# What is known of a puzzle's candidates while solutions come in: how often each was seen, and which are settled.


class CandidateTally:
    """The candidates of one puzzle. Knowledge only grows: numbers never decrease, and what is settled remains so.

    Sets of values for each cell: ``allowed`` by givens and candidates, ``seen`` in some solution, ``settled`` if the number of
    their solutions (up to ``cap``) is known; what is settled but was never seen is impossible. ``solutions`` are all those seen.
    """

    def __init__(self, puzzle: Puzzle, cap: int) -> None:
        """Start from the givens and candidates of ``puzzle``; solutions are counted up to ``cap``."""
        self.puzzle, self.cap = puzzle, cap
        everything, assume = to_mask(puzzle.grid.values), puzzle.assume()
        self.allowed = [everything & assume.get(cell, everything) for cell in puzzle.grid.cells]
        self.seen = [0] * len(self.allowed)
        self.settled = [everything & ~domain for domain in self.allowed]
        self.numbers: list[dict[int, int]] = [{} for _ in self.allowed]
        self.solutions: dict[Solution, None] = {}
        self.calls = 0

    def add(self, solution: Solution) -> None:
        """Count a solution if it is new; raise `WrongAnswer` if it is wrong."""
        if solution in self.solutions:
            return
        if not is_solution(self.puzzle, solution):
            raise WrongAnswer(f"expected a solution of {self.puzzle!r}, got {solution!r}")
        self.solutions[solution] = None
        for cell, (value, settled, seen) in enumerate(zip(solution, self.settled, self.seen, strict=True)):
            if not settled >> value & 1:
                self._see(cell, value)
            elif not seen >> value & 1:
                raise WrongAnswer(f"expected no {value} in {self.puzzle.grid.cell_name(cell)}, got {solution!r}")

    def _see(self, cell: Cell, value: int) -> None:
        """Note one more solution with a value in a cell."""
        numbers = self.numbers[cell]
        numbers[value] = numbers.get(value, 0) + 1
        self.seen[cell] |= 1 << value
        if numbers[value] >= self.cap:
            self.settled[cell] |= 1 << value

    def settle(self, sets: Assumed) -> None:
        """Note candidates that have no solutions beyond those seen."""
        for cell, domain in sets.items():
            self.settled[cell] |= domain & self.allowed[cell]

    def count(self, cell: Cell, value: int, number: int) -> None:
        """Note how many solutions a candidate has, up to the cap."""
        if number < self.numbers[cell].get(value, 0):
            name = self.puzzle.grid.cell_name(cell)
            raise WrongAnswer(f"expected {self.numbers[cell][value]} solutions or more with {value} in {name}, got {number}")
        if number:
            self.seen[cell] |= 1 << value
            self.numbers[cell][value] = number
        self.settle({cell: 1 << value})

    def wanted(self) -> dict[Cell, Domain]:
        """Return the candidates that are not settled."""
        left = ((cell, domain & ~self.settled[cell]) for cell, domain in enumerate(self.allowed))
        return {cell: domain for cell, domain in left if domain}

    def assume(self) -> Mapping[Cell, Domain]:
        """Return the allowed values without those found impossible: the same solutions, and an easier question."""
        everything = to_mask(self.puzzle.grid.values)
        possible = ((cell, domain & (self.seen[cell] | ~self.settled[cell])) for cell, domain in enumerate(self.allowed))
        return {cell: domain for cell, domain in possible if domain != everything}


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
            import numpy as np  # noqa: F401, PLC0415  # 0.1 s that no limit counts

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


# Candidates settled by the array engine, which answers hundreds of small questions at once: one for each candidate.


AT_ONCE = 1024
"""Questions in one array; limits are checked between arrays."""
HOPELESS = 4
"""If more than one question in this many is left open, the rest are not asked."""


def settle_by_arrays(session: SupportsArrays, tally: CandidateTally, clock: Clock) -> Iterator[None]:
    """Settle the candidates that can be settled quickly, and yield after each array."""
    import numpy as np  # noqa: PLC0415  # 0.1 s

    whole = _ask(session, _domains_of(tally)[None], tally, clock)
    if whole.exact[0] and not whole.counts[0]:
        tally.settle(tally.wanted())
        yield
        return
    if whole.counts[0]:
        tally.add(tuple(whole.solutions[0].tolist()))
    yield
    wanted = [(cell, value) for cell, domain in tally.wanted().items() for value in members(domain)]
    for start in range(0, len(wanted), AT_ONCE):
        part = wanted[start : start + AT_ONCE]
        masks = np.repeat(_domains_of(tally)[None], len(part), axis=0)
        masks[range(len(part)), [cell for cell, _ in part]] = [1 << value for _, value in part]
        answer = _ask(session, masks, tally, clock)
        _add(tally, part, answer)
        yield
        if answer.stopped(tally.cap).sum() * HOPELESS > len(part):
            return


def _domains_of(tally: CandidateTally) -> NDArray[np.uint32]:
    import numpy as np  # noqa: PLC0415  # as above

    everything = (2 << len(tally.puzzle.grid.values)) - 2
    assume = tally.assume()
    return np.array([assume.get(cell, everything) for cell in tally.puzzle.grid.cells], np.uint32)


def _ask(session: SupportsArrays, masks: NDArray[np.uint32], tally: CandidateTally, clock: Clock) -> ArrayAnswer:
    """Return the first solution of each question and how many there are up to the cap."""
    tally.calls += len(masks)
    clock.nodes += len(masks)
    clock.check()
    limits = with_nodes_at_most(clock.left(), CANDIDATE_BUDGET * tally.cap)
    return session.solve_many(masks, tally.cap, candidates=True, limits=limits)


def _add(tally: CandidateTally, part: list[tuple[Cell, int]], answer: ArrayAnswer) -> None:
    """Add the solutions that show something new, and note the counts."""
    counts = answer.counts.tolist()
    for (cell, value), solution, count in zip(part, answer.solutions.tolist(), counts, strict=True):
        if count and not tally.seen[cell] >> value & 1:
            tally.add(tuple(solution))
    for (cell, value), count, stopped in zip(part, counts, answer.stopped(tally.cap), strict=True):
        if not stopped:
            tally.count(cell, value, count)
