"""Nested multiple chains: what all candidates of a cell, or all places of a digit, lead to on the board that is left in a run.

For dynamic chains "+ Multiple Forcing Chains". The runs here follow links of two and change no board. They use the second half of
the store's slots, and of ``slot_of``; their parents are dropped from the pool in the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import RatedGrid, fill, length_rating, lowest_of, size_of
from sudoku_cp.logic.rating.kernel.nested import (
    LISTS,
    SEEN,
    Finds,
    add_gone,
    add_link,
    begin_list,
    end_list,
    improve,
    make_finds,
    mix,
    rank_of,
    use_chains,
    use_finds,
)
from sudoku_cp.logic.rating.kernel.runs import (
    CHAINS,
    HASH_SHIFT,
    INNER,
    POOL,
    STAMP,
    Store,
    begin_run,
    count_ancestors,
    spread,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

CELL_KEY, REGION_KEY = 5, 6
BASE = 80
CHAINS_MODE = 4
"""The mode of `reductions` from which simple chains are nested; in the next, multiple ones too."""


def inner_slot(work: RatedGrid, store: Store, node: int) -> int:
    """Return the slot of the run that turns a candidate on."""
    half = len(store.slot_of) // 2
    if not store.slot_of[half + node]:
        slot = len(store.first) // 2 + store.counters[INNER]
        store.counters[INNER] += 1
        store.slot_of[half + node] = slot
        begin_run(work, work, store, slot, 2 * node)
        spread(work, work, store, slot, (0, 0), (False, True))
    return store.slot_of[half + node]


def collect_chain(boards: tuple[RatedGrid, RatedGrid], store: Store, slot: int, literal: int, finds: Finds) -> int:
    """Collect the parents of a literal's chain; return a hash of its literals."""
    grid, work = boards
    store.counters[STAMP] += 1
    stamp = store.counters[STAMP]
    store.stamps[literal], store.queue[0] = stamp, literal
    count, done, total = 1, 0, 0
    while done < count:
        follower = store.queue[done]
        done += 1
        total += mix(follower)
        at = store.first[slot, follower]
        if not follower & 1 and store.pool[at]:
            add_link(grid, work, finds, store.pool[at + 1] >> 1, follower >> 1, 2)
        for i in range(at + 1, at + 1 + store.pool[at]):
            parent = store.pool[i]
            if store.stamps[parent] != stamp:
                store.stamps[parent], store.queue[count] = stamp, parent
                count += 1
    return total


def removed_by(work: RatedGrid, literal: int) -> int:
    """Return the digits that a literal's cell loses if it holds."""
    n = work.houses.shape[1]
    bit = 1 << (literal >> 1) % n
    return bit if literal & 1 else work.candidates[(literal >> 1) // n] & ~bit


def is_wanted(work: RatedGrid, finds: Finds, literal: int, rank: int) -> bool:
    """Return whether a hint of this rank would be the best to remove something."""
    n = work.houses.shape[1]
    gone = removed_by(work, literal)
    while gone:
        best = finds.ranks[(literal >> 1) // n * n + lowest_of(gone)]
        if best == 0 or rank < best:
            return True
        gone &= gone - 1
    return False


def measure(work: RatedGrid, store: Store, slots: NDArray[np.int64], literal: int, key: int, finds: Finds) -> int:
    """Return the complexity of the hint that a literal follows in all of these runs; 0 if it does not, or is not wanted."""
    store.counters[CHAINS] = 0
    complexity = 0
    for slot in slots:
        start = store.first[slot, literal]
        if not start or not is_wanted(work, finds, literal, rank_of(finds, key, BASE + length_rating(complexity), complexity)):
            return 0
        complexity += count_ancestors(store, slot, literal, start)
    return complexity


def collect_hint(
    boards: tuple[RatedGrid, RatedGrid],
    store: Store,
    slots: NDArray[np.int64],
    literal: int,
    rank: int,
    root: tuple[int, int, int],
    finds: Finds,
) -> None:
    """Collect the hint that a literal follows in these runs. ``root``: kind of house, house and digit; or -1, cell and 0."""
    grid, work = boards
    n = grid.houses.shape[1]
    kind, house, digit = root
    if kind < 0:
        add_gone(grid, finds, kind, house, digit, grid.candidates[house] & ~work.candidates[house])
    else:
        add_gone(grid, finds, kind, house, digit, grid.places[kind, house, digit] & ~work.places[kind, house, digit])
    total = 0
    for slot in slots:
        total += collect_chain(boards, store, slot, literal, finds)
    if finds.lists[finds.counters[LISTS]]:
        chain = (total % 1099511627689 + 1 << HASH_SHIFT) | (rank >> 32 & (1 << HASH_SHIFT) - 1)
        lost = removed_by(work, literal)
        while lost:
            improve(finds, (literal >> 1) // n * n + lowest_of(lost), rank, chain)
            lost &= lost - 1
        end_list(finds)


def collect_common(
    boards: tuple[RatedGrid, RatedGrid], store: Store, slots: NDArray[np.int64], root: tuple[int, int, int], finds: Finds
) -> None:
    """Collect what follows in all of these runs, in the order of the first: what is on, then what is off."""
    work = boards[1]
    key = CELL_KEY if root[0] < 0 else REGION_KEY
    for sign in range(2):
        order = store.order[slots[0], sign]
        for i in range(1, order[0] + 1):
            literal = 2 * order[i] + sign
            complexity = measure(work, store, slots, literal, key, finds)
            if complexity:
                finds.counters[SEEN] += 1
                rank = rank_of(finds, key, BASE + length_rating(complexity), complexity)
                if is_wanted(work, finds, literal, rank) and begin_list(finds):
                    collect_hint(boards, store, slots, literal, rank, root, finds)


def collect_houses(boards: tuple[RatedGrid, RatedGrid], store: Store, node: int, slots: NDArray[np.int64], finds: Finds) -> None:
    """Collect from the houses in which a candidate's cell is the first place of its digit."""
    work = boards[1]
    n = work.houses.shape[1]
    cell, digit = node // n, node % n
    for kind in range(3):
        house = work.house_of[cell, kind]
        places = work.places[kind, house, digit]
        if size_of(places) < 2 or lowest_of(places) != work.place_of[cell, kind]:
            continue
        count = 0
        while places:
            slots[count] = inner_slot(work, store, work.houses[kind, house, lowest_of(places)] * n + digit)
            count += 1
            places &= places - 1
        collect_common(boards, store, slots[:count], (kind, house, digit), finds)


def use_multiple(grid: RatedGrid, work: RatedGrid, store: Store, slot: int) -> bool:
    """Turn off what multiple chains remove from the board that is left; return whether that was anything."""
    n = grid.houses.shape[1]
    nodes = len(work.candidates) * n
    finds, slots = make_finds(nodes), np.zeros(n, np.int64)
    pool = store.counters[POOL]
    fill(store.slot_of[nodes:], 0)
    store.counters[INNER] = 0
    for cell in range(len(work.candidates)):
        own = work.candidates[cell]
        if size_of(own) < 3:
            continue
        for digit in range(n):
            if own >> digit & 1:
                collect_houses((grid, work), store, cell * n + digit, slots, finds)
        count = 0
        for digit in range(n):
            if own >> digit & 1:
                slots[count] = inner_slot(work, store, cell * n + digit)
                count += 1
        collect_common((grid, work), store, slots[:count], (-1, cell, 0), finds)
    store.counters[POOL] = pool
    return use_finds(store, slot, finds)


def use_nested(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, mode: int) -> bool:
    """Use simple chains and, if they give nothing and the mode allows, multiple ones; return whether there was anything."""
    if mode < CHAINS_MODE:
        return False
    return use_chains(grid, work, store, slot) or (mode > CHAINS_MODE and use_multiple(grid, work, store, slot))
