"""True candidates: every value of every cell that occurs in some solution, and in how many, up to a cap."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from typing import Literal, TypeAlias

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution, choose
from sudoku_cp.errors import InvalidInput, LimitReached, Reason
from sudoku_cp.grid import Cell
from sudoku_cp.model import Domain, Model, members
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.candidate_harvest import settle_candidates
from sudoku_cp.queries.candidate_tally import CandidateTally
from sudoku_cp.queries.session_pool import Engine, engine_of, session_of

Known: TypeAlias = Literal["unique", "multiple", "none", "unknown"]
"""What the candidates say of the solutions; ``unknown``: a limit came before that."""

KEPT = 1000
"""So many solutions are kept, for later questions about the same puzzle with more givens."""
PAUSE = 0.1
"""Seconds between two reports."""


@dataclass(frozen=True)
class TrueCandidates:
    """What is known of the candidates of a puzzle; once ``complete``, all there is to know.

    Sets of values (bits) for each cell: ``possible`` occur in some solution, ``impossible`` in none, the others are undecided.
    Of ``settled`` candidates the number of solutions is known: ``counts`` has it for each that is possible, up to ``cap``.
    ``solutions`` are those that were seen, all checked, at most `KEPT`; the engine for arrays counts above 1 by itself.
    ``reason`` says which limit came first, where one did. ``calls`` is the number of questions to an engine.
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
        """What occurs in no solution, values that the puzzle itself excludes included."""
        return tuple(settled & ~possible for settled, possible in zip(self.settled, self.possible, strict=True))

    @property
    def undecided(self) -> tuple[Domain, ...]:
        """What may occur in a solution or not: nobody knows yet."""
        return tuple(self._everything & ~(settled | seen) for settled, seen in zip(self.settled, self.possible, strict=True))

    @property
    def complete(self) -> bool:
        """Whether every candidate is settled."""
        return all(settled == self._everything for settled in self.settled)

    @property
    def forced(self) -> dict[Cell, int]:
        """The value of each cell that has the same one in all solutions (the backbone), as far as that is known."""
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
        """Say whether `count` is the number of all such solutions, not only of those seen."""
        return bool(self.settled[cell] >> value & 1) and self.count(cell, value) < self.cap

    @checked
    def covers(self, puzzle: Puzzle) -> bool:
        """Say whether every solution of ``puzzle`` is one of this puzzle: the same and no fewer rules, givens and candidates."""
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

    A limit does not raise: the answer then has a ``reason`` and tells what was found out until it came. ``known`` is an earlier
    answer to a puzzle with fewer givens (or rules), whose solutions and impossible candidates are not looked for again; raises
    `InvalidInput` where it is not. ``report`` is handed answers in part, ten a second at most. ``expected_count`` says how many
    puzzles of this kind are to come, for ``auto`` to choose by.
    """
    for found in _answers(puzzle, cap, backend, limits, known, expected_count, PAUSE if report else None):
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
    pause: float = 0.0,
    expected_count: int = 1,
) -> Iterator[TrueCandidates]:
    """Yield what is known as it grows, at most every ``pause`` seconds; the last answer is that of `true_candidates`.

    Answers are monotone: what is possible, impossible or settled remains so, and counts only grow.
    """
    yield from _answers(puzzle, cap, backend, limits, known, expected_count, pause)


def _answers(
    puzzle: Puzzle,
    cap: int,
    backend: Engine,
    limits: Limits,
    known: TrueCandidates | None,
    expected_count: int,
    pause: float | None,
) -> Generator[TrueCandidates]:
    """Yield answers in part, none without a ``pause``, and then the answer."""
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
        yield work.answer("cancelled")  # so that nothing known is lost with the interrupt
        raise
    yield work.answer(reason)


class _CandidateSearch:
    """One question on its way to the answer."""

    def __init__(self, puzzle: Puzzle, cap: int, wish: Engine, clock: Clock, expected_count: int) -> None:
        """Note the wish; nobody has been asked yet."""
        self.tally = CandidateTally(puzzle, cap)
        self._puzzle, self._wish, self._clock = puzzle, wish, clock
        self._expected_count = expected_count * len(puzzle.grid.cells)
        self._by = wish if isinstance(wish, str) else wish.name

    def begin_with(self, known: TrueCandidates) -> None:
        """Take over what an earlier answer says about this puzzle too."""
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
        """Work until every candidate is settled, and yield after each step; the lanes leave what is hard to SAT."""
        if not self.tally.wanted():
            return
        model = self._puzzle.model(self._clock.check)
        engines = [engine_of(engine, model) for engine in self._engines(model)]
        for engine in engines:
            if self.tally.wanted():
                self._by = engine.name
                with session_of(engine, model) as session:
                    yield from settle_candidates(session, self.tally, self._clock, hasty=engine is not engines[-1])

    def _engines(self, model: Model) -> list[Engine]:
        """Return who is to be asked, one after the other; ``auto`` means the lanes where they pay, and SAT."""
        if self._wish != "auto":
            return [self._wish]
        lanes = "fast:lanes"
        return [lanes, "sat"] if choose(model, self._expected_count) == lanes else ["sat"]

    def answer(self, reason: Reason | None = None) -> TrueCandidates:
        """Return what is known by now."""
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


MOST_KEPT = 1_000_000
"""So many answers are remembered at most: each question looks through them."""


class CandidateMemory:
    """Answers again and again about a puzzle that is being made: each time from what it found out before, as far as that goes.

    The last ``size`` answers are kept, at most `MOST_KEPT`. Threads may share it.
    """

    @checked
    def __init__(self, size: int = 16) -> None:
        """Know nothing yet."""
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
        """Return what `true_candidates` does."""
        with self._lock:
            known = next((answer for answer in self._answers if answer.covers(puzzle)), None)
        found = true_candidates(puzzle, cap=cap, backend=backend, limits=limits, known=known, report=report)
        with self._lock:
            self._answers.appendleft(found)
        return found
