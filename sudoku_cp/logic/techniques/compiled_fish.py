"""The search for fish in compiled code: fills the arrays of `fish_kernel`, and reads its results."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.native.kernel import bits as words_as_sets
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.logic.techniques import fish_arrays, fish_kernel, set_table
from sudoku_cp.logic.techniques.fish_arrays import BASES_TOP, OWN, TABLE, TOLD, WORD, FishArrays
from sudoku_cp.logic.techniques.fish_space import MAX_ENDO_FINS, MAX_FINS, Fish, Form, bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.techniques.fish_space import FishQuery, FishSpace

BUDGET = 50_000
"""Branches between two ticks: some milliseconds."""
COVER_BRANCHES = 1024
"""Room for branches of one set of bases: each cover and each fin of the path in hand leaves a few others open."""
ROWS = 64
"""What fits at first into arrays that grow."""
SLOTS = 1024
"""Slots of the hash table at first; at least as many stay free as are used."""

_KERNEL = CachedModule.of_functions(
    "fish",
    (words_as_sets, fish_arrays, set_table, fish_kernel),
    ("advance", "move_slots"),
    "the search for fish",
    duration="about 20 seconds",
    inline=True,
)


def find_compiled(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish as `fish_search.find_fish` does."""
    arrays = _make_arrays(space, query)
    more = True
    while more:
        tick()
        arrays = _with_room(arrays)
        more = _KERNEL.call("advance", arrays, BUDGET)
        found = arrays.told[: arrays.state[TOLD]].tolist()
        arrays.state[TOLD] = 0
        for bases, covers, other_covers in found:
            yield Fish(bases, covers, other_covers)


def _make_arrays(space: FishSpace, query: FishQuery) -> FishArrays:
    """Return the arrays of a search, with the empty set of bases on the stack."""
    masks, sights, houses_of, removable = _packed_sets(space)
    words = len(removable)
    fins = (MAX_FINS, MAX_ENDO_FINS) if query.forms & ~Form.PLAIN else (0, 0)
    base_stack = _sets(query.size * len(space.houses) + 1, 1 + 3 * words)
    base_stack[0, 1 + 2 * words :] = removable
    state = np.zeros(8, np.int64)
    state[BASES_TOP] = 1
    return FishArrays(
        masks=masks,
        sights=sights,
        houses_of=houses_of,
        kinds=np.array([space.rows, space.columns, space.boxes, space.all_houses], np.uint64),
        query=np.array([query.size, query.kind, query.wanted, query.paired, *fins], np.int64),
        state=state,
        base_stack=base_stack,
        cover_stack=_sets(COVER_BRANCHES, 2 + 3 * words),
        bases=_sets(1 + 3 * words),
        node=_sets(2 + 3 * words),
        facts=_sets(2 + query.size),
        own=_sets(ROWS, words),
        own_covers=_sets(ROWS),
        table=_sets(SLOTS, words + 2),
        told=_sets(ROWS, 3),
        scratch=_sets(3, words),
    )


@lru_cache(maxsize=64)
def _packed_sets(space: FishSpace) -> tuple[NDArray[np.uint64], ...]:
    """Return the places of each house, those that each place sees, the houses of each place, and the removable ones.

    They are kept for the other techniques of a board, which search the same spaces.
    """
    places = list(bits(space.places))
    holding, seeing = _relations(space.layout)
    holding = holding[np.ix_(space.houses, places)]
    removable = np.array([[space.removable >> cell & 1 for cell in places]], np.bool_)
    sights = _packed(seeing[np.ix_(places, places)])
    return _packed(holding), sights, _packed(holding.T)[:, 0].copy(), _packed(removable)[0]


def _with_room(arrays: FishArrays) -> FishArrays:
    """Return the arrays with more room where one is full."""
    if arrays.state[OWN] == len(arrays.own):
        own, own_covers = (np.concatenate([rows, np.zeros_like(rows)]) for rows in (arrays.own, arrays.own_covers))
        arrays = arrays._replace(own=own, own_covers=own_covers)
    if 2 * arrays.state[TABLE] >= len(arrays.table):
        larger = _sets(4 * len(arrays.table), arrays.table.shape[1])
        _KERNEL.call("move_slots", arrays.table, larger)
        arrays = arrays._replace(table=larger)
    return arrays


def _sets(*shape: int) -> NDArray[np.uint64]:
    """Return an array of empty sets."""
    return np.zeros(shape, np.uint64)


@lru_cache(maxsize=16)
def _relations(layout: Layout) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which group holds which cell, and which cell sees which."""
    cells = range(len(layout.domains))
    holding = np.array([[group.mask >> cell & 1 for cell in cells] for group in layout.groups], np.bool_)
    seeing = np.array([[layout.sight[cell] >> other & 1 for other in cells] for cell in cells], np.bool_)
    return holding, seeing


def _packed(rows: NDArray[Any]) -> NDArray[np.uint64]:
    """Return rows of truth values as rows of words; the first value is the lowest bit."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // WORD) * WORD), np.bool_)
    padded[:, : rows.shape[1]] = rows
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
