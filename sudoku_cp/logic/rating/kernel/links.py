"""Links between candidates, for cycles and forcing chains.

A *literal* is "candidate on" or "candidate off"; a candidate is numbered cell * n + digit. A **weak** link leads from on to off:
the same digit in a cell that is seen or, where Y links are used, another digit of the cell. A **strong** link leads from off to
on: the other of two places in a house (X) or the other of two candidates of a cell (Y).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import RatedGrid, lowest_of, size_of
from sudoku_cp.logic.rating.kernel.singles import is_single

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_STRONG = 4
"""Strong links of a candidate: in its cell and its three houses."""


class Links(NamedTuple):
    """The links of one pass.

    ``strong`` (candidates, 4) are those of a candidate, ``strong_count`` how many. ``weak`` between two ``starts`` are the weak
    links of a candidate to such as have a strong link; others lead nowhere.
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


def find_strong(grid: RatedGrid, links: Links, with_x: bool) -> None:  # noqa: FBT001
    """Find the strong links of all candidates: in the cell, then in box, row, column."""
    n = grid.houses.shape[1]
    for cell in range(len(grid.candidates)):
        own = grid.candidates[cell]
        for digit in range(n):
            if not own >> digit & 1:
                continue
            node = cell * n + digit
            if links.with_y and is_single(own & ~(1 << digit)):
                add_strong(links, node, cell * n + lowest_of(own & ~(1 << digit)))
            for kind in range(3):
                house = grid.house_of[cell, kind]
                others = grid.places[kind, house, digit] & ~(1 << grid.place_of[cell, kind])
                if with_x and is_single(others):
                    add_strong(links, node, grid.houses[kind, house, lowest_of(others)] * n + digit)


def find_weak(grid: RatedGrid, links: Links) -> None:
    """Find the weak links of all candidates to those that have a strong one: in the cell, then in box, row, column."""
    n = grid.houses.shape[1]
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
            for peer in grid.peers[cell]:
                if links.strong_count[peer * n + digit]:
                    links.weak[count] = peer * n + digit
                    count += 1
    links.starts[len(grid.candidates) * n] = count


def make_links(grid: RatedGrid, with_x: bool, with_y: bool) -> Links:  # noqa: FBT001
    """Return the links of a pass."""
    nodes = len(grid.candidates) * grid.houses.shape[1]
    live = 0
    for cell in range(len(grid.candidates)):
        live += size_of(grid.candidates[cell])
    room = live * (grid.peers.shape[1] + grid.houses.shape[1])
    links = Links(
        np.zeros((nodes, MOST_STRONG), np.int64),
        np.zeros(nodes, np.int64),
        np.zeros(room, np.int64),
        np.zeros(nodes + 1, np.int64),
        with_y,
    )
    find_strong(grid, links, with_x)
    find_weak(grid, links)
    return links
