"""Nested chains: cycles and simple forcing chains of the board that is left in a run, for dynamic chains "+ Forcing Chains".

All hints of the three passes are used, not the best alone. A candidate that they remove is turned off by the first hint that does
so in the order of rating, complexity, pass and search; its parents are the candidates without which that chain would not link:
those that were on the board when the run began and shared a cell or house of one of its links. A chain without such parents was
there before, and is of no use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.logic.rating.kernel.cycles import (
    XY,
    Links,
    Tree,
    X,
    Y,
    expand_entries,
    make_links,
    make_tree,
    remove_by_cycle,
    turns_off,
)
from sudoku_cp.logic.rating.kernel.grid import RatedGrid, fill, length_rating, lowest_of, size_of
from sudoku_cp.logic.rating.kernel.runs import (
    CHAINS,
    HASH_SHIFT,
    INNER,
    POOL,
    STAMP,
    Store,
    add_literal,
    add_parent,
    begin_run,
    count_ancestors,
    open_list,
    spread,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


SHORTEST = 4


class Finds(NamedTuple):
    """The best hint so far for each candidate that one removes.

    ``ranks``: its place in the order (0: there is none); ``chains``: its hash and complexity; ``starts``: where its parents are
    in ``lists``, their number first. ``marks`` and ``counters`` (cells of ``lists`` used, stamp, hints seen) serve to make them.
    """

    ranks: NDArray[np.int64]
    chains: NDArray[np.int64]
    starts: NDArray[np.int64]
    lists: NDArray[np.int64]
    marks: NDArray[np.int64]
    counters: NDArray[np.int64]


LISTS, NESTED_STAMP, SEEN = range(3)
ROOM = 400_000


def make_finds(nodes: int) -> Finds:
    """Return an empty collection."""
    return Finds(
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(ROOM, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(3, np.int64),
    )


def rank_of(finds: Finds, mode: int, rating: int, complexity: int) -> int:
    """Return the place of a hint in the order."""
    return (rating << 44) | (complexity << 32) | (mode << 28) | finds.counters[SEEN]


def mix(literal: int) -> int:
    """Return a number for a literal, such that sums of different literals hardly ever agree."""
    return (literal + 1) * 2654435761 % 1099511627689


def add_gone(grid: RatedGrid, finds: Finds, kind: int, house: int, digit: int, gone: int) -> None:
    """Add the candidates that are gone from a cell (kind -1, its number as ``house``) or for a digit from a house, each once."""
    n = grid.houses.shape[2]
    start = finds.counters[LISTS]
    while gone:
        low = lowest_of(gone)
        node = house * n + low if kind < 0 else grid.houses[kind, house, low] * n + digit
        if finds.marks[node] != finds.counters[NESTED_STAMP]:
            finds.marks[node] = finds.counters[NESTED_STAMP]
            finds.lists[start] += 1
            finds.lists[start + finds.lists[start]] = node
        gone &= gone - 1


def add_link(grid: RatedGrid, work: RatedGrid, finds: Finds, first: int, second: int, limit: int) -> None:
    """Add what is gone from the cell or house that links two candidates: the first house with no more than ``limit`` places.

    Where it is neither, but a move or consecutive digits, what is gone from the second cell counts.
    """
    n = grid.houses.shape[2]
    cell, digit = second // n, second % n
    if first // n == cell:
        add_gone(grid, finds, -1, cell, digit, grid.candidates[cell] & ~work.candidates[cell])
        return
    for kind in range(grid.houses.shape[0]):
        house = grid.house_of[cell, kind]
        if grid.house_of[first // n, kind] != house or house >= grid.counts[kind] or first % n != digit:
            continue
        if size_of(work.places[kind, house, digit]) <= limit:
            add_gone(grid, finds, kind, house, digit, grid.places[kind, house, digit] & ~work.places[kind, house, digit])
            return
    add_gone(grid, finds, -1, cell, digit, grid.candidates[cell] & ~work.candidates[cell])


def begin_list(finds: Finds) -> bool:
    """Begin a list of parents; return whether there is room."""
    finds.counters[NESTED_STAMP] += 1
    if finds.counters[LISTS] + len(finds.marks) + 1 > len(finds.lists):
        return False
    finds.lists[finds.counters[LISTS]] = 0
    return True


def improve(finds: Finds, node: int, rank: int, chain: int) -> None:
    """Let the hint with the last list of parents remove a candidate, if it is the best that does."""
    if finds.ranks[node] == 0 or rank < finds.ranks[node]:
        finds.ranks[node], finds.chains[node], finds.starts[node] = rank, chain, finds.counters[LISTS]


def end_list(finds: Finds) -> None:
    """Keep the last list."""
    finds.counters[LISTS] += finds.lists[finds.counters[LISTS]] + 1


def walk_back(grid: RatedGrid, work: RatedGrid, tree: Tree, finds: Finds, entry: int, last: int, cycle: int) -> int:
    """Collect the parents of a chain that ends with the entry and, if that is not -1, the candidate ``last`` that it turns on.

    In a cycle the links from on to off count too, for it is walked both ways. Returns a hash of the literals.
    """
    total = 0
    while entry >= 0:
        off, origin = tree.entries[entry], tree.origins[entry]
        if last >= 0:
            add_link(grid, work, finds, off, last, 2)
            total += mix(2 * last)
        total += mix(2 * off + 1)
        if cycle:
            add_link(grid, work, finds, origin, off, grid.houses.shape[2])
        last = origin
        entry = tree.parent[origin] if origin >= 0 else -1
    return (total % 1099511627689 + 1) << HASH_SHIFT


def grow_entries(links: Links, tree: Tree, first: int, last: int, count: int) -> tuple[int, int]:
    """Follow the candidates of the queue from ``first`` to ``last``; return the new end of the queue and number of entries."""
    stamp, end = tree.stamp[0], last
    for i in range(first, last):
        node = tree.queue[i]
        for j in range(links.starts[node], links.starts[node + 1]):
            off = links.weak[j]
            if tree.off[off] == stamp:
                continue
            tree.off[off] = stamp
            tree.entries[count], tree.origins[count] = off, node
            for k in range(links.strong_count[off]):
                other = links.strong[off, k]
                if tree.on[other] != stamp:
                    tree.on[other], tree.parent[other], tree.queue[end] = stamp, count, other
                    end += 1
            count += 1
    return end, count


def collect_cycles(
    grid: RatedGrid, work: RatedGrid, links: Links, tree: Tree, source: int, mode: int, finds: Finds, trial: NDArray[np.int64]
) -> None:
    """Collect all cycles through a candidate."""
    n = grid.houses.shape[2]
    tree.stamp[0] += 1
    stamp = tree.stamp[0]
    tree.queue[0], tree.on[source], tree.parent[source] = source, stamp, -1
    first, last, count, length = 0, 1, 0, 2
    while first < last:
        begin = count
        count = expand_entries(links, tree, first, last, count, source)
        first = last
        for entry in range(begin, count):
            off = tree.entries[entry]
            for i in range(links.strong_count[off]):
                node = links.strong[off, i]
                if node == source and length >= SHORTEST and remove_by_cycle(work, tree, entry, source, trial):
                    finds.counters[SEEN] += 1
                    rank = rank_of(finds, mode, (70 if mode == XY else 65) + length_rating(length), length)
                    if begin_list(finds):
                        chain = walk_back(grid, work, tree, finds, entry, source, 1) | length
                        if finds.lists[finds.counters[LISTS]]:
                            for cell in range(len(trial)):
                                while trial[cell]:
                                    improve(finds, cell * n + lowest_of(trial[cell]), rank, chain)
                                    trial[cell] &= trial[cell] - 1
                            end_list(finds)
                if tree.on[node] != stamp:
                    tree.on[node], tree.parent[node], tree.queue[last] = stamp, entry, node
                    last += 1
        length += 2


def collect_refutation(grid: RatedGrid, work: RatedGrid, links: Links, tree: Tree, source: int, mode: int, finds: Finds) -> None:
    """Collect the shortest chain by which a candidate that is on turns itself off."""
    tree.stamp[0] += 1
    tree.queue[0], tree.on[source], tree.parent[source] = source, tree.stamp[0], -1
    first, last, count, length = 0, 1, 0, 2
    while first < last:
        for i in range(first, last):
            node = tree.queue[i]
            if turns_off(work, links, node, source):
                finds.counters[SEEN] += 1
                rank = rank_of(finds, mode, (70 if mode == XY else 66) + length_rating(length), length)
                if begin_list(finds):
                    chain = walk_back(grid, work, tree, finds, tree.parent[node], node, 0) | length
                    if finds.lists[finds.counters[LISTS]]:
                        improve(finds, source, rank, chain + (2 * source + 2 << HASH_SHIFT))
                        end_list(finds)
                return
        start = last
        last, count = grow_entries(links, tree, first, last, count)
        first = start
        length += 2


def collect_proof(grid: RatedGrid, work: RatedGrid, links: Links, tree: Tree, source: int, mode: int, finds: Finds) -> None:
    """Collect the shortest chain by which a candidate that is off turns itself on."""
    n = grid.houses.shape[2]
    tree.stamp[0] += 1
    stamp = tree.stamp[0]
    tree.off[source] = stamp
    tree.entries[0], tree.origins[0] = source, -1
    first, last, count, length = 0, 0, 1, 2
    for i in range(links.strong_count[source]):
        node = links.strong[source, i]
        tree.queue[last], tree.on[node], tree.parent[node] = node, stamp, 0
        last += 1
    while first < last and tree.on[source] != stamp:
        start = last
        last, count = grow_entries(links, tree, first, last, count)
        first = start
        length += 2
    if tree.on[source] != stamp or not begin_list(finds):
        return
    finds.counters[SEEN] += 1
    rank = rank_of(finds, mode, (70 if mode == XY else 66) + length_rating(length), length)
    chain = walk_back(grid, work, tree, finds, tree.parent[source], source, 0) | length
    if finds.lists[finds.counters[LISTS]]:
        for digit in range(n):
            if digit != source % n and work.candidates[source // n] >> digit & 1:
                improve(finds, source // n * n + digit, rank, chain)
        end_list(finds)


def collect_pass(grid: RatedGrid, work: RatedGrid, mode: int, finds: Finds, trial: NDArray[np.int64]) -> None:
    """Collect what the links of one pass give, from every candidate."""
    n = work.houses.shape[2]
    links = make_links(work, mode != Y, mode != X)
    tree = make_tree(links)
    for source in range(len(finds.ranks)):
        own = work.candidates[source // n]
        if not own >> source % n & 1 or size_of(own) < 2:
            continue
        if links.strong_count[source] and (mode != Y or size_of(own) == 2):
            collect_cycles(grid, work, links, tree, source, mode, finds, trial)
        if mode != Y:
            collect_refutation(grid, work, links, tree, source, mode, finds)
            collect_proof(grid, work, links, tree, source, mode, finds)


def use_finds(store: Store, slot: int, finds: Finds) -> bool:
    """Turn off what the hints remove, the best first; return whether there was anything."""
    used = False
    for node in np.argsort(finds.ranks):
        literal = 2 * node + 1
        if finds.ranks[node] == 0 or store.first[slot, literal]:
            continue
        start, own = open_list(store), finds.starts[node]
        for i in range(own + 1, own + 1 + finds.lists[own]):
            add_parent(store, start, 2 * finds.lists[i] + 1)
        add_literal(store, slot, literal, start)
        store.nested[slot, node] = finds.chains[node]
        used = True
    return used


def use_chains(grid: RatedGrid, work: RatedGrid, store: Store, slot: int) -> bool:
    """Turn off what cycles and simple forcing chains remove from the board that is left; return whether that was anything."""
    finds = make_finds(len(work.candidates) * grid.houses.shape[2])
    trial = np.zeros(len(work.candidates), np.int64)
    for mode in (X, Y, XY):
        collect_pass(grid, work, mode, finds, trial)
    return use_finds(store, slot, finds)


# Nested multiple chains: what all candidates of a cell, or all places of a digit, lead to on the board that is left in a run.
#
# For dynamic chains "+ Multiple Forcing Chains". The runs here follow links of two and change no board. They use the second
# half of the store's slots, and of ``slot_of``; their parents are dropped from the pool in the end.


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
        spread(work, work, store, slot, 0, 0, False, True)
    return store.slot_of[half + node]


def collect_chain(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, literal: int, finds: Finds) -> int:
    """Collect the parents of a literal's chain; return a hash of its literals."""
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
    n = work.houses.shape[2]
    bit = 1 << (literal >> 1) % n
    return bit if literal & 1 else work.candidates[(literal >> 1) // n] & ~bit


def is_wanted(work: RatedGrid, finds: Finds, literal: int, rank: int) -> bool:
    """Return whether a hint of this rank would be the best to remove something."""
    n = work.houses.shape[2]
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
    grid: RatedGrid,
    work: RatedGrid,
    store: Store,
    slots: NDArray[np.int64],
    literal: int,
    rank: int,
    kind: int,
    house: int,
    digit: int,
    finds: Finds,
) -> None:
    """Collect the hint that a literal follows in these runs. ``kind``, ``house`` and ``digit``, or -1, cell and 0."""
    n = grid.houses.shape[2]
    if kind < 0:
        add_gone(grid, finds, kind, house, digit, grid.candidates[house] & ~work.candidates[house])
    else:
        add_gone(grid, finds, kind, house, digit, grid.places[kind, house, digit] & ~work.places[kind, house, digit])
    total = 0
    for slot in slots:
        total += collect_chain(grid, work, store, slot, literal, finds)
    if finds.lists[finds.counters[LISTS]]:
        chain = (total % 1099511627689 + 1 << HASH_SHIFT) | (rank >> 32 & (1 << HASH_SHIFT) - 1)
        lost = removed_by(work, literal)
        while lost:
            improve(finds, (literal >> 1) // n * n + lowest_of(lost), rank, chain)
            lost &= lost - 1
        end_list(finds)


def collect_common(
    grid: RatedGrid, work: RatedGrid, store: Store, slots: NDArray[np.int64], kind: int, house: int, digit: int, finds: Finds
) -> None:
    """Collect what follows in all of these runs, in the order of the first: what is on, then what is off."""
    key = CELL_KEY if kind < 0 else REGION_KEY
    for sign in range(2):
        order = store.order[slots[0], sign]
        for i in range(1, order[0] + 1):
            literal = 2 * order[i] + sign
            complexity = measure(work, store, slots, literal, key, finds)
            if complexity:
                finds.counters[SEEN] += 1
                rank = rank_of(finds, key, BASE + length_rating(complexity), complexity)
                if is_wanted(work, finds, literal, rank) and begin_list(finds):
                    collect_hint(grid, work, store, slots, literal, rank, kind, house, digit, finds)


def collect_houses(grid: RatedGrid, work: RatedGrid, store: Store, node: int, slots: NDArray[np.int64], finds: Finds) -> None:
    """Collect from the houses in which a candidate's cell is the first place of its digit."""
    n = work.houses.shape[2]
    cell, digit = node // n, node % n
    for kind in range(grid.houses.shape[0]):
        house = work.house_of[cell, kind]
        places = work.places[kind, house, digit]
        if size_of(places) < 2 or lowest_of(places) != work.place_of[cell, kind]:
            continue
        count = 0
        while places:
            slots[count] = inner_slot(work, store, work.houses[kind, house, lowest_of(places)] * n + digit)
            count += 1
            places &= places - 1
        collect_common(grid, work, store, slots[:count], kind, house, digit, finds)


def use_multiple(grid: RatedGrid, work: RatedGrid, store: Store, slot: int) -> bool:
    """Turn off what multiple chains remove from the board that is left; return whether that was anything."""
    n = grid.houses.shape[2]
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
                collect_houses(grid, work, store, cell * n + digit, slots, finds)
        count = 0
        for digit in range(n):
            if own >> digit & 1:
                slots[count] = inner_slot(work, store, cell * n + digit)
                count += 1
        collect_common(grid, work, store, slots[:count], -1, cell, 0, finds)
    store.counters[POOL] = pool
    return use_finds(store, slot, finds)


def use_nested(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, mode: int) -> bool:
    """Use simple chains and, if they give nothing and the mode allows, multiple ones; return whether there was anything."""
    if mode < CHAINS_MODE:
        return False
    return use_chains(grid, work, store, slot) or (mode > CHAINS_MODE and use_multiple(grid, work, store, slot))
