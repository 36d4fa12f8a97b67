"""Digging on the lane kernel: givens are removed from full grids while the solution stays unique, many boards at a time.

Each board has units (cells that go together) in an order; a unit goes if the rest has one solution. The longest prefix of the
order that can go is found by bisection, since removing more givens never makes a solution unique again: five probes instead of
thirty-six. Then each unit is tried on its own; a unit of one cell by asking for a solution with any other value there. The result
is the same as trying the units one by one from the start.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from math import erf, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.backends import UNLIMITED, Clock, Limits
from sudoku_cp.backends.fast import side_of
from sudoku_cp.backends.fast.lane_solver import CHEAP, MOST_PROBES, Prober
from sudoku_cp.backends.fast.singles_kernel import KERNEL, lanes_of, place_singles
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.plain.full_grids import below, random_words, run_in_blocks, uniform_grids
from sudoku_cp.generate.plain.generator_kernel import SPARE, STATES, STEPS, call_kernel, stream_of
from sudoku_cp.logic.array_singles import flatten_groups, levels
from sudoku_cp.logic.difficulty_level import Level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends.fast import Boxes
    from sudoku_cp.generate.plain.full_grids import Halt
    from sudoku_cp.logic.array_singles import CellGroups


MEAN, SPREAD = 0.45, 0.1
"""Mean and standard deviation of the first cell that cannot go, as a share of all cells: 36.4 and 8.1 of 81 were measured."""
ROUND = 1 << 31
"""In digging by rows: the time between the start of the first row and that of the last, and the time that one row takes."""


class ProbeDigResult(NamedTuple):
    """The remaining ``givens`` (N, cells) of each board, and whether it is ``proved`` (N,) that none of those tried can go.

    It is not proved where a probe ran out of nodes, since its unit then stays. Each board has one solution all the same.
    """

    givens: NDArray[np.uint8]
    proved: NDArray[np.bool_]


def dig_with_probes(
    grids: NDArray[np.uint8],
    orders: NDArray[np.integer],
    *,
    boxes: Boxes,
    least: NDArray[np.int64] | int | None = None,
    start: NDArray[np.uint8] | None = None,
    most_nodes: int = MOST_PROBES,
    cheap: int = CHEAP,
    limits: Limits = UNLIMITED,
    threads: int = 1,
) -> ProbeDigResult:
    """Remove givens of full ``grids`` (N, cells) in their ``orders``: cells (N, U), or units (N, U, K), -1 for no cell.

    Begin with ``start``, givens that have one solution, or with all. At least ``least`` givens remain, one number for all
    or (N,); a unit that is too large for that stays. A probe ends after ``most_nodes`` guesses (see `ProbeDigResult`), the first
    ``cheap`` of which are made cheaply (see `probe`). Raises `LimitReached`.
    """
    units = np.asarray(orders, np.int16)
    units = np.array(units if units.ndim == 3 else units[:, :, np.newaxis], order="C")  # noqa: PLR2004
    found = ProbeDigResult(np.array(grids if start is None else start, np.uint8), np.ones(len(grids), np.bool_))
    spare = (found.givens > 0).sum(1) - (0 if least is None else least)
    most = min(most_nodes, MOST_PROBES if limits.nodes is None else limits.nodes)

    def work(block: slice, halt: Halt) -> bool:
        prober = Prober(boxes, most_nodes=most, cheap=cheap, steals=most == MOST_PROBES, halt=halt)
        return _dig_block(prober, found.givens[block], found.proved[block], units[block], spare[block], halving=start is None)

    run_in_blocks(len(grids), work, limits, threads)
    return found


def minimal_boards(
    seed: int, numbers: Sequence[int] | NDArray[np.int64], *, boxes: Boxes = (3, 3), limits: Limits = UNLIMITED, threads: int = 1
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return givens and solutions (N, cells) of minimal puzzles, dug from uniform grids in uniform orders; unchecked.

    Each puzzle depends on its number and the seed alone. ``boxes`` are one of `TRIED`. Raises `LimitReached`.
    """
    who = np.array(numbers, np.int64).reshape(-1)
    grids = np.zeros((len(who), side_of(boxes) ** 2), np.uint8)
    givens = np.empty_like(grids)

    def work(block: slice, halt: Halt) -> bool:
        tries = np.zeros(len(who[block]), np.int64)
        if not uniform_grids(boxes, seed, who[block], tries, grids[block], halt):
            return False
        givens[block] = grids[block]
        units = random_orders(seed, who[block], grids.shape[1], tries=tries)[:, :, np.newaxis]
        spare, proved = np.full(len(tries), grids.shape[1]), np.ones(len(tries), np.bool_)
        return _dig_block(Prober(boxes, steals=True, halt=halt), givens[block], proved, units, spare, halving=True)

    run_in_blocks(len(who), work, limits, threads)
    return givens, grids


def random_orders(
    seed: int, numbers: Sequence[int] | NDArray[np.int64], cells: int, *, tries: NDArray[np.int64] | None = None
) -> NDArray[np.int16]:
    """Return a random order (N, cells) of all cells for each number and try."""
    who = np.array(numbers, np.int64).reshape(-1)
    orders = np.empty((len(who), cells), np.int16)
    call_kernel("draw_orders", stream_of(seed, "order"), who, np.zeros_like(who) if tries is None else tries, orders)
    return orders


def random_orders_by_rows(
    seed: int, numbers: Sequence[int] | NDArray[np.int64], side: int, *, tries: NDArray[np.int64] | None = None
) -> NDArray[np.int16]:
    """Return an order (N, cells) of all cells for each number and try, roughly row by row.

    The rows start at equal intervals, in random order, within the time of a `ROUND`; each cell comes at a random moment within a
    `ROUND` after its row's start.
    """
    who = np.array(numbers, np.int64).reshape(-1)
    attempts = np.zeros_like(who) if tries is None else tries
    chance = random_words(seed, who, attempts, "order by rows", side + side**2)
    rank = chance[:, :side].argsort(1, kind="stable").argsort(1)
    late = rank[:, np.arange(side**2) // side] * (ROUND // side) + below(chance[:, side:], ROUND)
    return late.argsort(1, kind="stable").astype(np.int16)


def _dig_block(
    prober: Prober,
    givens: NDArray[np.uint8],
    proved: NDArray[np.bool_],
    units: NDArray[np.int16],
    spare: NDArray[np.int64],
    *,
    halving: bool,
) -> bool:
    """Dig boards in place; return whether it finished."""
    state, law, probes = np.zeros((len(givens), STATES), np.int64), _failure_law(max(1, units.shape[1])), np.empty_like(givens)
    state[:, SPARE] = spare
    wanted, found, nodes, active = np.zeros((4, len(probes)), np.int64)
    active = active[: call_kernel("ready", givens, units, state, int(halving), active)]
    while len(active):
        here = slice(0, len(active))
        call_kernel("ask", givens, units, state, law, active, probes, wanted)
        prober.ask(probes[here], wanted[here], found[here], nodes[here])
        if prober.halt[0]:
            return False
        active = active[: call_kernel("learn", givens, units, state, proved, active, wanted, found)]
    return True


@lru_cache(maxsize=32)
def _failure_law(units: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the distribution function of the first unit that fails, and its inverse in `STEPS` steps.

    It is a guess that affects the speed alone.
    """
    mean, spread = MEAN * units, SPREAD * units
    likely = [(1 + erf((unit + 0.5 - mean) / spread / sqrt(2))) / 2 for unit in range(units + 2)]
    chances = np.array(likely) * 0.99 + np.arange(units + 2) * 0.01 / (units + 2)
    return chances, np.searchsorted(chances, np.arange(STEPS + 1) / STEPS).clip(0, units + 1)


# Digging puzzles that singles solve, with the singles solver as the test: a puzzle that it solves has one solution.
#
# A unit of givens goes if hidden singles (or all singles) still solve the rest. That is monotone (more givens never keep
# singles from solving a puzzle), so after one pass through the units no further one can go.


RETRIES = 12
"""How often some units of a puzzle that came out too easy are put back and others removed."""
PUT_BACK = 3
"""One unit in this many is put back."""
WORK = 100_000
"""Work between two looks at the clock, in cells visited: some hundredths of a second."""
_ODD = np.uint64(0x9E3779B97F4A7C15)


class SinglesDigResult(NamedTuple):
    """The ``givens`` (N, cells), 0 in blank cells, and whether each puzzle ``reached`` the level requested.

    Singles solve each of them, so all have one solution.
    """

    givens: NDArray[np.uint8]
    reached: NDArray[np.bool_]


def dig_with_singles(
    grids: NDArray[np.uint8],
    orders: NDArray[np.int64],
    level: Level,
    *,
    groups: CellGroups,
    units: NDArray[np.int64] | None = None,
    least: NDArray[np.int64] | None = None,
    start: NDArray[np.uint8] | None = None,
    exactly: bool = True,
    limits: Limits = UNLIMITED,
) -> SinglesDigResult:
    """Return puzzles of the ``level`` (easy or medium), dug from solved ``grids`` (N, cells) of these ``groups``.

    ``orders`` (N, units) are the units in the order in which each grid loses them; row u of ``units`` (U, width) lists the cells
    of unit u, padded with -1; by default every cell is a unit. ``least`` (N,) is the number of givens to stop at: each puzzle
    ends with so many, or as few more as its units and the level allow. ``start`` (N, cells) are the givens to begin with, by
    default all; a puzzle that singles of the level do not solve from there stays as it is, and has not reached the level. With
    ``exactly`` false an easier puzzle will do. The result for a grid depends on its own rows alone, even where it is random: that
    randomness comes from its order. Raises `LimitReached`.
    """
    if level is Level.HARD:
        raise InvalidInput("expected a level that singles solve (easy, medium) to dig under singles, got 'hard'")
    initial = np.array(grids if start is None else start, np.uint8)
    few = np.zeros(len(initial), np.int64) if least is None else np.asarray(least, np.int64)
    work = _SinglesDig(groups, initial, units, limits.started())
    possible = np.full(len(initial), fill_value=True) if start is None else work.levels(initial) <= level
    rows = np.flatnonzero(possible)
    givens = initial.copy()
    if level is Level.EASY or not exactly:
        givens[rows] = work.dig(rows, orders[rows], initial[rows], level, few[rows])
        return SinglesDigResult(givens, possible)
    givens[rows] = _dig_to_medium(work, rows, orders[rows], few[rows])
    return SinglesDigResult(givens, possible & (work.levels(givens) == level))


def _dig_to_medium(
    work: _SinglesDig, rows: NDArray[np.int64], orders: NDArray[np.int64], least: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """Return puzzles that need naked singles, if possible: dug until nothing more can go, then filled up to ``least`` givens."""
    given = work.dig(rows, orders, work.initial[rows], Level.MEDIUM, np.zeros_like(least))
    for retry in range(RETRIES):
        easy = np.flatnonzero(work.levels(given) == Level.EASY)
        if not len(easy):
            break
        own, again = rows[easy], reshuffle_orders(orders[easy], retry)
        back = work.with_units(own, again[:, again.shape[1] - again.shape[1] // PUT_BACK :], given[easy])
        given[easy] = work.dig(own, again, back, Level.MEDIUM, np.zeros_like(own))
    order = reshuffle_orders(orders, RETRIES)
    for careful in (True, False):  # where no unit can be added without making it easy, it becomes easy
        for place in range(order.shape[1]):
            few = np.flatnonzero((given > 0).sum(axis=1) < least)
            if not len(few):
                break
            more = work.with_units(rows[few], order[few, place : place + 1], given[few])
            taken = work.levels(more) == Level.MEDIUM if careful else np.full(len(few), fill_value=True)
            given[few[taken]] = more[taken]
    return given


def reshuffle_orders(orders: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Return each order shuffled by a hash of the order itself, differently for each ``number``."""
    places = np.arange(1, orders.shape[1] + 1, dtype=np.uint64)
    own = _mix_bits((orders.astype(np.uint64) + _ODD) * _mix_bits(places)).sum(axis=1, dtype=np.uint64)
    drawn = _mix_bits(own[:, None] + _mix_bits(places + np.uint64(number << 32)))
    return np.take_along_axis(orders, np.argsort(drawn, axis=1, kind="stable"), axis=1)


def _mix_bits(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers in which every bit depends on all bits of the given ones (the last steps of SplitMix64)."""
    mixed = (numbers + _ODD) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)


@lru_cache(maxsize=3)
def _kernel(bits: int) -> CachedModule:
    """Return the kernel for sets of so many bits."""
    modules = (*KERNEL, sys.modules[__name__])
    return CachedModule.of_functions(f"digging-under-singles-{bits}", modules, ("dig_boards",), "the kernel of digging")


class _SinglesDig:
    """Puzzles with the same groups, from which units are removed and to which they are put back; ``initial`` is the start."""

    def __init__(self, groups: CellGroups, initial: NDArray[np.uint8], units: NDArray[np.int64] | None, clock: Clock) -> None:
        self.initial = initial
        self._groups, self._shape = groups, flatten_groups(groups)
        self._units = np.arange(initial.shape[1])[:, None] if units is None else np.ascontiguousarray(units, np.int64)
        self._clock = clock
        self._kernel = _kernel(self._shape.bits)

    def levels(self, givens: NDArray[np.uint8]) -> NDArray[np.int8]:
        """Return the level of each puzzle."""
        return levels(self._groups, givens, limits=self._clock.left())

    def dig(
        self,
        rows: NDArray[np.int64],
        orders: NDArray[np.int64],
        given: NDArray[np.uint8],
        level: Level,
        least: NDArray[np.int64],
    ) -> NDArray[np.uint8]:
        """Return the remaining givens of the puzzles in ``rows``, once every unit that can go is gone."""
        kept = (given > 0).astype(np.uint8)
        lanes = lanes_of(self._shape.bits)
        state = np.full((4, lanes), -1, np.int64)
        coming = np.zeros(1, np.int64)
        boards = [np.zeros((kept.shape[1], lanes), self._shape.domains.dtype) for _ in range(2)]
        puzzles = self.initial[rows], np.ascontiguousarray(orders, np.int64), self._units, least, kept
        rounds = 1 + WORK // (1 + len(self._shape.cells))
        busy = True
        while busy:
            self._clock.check()
            busy = self._kernel.call("dig_boards", *puzzles, *self._shape, level is Level.MEDIUM, state, coming, *boards, rounds)
        return np.where(kept > 0, puzzles[0], 0).astype(np.uint8)

    def with_units(self, rows: NDArray[np.int64], units: NDArray[np.int64], given: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return the givens of the puzzles in ``rows``, with these units (N, some) put back as they were at the start."""
        cells = self._units[units].reshape(len(rows), -1)
        board, place = np.nonzero(cells >= 0)
        more = given.copy()
        more[board, cells[board, place]] = self.initial[rows[board], cells[board, place]]
        return more


# Numba kernel: units are removed while singles solve the rest, many boards at a time.
#
# Theory of operation. Each lane works on a board of its own and takes the next one when that is finished. First it bisects for
# the longest prefix of the order that can go at once, then it asks about one unit after the other: a unit that cannot go now
# cannot go later either. One call of `settle` answers the questions of all lanes. Row u of ``units`` has the cells of unit u,
# padded with -1.


BOARD, LOW, HIGH, HERE = range(4)
"""Rows of a lane's state: its board (-1: none), how many units can go at once, how many cannot, the unit asked about."""


def without(kept: Any, order: Any, start: int, stop: int, units: Any) -> int:
    """Return how many givens remain without these units of an order."""
    left = 0
    for cell in range(len(kept)):
        left += kept[cell]
    for place in range(start, stop):
        for cell in units[order[place]]:
            if cell >= 0:
                left -= kept[cell]
    return left


def take(kept: Any, order: Any, start: int, stop: int, units: Any) -> None:
    """Remove these units of an order."""
    for place in range(start, stop):
        for cell in units[order[place]]:
            if cell >= 0:
                kept[cell] = 0


def next_question(state: Any, lane: int, kept: Any, orders: Any, units: Any, least: Any) -> bool:
    """Advance to the next question about a lane's board; return False if there is none."""
    board, number = state[BOARD, lane], orders.shape[1]
    own, order = kept[board], orders[board]
    while state[HIGH, lane] - state[LOW, lane] > 1:
        middle = (state[LOW, lane] + state[HIGH, lane]) // 2
        if without(own, order, 0, middle, units) >= least[board]:
            state[HERE, lane] = middle
            return True
        state[HIGH, lane] = middle
    if state[LOW, lane] >= 0:  # the prefix is known but not removed yet; the unit after it cannot go
        take(own, order, 0, state[LOW, lane], units)
        state[HERE, lane] = state[HIGH, lane]
        state[LOW, lane] = state[HIGH, lane] = -1
    every = without(own, order, 0, 0, units)
    while state[HERE, lane] < number:
        left = without(own, order, state[HERE, lane], state[HERE, lane] + 1, units)
        if least[board] <= left < every:
            return True
        state[HERE, lane] += 1
    return False


def ask(candidates: Any, placed: Any, lane: int, grid: Any, kept: Any, domains: Any, first: int) -> None:
    """Write the remaining givens into a lane."""
    for cell in range(len(grid)):
        candidates[cell, lane] = domains[cell]
        placed[cell, lane] = 0
        if kept[cell]:
            candidates[cell, lane] = 0
            placed[cell, lane] = domains[cell] & np.uint64(1) << np.uint64(grid[cell] - first)


def open_up(candidates: Any, placed: Any, lane: int, order: Any, start: int, stop: int, units: Any, domains: Any) -> None:
    """Open the cells of these units of an order in a lane."""
    for place in range(start, stop):
        for cell in units[order[place]]:
            if cell >= 0:
                placed[cell, lane] = 0
                candidates[cell, lane] = domains[cell]


def is_filled(placed: Any, lane: int) -> bool:
    """Return whether no cell of a board is open."""
    for cell in range(placed.shape[0]):  # noqa: SIM110  # Numba's language
        if placed[cell, lane] == 0:
            return False
    return True


def note_answer(state: Any, lane: int, kept: Any, orders: Any, units: Any, solved: bool) -> None:  # noqa: FBT001
    """Apply the answer to a lane's question."""
    here = state[HERE, lane]
    if state[LOW, lane] >= 0:
        state[LOW if solved else HIGH, lane] = here
        return
    if solved:
        take(kept[state[BOARD, lane]], orders[state[BOARD, lane]], here, here + 1, units)
    state[HERE, lane] += 1


def dig_boards(  # noqa: PLR0917
    grids: Any,
    orders: Any,
    units: Any,
    least: Any,
    kept: Any,
    domains: Any,
    first: int,
    cells: Any,
    starts: Any,
    houses: int,
    naked: bool,  # noqa: FBT001
    state: Any,
    coming: Any,
    candidates: Any,
    placed: Any,
    rounds: int,
) -> int:
    """Ask up to ``rounds`` questions in every lane; return how many lanes still had work then.

    ``kept`` (N, cells) is 1 where a given remains. ``coming[0]`` is the next board that no lane has taken.
    """
    busy = 1
    while busy and rounds:
        rounds -= 1
        busy = 0
        for lane in range(placed.shape[1]):
            while True:
                if state[BOARD, lane] < 0:
                    if coming[0] == len(grids):
                        break
                    state[BOARD, lane] = coming[0]
                    coming[0] += 1
                    state[LOW, lane], state[HIGH, lane] = 0, orders.shape[1] + 1
                board = state[BOARD, lane]
                if next_question(state, lane, kept, orders, units, least):
                    ask(candidates, placed, lane, grids[board], kept[board], domains, first)
                    here = state[HERE, lane]
                    start, stop = (0, here) if state[LOW, lane] >= 0 else (here, here + 1)
                    open_up(candidates, placed, lane, orders[board], start, stop, units, domains)
                    busy += 1
                    break
                state[BOARD, lane] = -1
        if busy:
            place_singles(candidates, placed, cells, starts, houses, naked)
            for lane in range(placed.shape[1]):
                if state[BOARD, lane] >= 0:
                    note_answer(state, lane, kept, orders, units, is_filled(placed, lane))
    return busy
