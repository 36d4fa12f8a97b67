"""Numba kernel: rounds of digging. `ask` writes the next probe of each active board, `learn` applies the answers.

Theory of operation. First the longest prefix of units that can go is found by bisection: the first `LOW` units can go together,
the first `HIGH` cannot. Then each later unit is tried on its own. A board is a row of each array:

- ``givens`` (N, cells), 0 in blank cells;
- ``units`` (N, units, cells): cells that go together, which `ready` arranges so that -1 follows the last of them;
- ``state`` (N, `STATES`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sudoku_cp.generate.plain.philox_kernel import begin, shuffle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_cp.generate.plain.philox_kernel import Stream

LOW, HIGH, PLACE, SPARE, UNITS = range(5)
"""Columns of the state: units that can go; units that cannot; the unit tried, or how many; givens that may go; units to try."""
STATES = 5
EXCEPT = 128
"""Added to a value: any value but this one."""
STEPS = 1024
"""The resolution of the inverse distribution of the first failing unit."""


def arrange(given: NDArray[np.uint8], units: NDArray[np.int16]) -> Any:
    """Reduce units to the cells that are given, move those that have any to the front, and return how many there are."""
    number = 0
    for unit in range(units.shape[0]):
        size = 0
        for place in range(units.shape[1]):
            cell = units[unit, place]
            if cell >= 0 and given[cell] > 0:
                units[number, size] = cell
                size += 1
        for place in range(size, units.shape[1]):
            units[number, place] = -1
        number += size > 0
    return number


def size_of(units: NDArray[np.int16], board: int, unit: int) -> Any:
    """Return the number of cells of a unit."""
    size = 1
    while size < units.shape[2] and units[board, unit, size] >= 0:
        size += 1
    return size


def next_unit(units: NDArray[np.int16], state: NDArray[np.int64], board: int, unit: int) -> Any:
    """Advance to the next unit, this one or later, that may go; return whether there is one."""
    spare = state[board, SPARE]
    while unit < state[board, UNITS] and spare > 0:
        if size_of(units, board, unit) <= spare:
            state[board, PLACE] = unit
            return True
        unit += 1
    return False


def ready(
    givens: NDArray[np.uint8], units: NDArray[np.int16], state: NDArray[np.int64], halving: int, active: NDArray[np.int64]
) -> Any:
    """Initialise the state, with bisection (1) or without (0); write which boards are active and return how many."""
    number = 0
    for board in range(len(givens)):
        count = arrange(givens[board], units[board])
        state[board, UNITS] = count
        fit, cells = 0, 0
        while halving == 1 and fit < count:
            cells += size_of(units, board, fit)
            if cells > state[board, SPARE]:
                break
            fit += 1
        state[board, LOW], state[board, HIGH] = 0, fit + 1
        if fit > 0 or next_unit(units, state, board, 0):
            active[number] = board
            number += 1
    return number


def middle(low: int, high: int, chances: NDArray[np.float64], halves: NDArray[np.int64]) -> Any:
    """Return how many units to try next, so that about half of the time they can all go."""
    likely = (chances[low] + chances[high - 1]) / 2
    return min(max(halves[int(likely * STEPS)], low + 1), high - 1)


def ask(
    givens: NDArray[np.uint8],
    units: NDArray[np.int16],
    state: NDArray[np.int64],
    law: tuple[NDArray[np.float64], NDArray[np.int64]],
    active: NDArray[np.int64],
    probes: NDArray[np.uint8],
    wanted: NDArray[np.int64],
) -> None:
    """Write the next probe of each active board, and the number of solutions that would refute it."""
    for here in range(len(active)):
        board = active[here]
        for cell in range(givens.shape[1]):
            probes[here, cell] = givens[board, cell]
        first, last = state[board, PLACE], state[board, PLACE] + 1
        if state[board, HIGH] - state[board, LOW] > 1:
            first, last = state[board, LOW], middle(state[board, LOW], state[board, HIGH], law[0], law[1])
            state[board, PLACE] = last
        elif size_of(units, board, first) == 1:
            # There is a second solution without the given if and only if there is one with another value there.
            wanted[here] = 1
            probes[here, units[board, first, 0]] += EXCEPT
            continue
        wanted[here] = 2
        for unit in range(first, last):
            for place in range(size_of(units, board, unit)):
                probes[here, units[board, unit, place]] = 0


def take_away(givens: NDArray[np.uint8], units: NDArray[np.int16], state: NDArray[np.int64], board: int, unit: int) -> None:
    """Remove the cells of a unit."""
    size = size_of(units, board, unit)
    for place in range(size):
        givens[board, units[board, unit, place]] = 0
    state[board, SPARE] -= size


def learn(
    givens: NDArray[np.uint8],
    units: NDArray[np.int16],
    state: NDArray[np.int64],
    proved: NDArray[np.bool_],
    active: NDArray[np.int64],
    wanted: NDArray[np.int64],
    found: NDArray[np.int64],
) -> Any:
    """Remove what can go; return how many boards are still active, moved to the front."""
    still = 0
    for here in range(len(active)):
        board = active[here]
        place = state[board, PLACE]
        if found[here] < 0:
            proved[board] = False
        goes = found[here] == wanted[here] - 1
        if state[board, HIGH] - state[board, LOW] > 1:
            if goes:
                for unit in range(state[board, LOW], place):
                    take_away(givens, units, state, board, unit)
                state[board, LOW] = place
            else:
                state[board, HIGH] = place
            more = state[board, HIGH] - state[board, LOW] > 1 or next_unit(units, state, board, state[board, HIGH])
        else:
            if goes:
                take_away(givens, units, state, board, place)
            more = next_unit(units, state, board, place + 1)
        if more:
            active[still] = board
            still += 1
    return still


def draw_orders(stream: Stream, numbers: NDArray[np.int64], tries: NDArray[np.int64], orders: NDArray[np.int16]) -> None:
    """Write a random order of all cells for each puzzle."""
    for one in range(len(numbers)):
        begin(stream, numbers[one], tries[one], 0)
        for cell in range(orders.shape[1]):
            orders[one, cell] = cell
        shuffle(stream, orders[one], 0)
