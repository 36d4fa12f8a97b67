"""The search of the readable reference engine, for rules that only say which cells differ, in Numba's language.

It visits the very same nodes as ``native:readable`` does: what propagation leaves does not hang on its order, the cell guessed
in is the first of those with the fewest candidates, and values are tried from the smallest. So its guesses are the same number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BOARD, DEPTH, GUESSES, SOLUTIONS = range(4)
"""What the state says: the board in work, guesses that it stands on, guesses made in it so far, solutions found of it."""
DEAD, SAME, CHANGED = range(3)
SEVERAL = 2
BITS = 64


def size_of(domain: Any) -> int:
    """Return how many values a set has."""
    number = 0
    while domain:
        domain &= domain - np.uint64(1)
        number += 1
    return number


def wake(cell: int, waiting: Any, own: Any, starts: Any) -> None:
    """Note that the groups of a cell have to be looked at: ``own[starts[cell] : starts[cell + 1]]``."""
    for group in own[starts[cell] : starts[cell + 1]]:
        waiting[group] = True


def clear_settled(live: Any, group: Any, waiting: Any, own: Any, starts: Any) -> Any:
    """Take decided values from the other cells of a group until that decides no more; return them, and whether all can differ."""
    settled = np.uint64(0)
    while True:
        seen = np.uint64(0)
        for cell in group:
            domain = live[cell]
            if domain & (domain - np.uint64(1)) == 0:
                if domain & seen or domain == 0:
                    return settled, False
                seen |= domain
        if seen == settled:
            return settled, True
        settled = seen
        for cell in group:
            domain = live[cell]
            if domain & seen and domain & (domain - np.uint64(1)):
                live[cell] = domain & ~seen
                wake(cell, waiting, own, starts)


def settle_hidden(live: Any, group: Any, settled: Any, waiting: Any, own: Any, starts: Any) -> bool:
    """Decide the cells of a group that alone can hold a value, if it needs all its values; say whether all can differ."""
    once, twice = np.uint64(0), np.uint64(0)
    for cell in group:
        twice |= once & live[cell]
        once |= live[cell]
    spare = size_of(once) - len(group)
    hidden = once & ~twice & ~settled
    if spare or hidden == 0:
        return spare >= 0
    for cell in group:
        single = live[cell] & hidden
        if single:
            if single & (single - np.uint64(1)):
                return False
            live[cell] = single
            wake(cell, waiting, own, starts)
    return True


def propagate(live: Any, cells: Any, starts: Any, waiting: Any, own: Any, own_starts: Any) -> bool:
    """Look at the groups that wait until none does; return False on a contradiction."""
    some = True
    while some:
        some = False
        for number in range(len(waiting)):
            if waiting[number]:
                some, waiting[number] = True, False
                group = cells[starts[number] : starts[number + 1]]
                settled, alive = clear_settled(live, group, waiting, own, own_starts)
                if not alive or not settle_hidden(live, group, settled, waiting, own, own_starts):
                    return False
    return True


def guess_cell(live: Any) -> int:
    """Return the first of the open cells with the fewest candidates, -1 if none is open."""
    found, fewest = -1, 65
    for cell in range(len(live)):
        if live[cell] & (live[cell] - np.uint64(1)):
            number = size_of(live[cell])
            if number < fewest:
                found, fewest = cell, number
    return found


def begin_board(live: Any, given: Any, domains: Any, first: int, waiting: Any) -> bool:
    """Write the domains under a board's givens; return False where one of them is empty."""
    alive = True
    waiting[:] = True
    for cell in range(len(live)):
        live[cell] = domains[cell]
        if given[cell]:
            bit = given[cell] - first
            live[cell] = live[cell] & np.uint64(1) << np.uint64(bit) if 0 <= bit < BITS else np.uint64(0)
        alive = alive and live[cell] != 0
    return alive


def next_guess(stack: Any, chosen: Any, untried: Any, depth: int) -> int:
    """Write the domains under the next value of the last guess that has one left; return how deep they lie, 0 if none has."""
    while depth and untried[depth - 1] == 0:
        depth -= 1
    if depth:
        values = untried[depth - 1]
        untried[depth - 1] = values & (values - np.uint64(1))
        stack[depth] = stack[depth - 1]
        stack[depth, chosen[depth - 1]] = values & ~(values - np.uint64(1))
    return depth


def count_guesses(  # noqa: PLR0917
    givens: Any,
    domains: Any,
    first: int,
    cells: Any,
    starts: Any,
    own: Any,
    own_starts: Any,
    most: int,
    found: Any,
    state: Any,
    stack: Any,
    chosen: Any,
    untried: Any,
    waiting: Any,
    nodes: int,
) -> int:
    """Note in ``found`` (N,) how many guesses show each board to have one solution, or ``most`` where it takes more.

    After so many ``nodes`` it returns, to be gone on with; it returns how many boards are left. ``stack`` (depth, cells) holds
    the domains at each guess, ``chosen`` and ``untried`` (depth,) its cell and values, and ``state`` what `BOARD` and so on name.
    """
    while state[BOARD] < len(givens) and nodes > 0:
        board, depth = state[BOARD], state[DEPTH]
        live, alive = stack[depth], True
        if depth == 0:
            state[GUESSES] = state[SOLUTIONS] = 0
            alive = begin_board(live, givens[board], domains, first, waiting)
        else:
            waiting[:] = False
            wake(chosen[depth - 1], waiting, own, own_starts)
        nodes -= 1
        alive = alive and propagate(live, cells, starts, waiting, own, own_starts)
        cell = guess_cell(live) if alive else -1
        if cell >= 0:
            chosen[depth], untried[depth] = cell, live[cell]
            depth += 1
        elif alive:
            state[SOLUTIONS] += 1
        depth = next_guess(stack, chosen, untried, depth)
        if depth == 0 or state[SOLUTIONS] == SEVERAL or state[GUESSES] >= most:
            found[board] = state[GUESSES]
            state[BOARD] += 1
            depth = 0
        else:
            state[GUESSES] += 1
        state[DEPTH] = depth
    return len(givens) - int(state[BOARD])


FUNCTIONS = (size_of, wake, clear_settled, settle_hidden, propagate, guess_cell, begin_board, next_guess, count_guesses)
"""In the order in which they must be compiled."""
