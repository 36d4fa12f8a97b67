"""Cell orders for the frontier: the best one is unknown, so sweeps in several orders compete.

Invariant: every sweep alone gives the exact number, so the first to finish has the answer. The narrowest sweep leads; sweeps that
turn out alike by symmetry are dropped, and other orders join once all are wide.
"""

from __future__ import annotations

from itertools import chain, permutations
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.queries.frontier import FrontierSweep, OpenBoard, open_board

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.backends import Clock
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle import Puzzle

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
