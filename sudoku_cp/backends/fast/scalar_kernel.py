"""Numba kernel of ``fast:scalar``: one plain grid at a time, in ordinary registers.

Theory of operation. A depth-first search with an explicit stack and no allocation. The grid holds the set (bits) of the values
that each cell may still take. ``trail`` lists the settled cells in the order in which they were settled; the value of those
before ``removed`` is gone from all their peers. Propagation settles cells with one value left (naked singles) and values with
one cell left in a house (hidden singles). A guess takes the first cell with the fewest candidates, values in increasing order;
``saved[depth]`` is the grid before the guess, ``marks[depth]`` the length of its trail. A search can be interrupted between any
two nodes, and continues from its state.

It has neither code nor ideas in common with the lane kernel, so that each can prove what the other finds.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

Array: TypeAlias = Any
"""An array, which Numba types."""

FOUND, EXHAUSTED, INTERRUPTED = range(3)
"""Outcomes of a search: another solution, no more of them, as many nodes as were allowed."""
DEPTH, GIVENS, NODES, GUESSES, BACKTRACKS, STATES = range(6)
"""Entries of ``state``: the number of guesses on the stack, of cells settled at first, and counts of work; how many there are."""
SLICE = 1000
"""Nodes between two looks at whether the search is to be stopped."""


class BoardTables(NamedTuple):
    """The cells of every house, and the cells that differ from each cell; shorter rows of these repeat one of them."""

    houses: Array  # [house, index]
    peers: Array  # [cell, index]


class SearchArrays(NamedTuple):
    """A search: the grid, its trail, the stack of guesses, and the counters."""

    grid: Array  # [cell]
    trail: Array  # [index]
    saved: Array  # [depth, cell]
    chosen: Array  # [depth]
    untried: Array  # [depth]
    marks: Array  # [depth]
    state: Array


def remove_from_peers(tables: BoardTables, search: SearchArrays, removed: int, settled: int) -> int:
    """Remove the values of settled cells from their peers until none is left to remove; return the trail's length, or -1.

    It is -1 if a cell has no value left.
    """
    grid, trail, peers = search.grid, search.trail, tables.peers
    while removed < settled:
        cell = trail[removed]
        removed += 1
        value = grid[cell]
        for index in range(peers.shape[1]):
            peer = peers[cell, index]
            left = grid[peer]
            if left & value:
                left ^= value
                grid[peer] = left
                if left & (left - np.uint32(1)) == 0:
                    if left == 0:
                        return -1
                    trail[settled] = peer
                    settled += 1
    return settled


def settle_hidden(tables: BoardTables, search: SearchArrays, settled: int) -> int:
    """Settle, house by house, the cells that alone can hold a value; return the trail's length, or -1.

    It is -1 if a value has no cell left in a house, or a cell is the only one for two values.
    """
    grid, trail, houses = search.grid, search.trail, tables.houses
    side = houses.shape[1]
    everything = np.uint32((2 << side) - 2)
    for house in range(houses.shape[0]):
        once, twice, known = np.uint32(0), np.uint32(0), np.uint32(0)
        for index in range(side):
            domain = grid[houses[house, index]]
            twice |= once & domain
            once |= domain
            known |= domain if domain & (domain - np.uint32(1)) == 0 else np.uint32(0)
        if once != everything:
            return -1
        hidden = once & ~twice & ~known
        if hidden:
            for index in range(side):
                cell = houses[house, index]
                value = grid[cell] & hidden
                if value:
                    if value & (value - np.uint32(1)):
                        return -1
                    grid[cell] = value
                    trail[settled] = cell
                    settled += 1
    return settled


def propagate(tables: BoardTables, search: SearchArrays, removed: int, settled: int) -> int:
    """Settle all that singles settle; return the trail's length, or -1 on a contradiction."""
    while True:
        removed = remove_from_peers(tables, search, removed, settled)
        if removed < 0 or removed == len(search.grid):
            return removed
        settled = settle_hidden(tables, search, removed)
        if settled == removed:
            return settled


def select_cell(grid: Array) -> int:
    """Return the first open cell with the fewest candidates; one is open."""
    found, fewest = 0, 33
    for cell in range(len(grid)):
        more = grid[cell] & (grid[cell] - np.uint32(1))
        if more:
            number = 1
            while more:
                more &= more - np.uint32(1)
                number += 1
            if number < fewest:
                found, fewest = cell, number
            if number == 2:  # noqa: PLR2004  # no open cell has fewer
                break
    return found


def push_guess(search: SearchArrays, settled: int) -> None:
    """Choose a cell and save the grid; none of the cell's values has been tried."""
    depth = search.state[DEPTH]
    cell = select_cell(search.grid)
    for index in range(len(search.grid)):
        search.saved[depth, index] = search.grid[index]
    search.chosen[depth], search.untried[depth], search.marks[depth] = cell, search.grid[cell], settled
    search.state[DEPTH] = depth + 1


def take_next_value(search: SearchArrays) -> int:
    """Go back to the newest guess and take its next value; with the last one, drop the guess. Return the trail's old length."""
    depth = search.state[DEPTH] - 1
    values, cell = search.untried[depth], search.chosen[depth]
    settled: int = search.marks[depth]
    for index in range(len(search.grid)):
        search.grid[index] = search.saved[depth, index]
    rest = values & (values - np.uint32(1))
    search.untried[depth] = rest
    if rest == 0:
        search.state[DEPTH] = depth
    search.grid[cell] = values ^ rest
    search.trail[settled] = cell
    return settled


def begin_search(search: SearchArrays, domains: Array) -> None:
    """Begin a search under these domains (cells,), without a step of it."""
    settled = 0
    search.state[:] = 0
    for cell in range(len(search.grid)):
        domain = domains[cell]
        search.grid[cell] = domain
        if domain & (domain - np.uint32(1)) == 0:
            search.trail[settled] = cell
            settled += 1
    search.state[GIVENS] = settled


def continue_search(tables: BoardTables, search: SearchArrays, nodes: int) -> int:
    """Search for the next solution through at most so many nodes; return `FOUND`, with it in the grid, or another outcome."""
    state = search.state
    while True:
        removed, settled = 0, state[GIVENS]
        if state[NODES]:
            if state[DEPTH] == 0:
                return EXHAUSTED
            if nodes > 0:
                removed = take_next_value(search)
                settled = removed + 1
        if nodes <= 0:
            return INTERRUPTED
        nodes -= 1
        state[NODES] += 1
        settled = propagate(tables, search, removed, settled)
        if settled == len(search.grid):
            return FOUND
        if settled < 0:
            state[BACKTRACKS] += 1
        else:
            state[GUESSES] += 1
            push_guess(search, settled)


def write_values(grid: Array, values: Array) -> None:
    """Write the value of every cell of a settled grid."""
    for cell in range(len(grid)):
        value, bits = 0, grid[cell]
        while bits > 1:
            bits >>= np.uint32(1)
            value += 1
        values[cell] = value


def solve_array(
    tables: BoardTables,
    search: SearchArrays,
    domains: Array,
    solutions: Array,
    counts: Array,
    exact: Array,
    nodes: Array,
    limit: int,
    most_nodes: int,
    halt: Array,
) -> None:
    """Count the solutions of each grid (N, cells) up to ``limit``, and keep the first; ``exact``: these are all.

    ``nodes`` are those of each search. Stop at ``halt[0]``, which another thread may set; give up a grid after ``most_nodes``.
    """
    for index in range(len(domains)):
        begin_search(search, domains[index])
        while counts[index] < limit and not halt[0]:
            outcome = continue_search(tables, search, min(SLICE, most_nodes - search.state[NODES]))
            if outcome == FOUND:
                if counts[index] == 0:
                    write_values(search.grid, solutions[index])
                counts[index] += 1
            elif outcome == EXHAUSTED:
                exact[index] = True
                break
            elif search.state[NODES] >= most_nodes:
                break
        nodes[index] = search.state[NODES]
