"""Timing of contestants on the same puzzles, interleaved round by round.

Each contestant gets as many of a set's puzzles as fit its seconds: 1, 2, 5, 10, 20, ... of them, spread evenly, the same ones
for all samples of a size. The reference is timed on every such sample, so that a ratio compares two times on the same puzzles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from statistics import median
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sudoku_cp.backends import backend
from sudoku_cp.bench.contestant_process import ContestantFailed
from sudoku_cp.bench.contestants import Contestant
from sudoku_cp.bench.puzzle_sets import PuzzleSet, evenly_spaced
from sudoku_cp.bench.runners import LIMIT, Answers, Boxes, GivensArray
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle

SHORTEST = 0.02
"""Seconds of a pass at least: a contestant that takes arrays is given a shorter sample several times over."""
GROSS = 2
"""A sample that took this many times its budget is too large."""


class RunningContestant(Protocol):
    """A contestant in its process, or a substitute in tests."""

    contestant: Contestant

    def ask(self, puzzles: GivensArray, boxes: Boxes, seconds: float) -> Answers:
        """Return the answers, or raise `ContestantFailed` once ``seconds`` have passed."""
        ...


@dataclass(frozen=True)
class BenchPlan:
    """How long to measure: rounds, seconds for each contestant and round, seconds to wait for an answer before giving up."""

    rounds: int = 3
    seconds: float = 0.25
    patience: float = 5.0

    @property
    def deadline(self) -> float:
        """The seconds a pass may take."""
        return max(self.patience, 4 * self.seconds)


@dataclass
class ContestantResult:
    """One contestant on one set.

    ``seconds`` are its times a puzzle, of each round, and ``cpu_seconds`` the least CPU time (None: not measured); ``shared`` and
    ``against`` are its own and the reference's on the same puzzles, the smaller of their samples. ``wrong`` and ``unanswered``
    count puzzles; ``failed`` says what went wrong.
    """

    name: str
    puzzles: int = 0
    seconds: list[float] = field(default_factory=list)
    shared: list[float] = field(default_factory=list)
    against: list[float] = field(default_factory=list)
    wrong: int = 0
    unanswered: int = 0
    failed: str = ""
    first: bool = False
    ours: bool = False
    cpu_seconds: float | None = None

    @property
    def best(self) -> float | None:
        """The shortest time a puzzle, in seconds; None where there is none."""
        return min(self.seconds, default=None)

    @property
    def rate(self) -> float | None:
        """Puzzles a second."""
        return None if self.best is None else 1 / self.best

    @property
    def spread(self) -> float | None:
        """How far the median round lies above the shortest, as a share of it."""
        return None if self.best is None else median(self.seconds) / self.best - 1

    @property
    def ratio(self) -> float | None:
        """Its time divided by that of the reference."""
        return min(self.shared) / min(self.against) if self.shared and self.against else None


@dataclass
class TimedSample:
    """A contestant with its sample of a set: the indices of the puzzles, how many times over, and its answers."""

    asks: RunningContestant
    one: PuzzleSet
    indices: NDArray[np.int64]
    copies: int = 1
    seconds: list[float] = field(default_factory=list)
    failed: str = ""

    def __post_init__(self) -> None:
        """Start without answers."""
        self.counts: NDArray[np.int64] | None = None
        self.cpu_seconds: float | None = None
        self.contradictory = np.zeros(len(self.indices), np.bool_)
        self.error = ""
        self._stopped = False
        self._solutions: GivensArray | None = None

    @property
    def size(self) -> int:
        """The number of puzzles."""
        return len(self.indices)

    def time_once(self, plan: BenchPlan) -> float:
        """Run once and return the seconds it took; the answers are checked off the clock."""
        puzzles = self.one.puzzles[self.indices]
        answers = self.asks.ask(np.tile(puzzles, (self.copies, 1)), self.one.boxes, plan.deadline)
        self.error = self.error or answers.error
        if answers.cpu_seconds is not None:
            took = answers.cpu_seconds / self.size / self.copies
            self.cpu_seconds = took if self.cpu_seconds is None else min(self.cpu_seconds, took)
        for copy in range(self.copies):
            own = slice(copy * len(puzzles), (copy + 1) * len(puzzles))
            self._check(puzzles, answers.solutions[own], answers.counts[own])
        return answers.seconds

    def _check(self, puzzles: GivensArray, solutions: GivensArray, counts: NDArray[np.int64]) -> None:
        """Note contradictory answers, and counts that change; which of several solutions comes first may change."""
        if self.counts is None or self._solutions is None:
            self.counts = counts
        elif np.array_equal(counts, self.counts) and np.array_equal(solutions, self._solutions):
            return
        self.contradictory |= (counts != self.counts) | are_contradictory(puzzles, solutions, counts, self.one.boxes)
        self._solutions = solutions

    def round(self, plan: BenchPlan) -> None:
        """Time one round; after a failure there are no more."""
        if self.counts is None or self._stopped:
            return
        seconds = self.time_or_fail(plan)
        if not self._stopped:
            self.seconds.append(seconds / self.size / self.copies)

    def time_or_fail(self, plan: BenchPlan) -> float:
        """Return the seconds of a pass; a pass that fails counts all that it may take, and is the contestant's mark."""
        try:
            return self.time_once(plan)
        except ContestantFailed as failure:
            self.failed, self._stopped = str(failure), True
            return plan.deadline


def measure_set(
    one: PuzzleSet,
    running: Sequence[RunningContestant],
    plan: BenchPlan,
    reference: str = "",
    progress: Callable[[str], object] = str,
) -> list[ContestantResult]:
    """Return the results of every contestant on a set, in their order; the ``reference`` is the first unless named."""
    entries = []
    for asks in running:
        if asks.contestant.takes(one.side):
            progress(f"{one.name}: {asks.contestant.name}")
            entries.append(fit_sample(asks, one, plan))
    main = next((entry for entry in entries if entry.asks.contestant.name == reference), entries[0] if entries else None)
    smaller = _smaller_samples(main, entries, plan) if main else {}
    for number in range(plan.rounds):
        progress(f"{one.name}: round {number + 1} of {plan.rounds}")
        for entry in [*entries, *smaller.values()]:
            entry.round(plan)
    true = true_counts(one, ((e.indices, e.counts) for e in entries if e.counts is not None and not e.asks.contestant.first))
    results = [_result(entry, true) for entry in entries]
    for entry, result in zip(entries, results, strict=True):
        if main is not None and entry.counts is not None:
            size = min(entry.size, main.size)
            result.shared, result.against = (smaller.get((e.asks.contestant.name, size), e).seconds for e in (entry, main))
    return results


def sample_sizes(total: int) -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50, ... below the total, and the total."""
    size = 1
    while size < total:
        yield from (size * step for step in (1, 2, 5) if size * step < total)
        size *= 10
    yield total


def fit_sample(asks: RunningContestant, one: PuzzleSet, plan: BenchPlan) -> TimedSample:
    """Return the contestant with the largest sample that fits its seconds, found by trying; it has one puzzle at least."""
    entry, took = TimedSample(asks, one, evenly_spaced(len(one.puzzles), 1)), 0.0
    for size in sample_sizes(len(one.puzzles)):
        if took * size / entry.size > plan.seconds:
            break
        tried = TimedSample(asks, one, evenly_spaced(len(one.puzzles), size))
        try:
            seconds = tried.time_once(plan)
        except ContestantFailed as failure:
            entry.failed = str(failure) if size == 1 else f"{failure} on {size:,} puzzles"
            return entry
        if size > 1 and seconds > GROSS * plan.seconds:
            break
        entry, took = tried, seconds
    _lengthen(entry, took, plan)
    return entry


def _lengthen(entry: TimedSample, seconds: float, plan: BenchPlan) -> None:
    """Repeat the sample of a contestant that takes arrays, tenfold at most at a time, until a pass is long enough."""
    while entry.asks.contestant.at_once and 0 < seconds < SHORTEST:
        entry.copies *= min(10, ceil(SHORTEST / seconds))
        seconds = entry.time_or_fail(plan)


def _smaller_samples(main: TimedSample, entries: Sequence[TimedSample], plan: BenchPlan) -> Mapping[tuple[str, int], TimedSample]:
    """Return, by name and size, the smaller samples that are needed to compare each contestant with the reference."""
    found: dict[tuple[str, int], TimedSample] = {}
    for entry in entries:
        larger, smaller = sorted((entry, main), key=lambda one: one.size, reverse=True)
        name = larger.asks.contestant.name
        if larger.size > smaller.size and larger.counts is not None and (name, smaller.size) not in found:
            less = TimedSample(larger.asks, main.one, evenly_spaced(len(main.one.puzzles), smaller.size))
            _lengthen(less, less.time_or_fail(plan), plan)
            found[name, smaller.size] = less
    return found


def _result(entry: TimedSample, true: NDArray[np.int64]) -> ContestantResult:
    contestant, counts = entry.asks.contestant, entry.counts
    result = ContestantResult(contestant.name, 0, entry.seconds, first=contestant.first, ours=contestant.ours)
    result.failed = entry.failed or entry.error
    if counts is not None:
        result.puzzles = entry.size
        result.cpu_seconds = entry.cpu_seconds
        result.wrong = int((entry.contradictory | are_wrong(counts, true[entry.indices], first=contestant.first)).sum())
        result.unanswered = int((counts < 0).sum())
    return result


# Check the answers of contestants against the houses of the board and the known number of solutions.
#
# Where the number is not known, contestants that agree on it are believed; where they differ, the SAT engine decides.


CHUNK = 4096
"""Grids that are checked at once; the check of one 9x9 grid takes 2 KB."""
UNKNOWN = -1


def are_solutions(puzzles: GivensArray, solutions: GivensArray, boxes: Boxes) -> NDArray[np.bool_]:
    """Say for each grid whether it keeps the givens and has every value in every house."""
    side = boxes[0] * boxes[1]
    houses = np.array(list(Grid.square(side, boxes).houses.values()))
    every = np.uint64((1 << side + 1) - 2)
    valid: NDArray[np.bool_] = ((puzzles == 0) | (puzzles == solutions)).all(axis=1)
    for start in range(0, len(solutions), CHUNK):
        bits = np.uint64(1) << solutions[start : start + CHUNK].astype(np.uint64)
        valid[start : start + CHUNK] &= (np.bitwise_or.reduce(bits[:, houses], axis=2) == every).all(axis=1)
    return valid


def are_contradictory(puzzles: GivensArray, solutions: GivensArray, counts: NDArray[np.int64], boxes: Boxes) -> NDArray[np.bool_]:
    """Say for each answer whether it contradicts itself: a wrong grid, no grid with a count of 1, or a grid with a count of 0."""
    has_grid = solutions.any(axis=1)
    found: NDArray[np.bool_] = has_grid & ~are_solutions(puzzles, solutions, boxes)
    found |= (~has_grid & (counts == 1)) | (has_grid & (counts == 0))
    return found


def true_counts(one: PuzzleSet, answers: Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> NDArray[np.int64]:
    """Return the number of solutions of each puzzle, up to 2; -1 where it is unknown.

    ``answers`` has the indices and counts of every contestant that counts solutions.
    """
    if one.count is not None:
        return np.full(len(one.puzzles), one.count)
    least, most = np.full(len(one.puzzles), LIMIT + 1), np.full(len(one.puzzles), UNKNOWN)
    for indices, counts in answers:
        known = np.minimum(counts, LIMIT)
        least[indices] = np.where(known < 0, least[indices], np.minimum(least[indices], known))
        most[indices] = np.maximum(most[indices], known)
    for index in np.flatnonzero(most > least):
        most[index] = _count_by_sat(one, int(index))
    return most


def _count_by_sat(one: PuzzleSet, index: int) -> int:
    puzzle = Puzzle(
        Grid.square(one.side, one.boxes), givens={cell: value for cell, value in enumerate(one.puzzles[index].tolist()) if value}
    )
    session = backend("sat").open(puzzle.model())
    return sum(1 for _ in islice(session.solutions(puzzle.assume()), LIMIT))


def are_wrong(counts: NDArray[np.int64], true: NDArray[np.int64], *, first: bool) -> NDArray[np.bool_]:
    """Say for each count whether it is wrong; with ``first``, only whether there is a solution is compared."""
    given, known = np.minimum(counts, LIMIT), true
    if first:
        given, known = np.minimum(given, 1), np.minimum(true, 1)
    wrong: NDArray[np.bool_] = (counts >= 0) & (true >= 0) & (given != known)
    return wrong
