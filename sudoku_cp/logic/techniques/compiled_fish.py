"""The search for fish in compiled code, where sets are words of 64 bits: of places, as many as it takes; of houses, one."""

from __future__ import annotations

import sys
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.native.kernel import bits as words_as_sets
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.logic.kernel_variants import kernel_variant
from sudoku_cp.logic.techniques import fish_kernel
from sudoku_cp.logic.techniques.fish_search import Code, SpaceSets, bits, search_fish

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.techniques.fish_search import Fish, FishQuery, FishSpace


WORD = 64


def mix(mixed: Any, word: Any) -> Any:
    """Return a hash of sets, and of one more."""
    mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ mixed >> np.uint64(29)


_WORDS = {
    "NONE": words_as_sets.NONE,
    "ONE": words_as_sets.ONE,
    "WORD": WORD,
    "as_number": np.int64,
    "as_set": np.uint64,
    "largest": words_as_sets.largest,
    "mix": mix,
    "set_of": words_as_sets.bit,
    "size_of": words_as_sets.size_of,
    "smallest": words_as_sets.smallest,
}
"""What takes the place of the operations on integers."""
_KERNEL = CachedModule.of_functions(
    "fish",
    (words_as_sets, kernel_variant(fish_kernel, _WORDS), sys.modules[__name__]),
    ("advance", "move_slots"),
    "the search for fish",
    duration="about 20 seconds",
    inline=True,
)
_ADVANCE, _MOVE = (partial(_KERNEL.call, name) for name in ("advance", "move_slots"))
_COMPILED = Code(_ADVANCE, _MOVE, np.uint64, np.int64, budget=50_000, slots=1024)


def find_compiled(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish as `find_plainly` does."""
    return search_fish(space, query, _packed_sets(space), _COMPILED, tick)


@lru_cache(maxsize=64)
def _packed_sets(space: FishSpace) -> SpaceSets:
    """Return the places of each house, those that each place sees, the houses of each place, and the removable ones.

    They are kept for the other techniques of a board, which search the same spaces.
    """
    places = list(bits(space.places))
    holding, seeing = _relations(space.layout)
    holding = holding[np.ix_(space.houses, places)]
    removable = np.array([[space.removable >> cell & 1 for cell in places]], np.bool_)
    sights = _packed(seeing[np.ix_(places, places)])
    return SpaceSets(_packed(holding), sights, _packed(holding.T)[:, 0].copy(), _packed(removable)[0])


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
