"""Count solutions: one by one while they are few, then by the frontier, which counts equal states together.

Theory of operation. `count` first enumerates for a moment. If that does not end, and the rules say only that cells differ, the
frontier (`frontier`) and the engine take turns, each twice as long as the last, until one of them finishes: it is unknown
beforehand which is quicker. The engine's turns go to the array engine where that takes the puzzle.
Invariants: what has been found is a lower bound at any time; a number is exact only if an engine or the frontier has finished;
the frontier's number is never below what engines have found, or `WrongAnswer` is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution
from sudoku_cp.errors import LimitReached, Reason, WrongAnswer
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.solution_search import ENGINE, Answer, Engine, Search, make_answer, refuse_zero_limit
from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    from sudoku_cp.queries.frontier import SweepRace

FRONTIER = "frontier"
"""Counting by dynamic programming, where cells only have to differ; this name selects it as if it were an engine."""
KEPT = 2
"""Solutions that a count keeps, to show that there are several."""
FEW, SOON = 5000, 0.5
"""Solutions, or seconds, for which ``auto`` enumerates before anything else is tried."""
FIRST_TURN = 1.0
"""Seconds of the first turn of the frontier, and of the engine's; each turn is twice as long as the last."""
LOOK = 256
"""Solutions between two looks at the time."""
LOADING = 2.0
"""Seconds that must be left for the array engine to be loaded, which takes 0.3 to 1 s and cannot be interrupted."""


@checked
def count(
    puzzle: Puzzle,
    *,
    backend: Engine = "auto",
    limits: Limits = UNLIMITED,
    solution_limit: int | None = None,
    expected_count: int = 1,
    progress: Callable[[int], object] = int,
) -> Answer:
    """Return how many solutions there are, counting no further than ``solution_limit``; only the first two are kept.

    ``auto`` finds them one by one; if they are many and the rules say only that cells differ, it takes turns with the
    ``frontier``, and the answer names which of them finished. ``progress`` is called now and then with a lower bound.
    """
    refuse_zero_limit(solution_limit)
    counting = _SolutionCounter(puzzle, backend, limits.started(), solution_limit, expected_count, progress)
    return counting.answer_after(counting.run)


def count_few(puzzle: Puzzle, clock: Clock) -> Answer:
    """Return the answer after enumerating for a moment, as `count` begins."""
    counting = _SolutionCounter(puzzle, "auto", clock, None, 1, int)
    return counting.answer_after(counting.begin)


class _SolutionCounter:
    """A count in progress."""

    def __init__(
        self,
        puzzle: Puzzle,
        backend: Engine,
        clock: Clock,
        solution_limit: int | None,
        expected_count: int,
        progress: Callable[[int], object],
    ) -> None:
        """Count nothing yet; the parameters are those of `count`."""
        self._puzzle, self._clock, self._solution_limit, self._progress = puzzle, clock, solution_limit, progress
        self._frontier = backend == FRONTIER
        self._auto = backend == "auto"
        self._search = Search(puzzle, "auto" if self._frontier else backend, clock, expected_count)
        self._kept: list[Solution] = []
        self._number = 0
        self._exact = False
        self._by: str | None = None
        self._counters: dict[str, int] = {}

    def begin(self) -> None:
        """Find a few solutions one by one."""
        with closing(self._search.solutions()) as found:
            self._enumerate(found, most=FEW, seconds=SOON)

    def run(self) -> None:
        """Count to the end or the limit of solutions; raises `LimitReached` for any other limit."""
        with closing(self._search.solutions()) as found:
            if self._frontier:
                self._by = FRONTIER
                race = self._start_race()
                if not self._enumerate(found, most=KEPT):
                    self._take_total(self._run_race(race, None))
                return
            few = FEW if self._auto else None
            if self._enumerate(found, most=few, seconds=SOON if self._auto else None):
                return
            if self._puzzle.model().is_houses:
                self._by_turns(found)
            else:
                self._enumerate(found)

    def answer_after(self, work: Callable[[], None]) -> Answer:
        """Do the work, and return what is known then, with the limit that came first if one did."""
        reason: Reason | None = None
        try:
            work()
        except LimitReached as reached:
            reason = reached.reason
        return make_answer(
            self._puzzle,
            count=self._number,
            exact=self._exact,
            reason=reason,
            backend=self._by or self._search.answered_by,
            seconds=self._clock.elapsed,
            solutions=tuple(self._kept),
            counters=self._counters or self._search.counters,
        )

    # --- one by one ---------------------------------------------------------------------------------------------

    def _enumerate(self, found: Iterator[Solution], *, most: int | None = None, seconds: float | None = None) -> bool:
        """Take at most ``most`` solutions, for at most ``seconds``; return whether that answers the question."""
        until = None if seconds is None else perf_counter() + seconds
        taken = 0
        while taken != most and self._number_left():
            if taken % LOOK == 0:
                self._progress(self._number)
                if until is not None and perf_counter() > until:
                    return False
            solution = next(found, None)
            if solution is None:
                self._exact = True
                return True
            taken += 1
            self._number += 1
            if len(self._kept) < KEPT:
                self._kept.append(solution)
        return not self._number_left()

    def _enumerate_quickly(self, found: Iterator[Solution], seconds: float | None) -> bool:
        """Enumerate for ``seconds``, with the array engine if it takes the board; return whether that answers the question."""
        left = self._clock.seconds_left
        if left is not None and left < LOADING:
            return self._enumerate(found, seconds=seconds)
        with loading():
            from sudoku_cp.queries.array_solver import can_count, count_one  # noqa: PLC0415  # imports NumPy

        if not can_count(self._puzzle, self._clock):
            return self._enumerate(found, seconds=seconds)
        number, ended = count_one(self._puzzle, self._solution_limit, self._clock, seconds)
        self._number = max(self._number, number)
        if ended:
            self._by, self._exact = ENGINE, self._number_left()
        self._progress(self._number)
        self._clock.check()
        return ended

    def _number_left(self) -> bool:
        return self._solution_limit is None or self._number < self._solution_limit

    # --- by the frontier ----------------------------------------------------------------------------------------

    def _by_turns(self, found: Iterator[Solution]) -> None:
        """Alternate between the frontier and the engine, in ever longer turns, until either finishes."""
        race: SweepRace | None = self._start_race()
        seconds = FIRST_TURN
        while True:
            if race is not None:
                total = self._run_race(race, seconds)
                if total is not None:
                    self._by = FRONTIER
                    self._take_total(total)
                    return
                race = None if race.outgrown else race
            # Without the frontier the engine goes on to the end.
            if self._enumerate_quickly(found, None if race is None else seconds):
                return
            seconds *= 2

    def _start_race(self) -> SweepRace | None:
        with loading():
            from sudoku_cp.queries import frontier  # noqa: PLC0415  # NumPy, which small counts do not need

        return frontier.start_race(self._puzzle, self._clock)

    def _run_race(self, race: SweepRace | None, seconds: float | None) -> int | None:
        """Return how many solutions the frontier counts; None if it needs more than ``seconds`` or too many states."""
        if race is None:
            return 0
        try:
            return race.total(self._clock, seconds)
        finally:
            self._counters = {"nodes": self._clock.nodes, "states": race.visited}
            self._progress(self._number)

    def _take_total(self, total: int | None) -> None:
        """Take the frontier's number as the answer."""
        if total is None:
            raise LimitReached("nodes", "more states than there is room for")
        if total < self._number:
            raise WrongAnswer(f"expected at least the {self._number} solutions found of {self._puzzle!r}, got {total}")
        self._exact = self._solution_limit is None or total < self._solution_limit
        self._number = total if self._solution_limit is None else min(total, self._solution_limit)
