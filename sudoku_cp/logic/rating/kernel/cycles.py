"""Bidirectional cycles and forcing chains.

Three passes, with X links, with Y links and with both, start a breadth-first search from every candidate. The complexity of
what it finds is the depth at which it does, so that a search ends as soon as it is too deep to be better than the best hint so
far. There are as many literals in a cycle as it has links; in a chain both ends count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.logic.rating.kernel.basic_techniques import is_single
from sudoku_cp.logic.rating.kernel.grid import (
    CELL,
    DIGIT,
    RATING,
    X_CHAIN,
    X_CYCLE,
    XY_CHAIN,
    RatedGrid,
    clear_hint,
    copy,
    fill,
    is_better,
    is_near,
    keep_best,
    length_rating,
    lowest_of,
    size_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


X, Y, XY = 2, 3, 4
"""The passes; by these numbers hints of equal rating and complexity are ordered."""
SHORTEST = 4


class Tree(NamedTuple):
    """Room for a search.

    ``queue`` has the candidates that are on. ``entries`` are candidates that are off, ``origins`` who turned each of them off;
    ``parent`` is the entry that turned a candidate on. A candidate is on (or, in chains, off) in this search if ``on`` (``off``)
    has its ``stamp``.
    """

    queue: NDArray[np.int64]
    parent: NDArray[np.int64]
    entries: NDArray[np.int64]
    origins: NDArray[np.int64]
    on: NDArray[np.int64]
    off: NDArray[np.int64]
    stamp: NDArray[np.int64]


def make_tree(links: Links) -> Tree:
    """Return room for the searches of a pass."""
    nodes, room = len(links.strong_count), len(links.weak) + 1
    return Tree(
        np.zeros(nodes + 1, np.int64),
        np.full(nodes, -1, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(1, np.int64),
    )


def is_ancestor(tree: Tree, node: int, other: int) -> bool:
    """Return whether the candidate ``other`` was turned off on the way to ``node``."""
    entry = tree.parent[node]
    while entry >= 0:
        if tree.entries[entry] == other:
            return True
        entry = tree.parent[tree.origins[entry]]
    return False


def remove_by_cycle(grid: RatedGrid, tree: Tree, entry: int, source: int, trial: NDArray[np.int64]) -> bool:
    """Fill ``trial`` with what a cycle eliminates: digits that cells outside see both on and off in it."""
    n = grid.houses.shape[2]
    seen = np.zeros((2, len(trial)), np.int64)
    inside = np.zeros(len(trial), np.bool_)
    node, is_on = source, 1
    while True:
        cell = node // n
        inside[cell] = True
        for at in range(grid.degrees[cell]):
            peer = grid.peers[cell, at]
            seen[is_on, peer] |= 1 << node % n
        if is_on:
            if entry < 0:
                break
            node, is_on = tree.entries[entry], 0
        else:
            node, is_on = tree.origins[entry], 1
            entry = tree.parent[node]
    gone = 0
    for cell in range(len(trial)):
        trial[cell] = 0 if inside[cell] else grid.candidates[cell] & seen[0, cell] & seen[1, cell]
        gone |= trial[cell]
    return gone != 0


def closes(links: Links, off: int, source: int) -> bool:
    """Return whether a candidate that is off turns the source of a search on."""
    for i in range(links.strong_count[off]):
        if links.strong[off, i] == source:
            return True
    return False


def expand_entries(links: Links, tree: Tree, first: int, last: int, count: int, source: int) -> int:
    """Turn off what the candidates of the queue from ``first`` to ``last`` turn off; return the new number of entries.

    What was off already turns on nothing new: it only counts where it closes a cycle.
    """
    stamp = tree.stamp[0]
    for i in range(first, last):
        node = tree.queue[i]
        for j in range(links.starts[node], links.starts[node + 1]):
            off = links.weak[j]
            if (tree.off[off] != stamp or closes(links, off, source)) and not is_ancestor(tree, node, off):
                tree.off[off] = stamp
                tree.entries[count], tree.origins[count] = off, node
                count += 1
    return count


def search_cycles(grid: RatedGrid, links: Links, tree: Tree, source: int, mode: int, trial: NDArray[np.int64]) -> None:
    """Look for cycles through a candidate that is on. A candidate is turned on once, and off whenever not its own ancestor."""
    base = 70 if mode == XY else 65
    tree.stamp[0] += 1
    stamp = tree.stamp[0]
    tree.queue[0], tree.on[source], tree.parent[source] = source, stamp, -1
    first, last, count, length = 0, 1, 0, 2
    while first < last and is_better(grid, base + length_rating(length), max(length, SHORTEST), mode):
        begin = count
        count = expand_entries(links, tree, first, last, count, source)
        first = last
        for entry in range(begin, count):
            off = tree.entries[entry]
            for i in range(links.strong_count[off]):
                node = links.strong[off, i]
                rating = base + length_rating(length)
                if (
                    node == source
                    and length >= SHORTEST
                    and is_better(grid, rating, length, mode)
                    and remove_by_cycle(grid, tree, entry, source, trial)
                ):
                    keep_best(grid, rating, length, mode, X_CYCLE + mode - X)
                    copy(trial, grid.removed)
                if tree.on[node] != stamp:
                    tree.on[node], tree.parent[node], tree.queue[last] = stamp, entry, node
                    last += 1
        length += 2


def turns_off(grid: RatedGrid, links: Links, node: int, source: int) -> bool:
    """Return whether there is a weak link between two candidates."""
    n = grid.houses.shape[2]
    if node // n == source // n:
        return links.with_y and node != source
    if abs(node % n - source % n) == 1:
        return is_near(grid, node // n, source // n)
    return bool(node % n == source % n and grid.sees[node // n, source // n])


def grow(links: Links, tree: Tree, first: int, last: int) -> int:
    """Turn on all that follows from the candidates of the queue from ``first`` to ``last``; return the new end of the queue."""
    stamp, end = tree.stamp[0], last
    for i in range(first, last):
        for j in range(links.starts[tree.queue[i]], links.starts[tree.queue[i] + 1]):
            off = links.weak[j]
            if tree.off[off] == stamp:
                continue
            tree.off[off] = stamp
            for k in range(links.strong_count[off]):
                node = links.strong[off, k]
                if tree.on[node] != stamp:
                    tree.on[node], tree.queue[end] = stamp, node
                    end += 1
    return end


def search_refutation(grid: RatedGrid, links: Links, tree: Tree, source: int, mode: int) -> None:
    """Look for a chain by which a candidate that is on turns itself off."""
    base = 70 if mode == XY else 66
    tree.stamp[0] += 1
    tree.queue[0], tree.on[source] = source, tree.stamp[0]
    first, last, length = 0, 1, 2
    while first < last and is_better(grid, base + length_rating(length), length, mode):
        for i in range(first, last):
            if turns_off(grid, links, tree.queue[i], source):
                keep_best(grid, base + length_rating(length), length, mode, XY_CHAIN if mode == XY else X_CHAIN)
                fill(grid.removed, 0)
                grid.removed[source // grid.houses.shape[2]] = 1 << source % grid.houses.shape[2]
                return
        first, last = last, grow(links, tree, first, last)
        length += 2


def search_proof(grid: RatedGrid, links: Links, tree: Tree, source: int, mode: int) -> None:
    """Look for a chain by which a candidate that is off turns itself on."""
    n = grid.houses.shape[2]
    base = 70 if mode == XY else 66
    tree.stamp[0] += 1
    stamp = tree.stamp[0]
    tree.off[source] = stamp
    first, last, length = 0, 0, 2
    for i in range(links.strong_count[source]):
        tree.queue[last], tree.on[links.strong[source, i]] = links.strong[source, i], stamp
        last += 1
    while first < last and is_better(grid, base + length_rating(length), length, mode):
        if tree.on[source] == stamp:
            keep_best(grid, base + length_rating(length), length, mode, XY_CHAIN if mode == XY else X_CHAIN)
            fill(grid.removed, 0)
            grid.hint[CELL], grid.hint[DIGIT] = source // n, source % n
            return
        first, last = last, grow(links, tree, first, last)
        length += 2


def search_pass(grid: RatedGrid, mode: int, trial: NDArray[np.int64]) -> None:
    """Search from every candidate with the links of one pass."""
    links = make_links(grid, mode != Y, mode != X)
    tree = make_tree(links)
    n = grid.houses.shape[2]
    for cell in range(len(grid.candidates)):
        count = size_of(grid.candidates[cell])
        for digit in range(n):
            if count < 2 or not grid.candidates[cell] >> digit & 1:
                continue
            source = cell * n + digit
            if links.strong_count[source] and (mode != Y or count == 2):
                search_cycles(grid, links, tree, source, mode, trial)
            if mode != Y:
                search_refutation(grid, links, tree, source, mode)
                search_proof(grid, links, tree, source, mode)


def find_cycle_or_chain(grid: RatedGrid) -> bool:
    """Look for the best cycle or forcing chain."""
    clear_hint(grid)
    trial = np.zeros(len(grid.candidates), np.int64)
    for mode in (X, Y, XY):
        search_pass(grid, mode, trial)
    return bool(grid.hint[RATING] > 0)


# Links between candidates, for cycles and forcing chains.
#
# A *literal* is "candidate on" or "candidate off"; a candidate is numbered cell * n + digit. A **weak** link leads from on to
# off: the same digit in a cell that is seen, a consecutive one in a cell that may not hold it or, where Y links are used, another
# digit of the cell. A **strong** link leads from off to on: the other of two places in a house (X) or the other of two candidates
# of a cell (Y).


class Links(NamedTuple):
    """The links of one pass.

    ``strong`` (candidates, 1 + kinds of houses) are those of a candidate, ``strong_count`` how many. ``weak`` between two
    ``starts`` are the weak links of a candidate to such as have a strong link; others lead nowhere.
    """

    strong: NDArray[np.int64]
    strong_count: NDArray[np.int64]
    weak: NDArray[np.int64]
    starts: NDArray[np.int64]
    with_y: bool


def add_strong(links: Links, node: int, other: int) -> None:
    """Add a strong link, once."""
    for i in range(links.strong_count[node]):
        if links.strong[node, i] == other:
            return
    links.strong[node, links.strong_count[node]] = other
    links.strong_count[node] += 1


def find_strong(grid: RatedGrid, links: Links, with_x: bool) -> None:
    """Find the strong links of all candidates: in the cell, then in box, row, column."""
    n = grid.houses.shape[2]
    for cell in range(len(grid.candidates)):
        own = grid.candidates[cell]
        for digit in range(n):
            if not own >> digit & 1:
                continue
            node = cell * n + digit
            if links.with_y and is_single(own & ~(1 << digit)):
                add_strong(links, node, cell * n + lowest_of(own & ~(1 << digit)))
            for kind in range(grid.houses.shape[0]):
                house = grid.house_of[cell, kind]
                others = grid.places[kind, house, digit] & ~(1 << grid.place_of[cell, kind])
                if with_x and is_single(others):
                    add_strong(links, node, grid.houses[kind, house, lowest_of(others)] * n + digit)


def add_weak_near(grid: RatedGrid, links: Links, cell: int, digit: int, count: int) -> int:
    """Add the weak links to consecutive digits near a cell that have a strong one; return the new number of links."""
    n = grid.houses.shape[2]
    for at in range(grid.near_counts[cell]):
        for other in (digit + 1, digit - 1):
            node = grid.near[cell, at] * n + other
            if 0 <= other < n and links.strong_count[node]:
                links.weak[count] = node
                count += 1
    return count


def find_weak(grid: RatedGrid, links: Links) -> None:
    """Find the weak links of all candidates to those that have a strong one: in the cell, then in box, row, column."""
    n = grid.houses.shape[2]
    count = 0
    for cell in range(len(grid.candidates)):
        for digit in range(n):
            links.starts[cell * n + digit] = count
            if not grid.candidates[cell] >> digit & 1:
                continue
            for other in range(n):
                node = cell * n + other
                if links.with_y and other != digit and links.strong_count[node]:
                    links.weak[count] = node
                    count += 1
            for at in range(grid.degrees[cell]):
                peer = grid.peers[cell, at]
                if links.strong_count[peer * n + digit]:
                    links.weak[count] = peer * n + digit
                    count += 1
            if grid.near_counts[cell]:
                count = add_weak_near(grid, links, cell, digit, count)
    links.starts[len(grid.candidates) * n] = count


def make_links(grid: RatedGrid, with_x: bool, with_y: bool) -> Links:
    """Return the links of a pass."""
    nodes = len(grid.candidates) * grid.houses.shape[2]
    live = 0
    for cell in range(len(grid.candidates)):
        live += size_of(grid.candidates[cell])
    room = live * (grid.peers.shape[1] + grid.houses.shape[2] + 2 * grid.near.shape[1])
    links = Links(
        np.zeros((nodes, grid.houses.shape[0] + 1), np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(room, np.int64),
        np.zeros(nodes + 1, np.int64),
        with_y,
    )
    find_strong(grid, links, with_x)
    find_weak(grid, links)
    return links
