"""Count solutions by dynamic programming over a frontier: partly filled boards with the same rest are counted together.

Theory of operation. A sweep fills one open cell after the other, in a fixed order, in all boards at once.
State: for each value the set of open cells that it may still take. Where the only rule is that cells differ, these sets alone
decide in how many ways a board can be completed, and the names of the values do not matter: a state is the *multiset* of the
sets, with the number of ways that lead to it. The different sets are numbered, so a state is a sorted row of small numbers;
states are packed, sorted and merged by the million.
Step: filling a cell with some value leaves that value the set "takes", all others "rests", which depend on the set alone. So
each step computes both once for each different set (`_transitions`), not for each state, and the rest is array work.
Invariants: after each step the ways of all states add up to the number of partly filled boards that are still alive; equal states
are merged (if some stay apart, that costs room but no correctness).
Why it is fast: 10**16 grids of 8x8 share so few states that one sweep counts them; renamed values, and sets narrowed to the
places that houses leave (`without_dead_places`), make many boards equal. The width depends on the order of the cells:
several orders compete. The empty 9x9 board is out of reach: three million states after 30 cells.
Source: the transfer-matrix method; frontier search as in Knuth's Simpath (TAOCP 4A, 7.1.4).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, permutations
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sudoku_cp.errors import Unsupported
from sudoku_cp.model import AllDifferent, Domain, Model, members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from sudoku_cp.backends import Assumed, Clock
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle import Puzzle


CellSet: TypeAlias = int
"""A set of cells as bits."""
FEW = 10_000
"""States below which it pays to find out which sets of cells still occur."""
LOOK = 64
"""Sets of cells between two checks of the clock."""


@dataclass(frozen=True)
class OpenBoard:
    """What propagation leaves of a board: for each value the open cells it may take, and which cells exclude each other.

    ``needs`` are the houses with as many cells as values, in which every value must occur.
    """

    cells: tuple[Cell, ...]
    values: tuple[CellSet, ...]
    peers: tuple[CellSet, ...]
    needs: tuple[CellSet, ...]

    def without_dead_places(self, places: CellSet, needs: Sequence[CellSet]) -> CellSet:
        """Return ``places`` without those that leave the value no place in a house that needs it; -1 if a house has none left."""
        while True:
            before = places
            for house in needs:
                left = places & house
                if not left:
                    return -1
                if not left & (left - 1):
                    places &= ~self.peers[left.bit_length() - 1]
            if places == before:
                return places

    def after(self, places: CellSet, cell: Cell) -> tuple[CellSet, CellSet]:
        """Return what is left of a value's places if it takes ``cell``, and if it does not; -1 if it cannot."""
        needs = [house for house in self.needs if places & house]
        here = 1 << cell
        rest = self.without_dead_places(places & ~here, needs)
        if not places & here:
            return -1, rest
        return self.without_dead_places(places & ~here & ~self.peers[cell], [house for house in needs if not house & here]), rest


def open_board(model: Model, assume: Assumed, tick: Callable[[], object] = int) -> OpenBoard | None:
    """Return the board under ``assume`` after naked and hidden singles; None if there is plainly no solution.

    Raises `Unsupported` for a model with constraints other than that cells differ.
    """
    if not model.is_houses or model.board < len(model.domains):
        raise Unsupported("frontier: expected a puzzle whose rules only require cells to differ; got other rules")
    domains = [domain & assume.get(cell, domain) for cell, domain in enumerate(model.domains)]
    houses = [constraint.cells for constraint in model.constraints if isinstance(constraint, AllDifferent)]
    sets = [sum(1 << cell for cell in set(house)) for house in houses]
    kinds = [_union_of_domains(domains, house).bit_count() for house in houses]
    if not all(domains) or any(kind < len(house) for kind, house in zip(kinds, houses, strict=True)):
        return None
    peers = [0] * len(domains)
    for house, cells in zip(houses, sets, strict=True):
        for cell in house:
            peers[cell] |= cells & ~(1 << cell)
    whole = _union_of_domains(domains, range(len(domains)))
    # A smaller house that happens to have only as many values left as cells needs these, but not the others.
    needs = tuple(cells for cells in sets if cells.bit_count() == whole.bit_count())
    values = tuple(sum(1 << cell for cell, domain in enumerate(domains) if domain >> value & 1) for value in members(whole))
    return _take_singles(OpenBoard(tuple(range(len(domains))), values, tuple(peers), needs), tick)


def _union_of_domains(domains: Sequence[Domain], cells: Iterable[Cell]) -> Domain:
    found = 0
    for cell in cells:
        found |= domains[cell]
    return found


def _take_singles(board: OpenBoard, tick: Callable[[], object]) -> OpenBoard | None:
    """Take all singles; decided cells are no longer open, and their houses need one value less."""
    values = list(board.values)
    decided = 0
    while True:
        tick()
        before = list(values)
        values = [board.without_dead_places(places, board.needs) for places in values]
        if min(values) < 0:
            return None
        for cell in board.cells:
            takers = [index for index, places in enumerate(values) if places >> cell & 1]
            if not takers:
                return None
            only = [i for i in takers if len(takers) == 1 or any(values[i] & house == 1 << cell for house in board.needs)]
            for index in takers if only else ():
                values[index] &= ~board.peers[cell] if index == only[0] else ~(1 << cell)
            decided |= bool(only) << cell
        if values == before:
            break
    still = tuple(cell for cell in board.cells if not decided >> cell & 1)
    needs = tuple(dict.fromkeys(house & ~decided for house in board.needs if house & ~decided))
    return OpenBoard(still, tuple(places & ~decided for places in values), board.peers, needs)


class FrontierSweep:
    """A pass over the open cells in a given order, with the states of all partly filled boards."""

    def __init__(self, board: OpenBoard, order: Iterable[Cell]) -> None:
        """Start before the first cell of ``order``; cells that are not open are skipped."""
        self._board = board
        self._left = [cell for cell in order if cell in set(board.cells)][::-1]
        self._kinds = list(dict.fromkeys(board.values))
        numbers = np.array([[self._kinds.index(places) for places in board.values]], np.int32)
        self.states = FrontierStates.of(numbers, len(self._kinds))
        self.widths: list[int] = []

    @property
    def done(self) -> bool:
        """Whether all cells are filled."""
        return not self._left or not len(self.states)

    @property
    def total(self) -> int:
        """The number of ways to all states: the number of solutions, once it is done."""
        return self.states.total()

    def advance(self, tick: Callable[[], object] = int) -> None:
        """Fill the next cell in every state; if ``tick`` raises, nothing has changed."""
        kinds, takes, rests = self._transitions(self._left[-1], tick)
        self.states = self.states.fill_cell(takes, rests, len(kinds), tick)
        self._kinds = kinds
        self._left.pop()
        self.widths.append(len(self.states))

    def _transitions(self, cell: Cell, tick: Callable[[], object]) -> tuple[list[CellSet], np.ndarray, np.ndarray]:
        """Return the sets of cells after ``cell``, and which of them each set becomes if its value takes the cell or not."""
        numbers: dict[CellSet, int] = {-1: DEAD}
        became = np.full((2, len(self._kinds)), DEAD, np.int32)
        # In few states many sets of cells no longer occur.
        used_numbers = self.states.used_numbers().tolist() if len(self.states) < FEW else range(len(self._kinds))
        for turn, index in enumerate(used_numbers):
            if turn % LOOK == 0:
                tick()
            after = self._board.after(self._kinds[index], cell)
            became[:, index] = [numbers.setdefault(places, len(numbers) - 1) for places in after]
        takes, rests = became
        del numbers[-1]
        return list(numbers), takes, rests


def count_solutions(board: OpenBoard, order: Iterable[Cell], tick: Callable[[], object] = int) -> int:
    """Return the number of solutions."""
    sweep = FrontierSweep(board, order)
    while not sweep.done:
        sweep.advance(tick)
    return sweep.total


# The states of a frontier, by the million: rows of small numbers, each with the number of ways that lead to it.
#
# Theory of operation. A state is a multiset: a sorted row, packed into 64-bit words. Ways are unbounded integers in limbs of 32
# bits stored in 64, so 2**32 of them can be added before carrying. Sorting by a hash of the words brings equal states together;
# they are compared whole, so a collision costs room but no correctness. All work is done in chunks, between checks of the
# clock.


DEAD = -1
"""Stands in place of a number where none is possible."""
CHUNK = 1 << 16
"""States worked on at a time: a fraction of a second, between two checks of the clock."""
LIMB = 32
WORD = 64
FLOAT_LIMBS = 16
"""Limbs of numbers whose squares a float still holds."""
_SCATTER = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)


@dataclass(frozen=True, eq=False)
class FrontierStates:
    """States: ``words`` (N, W) uint64 hold ``width`` numbers of ``bits`` bits each, ``ways`` (N, L) uint64 the limbs."""

    words: NDArray[np.uint64]
    ways: NDArray[np.uint64]
    width: int
    bits: int

    @staticmethod
    def of(rows: NDArray[np.int32], kinds: int) -> FrontierStates:
        """Return the states in ``rows`` of numbers below ``kinds``, with one way to each."""
        bits = _bits_per_number(kinds)
        return FrontierStates(_pack(np.sort(rows, axis=1), bits), np.ones((len(rows), 1), np.uint64), rows.shape[1], bits)

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self.words)

    def total(self) -> int:
        """Return the number of ways to all states."""
        return sum(int(limb) << LIMB * place for row in self.ways for place, limb in enumerate(row))

    def every_nth(self, step: int) -> FrontierStates:
        """Return one of every ``step`` states."""
        return FrontierStates(self.words[::step], self.ways[::step], self.width, self.bits)

    def used_numbers(self) -> NDArray[np.int32]:
        """Return the numbers that occur in any state."""
        return np.unique(_unpack(self.words, self.width, self.bits))

    def sample(self, most: int, random: np.random.Generator) -> FrontierStates:
        """Return about ``most`` states, drawn at random, with their ways scaled so that every number of ways is unbiased.

        A state with fewer ways than a threshold stays with probability ways / threshold, and then has threshold ways.
        """
        if len(self) <= most:
            return self
        # Numbers too large for floats are compared by their highest limbs.
        left_out = max(0, self.ways.shape[1] - FLOAT_LIMBS)
        ways = self.ways @ np.ldexp(1.0, LIMB * (np.arange(self.ways.shape[1]) - left_out))
        threshold = _threshold(ways, most)
        # Systematic sampling, with one random number for all: the sum of the ways hardly changes.
        steps = np.floor(np.cumsum(np.minimum(1.0, ways / threshold)) + random.random())
        kept = np.flatnonzero(np.diff(steps, prepend=0.0) > 0)
        whole = threshold << LIMB * left_out
        limbs = -(-whole.bit_length() // LIMB)
        own = np.pad(self.ways[kept], ((0, 0), (0, max(0, limbs - self.ways.shape[1]))))
        own[ways[kept] < threshold] = [whole >> LIMB * place & (1 << LIMB) - 1 for place in range(own.shape[1])]
        return FrontierStates(self.words[kept], own, self.width, self.bits)

    def fill_cell(
        self, takes: NDArray[np.int32], rests: NDArray[np.int32], kinds: int, tick: Callable[[], object] = int
    ) -> FrontierStates:
        """Return the states after each number that can take the cell does so: it becomes ``takes[number]``, the others ``rests``.

        The new numbers are below ``kinds``.
        """
        bits = _bits_per_number(kinds)
        empty = FrontierStates(_pack(np.zeros((0, self.width), np.int32), bits), self.ways[:0], self.width, bits)
        merged, waiting, size = empty, [], 0
        for start in range(0, len(self), CHUNK):
            tick()
            rows = _unpack(self.words[start : start + CHUNK], self.width, self.bits)
            for part, ways in _fill_each_place(rows, self.ways[start : start + CHUNK], takes, rests):
                waiting.append(FrontierStates(_pack(part, bits), ways, self.width, bits))
                size += len(part)
            if size > max(CHUNK, len(merged)):
                merged, waiting, size = _merge([merged, *waiting], tick), [], 0
        return _merge([merged, *waiting], tick) if waiting else merged


def _threshold(ways: NDArray[np.float64], most: int) -> int:
    """Return the threshold with which about ``most`` states stay; those with more ways stay for certain."""
    ordered = np.sort(ways)
    below = np.cumsum(ordered)
    certain = np.arange(len(ways) - 1, -1, -1)
    # With so many certain ones, the others share what room is left.
    fitting = np.flatnonzero((certain < most) & (below >= ordered * (most - certain)))
    last = int(fitting[-1]) if len(fitting) else len(ways) - 1
    return max(1, math.ceil(float(below[last]) / max(1, most - int(certain[last]))))


def _bits_per_number(kinds: int) -> int:
    return max(1, (kinds - 1).bit_length())


def _fill_each_place(
    rows: NDArray[np.int32], ways: NDArray[np.uint64], takes: NDArray[np.int32], rests: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.uint64]]]:
    """Yield what the rows become if the number at each place takes the cell; equal numbers take it together."""
    taken, rest = takes[rows], rests[rows]
    stuck = rest == DEAD
    number_stuck = stuck.sum(axis=1)
    alike = np.ones(rows.shape, np.uint64)
    for place in range(rows.shape[1] - 2, -1, -1):
        alike[:, place] += (rows[:, place] == rows[:, place + 1]) * alike[:, place + 1]
    for place in range(rows.shape[1]):
        # A number that must take this cell is the one that does.
        able = (taken[:, place] != DEAD) & (number_stuck == stuck[:, place])
        if place:
            able &= rows[:, place] != rows[:, place - 1]
        chosen = np.flatnonzero(able)
        if len(chosen):
            new = rest[chosen]
            new[:, place] = taken[chosen, place]
            new.sort(axis=1)
            yield new, ways[chosen] * alike[chosen, place, None]


def _merge(parts: list[FrontierStates], tick: Callable[[], object]) -> FrontierStates:
    """Return the states of all parts, each once; the ways to equal ones are added."""
    limbs = max(part.ways.shape[1] for part in parts)
    words = np.concatenate([part.words for part in parts])
    ways = np.concatenate([np.pad(part.ways, ((0, 0), (0, limbs - part.ways.shape[1]))) for part in parts])
    # Sorted by a hash, equal states are neighbours; if unequal ones come between, they merely stay apart.
    tick()
    order = np.argsort(_mix_words(words))
    tick()
    words, ways = words[order], ways[order]
    first = np.ones(len(words), bool)
    np.any(words[1:] != words[:-1], axis=1, out=first[1:])
    starts = np.flatnonzero(first)
    tick()
    return FrontierStates(words[starts], _carry(np.add.reduceat(ways, starts, axis=0)), parts[0].width, parts[0].bits)


def _mix_words(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    if words.shape[1] == 1:
        return words[:, 0]
    mixed = np.zeros(len(words), np.uint64)
    for place in range(words.shape[1]):
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_SCATTER[1]) + words[:, place] * np.uint64(_SCATTER[0])
    return mixed


def _carry(ways: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the same numbers with every limb within its 32 bits."""
    low = np.uint64((1 << LIMB) - 1)
    limbs, over = [], np.zeros(len(ways), np.uint64)
    for place in range(ways.shape[1]):
        limb = ways[:, place] + over
        limbs.append(limb & low)
        over = limb >> np.uint64(LIMB)
    if over.any():
        limbs.append(over)
    return np.stack(limbs, axis=1)


def _pack(rows: NDArray[np.int32], bits: int) -> NDArray[np.uint64]:
    each = WORD // bits
    words = np.zeros((len(rows), -(-rows.shape[1] // each)), np.uint64)
    for place in range(rows.shape[1]):
        words[:, place // each] |= rows[:, place].astype(np.uint64) << np.uint64(bits * (place % each))
    return words


def _unpack(words: NDArray[np.uint64], width: int, bits: int) -> NDArray[np.int32]:
    each = WORD // bits
    rows = np.empty((len(words), width), np.int32)
    for place in range(width):
        rows[:, place] = (words[:, place // each] >> np.uint64(bits * (place % each))) & np.uint64((1 << bits) - 1)
    return rows


# Cell orders for the frontier: the best one is unknown, so sweeps in several orders compete.
#
# Invariant: every sweep alone gives the exact number, so the first to finish has the answer. The narrowest sweep leads; sweeps
# that turn out alike by symmetry are dropped, and other orders join once all are wide.


MOST = 3_000_000
"""States at which a sweep is given up: a few hundred megabytes."""
FEW_ORDERS, TRIED = 2, 50_000
"""Orders that run at first, and that join later: the most promising others, once all sweeps have this many states."""
BEHIND = 4
"""The leader goes on until it is this many times as wide as the narrowest: most orders are much alike."""
ALIKE = 1000
"""States from which on sweeps that had the same widths at every step go on as one: the board is symmetric."""
SAMPLE = 100
"""States kept from cell to cell when an order is only tried out."""
FEW_BANDS = 3
"""Bands up to which all their orders are tried; of more bands only their own order and its reverse."""


class _SliceExpiredError(Exception):
    """The time for this turn is over."""


def start_race(puzzle: Puzzle, clock: Clock) -> SweepRace | None:
    """Return the sweeps over a puzzle, None if it plainly has no solution; raises `Unsupported` for other rules than houses."""
    board = open_board(puzzle.model(clock.check), puzzle.assume(), clock.check)
    return None if board is None else SweepRace(board, orders(puzzle.grid))


def make_count_sampler(puzzle: Puzzle, most: int, seed: int, clock: Clock) -> Callable[[], tuple[int, bool]]:
    """Return a function that sweeps with about ``most`` states and returns an unbiased estimate, and whether it is exact."""
    board = open_board(puzzle.model(clock.check), puzzle.assume(), clock.check)
    if board is None:
        return lambda: (0, True)
    random = np.random.default_rng(seed)
    order = min(orders(puzzle.grid)[:FEW_ORDERS], key=lambda order: _estimate_width(board, order, clock.check))

    def swept() -> tuple[int, bool]:
        sweep, whole = FrontierSweep(board, order), True
        while not sweep.done:
            sweep.advance(clock.check)
            whole = whole and len(sweep.states) <= most
            sweep.states = sweep.states.sample(most, random)
        return sweep.total, whole

    return swept


def orders(grid: Grid) -> list[tuple[Cell, ...]]:
    """Return cell orders: by rows, by columns, then both with their bands permuted."""
    boxes = grid.boards[0].boxes if len(grid.boards) == 1 else None
    ways = [_orders_by_bands(list(_lines(grid, axis)), boxes[axis] if boxes else 1) for axis in (0, 1)]
    return [way[0] for way in ways] + [order for way in ways for order in way[1:]]


def _orders_by_bands(lines: list[list[Cell]], thickness: int) -> list[tuple[Cell, ...]]:
    bands = [list(chain(*lines[start : start + thickness])) for start in range(0, len(lines), thickness)]
    turns: Iterable[tuple[list[Cell], ...]] = (
        permutations(bands) if len(bands) <= FEW_BANDS else (tuple(bands), tuple(bands[::-1]))
    )
    return [tuple(chain(*turn)) for turn in turns]


class SweepRace:
    """Sweeps in several orders; the narrowest goes on, and the first to finish has the answer."""

    def __init__(self, board: OpenBoard, ways: list[tuple[Cell, ...]]) -> None:
        """Begin sweeps over ``board`` in the first of the orders, ``ways``."""
        self._board = board
        self._sweeps = [FrontierSweep(board, order) for order in ways[:FEW_ORDERS]]
        self._others = ways[FEW_ORDERS:]
        self._leader = self._sweeps[0]
        self.visited = 0

    @property
    def outgrown(self) -> bool:
        """Whether every sweep has too many states to go on."""
        return min(len(sweep.states) for sweep in self._sweeps) > MOST

    def total(self, clock: Clock, seconds: float | None) -> int | None:
        """Return the number of solutions; None if it needs more time or states. Another call resumes the sweeps."""
        until = None if seconds is None else perf_counter() + seconds

        def tick() -> None:
            clock.check()
            if until is not None and perf_counter() > until:
                raise _SliceExpiredError

        try:
            while not (sweep := self._next()).done:
                if len(sweep.states) > MOST:
                    return None
                if len(sweep.states) > TRIED and self._others:
                    self._add_orders(tick)
                    continue
                sweep.advance(tick)
                self.visited += len(sweep.states)
                clock.nodes += len(sweep.states)
                self._drop_if_alike(sweep)
        except _SliceExpiredError:
            return None
        return sweep.total

    def _next(self) -> FrontierSweep:
        """Return the sweep to go on with: the leader, unless it has fallen behind."""
        narrowest = min(self._sweeps, key=lambda sweep: (not sweep.done, len(sweep.states)))
        if len(self._leader.states) > min(MOST, BEHIND * len(narrowest.states)):
            self._leader = narrowest
        return self._leader

    def _drop_if_alike(self, sweep: FrontierSweep) -> None:
        if len(sweep.states) > ALIKE and any(
            other is not sweep and other.widths[: len(sweep.widths)] == sweep.widths for other in self._sweeps
        ):
            self._sweeps.remove(sweep)
            self._leader = self._sweeps[0]

    def _add_orders(self, tick: Callable[[], object]) -> None:
        """Start sweeps in the most promising of the other orders."""
        best = sorted(self._others, key=lambda order: _estimate_width(self._board, order, tick))
        self._sweeps += [FrontierSweep(self._board, order) for order in best[:FEW_ORDERS]]
        self._others = []


def _estimate_width(board: OpenBoard, order: Iterable[Cell], tick: Callable[[], object]) -> float:
    """Estimate how many states an order has at its widest, from a sweep with few of them."""
    sweep, share, widest = FrontierSweep(board, order), 1.0, 0.0
    while not sweep.done:
        sweep.advance(tick)
        widest = max(widest, len(sweep.states) * share)
        step = len(sweep.states) // SAMPLE
        if step > 1:
            share *= step
            sweep.states = sweep.states.every_nth(step)
    return widest


def _lines(grid: Grid, axis: int) -> Iterator[list[Cell]]:
    """Yield the cells of each row, or of each column."""
    for line in sorted({place[axis] for place in grid.places}):
        yield [cell for cell in grid.cells if grid.places[cell][axis] == line]
