"""Numba kernel: units are removed while singles solve the rest, many boards at a time.

Theory of operation. Each lane works on a board of its own and takes the next one when that is finished. First it bisects for the
longest prefix of the order that can go at once, then it asks about one unit after the other: a unit that cannot go now cannot go
later either. One call of `settle` answers the questions of all lanes. Row u of ``units`` has the cells of unit u,
padded with -1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sudoku_cp.logic.singles_kernel import place_singles

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
