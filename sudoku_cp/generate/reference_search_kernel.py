"""Numba kernel: the search of the readable reference engine, for rules that only require cells to differ.

Theory of operation. A depth-first search with an explicit stack: ``stack[depth]`` holds the domains (bit sets) at each guess,
``chosen`` its cell and ``untried`` its remaining values. `count_guesses` stops after a budget of nodes and continues from
``state`` when it is called again, so that the caller can look at the clock. It visits exactly the nodes of ``native:readable``:
the fixpoint of propagation does not depend on its order, the first cell with the fewest candidates is guessed (dom), and values
are tried in increasing order. So it makes the same number of guesses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BOARD, DEPTH, GUESSES, SOLUTIONS = range(4)
"""Entries of the state: the current board, the current depth, its guesses so far, its solutions so far."""
DEAD, SAME, CHANGED = range(3)
SEVERAL = 2
BITS = 64


def domain_size(domain: Any) -> int:
    """Return the number of values in a set."""
    number = 0
    while domain:
        domain &= domain - np.uint64(1)
        number += 1
    return number


def wake(cell: int, waiting: Any, own: Any, starts: Any) -> None:
    """Queue the groups of a cell: ``own[starts[cell] : starts[cell + 1]]``."""
    for group in own[starts[cell] : starts[cell + 1]]:
        waiting[group] = True


def clear_settled(live: Any, group: Any, waiting: Any, own: Any, starts: Any) -> Any:
    """Remove decided values from the other cells of a group (naked singles) until none is left to remove.

    Return the decided values, and whether the cells can still all differ.
    """
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
    """Decide cells that alone can hold a value (hidden singles) of a group that needs all its values.

    Return whether the cells can still all differ.
    """
    once, twice = np.uint64(0), np.uint64(0)
    for cell in group:
        twice |= once & live[cell]
        once |= live[cell]
    spare = domain_size(once) - len(group)
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
    """Process queued groups until none is left; return False on a contradiction."""
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
    """Return the first open cell with the fewest candidates, -1 if no cell is open."""
    found, fewest = -1, 65
    for cell in range(len(live)):
        if live[cell] & (live[cell] - np.uint64(1)):
            number = domain_size(live[cell])
            if number < fewest:
                found, fewest = cell, number
    return found


def begin_board(live: Any, given: Any, domains: Any, first: int, waiting: Any) -> bool:
    """Write the domains that a board's givens leave; return False if one of them is empty."""
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
    """Backtrack to the last guess with an untried value and take that value; return the new depth, 0 if there is none."""
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
    """Write into ``found`` (N,) how many guesses prove each board to have one solution, or ``most`` where it takes more.

    Stop after ``nodes`` nodes, to be called again with the same ``state``; return how many boards are left.
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
