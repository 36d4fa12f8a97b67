"""Runs: all that follows from one literal, with the reasons.

A *run* starts from a candidate that is on, or off, and turns on and off whatever follows, those turned on first. In dynamic
runs a candidate that is off is also taken from the board, so that it counts no more; a literal's *parents* then are all that
made it follow. A run ends at its first contradiction. Its results are kept in a `Store`, by its *slot*: literal 2 * candidate
is "on", the next one "off".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.logic.rating.kernel.grid import RatedGrid, copy, lowest_of, remove, size_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXISTING, NEW = 0, 1
"""Of a conflict: the literal that is in the run, and where the parents of its opposite are (0: there is no conflict)."""


class Store(NamedTuple):
    """Runs, by slot.

    ``first`` (slots, literals): where in the ``pool`` the number of parents of a literal is, with the parents behind it; 0: it
    does not follow. ``order`` (slots, 2, candidates + 1): how many are on, then these, and the same for off. ``slot_of``
    (candidates): the slot of the run that turns it on, 0 if there is none. ``nested`` (slots, candidates): the nested chain, its
    hash and complexity, that turned a candidate off; ``chains``: those met while a hint is measured. ``counters``: pool cells,
    slots, stamp, chains, inner slots in use. (The second half of slots and ``slot_of`` is for runs inside a run.)
    """

    first: NDArray[np.int32]
    order: NDArray[np.int32]
    pool: NDArray[np.int32]
    conflict: NDArray[np.int32]
    slot_of: NDArray[np.int32]
    stamps: NDArray[np.int32]
    queue: NDArray[np.int32]
    nested: NDArray[np.int64]
    chains: NDArray[np.int64]
    counters: NDArray[np.int64]


POOL, SLOTS, STAMP, CHAINS, INNER = range(5)
"""The fields of ``counters``."""
HASH_SHIFT = 12
"""The number of a nested chain is a hash above so many bits, which have its complexity."""


def open_list(store: Store) -> int:
    """Begin a list of parents at the end of the pool."""
    store.pool[store.counters[POOL]] = 0
    store.counters[POOL] += 1
    return store.counters[POOL] - 1


def add_parent(store: Store, start: int, literal: int) -> None:
    """Add a parent to the last list."""
    store.pool[start] += 1
    store.pool[store.counters[POOL]] = literal
    store.counters[POOL] += 1


def add_literal(store: Store, slot: int, literal: int, start: int) -> None:
    """Add a literal that follows to a run, with the last list as its parents."""
    store.first[slot, literal] = start
    order = store.order[slot, literal & 1]
    order[0] += 1
    order[order[0]] = literal >> 1


def turn_off(store: Store, slot: int, node: int, parent: int) -> bool:
    """Turn a candidate off because ``parent`` is on; return whether that is a contradiction."""
    if store.first[slot, 2 * node + 1] and not store.first[slot, 2 * node]:
        return False
    start = open_list(store)
    add_parent(store, start, 2 * parent)
    if store.first[slot, 2 * node]:
        store.conflict[slot, EXISTING], store.conflict[slot, NEW] = 2 * node, start
        return True
    add_literal(store, slot, 2 * node + 1, start)
    return False


def turn_on(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, node: int, parent: int, kind: int) -> bool:
    """Turn a candidate on because another is off and all others of its cell or house are gone; return whether that contradicts.

    ``node`` is the candidate, ``parent`` the other; ``kind`` is the kind of house, -1 for the cell.
    """
    n = grid.houses.shape[2]
    cell, digit = node // n, node % n
    start = open_list(store)
    add_parent(store, start, 2 * parent + 1)
    if kind < 0:
        gone = grid.candidates[cell] & ~work.candidates[cell]
    else:
        house = grid.house_of[cell, kind]
        gone = grid.places[kind, house, digit] & ~work.places[kind, house, digit]
    while gone:
        other = cell * n + lowest_of(gone)
        if kind >= 0:
            other = grid.houses[kind, grid.house_of[cell, kind], lowest_of(gone)] * n + digit
        add_parent(store, start, 2 * other + 1)
        gone &= gone - 1
    if store.first[slot, 2 * node + 1]:
        store.conflict[slot, EXISTING], store.conflict[slot, NEW] = 2 * node + 1, start
        return True
    if store.first[slot, 2 * node]:
        store.counters[POOL] = start
    else:
        add_literal(store, slot, 2 * node, start)
    return False


def follow_on(work: RatedGrid, store: Store, slot: int, node: int, with_cells: bool) -> bool:
    """Turn off what a candidate that is on excludes: in its cell, its houses and near it; return whether that contradicts."""
    n = work.houses.shape[2]
    cell, digit = node // n, node % n
    for other in range(n):
        if with_cells and other != digit and work.candidates[cell] >> other & 1 and turn_off(store, slot, cell * n + other, node):
            return True
    for at in range(work.degrees[cell]):
        peer = work.peers[cell, at]
        if work.candidates[peer] >> digit & 1 and turn_off(store, slot, peer * n + digit, node):
            return True
    for at in range(work.near_counts[cell]):
        near = work.near[cell, at]
        for other in (digit + 1, digit - 1):
            if 0 <= other < n and work.candidates[near] >> other & 1 and turn_off(store, slot, near * n + other, node):
                return True
    return False


def follow_off(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, node: int, with_cells: bool) -> bool:
    """Turn on what is left alone when a candidate is off: in its cell and its houses; return whether that contradicts."""
    n = grid.houses.shape[2]
    cell, digit = node // n, node % n
    own = work.candidates[cell]
    if with_cells and size_of(own) == 2:
        other = cell * n + lowest_of(own & ~(1 << digit))
        if turn_on(grid, work, store, slot, other, node, -1):
            return True
    for kind in range(grid.houses.shape[0]):
        house = grid.house_of[cell, kind]
        places = work.places[kind, house, digit]
        if size_of(places) == 2:
            place = lowest_of(places & ~(1 << grid.place_of[cell, kind]))
            if turn_on(grid, work, store, slot, grid.houses[kind, house, place] * n + digit, node, kind):
                return True
    return False


def begin_run(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, literal: int) -> None:
    """Empty a slot but for the literal that it starts from, and copy the board."""
    for sign in range(2):
        order = store.order[slot, sign]
        for i in range(1, order[0] + 1):
            store.first[slot, 2 * order[i] + sign] = store.nested[slot, order[i]] = 0
        order[0] = 0
    store.conflict[slot, NEW] = 0
    copy(grid.candidates, work.candidates)
    for kind in range(grid.houses.shape[0]):
        for house in range(grid.counts[kind]):
            copy(grid.places[kind, house], work.places[kind, house])
    add_literal(store, slot, literal, open_list(store))


def spread(
    grid: RatedGrid, work: RatedGrid, store: Store, slot: int, on: int, off: int, dynamic: bool, with_cells: bool
) -> tuple[int, int]:
    """Follow links until nothing moves or there is a contradiction.

    ``on`` and ``off`` are how many of either have been followed; the new numbers are returned.
    """
    n = grid.houses.shape[2]
    while on < store.order[slot, 0, 0] or off < store.order[slot, 1, 0]:
        if on < store.order[slot, 0, 0]:
            on += 1
            if follow_on(work, store, slot, store.order[slot, 0, on], with_cells):
                break
        else:
            off += 1
            node = store.order[slot, 1, off]
            if follow_off(grid, work, store, slot, node, with_cells):
                break
            if dynamic:
                remove(work, node // n, node % n)
    return on, off


def meet_chain(store: Store, chain: int) -> int:
    """Return the complexity of a nested chain, 0 if it was met before in the hint that is measured."""
    for i in range(store.counters[CHAINS]):
        if store.chains[i] == chain:
            return 0
    if store.counters[CHAINS] < len(store.chains):
        store.chains[store.counters[CHAINS]] = chain
        store.counters[CHAINS] += 1
    return chain & (1 << HASH_SHIFT) - 1


def count_ancestors(store: Store, slot: int, literal: int, start: int) -> int:
    """Return how many literals a literal follows from, itself among them; its parents are at ``start`` of the pool.

    Nested chains among them that have not been met add their complexities.
    """
    store.counters[STAMP] += 1
    stamp = store.counters[STAMP]
    store.stamps[literal], store.queue[0] = stamp, literal
    count, done, nested = 1, 0, 0
    while done < count:
        follower = store.queue[done]
        at = store.first[slot, follower] if done else start
        if follower & 1 and store.nested[slot, follower >> 1]:
            nested += meet_chain(store, store.nested[slot, follower >> 1])
        done += 1
        for i in range(at + 1, at + 1 + store.pool[at]):
            parent = store.pool[i]
            if store.stamps[parent] != stamp:
                store.stamps[parent], store.queue[count] = stamp, parent
                count += 1
    return count + nested
