"""Choose the order in which the frontier takes the cells: the best one is unknown, so a few sweeps compete.

Invariant: every sweep alone would give the exact number, so whichever ends first has the answer. The narrowest sweep leads;
sweeps that turn out alike by symmetry are dropped, and other orders join once all are wide.
"""

from __future__ import annotations

from itertools import chain, permutations
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.queries.frontier import OpenBoard, Sweep, open_board

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.backends import Clock
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.puzzle import Puzzle

MOST = 3_000_000
"""States at which a sweep is given up: a few hundred megabytes."""
FEW_ORDERS, TRIED = 2, 50_000
"""So many orders run at first; once all have that many states, the most promising two of the others join them."""
BEHIND = 4
"""The leader goes on until it is so many times as wide as the narrowest: many orders are much alike."""
ALIKE = 1000
"""Sweeps that have been as wide as each other all the way to so many states go on as one: the board is symmetric."""
SAMPLE = 100
"""States kept from cell to cell where an order is only tried out."""
FEW_BANDS = 3
"""So many bands are put in every order, more only in their own and backwards."""


class _TurnOverError(Exception):
    """The time of this turn is over."""


def start_race(puzzle: Puzzle, clock: Clock) -> SweepRace | None:
    """Return the sweeps over a puzzle, None where it plainly has no solution; raise `Unsupported` where rules say too much."""
    board = open_board(puzzle.model(clock.check), puzzle.assume(), clock.check)
    return None if board is None else SweepRace(board, orders(puzzle.grid))


def make_sampler(puzzle: Puzzle, most: int, seed: int, clock: Clock) -> Callable[[], tuple[int, bool]]:
    """Return what sweeps with about ``most`` states: a number right on average, and whether it is so for certain."""
    board = open_board(puzzle.model(clock.check), puzzle.assume(), clock.check)
    if board is None:
        return lambda: (0, True)
    random = np.random.default_rng(seed)
    order = min(orders(puzzle.grid)[:FEW_ORDERS], key=lambda order: _estimate_width(board, order, clock.check))

    def swept() -> tuple[int, bool]:
        sweep, whole = Sweep(board, order), True
        while not sweep.done:
            sweep.advance(clock.check)
            whole = whole and len(sweep.states) <= most
            sweep.states = sweep.states.sample(most, random)
        return sweep.total, whole

    return swept


def orders(grid: Grid) -> list[tuple[Cell, ...]]:
    """Return orders of the cells: by rows, by columns, then both with their bands in other orders."""
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
    """Sweeps in several orders; the narrowest goes on, and the first at its end has the answer."""

    def __init__(self, board: OpenBoard, ways: list[tuple[Cell, ...]]) -> None:
        """Stand at the start."""
        self._board = board
        self._sweeps = [Sweep(board, order) for order in ways[:FEW_ORDERS]]
        self._others = ways[FEW_ORDERS:]
        self._leader = self._sweeps[0]
        self.visited = 0

    @property
    def outgrown(self) -> bool:
        """Whether there is no room for any of them to go on."""
        return min(len(sweep.states) for sweep in self._sweeps) > MOST

    def total(self, clock: Clock, seconds: float | None) -> int | None:
        """Return the number of solutions; None where it takes longer or more room. It goes on where it was when asked again."""
        until = None if seconds is None else perf_counter() + seconds

        def tick() -> None:
            clock.check()
            if until is not None and perf_counter() > until:
                raise _TurnOverError

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
        except _TurnOverError:
            return None
        return sweep.total

    def _next(self) -> Sweep:
        """Return the sweep to go on with: the leader, unless it has fallen behind."""
        narrowest = min(self._sweeps, key=lambda sweep: (not sweep.done, len(sweep.states)))
        if len(self._leader.states) > min(MOST, BEHIND * len(narrowest.states)):
            self._leader = narrowest
        return self._leader

    def _drop_if_alike(self, sweep: Sweep) -> None:
        if len(sweep.states) > ALIKE and any(
            other is not sweep and other.widths[: len(sweep.widths)] == sweep.widths for other in self._sweeps
        ):
            self._sweeps.remove(sweep)
            self._leader = self._sweeps[0]

    def _add_orders(self, tick: Callable[[], object]) -> None:
        """Let the most promising of the other orders run too."""
        best = sorted(self._others, key=lambda order: _estimate_width(self._board, order, tick))
        self._sweeps += [Sweep(self._board, order) for order in best[:FEW_ORDERS]]
        self._others = []


def _estimate_width(board: OpenBoard, order: Iterable[Cell], tick: Callable[[], object]) -> float:
    """Return about how many states an order has at its widest, going on with few of them."""
    sweep, share, widest = Sweep(board, order), 1.0, 0.0
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
