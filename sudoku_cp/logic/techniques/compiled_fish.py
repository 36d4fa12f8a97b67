"""The search for fish in compiled code, where that pays."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.compile_cache import CachedModule, can_compile
from sudoku_cp.logic.techniques import fish_search
from sudoku_cp.logic.techniques.fish_space import MAX_ENDO_FINS, MAX_FINS, Fish, FishKind, Form, bits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sudoku_cp.logic.layout import CellSet
    from sudoku_cp.logic.techniques.fish_space import FishQuery, FishSpace

WORD = 64
BUDGET = 50_000
"""Branches between two ticks: some milliseconds."""
COVER_BRANCHES = 512
"""Room for branches of one set of bases: each of at most 7 covers and 5 fins leaves few others open."""


def find_fish(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish as `fish_search.find_fish` does."""
    if is_worthwhile(space, query):
        return find_compiled(space, query, tick)
    return fish_search.find_fish(space, query, tick)


def is_worthwhile(space: FishSpace, query: FishQuery) -> bool:
    """Say whether to search in compiled code: basic fish without fins are found sooner than arrays are filled."""
    if len(space.houses) > WORD or (query.kind is FishKind.BASIC and query.forms is Form.PLAIN):
        return False
    return can_compile()


def find_compiled(space: FishSpace, query: FishQuery, tick: Callable[[], object]) -> Iterator[Fish]:
    """Yield fish as `fish_search.find_fish` does, found by `fish_kernel`."""
    search = _Search(space, query)
    more = True
    while more:
        tick()
        more = search.advance()
        yield from search.told()


@lru_cache(maxsize=1)
def _kernel() -> CachedModule:
    from sudoku_cp.backends.native.kernel import bits as words_as_sets  # noqa: PLC0415  # they import Numba
    from sudoku_cp.logic.techniques import fish_kernel  # noqa: PLC0415

    return CachedModule.of_functions("fish", (words_as_sets, fish_kernel), ("advance", "move_slots"), "the search for fish")


class _Search:
    """The arrays of a search: see `fish_kernel`."""

    def __init__(self, space: FishSpace, query: FishQuery) -> None:
        self._places = list(bits(space.places))
        self._words = words = -(-len(self._places) // WORD)
        self._number = {cell: index for index, cell in enumerate(self._places)}
        self._masks = np.array([self._to_words(mask) for mask in space.masks], np.uint64)
        self._sights = np.array([self._to_words(space.sight[cell] & space.places) for cell in self._places], np.uint64)
        self._houses_of = np.array([space.houses_of.get(cell, 0) for cell in self._places], np.uint64)
        self._kinds = np.array([space.rows, space.columns, space.boxes, space.all_houses], np.uint64)
        fins = (MAX_FINS, MAX_ENDO_FINS) if query.forms & ~Form.PLAIN else (0, 0)
        self._query = np.array([query.size, query.kind, query.wanted, query.paired, *fins], np.int64)
        self._state = np.zeros(8, np.int64)
        self._base_stack = np.zeros((query.size * len(space.houses) + 1, 1 + 3 * words), np.uint64)
        self._base_stack[0, 1 + 2 * words :] = self._to_words(space.places)
        self._state[0] = 1
        self._cover_stack = np.zeros((COVER_BRANCHES, 2 + 3 * words), np.uint64)
        self._bases = np.zeros(1 + 3 * words, np.uint64)
        self._facts = np.zeros(query.size + 2, np.uint64)
        self._own = np.zeros((64, words), np.uint64)
        self._own_covers = np.zeros(64, np.uint64)
        self._table = np.zeros((1024, words + 2), np.uint64)
        self._told = np.zeros((64, 3), np.uint64)

    def advance(self) -> bool:
        """Search for a while; return False when all is done."""
        state, kernel = self._state, _kernel()
        if state[2] == len(self._own):
            self._own, self._own_covers = _doubled(self._own), _doubled(self._own_covers)
        if 2 * state[5] >= len(self._table):
            larger = np.zeros((4 * len(self._table), self._words + 2), np.uint64)
            kernel.call("move_slots", self._table, larger)
            self._table = larger
        return bool(
            kernel.call(
                "advance",
                self._masks,
                self._sights,
                self._houses_of,
                self._kinds,
                self._query,
                state,
                self._base_stack,
                self._cover_stack,
                self._bases,
                self._facts,
                self._own,
                self._own_covers,
                self._table,
                self._told,
                BUDGET,
            )  # fmt: skip
        )

    def told(self) -> list[Fish]:
        """Return what was found since the last time."""
        found = [Fish(*map(int, row)) for row in self._told[: self._state[6]]]
        self._state[6] = 0
        return found

    def _to_words(self, cells: CellSet) -> list[int]:
        """Return a set of places as words of their numbers."""
        mask = sum(1 << self._number[cell] for cell in bits(cells))
        return [mask >> WORD * word & (1 << WORD) - 1 for word in range(self._words)]


def _doubled(rows: NDArray[Any]) -> NDArray[Any]:
    """Return an array of twice as many rows; the new ones are empty."""
    return np.concatenate([rows, np.zeros_like(rows)])
