"""New puzzles to a file: made on every core, none twice, proved, and gone on with after any end."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, replace
from time import perf_counter, time
from typing import TYPE_CHECKING

from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.batch import solve_task
from sudoku_cp.batch.execution.checkpointed_output import Keeper
from sudoku_cp.batch.execution.in_flight import Flights
from sudoku_cp.batch.execution.worker_pool import crew_of
from sudoku_cp.batch.generate_tasks import Numbers
from sudoku_cp.batch.seen_keys import Beside, beside
from sudoku_cp.batch.solve_request import Tally
from sudoku_cp.errors import LimitReached
from sudoku_cp.generate.making import is_plain
from sudoku_cp.generate.portions import Proved, Sieve, Size
from sudoku_cp.load_time import working_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_cp.batch.crews import Crew
    from sudoku_cp.batch.generate_tasks import Making
    from sudoku_cp.batch.rows.generated_format import Telling
    from sudoku_cp.batch.rows.run_output import Output
    from sudoku_cp.generate.portions import Portion

GRACE = 0.3
"""Seconds that those who make puzzles are given to hand over what they have, once the time for the whole run is over."""
SOON, BRIEF = 1.0, 5.0
"""Seconds in which no other processes are started where the kernel makes the puzzles: by then they would hardly have begun.
Nor are they in a run of so few seconds."""


@dataclass(frozen=True)
class Shard:
    """Every ``of``-th number, from ``index`` on (from 0): a part of a run that others make the other parts of."""

    index: int = 0
    of: int = 1

    def __str__(self) -> str:
        """Return ``2/4`` for the second of four."""
        return f"{self.index + 1}/{self.of}"

    def share(self, count: int) -> int:
        """Return how many of so many puzzles are its own."""
        return len(range(self.index, count, self.of))

    def numbers(self, start: int, stop: int) -> range:
        """Return its own numbers, from the one at a place (from 0) to the one before another."""
        return range(self.index + start * self.of, self.index + stop * self.of, self.of)


@dataclass(frozen=True)
class Progress:
    """How far a run is: puzzles written, of how many begun, seconds since it was started, those done before that."""

    puzzles: int
    tries: int
    seconds: float
    before: int = 0


@dataclass(frozen=True)
class Listening:
    """Who hears of progress, ten times a second and whenever puzzles are done, and of the puzzles, with the first's index."""

    progress: Callable[[Progress], None] = lambda _: None
    made: Callable[[int, Proved], None] = lambda _index, _part: None


@dataclass(frozen=True)
class Outcome:
    """How a run ended: its ``counts``, the puzzles among them that it went on from, its seconds, and what cut it short.

    ``counts`` are of puzzles, of numbers and tries for them, of those that each engine proved (``proved sat``), and of those
    that a limit left with fewer wishes come true (``limited``). ``already`` says that there was nothing to go on with: the
    output was whole.
    """

    counts: Counter[str]
    before: int
    seconds: float
    cut: LimitReached | None = None
    already: bool = False

    @property
    def puzzles(self) -> int:
        """How many puzzles there are."""
        return self.counts["puzzles"]


class Generating:
    """One run: `look` at what is there, go `through`, `close`."""

    def __init__(
        self, output: Output, making: Making, shard: Shard, telling: Telling, packing: str, listening: Listening
    ) -> None:
        """Take the journal, so that nobody else writes this output."""
        self._making, self._shard, self._telling = making, shard, telling
        self._packing, self._listening = packing, listening
        self._wanted = shard.share(making.count)
        self._cancel = Cancellation()
        self._until: float | None = None
        self._cut: LimitReached | None = None
        self._tail: Counter[str] = Counter()
        self._fresh = working_time()
        self._begun, self._is_first = working_time(), True
        self.keeper = Keeper(output)
        self._beside = Beside(beside(output.path))
        self._sieve = Sieve(making.maker(), Limits(cancel=self._cancel), shard.numbers(0, self._wanted))
        self._size = Size(making.maker().portion)

    # --- the run ------------------------------------------------------------------------------------------------

    def through(
        self, workers: int, cluster: str | None, limits: Limits, last: Callable[[Outcome], None] = lambda _: None
    ) -> Outcome:
        """Make all puzzles; the seconds of ``limits`` are the whole run's. ``last`` is called when the output is whole."""
        keeper = self.keeper
        if keeper.was_whole:
            return Outcome(Counter(puzzles=keeper.before), keeper.before, perf_counter() - keeper.start, already=True)
        self._until = None if limits.seconds is None else working_time() + limits.seconds
        if not keeper.done.finished:
            with limits.cancel.calling(self._cancel.cancel) if limits.cancel else nullcontext():
                self._begin()
                self._make_all(workers, cluster)
        if self._cut is None:
            keeper.complete(lambda: last(self._outcome()))
        elif self._cut.reason == "cancelled":
            raise self._cut
        elif keeper.out.is_open:
            keeper.out.show()
            last(self._outcome())
        return self._outcome()

    def _begin(self) -> None:
        keeper = self.keeper
        keeper.head = solve_task.packed(self._telling.head(), self._packing)
        keeper.settle = self._beside.settle
        if keeper.done.records:
            self._sieve.resume(*self._beside.open(keeper.done.records))

    def _make_all(self, workers: int, cluster: str | None) -> None:
        crew = crew_of(self._making, workers, cluster, self._cancel)
        at_once = True
        try:
            # Puzzles that were left out are made up for, once it is known how many these are.
            while self._goes_on():
                for piece, made in self._landed(crew):
                    self._take(len(piece), made)
                    if self._cut is not None:
                        break
                self._is_first = False
            if self._cut is None:
                self.keeper.open()
                at_once = False
        finally:
            crew.close(at_once=at_once)

    def _landed(self, crew: Crew[Numbers, Portion]) -> Iterator[tuple[Numbers, Portion]]:
        """Yield what came of each piece, until the time for the run is over."""
        try:
            self._tick()
            for landed in Flights(self._pieces(), crew, self._making, self._tick).landed():
                yield landed
                self._tick()
        except LimitReached:
            if self._cut is None:
                raise

    def _goes_on(self) -> bool:
        return self._cut is None and self.keeper.done.records < self._wanted

    def _pieces(self) -> Iterator[Numbers]:
        """Yield the numbers of as many puzzles as are missing now; the first of a run are made here, before all others.

        So there are some soon, and what has to be compiled is compiled once.
        """
        done = self.keeper.done
        at = done.place.offset
        stop = at + self._wanted - done.records
        near = self._is_near()
        stop = min(stop, at + self._size()) if near else stop
        while at < stop:
            size = min(self._size(), stop - at)
            # Processes and other machines have their own clocks, but mean the same by the time of the day.
            until = None if self._until is None else time() + self._until - working_time()
            yield Numbers(self._shard.numbers(at, at + size), until, near=near)
            at += size

    def _is_near(self) -> bool:
        """Say whether a few puzzles are now to be made here, and nothing else meanwhile."""
        if self._making.is_light or not is_plain(self._making.wishes):
            return self._is_first and is_plain(self._making.wishes)
        return working_time() < self._begun + SOON or (self._until is not None and self._until < self._begun + BRIEF)

    def _take(self, numbers: int, made: Portion) -> None:
        """Write what came of so many numbers, and note it down now and then; what a limit cut short is not noted down."""
        self._size.heard(made)
        keeper, index, counts = self.keeper, self.keeper.done.records, Counter({"numbers": numbers})
        for part in self._sieve.through(made):
            self._write(part, index)
            index += len(part)
            counts += _counted(part)
        if index > keeper.done.records:
            self._fresh = working_time()
        self._cut = self._over() if made.cut and self._is_over_for(made.cut) else made.cut or self._exhausted()
        if self._cut is not None:
            self._tail = counts
        else:
            keeper.done.tally.add(Tally(counts))
            place = keeper.done.place._replace(offset=keeper.done.place.offset + numbers)
            keeper.took(replace(keeper.done, records=index, length=keeper.out.length, place=place))

    def _write(self, part: Proved, index: int) -> None:
        keeper = self.keeper
        if not keeper.out.is_open and not keeper.done.records:
            self._beside.open(0)
        keeper.write(solve_task.packed(self._telling.body(part, index), self._packing))
        self._beside.add(part)
        self._listening.made(index, part)

    def _exhausted(self) -> LimitReached | None:
        """Return the limit that has come because nothing new does, None where there is none."""
        try:
            self._sieve.check()
        except LimitReached as reached:
            return reached
        seconds = self._making.seconds
        if seconds is not None and working_time() - self._fresh > seconds:
            return LimitReached("deadline", f"{seconds:.3g} s without a new puzzle")
        return None

    def _tick(self) -> None:
        keeper = self.keeper
        now, counts = perf_counter(), keeper.done.tally.statuses
        self._listening.progress(Progress(keeper.done.records, counts["tries"], now - keeper.start, keeper.before))
        if self._is_over():
            self._cancel.cancel()
            if self._until is not None and working_time() > self._until + GRACE:
                self._cut = self._over()
                raise self._cut
        elif self._cancel.cancelled:
            raise LimitReached("cancelled", f"{keeper.done.records} puzzles are written")

    def _is_over(self) -> bool:
        return self._until is not None and working_time() > self._until

    def _is_over_for(self, cut: LimitReached) -> bool:
        """Say whether a piece was cut short by the end of the run, seen here or, a moment earlier, by who made it."""
        return self._is_over() or (cut.reason == "cancelled" and not self._cancel.cancelled)

    def _over(self) -> LimitReached:
        return LimitReached("deadline", "the time for the whole run is over")

    def _outcome(self) -> Outcome:
        keeper = self.keeper
        return Outcome(keeper.done.tally.statuses + self._tail, keeper.before, perf_counter() - keeper.start, self._cut)

    def close(self) -> None:
        """Note down what is done; leave no trace of a run that is complete or never began."""
        gone = False
        try:
            gone = self.keeper.close()
        finally:
            self._beside.close(remove=gone)


def _counted(part: Proved) -> Counter[str]:
    """Return what is to be counted of puzzles."""
    counts = Counter({"puzzles": len(part), "tries": part.tries})
    counts.update(f"proved {name}" for name in part.by if name)
    counts["limited"] += sum(made.reason is not None for made, _ in part.each()) if len(part) == 1 else 0
    return counts
