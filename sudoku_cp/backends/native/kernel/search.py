"""The search: decide a candidate, propagate, and when that fails take it out; on a stack of whole states.

Cells are chosen by weight for their size. Each failure adds to the weights of the cells whose constraint failed, later failures
a little more: the search learns where the puzzle is hard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.backends.native.kernel.bits import NONE, bit, compiled, inlined, is_single, lowest, size_of, smallest
from sudoku_cp.backends.native.kernel.fixpoint import FAILED, PAUSED, WORD, forget, settle
from sudoku_cp.backends.native.kernel.memory import (
    BLAMED,
    DEEPEST,
    DEPTH,
    FAILS,
    FOUND,
    GUESSED,
    MOST_DEPTH,
    MOST_FOUND,
    MOST_NODES,
    NOBODY,
    NODES,
    PHASE,
    behind,
    cells_at,
    floats_at,
    live_of,
    narrow,
    note,
    numbers_at,
    words_at,
)

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import Addresses, Live, Pointer

STARTING, SETTLING, CHOOSING, RETURNING, EXHAUSTED = range(5)
"""What the search is about to do, so that it can pause anywhere."""
GOING_ON, ALL_FOUND, OUT_OF_TIME, ENOUGH, TOO_DEEP = range(5)
"""Why `search` returns: it does not yet, there are no more solutions, a budget is spent, the buffer is full, the stack is."""

GROWTH = 1.005
"""Each failure counts so much more than the one before."""
OWN_SHARE = 0.5
"""What the cell decided last is credited beside the cells of the constraint that failed."""
PLACES_SHARE = 0.25
"""What two places of a value in a house count, beside a cell's weight for its size."""
PAIR = 2
HUGE = 1e100


@compiled
def start(given: Addresses) -> bool:
    """Let everything wait; return False where a cell has no values."""
    live = live_of(given)
    waiting = words_at(given.waiting)
    for number in range(given.constraints):
        waiting[number // WORD] |= bit(number % WORD)
    for cell in range(given.size):
        if live.domains[cell] == NONE:
            return False
        if is_single(live.domains[cell]):
            note(live, cell)
    return True


# --- choosing ---------------------------------------------------------------------------------------------------


@inlined
def heaviest(live: Live, weights: Pointer, first: int, last: int) -> tuple[int, float]:
    """Return the open cell of the greatest weight for its size, -1 where none is open, and its score."""
    best, score = NOBODY, -1.0
    for cell in range(first, last):
        domain = live.domains[cell]
        if not is_single(domain):
            own = weights[cell] / size_of(domain)
            if own > score:
                best, score = cell, own
    return best, score


@inlined
def places_of(live: Live, weights: Pointer, cells: Pointer, size: int, value: Mask) -> tuple[int, float]:
    """Return the heavier of the cells that may hold the value, and the weight of all of them."""
    total, heavier, best = 0.0, -1.0, NOBODY
    for index in range(size):
        cell = cells[index]
        if live.domains[cell] & value:
            total += weights[cell]
            if weights[cell] > heavier:
                heavier, best = weights[cell], cell
    return best, total


@compiled
def better_places(given: Addresses, best: int, score: float) -> tuple[int, Mask]:
    """Return a cell and a value of it that has two places in a house, where they weigh more than ``score``."""
    live, weights = live_of(given), floats_at(given.weights)
    houses, starts, cells = cells_at(given.houses), cells_at(given.cell_starts), cells_at(given.cells)
    chosen = lowest(live.domains[best])
    for number in range(given.house_count):
        first = starts[houses[number]]
        size = starts[houses[number] + 1] - first
        once = twice = thrice = NONE
        for index in range(first, first + size):
            domain = live.domains[cells[index]]
            thrice |= twice & domain
            twice |= once & domain
            once |= domain
        two = twice & ~thrice
        while two:
            value = lowest(two)
            two ^= value
            cell, total = places_of(live, weights, behind(cells, first), size, value)
            if total * PLACES_SHARE > score:
                best, score, chosen = cell, total * PLACES_SHARE, value
    return best, chosen


@inlined
def choose(given: Addresses) -> tuple[int, Mask]:
    """Return the cell to decide and a value of it as a set: of the board while any is open, then of the auxiliaries."""
    live, weights = live_of(given), floats_at(given.weights)
    best, score = heaviest(live, weights, 0, given.board)
    if best == NOBODY:
        best, score = heaviest(live, weights, given.board, given.size)
        return best, NONE if best == NOBODY else lowest(live.domains[best])
    if size_of(live.domains[best]) > PAIR:
        return better_places(given, best, score)
    return best, lowest(live.domains[best])


@compiled
def learn(given: Addresses) -> None:
    """Credit the cells whose constraint failed, and the last decision."""
    control, weights = numbers_at(given.control), floats_at(given.weights)
    counts = weights[given.size]
    blamed = control[BLAMED]
    if control[GUESSED] != NOBODY:
        weights[control[GUESSED]] += OWN_SHARE * counts
    if blamed < 0:
        weights[~blamed] += counts
    else:
        starts, cells = cells_at(given.cell_starts), cells_at(given.cells)
        for index in range(starts[blamed], starts[blamed + 1]):
            weights[cells[index]] += counts
    weights[given.size] = counts * GROWTH
    if counts > HUGE:
        for cell in range(given.size + 1):
            weights[cell] /= HUGE


# --- the stack --------------------------------------------------------------------------------------------------


@inlined
def decide(given: Addresses, cell: int, value: Mask) -> None:
    """Save the state without the candidate, and go on with it."""
    live, saved = live_of(given), words_at(given.saved)
    depth = live.control[DEPTH]
    for other in range(given.size):
        saved[depth * given.size + other] = live.domains[other]
    saved[depth * given.size + cell] &= ~value
    cells_at(given.guesses)[depth] = cell
    live.control[DEPTH] = depth + 1
    live.control[DEEPEST] = max(live.control[DEEPEST], depth + 1)
    live.control[GUESSED] = cell
    live.control[NODES] += 1
    narrow(live, cell, value)


@inlined
def take_back(given: Addresses) -> None:
    """Return to the newest state that was saved."""
    live, saved = live_of(given), words_at(given.saved)
    depth = live.control[DEPTH] - 1
    for other in range(given.size):
        live.domains[other] = saved[depth * given.size + other]
    cell = cells_at(given.guesses)[depth]
    note(live, cell)
    live.control[DEPTH] = depth
    live.control[GUESSED] = cell
    live.control[NODES] += 1


@inlined
def note_solution(given: Addresses) -> None:
    """Write the values of the board into the buffer; other values of the auxiliaries would give the same grid again."""
    live, solutions, guesses = live_of(given), numbers_at(given.solutions), cells_at(given.guesses)
    first = live.control[FOUND] * given.board
    for cell in range(given.board):
        solutions[first + cell] = smallest(live.domains[cell])
    live.control[FOUND] += 1
    while live.control[DEPTH] and guesses[live.control[DEPTH] - 1] >= given.board:
        live.control[DEPTH] -= 1


# --- one step of each phase -------------------------------------------------------------------------------------


@compiled
def settle_here(given: Addresses) -> int:
    """Propagate; after a contradiction learn from it and return."""
    control = numbers_at(given.control)
    outcome = settle(given)
    if outcome == PAUSED:
        return OUT_OF_TIME
    if outcome == FAILED:
        forget(given)
        learn(given)
        control[FAILS] += 1
    control[PHASE] = RETURNING if outcome == FAILED else CHOOSING
    return GOING_ON


@compiled
def decide_here(given: Addresses) -> int:
    """Decide a candidate; where none is left to decide, note the solution."""
    control = numbers_at(given.control)
    if control[NODES] >= control[MOST_NODES]:
        return OUT_OF_TIME
    if control[DEPTH] >= control[MOST_DEPTH]:
        return TOO_DEEP
    cell, value = choose(given)
    if cell != NOBODY:
        decide(given, cell, value)
        control[PHASE] = SETTLING
        return GOING_ON
    note_solution(given)
    control[PHASE] = RETURNING
    return ENOUGH if control[FOUND] >= control[MOST_FOUND] else GOING_ON


@compiled
def return_here(given: Addresses) -> int:
    """Take the last decision back."""
    control = numbers_at(given.control)
    if control[NODES] >= control[MOST_NODES]:
        return OUT_OF_TIME
    if control[DEPTH] == 0:
        control[PHASE] = EXHAUSTED
    else:
        take_back(given)
        control[PHASE] = SETTLING
    return GOING_ON


def search(given: Addresses) -> int:
    """Search on until there is something to tell, as `ALL_FOUND` and its like say it."""
    control = numbers_at(given.control)
    told = GOING_ON
    while told == GOING_ON:
        phase = control[PHASE]
        if phase == SETTLING:
            told = settle_here(given)
        elif phase == CHOOSING:
            told = decide_here(given)
        elif phase == RETURNING:
            told = return_here(given)
        elif phase == STARTING:
            control[PHASE] = SETTLING if start(given) else EXHAUSTED
        else:
            told = ALL_FOUND
    return told
