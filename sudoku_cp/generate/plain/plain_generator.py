"""Generates puzzles on plain boards, many at a time."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sudoku_cp.backends import UNLIMITED, Clock, Limits
from sudoku_cp.backends.fast import Boxes, shape_of, side_of
from sudoku_cp.backends.fast.lane_solver import CHEAP, EXCEPT, MOST_PROBES, probe
from sudoku_cp.errors import LimitReached, Unsupported
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, PuzzleArray, Target
from sudoku_cp.generate.plain.dig import dig_with_probes, dig_with_singles, minimal_boards, random_orders, random_orders_by_rows
from sudoku_cp.generate.plain.full_grids import TRIED, below, full_grids, random_words
from sudoku_cp.generate.plain.generator_kernel import call_kernel, stream_of
from sudoku_cp.generate.targets import make_target, with_limits
from sudoku_cp.logic.array_singles import groups_of
from sudoku_cp.logic.difficulty_level import Level, parse_level
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import orbits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


# Hill climbing towards a request: chains of changes that never make a puzzle worse, many puzzles at a time.
#
# Theory of operation. Every number has chains of its own, each a try with a random stream of its own: one at first, then twice
# as many each round, up to `CHAINS`. A chain that has not improved for `PATIENCE` rounds is replaced by a new try. All chains
# of a number advance in lockstep and the first to arrive wins (of several, the earliest try), so the result does not depend on
# which other numbers are made beside it. How a chain begins and changes is a `Strategy`.


CHAINS = 16
"""The most chains of a number: enough to fill the lanes of the kernel where one puzzle is made alone."""
PATIENCE = 500
"""Rounds without improvement after which a chain is replaced."""
UNPROVED = 1e6
"""A miss of this or more means that the puzzle has several solutions."""


@dataclass(frozen=True)
class Chains:
    """Chains, one a row: their ``numbers`` and ``tries`` (N,), full ``grids`` and ``givens`` (N, cells), the ``miss`` (N,).

    ``idle`` (N,) counts the rounds since the miss last became smaller.
    """

    numbers: NDArray[np.int64]
    tries: NDArray[np.int64]
    grids: NDArray[np.uint8]
    givens: NDArray[np.uint8]
    miss: NDArray[np.float64]
    idle: NDArray[np.int64]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.numbers)

    def only(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> Chains:
        """Return the selected chains."""
        return Chains(*(getattr(self, field.name)[which] for field in fields(self)))

    def beside(self, other: Chains) -> Chains:
        """Return both, sorted by number and try."""
        both = Chains(*(np.concatenate([getattr(self, field.name), getattr(other, field.name)]) for field in fields(self)))
        return both.only(np.lexsort((both.tries, both.numbers)))

    def bettered(self, grids: NDArray[np.uint8], givens: NDArray[np.uint8], miss: NDArray[np.float64]) -> Chains:
        """Return the chains after a round: with the change where it is no worse, else unchanged."""
        kept, nearer = miss <= self.miss, miss < self.miss
        return Chains(
            self.numbers,
            self.tries,
            np.where(kept[:, None], grids, self.grids),
            np.where(kept[:, None], givens, self.givens),
            np.where(kept, miss, self.miss),
            np.where(nearer, 0, self.idle + 1),
        )

    def best(self) -> Chains:
        """Return one chain for each number: the one that misses least, of several the earliest try."""
        order = np.lexsort((self.tries, self.miss, self.numbers))
        numbers = self.numbers[order]
        return self.only(order[np.flatnonzero(np.r_[True, numbers[1:] != numbers[:-1]])] if len(order) else order)


class Strategy(Protocol):
    """How chains begin and change; the result for a row depends on its number, try and round alone."""

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """Return a new chain for each number and try."""
        ...

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Return the chains a round later, none of them worse."""
        ...


@dataclass(frozen=True)
class ClimbResult:
    """The best chains, and the ``total_tries`` (N,) for each; a ``reached`` limit came before they arrived."""

    rows: Chains
    total_tries: NDArray[np.int64]
    reached: LimitReached | None = None


def climb(way: Strategy, numbers: Sequence[int], limits: Limits) -> Iterator[ClimbResult]:
    """Yield the puzzles of all numbers as they arrive.

    The seconds of ``limits`` are for each, counted from the last one that arrived. At a deadline the best chains with one
    solution are yielded. Raises `LimitReached` where some numbers have none even then, and when cancelled.
    """
    left = np.unique(np.asarray(numbers, np.int64))
    total_tries = dict.fromkeys(left.tolist(), 1)
    clock = limits.started()
    rows, step = None, 0
    try:
        rows = way.begin(left, np.zeros(len(left), np.int64), clock.left())
        while True:
            done = rows.only(rows.miss == 0).best()
            if len(done):
                yield ClimbResult(done, _count_tries(total_tries, done))
                clock = limits.started()
                rows = rows.only(~np.isin(rows.numbers, done.numbers))
                left = np.setdiff1d(left, done.numbers)
            if not len(left):
                return
            clock.check()
            step += 1
            changed = way.change(rows, step, clock.left())
            rows = _renew_chains(way, changed, left, total_tries, min(CHAINS, 1 << min(step, 30)), clock.left())
    except LimitReached as reached:
        if reached.reason != "cancelled" and rows is not None and (rows.miss < UNPROVED).any():
            near = rows.only(rows.miss < UNPROVED).best()
            yield ClimbResult(near, _count_tries(total_tries, near), reached)
            if len(near) == len(left):
                return
        raise LimitReached(reached.reason, f"{clock.elapsed:.3g} s without a further puzzle") from None


def _count_tries(total_tries: dict[int, int], rows: Chains) -> NDArray[np.int64]:
    return np.array([total_tries[number] for number in rows.numbers.tolist()], np.int64)


def _renew_chains(
    way: Strategy, rows: Chains, left: NDArray[np.int64], total_tries: dict[int, int], chains: int, limits: Limits
) -> Chains:
    """Return the chains without those that are stuck, and new ones up to ``chains`` for each number."""
    kept = rows.only((rows.idle <= PATIENCE) | (rows.miss == 0))
    missing = chains - np.bincount(np.searchsorted(left, kept.numbers), minlength=len(left))
    if not missing.any():
        return kept
    each = list(zip(left.tolist(), missing.tolist(), strict=True))
    tries = np.concatenate([np.arange(many) + total_tries[number] for number, many in each])
    for number, many in each:
        total_tries[number] += many
    return kept.beside(way.begin(np.repeat(left, missing), tries, limits))


AT_A_TIME, CLIMBING, FEWEST = 4096, 512, 32
"""Puzzles made at a time: 9x9; 9x9 where each takes a search; the largest boards. They fill the lanes and are done in some tenths
of a second, searches in a few seconds."""
WHEN_RATED = 4
"""Puzzles made at a time where each change is rated, one after the other."""
UNCHECKED = "not checked in time"
SOON = 0.1
"""Seconds for finding out which parts of the request a puzzle misses, once its time is over."""
GROWTH, SEARCHED = 1.8, 3.5
"""The number made at a time falls with these powers of the cells, without and with a search. The time to dig a single board grows
faster; but few boards leave lanes idle, so a 16x16 puzzle takes twice as long among 32 as among 512."""


class PlainGenerator:
    """Generates puzzles on a plain board by the lane kernel."""

    engine = "fast:lanes"

    def __init__(self, request: GenerateRequest, seed: int) -> None:
        """Choose the strategy for the request; raises `Unsupported` for boards and rules that the kernel does not take."""
        self._request, self._base = request, Puzzle(request.grid, request.rules)
        boxes = shape_of(self._base.model())
        if boxes is None or request.families or request.jigsaw:
            raise Unsupported(f"expected a plain board with boxes for the lane kernel, got {request.grid} with {request.rules}")
        is_large = side_of(boxes) >= LARGE
        asks = request.givens is not None or request.has_difficulty
        is_minimal_when_dug = request.symmetry == "none" and request.pattern is None and not is_large
        # Large boards are dug with few guesses; if they only have to be minimal, SAT continues from there.
        self._polishes = request.minimal and is_large and not asks and request.pattern is None and request.symmetry == "none"
        minimal = request.minimal and not is_minimal_when_dug and not self._polishes
        judge = BatchJudge(self._base, boxes, make_target(request) if asks else None, minimal)
        self._digging = DigStrategy(request, seed, judge, _level(request), by_rows=self._polishes)
        self._strategy = self._digging if request.pattern is None else PatternStrategy(request, seed, judge)
        searches = asks or minimal or request.pattern is not None
        most, growth = (CLIMBING, SEARCHED) if searches else (AT_A_TIME, GROWTH)
        self.chunk_size = max(FEWEST, min(most, int(AT_A_TIME * (81 / len(request.grid.cells)) ** growth)))
        if request.is_rated:
            self.chunk_size = WHEN_RATED
        if self._polishes:
            self.chunk_size = 1
        # The most common requests are made in one go.
        self._is_quick = boxes in TRIED and replace(request, minimal=False) == GenerateRequest(request.grid, request.rules)
        self._seed = seed

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[PuzzleArray | GeneratedPuzzle]:
        """Yield the puzzle of each number, in the order in which they are finished."""
        timed = replace(limits, nodes=None)
        if self._is_quick:
            who = np.unique(np.asarray(numbers, np.int64))
            givens, grids = minimal_boards(self._seed, who, boxes=self._digging.judge.boxes, limits=timed)
            yield PuzzleArray(self._base, who, givens, grids, np.ones_like(who))
            return
        if self._polishes:
            for number in numbers:
                yield self._dig_to_minimal(number, timed.started())
            return
        for done in climb(self._strategy, numbers, timed):
            yield from self._make_results(done)

    def _make_results(self, done: ClimbResult) -> Iterator[PuzzleArray | GeneratedPuzzle]:
        """Yield the puzzles of a climb: as arrays, or one by one where a limit came first."""
        rows = done.rows
        sheet = PuzzleArray(self._base, rows.numbers, rows.givens, rows.grids, done.total_tries)
        if done.reached is None:
            yield sheet
            return
        for made, row, miss in zip(sheet.each(), rows.givens, rows.miss, strict=True):
            yield replace(made, reason=done.reached.reason, missed=self._missed(row, judged=miss != UNJUDGED))

    def _missed(self, row: NDArray[np.uint8], *, judged: bool) -> str:
        """Describe which fields of the request a puzzle does not fulfil, and which were not checked in time."""
        request, base = self._request, self._base
        names = ("givens", "difficulty", "guesses", "singles_only", "rating", "needs")
        bare = GenerateRequest(request.grid, request.rules, levels=request.levels)
        alone = {name: replace(bare, **{name: getattr(request, name)}) for name in names}
        met: dict[str, bool | None] = {name: _is_met_soon(make_target(one), base, row) for name, one in alone.items()}
        unmet = [name for name, so in met.items() if so is False]
        unchecked = [name for name, so in met.items() if so is None]
        if request.minimal and not judged:
            unchecked.append("minimal")
        elif request.minimal and not unmet and not unchecked:
            unmet.append("minimal")
        words = [request.unmet_words(unmet)] * bool(unmet) + [f"{UNCHECKED}: {', '.join(unchecked)}"] * bool(unchecked)
        return "; ".join(words) or UNCHECKED

    def _dig_to_minimal(self, number: int, clock: Clock) -> GeneratedPuzzle:
        """Return a minimal puzzle of a large board: dug by probes with few guesses, then by SAT."""
        from sudoku_cp.generate.general.dig_with_cores import dig_with_cores  # noqa: PLC0415  # a SAT solver that only large boards need

        rows = self._digging.begin(np.array([number]), np.zeros(1, np.int64), clock.left())
        solution = tuple(rows.grids[0].tolist())
        units = [(cell,) for cell in self._digging.orders(rows.numbers, rows.tries)[0].tolist() if rows.givens[0, cell]]
        found = dig_with_cores(self._base, solution, units, minimal=True, limits=clock.left())
        puzzle = replace(self._base, givens=found.givens, solution=solution)
        missed = "" if found.reason is None else "it has one solution, but some givens could perhaps be left out"
        return GeneratedPuzzle(number, puzzle, 1, found.reason, missed)


def _is_met_soon(target: Target, base: Puzzle, row: NDArray[np.uint8]) -> bool | None:
    """Return whether a puzzle reaches a target, None where finding out takes longer than `SOON`."""
    try:
        return bool(with_limits(target, Limits(SOON)).miss(base, row[None])[0] == 0)
    except LimitReached:
        return None


def _level(request: GenerateRequest) -> Level | None:
    """Return the level whose singles must solve the puzzle while it is dug; None where only uniqueness matters."""
    level = Level.MEDIUM if request.singles_only else Level.HARD
    if request.difficulty and request.band is None:
        level = parse_level(request.difficulty)
    return None if request.minimal or level is Level.HARD else level


# The strategy for puzzles with givens in a pattern: full grids restricted to it, and changes that leave fewer solutions.
#
# With many patterns one grid in a few is a puzzle already. Otherwise a chain frees a few givens and moves to a random
# completion of the rest, if that has no more solutions.


COMPLETIONS = 12
"""A change moves to one of this many completions."""
FREED = 3
"""A change frees from 1 to this many givens."""
SOLUTIONS = 60
"""Solutions are counted up to this number when a chain begins."""
GUESSES, COUNTING = 500, 2000
"""A change that takes more guesses than these, or whose solutions take more to count, is not made."""


@dataclass(frozen=True)
class PatternStrategy:
    """Makes puzzles with givens in the cells of a pattern."""

    request: GenerateRequest
    seed: int
    judge: BatchJudge

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """The cells given."""
        return np.array(self.request.pattern, np.int64)

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """Restrict a full grid to the pattern for each number and try."""
        clock = limits.started()
        grids = full_grids(self.judge.boxes, self.seed, numbers, tries=tries, limits=limits)
        givens = self._restrict(grids)
        miss = self._miss(givens, np.full(len(givens), SOLUTIONS), clock.left())
        return Chains(numbers, tries, grids, givens, np.minimum(miss, UNPROVED + SOLUTIONS), np.zeros_like(numbers))

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Free some givens, and move to a random completion of the others."""
        clock = limits.started()
        chance = random_words(self.seed, rows.numbers, rows.tries, f"round {step}", FREED + 2)
        freed = self.cells[below(chance[:, :FREED], len(self.cells))]
        freed = np.where(np.arange(FREED) <= below(chance[:, FREED], FREED)[:, None], freed, freed[:, :1])
        left = rows.givens.copy()
        np.put_along_axis(left, freed, np.uint8(0), 1)
        wanted = below(chance[:, FREED + 1], COMPLETIONS) + 1
        found = probe(left, wanted, boxes=self.judge.boxes, most_nodes=GUESSES, limits=clock.left())
        clock.check()
        givens = self._restrict(found.solutions)
        others = np.flatnonzero((found.found == wanted) & (givens != rows.givens).any(1))
        miss = np.full(len(rows), np.inf)
        most = np.where(rows.miss < UNPROVED, 1, rows.miss - UNPROVED).astype(np.int64)
        miss[others] = self._miss(givens[others], most[others], clock.left())
        return rows.bettered(found.solutions, givens, miss)

    def _restrict(self, grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the grids with all cells outside the pattern blank."""
        seen = np.zeros_like(grids)
        seen[:, self.cells] = grids[:, self.cells]
        return seen

    def _miss(self, givens: NDArray[np.uint8], most: NDArray[np.int64], limits: Limits) -> NDArray[np.float64]:
        """Return the miss of puzzles: infinite above ``most`` solutions, high for several, the judge's for one."""
        clock = limits.started()
        found = probe(givens, most + 1, boxes=self.judge.boxes, most_nodes=COUNTING, limits=limits).found
        clock.check()
        miss = np.where((found < 0) | (found > most), np.inf, UNPROVED + found)
        unique = found == 1
        miss[unique] = self.judge.miss_in_time(givens[unique], clock)
        return miss


# The digging strategy on plain boards: puzzles are dug from full grids; givens are put back and dug again to change them.


GIVEN_BACK = 4, 8
"""How many cells are put back before a puzzle is dug again, at least and at most; fewer change little, more rarely improve."""
LARGE = 20
"""Boards of this side and larger are dug with few guesses, so that some givens stay that could go."""
FEW_GUESSES = 1
"""Three take 1.7 times as long there, and remove no more givens."""
UNJUDGED = UNPROVED / 2
"""The miss of a puzzle with one solution about which nothing else was known in time."""
CHEAP_TO = 16
"""Below this side a probe's first guesses take the first cell with two candidates (see `CHEAP`); from it on only one of them
does, since more take a third longer."""


DUG_AT_A_TIME = 1 << 15
"""Probes for redundant givens in one call: more would only take memory."""


def count_redundant(givens: NDArray[np.uint8], *, boxes: Boxes, limits: Limits = UNLIMITED) -> NDArray[np.int64]:
    """Return for each puzzle (N, cells) with one solution how many of its givens are not needed for that: none in a minimal one.

    A given is needed if there is a solution with any other value in its cell. Raises `LimitReached`.
    """
    clock = limits.started()
    found = np.zeros(len(givens), np.int64)
    row, cell = np.nonzero(givens)
    for start in range(0, len(row), DUG_AT_A_TIME):
        rows, cells = row[start : start + DUG_AT_A_TIME], cell[start : start + DUG_AT_A_TIME]
        probes = givens[rows]
        probes[np.arange(len(rows)), cells] |= EXCEPT
        answers = probe(probes, 1, boxes=boxes, limits=clock.left())
        clock.check()
        found += np.bincount(rows[answers.found == 0], minlength=len(givens))
    return found


@dataclass(frozen=True)
class BatchJudge:
    """Measures puzzles with the rules of ``base`` by a ``target``, and by redundant givens if they must be ``minimal``."""

    base: Puzzle
    boxes: Boxes
    target: Target | None
    minimal: bool

    def miss(self, givens: NDArray[np.uint8], limits: Limits) -> NDArray[np.float64]:
        """Return how far puzzles (N, cells), each with one solution, are from the request."""
        clock = limits.started()
        missed = np.zeros(len(givens))
        if self.target is not None:
            missed += with_limits(self.target, limits).miss(self.base, givens)
        if self.minimal:
            missed += count_redundant(givens, boxes=self.boxes, limits=clock.left())
        return missed

    def miss_in_time(self, givens: NDArray[np.uint8], clock: Clock) -> NDArray[np.float64]:
        """Return the same, or `UNJUDGED` for all where the deadline comes first, so that finished puzzles are not lost."""
        try:
            return self.miss(givens, clock.left())
        except LimitReached as reached:
            if reached.reason == "cancelled":
                raise
            return np.full(len(givens), UNJUDGED)


@dataclass(frozen=True)
class DigStrategy:
    """Digs puzzles from full grids in units, the orbits of the symmetry.

    With a ``level`` they are dug while singles solve them, else while they have one solution. The order is random over the board,
    or roughly ``by_rows`` (see `random_orders_by_rows`) where SAT must prove them minimal. Dug evenly, a large board reaches a
    state in which hardly any question has a quick answer. Where the first rows are nearly blank, others need most of their
    givens, and that is quickly shown.
    """

    request: GenerateRequest
    seed: int
    judge: BatchJudge
    level: Level | None = None
    by_rows: bool = False

    @cached_property
    def units(self) -> NDArray[np.int64]:
        """The cells of each unit, padded with -1."""
        found = orbits(self.request.grid, self.request.symmetry)
        table = np.full((len(found), max(map(len, found))), -1, np.int64)
        for row, unit in zip(table, found, strict=True):
            row[: len(unit)] = unit
        return table

    def begin(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits) -> Chains:
        """Dig a puzzle for each number and try."""
        clock = limits.started()
        rows = self.dig_anew(numbers, tries, limits)
        return replace(rows, miss=self.judge.miss_in_time(rows.givens, clock))

    def dig_anew(self, numbers: NDArray[np.int64], tries: NDArray[np.int64], limits: Limits, *, scarce: int = 0) -> Chains:
        """Dig a puzzle for each number and try, and measure none of them; so many ``scarce`` values are dug before others."""
        clock = limits.started()
        grids = full_grids(self.judge.boxes, self.seed, numbers, tries=tries, limits=limits)
        orders = self.orders(numbers, tries)
        if scarce:
            side = side_of(self.judge.boxes)
            drawn = 1 + below(random_words(self.seed, numbers, tries, "scarce values", scarce), side)
            orders = self._with_values_first(orders, grids, drawn)
        givens = self._dig(grids, orders, self._least(numbers, tries), None, clock.left())
        return Chains(numbers, tries, grids, givens, np.full(len(numbers), UNJUDGED), np.zeros_like(numbers))

    def change(self, rows: Chains, step: int, limits: Limits) -> Chains:
        """Put some units back and dig in another order."""
        clock = limits.started()
        start, orders = self._restore(rows, GIVEN_BACK, step)
        givens = self._dig(rows.grids, orders, self._least(rows.numbers, rows.tries), start, clock.left())
        return rows.bettered(rows.grids, givens, self.judge.miss(givens, clock.left()))

    def varied(self, rows: Chains, cells: tuple[int, int], step: int, *, again: bool, limits: Limits) -> NDArray[np.uint8]:
        """Return the givens with so many cells put back, at least and at most; every second row, or all, are dug ``again``."""
        start, orders = self._restore(rows, cells, step)
        dug = slice(None, None, None if again else 2)
        numbers, tries = rows.numbers[dug], rows.tries[dug]
        start[dug] = self._dig(rows.grids[dug], orders[dug], self._least(numbers, tries), start[dug], limits)
        return start

    def _restore(self, rows: Chains, cells: tuple[int, int], step: int) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
        """Return the givens with some units put back, so many cells at least and at most, and a random order of the units."""
        start = rows.givens.copy()
        orders = np.empty((len(rows), len(self.units)), np.int16)
        stream = stream_of(self.seed, f"round {step}")
        call_kernel("restore_givens", stream, rows.numbers, rows.tries, rows.grids, start, self.units, *cells, orders)
        return start, orders

    def orders(self, numbers: NDArray[np.int64], tries: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return the order (N, units) in which each puzzle is dug at first."""
        if self.by_rows:
            return random_orders_by_rows(self.seed, numbers, side_of(self.judge.boxes), tries=tries)
        return random_orders(self.seed, numbers, len(self.units), tries=tries)

    def _with_values_first(
        self, orders: NDArray[np.int16], grids: NDArray[np.uint8], drawn: NDArray[np.int64]
    ) -> NDArray[np.int16]:
        """Return the orders (N, units) with the units in front that hold one of the values drawn (N, k) for each grid."""
        holds = np.zeros(orders.shape, np.bool_)
        for cells in self.units.T:
            own = np.where(cells < 0, 0, grids[:, cells])
            holds |= (own[:, :, None] == drawn[:, None, :]).any(2)
        front = np.argsort(~np.take_along_axis(holds, orders.astype(np.int64), 1), axis=1, kind="stable")
        return np.take_along_axis(orders, front, 1)

    def _dig(
        self,
        grids: NDArray[np.uint8],
        orders: NDArray[np.int16],
        least: NDArray[np.int64] | None,
        start: NDArray[np.uint8] | None,
        limits: Limits,
    ) -> NDArray[np.uint8]:
        if self.level is not None:
            return dig_with_singles(
                grids,
                orders.astype(np.int64),
                self.level,
                groups=groups_of(self.judge.base),
                units=self.units,
                least=least,
                start=start,
                exactly=self.request.difficulty is not None,
                limits=limits,
            ).givens
        boxes = self.judge.boxes
        guesses = FEW_GUESSES if side_of(boxes) >= LARGE else MOST_PROBES
        units = self.units.astype(np.int16)[orders] if self.units.shape[1] > 1 else orders
        cheap = CHEAP if side_of(boxes) < CHEAP_TO else 1
        return dig_with_probes(
            grids, units, boxes=boxes, least=least, start=start, most_nodes=guesses, cheap=cheap, limits=limits
        ).givens

    def _least(self, numbers: NDArray[np.int64], tries: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Return the number of givens at which digging stops, drawn from the span requested; None for no such bound."""
        span = self.request.givens
        if span is None or self.request.minimal:
            return None
        if span.most is None:
            return np.full(len(numbers), span.least)
        chance = random_words(self.seed, numbers, tries, "givens", 1)[:, 0]
        return span.least + below(chance, span.most - span.least + 1)
