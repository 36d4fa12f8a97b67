"""Nishio, multiple and dynamic forcing chains: what the runs from a cell and its houses prove.

- **Contradiction** (Nishio, dynamic): a candidate whose run contradicts itself.
- **Double** (dynamic, cells of three or more): what follows from a candidate both on and off.
- **Cell** and **region** (multiple, dynamic): what follows from all candidates of a cell, or all places of a digit in a house.

The best of all hints counts. Runs that turn a candidate on are kept, for they serve its cell and its houses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import (
    CELL,
    CELL_CHAINS,
    CONTRADICTION,
    DIGIT,
    DOUBLE_CHAINS,
    DYNAMIC_CELL,
    DYNAMIC_REGION,
    NISHIO,
    REGION_CHAINS,
    RatedGrid,
    copy,
    fill,
    is_better,
    keep_best,
    length_rating,
    lowest_of,
    size_of,
)
from sudoku_cp.logic.rating.kernel.nested_chains import use_nested
from sudoku_cp.logic.rating.kernel.patterns import use_patterns
from sudoku_cp.logic.rating.kernel.runs import (
    CHAINS,
    EXISTING,
    NEW,
    POOL,
    SLOTS,
    Store,
    begin_run,
    count_ancestors,
    spread,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

DOUBLE_KEY, CELL_KEY, REGION_KEY, CONTRADICTION_KEY = 1, 5, 6, 7
"""The order of hints of equal complexity."""
NISHIO_MODE, MULTIPLE_MODE, DYNAMIC_MODE = range(3)
"""The modes; DYNAMIC_MODE + k is dynamic with help of level k."""


def base_of(mode: int) -> int:
    """Return the rating of a mode without what length adds."""
    return 75 + 5 * mode


def run(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, literal: int, mode: int) -> None:
    """Fill a slot with all that follows from a literal."""
    begin_run(grid, work, store, slot, literal)
    parents = np.zeros(len(store.queue), np.int32)
    on = off = 0
    while True:
        on, off = spread(grid, work, store, slot, on, off, mode != MULTIPLE_MODE, mode != NISHIO_MODE)
        if mode <= DYNAMIC_MODE or store.conflict[slot, NEW]:
            return
        if not (use_patterns(grid, work, store, slot, parents) or use_nested(grid, work, store, slot, mode)):
            return


def slot_of_run(grid: RatedGrid, work: RatedGrid, store: Store, node: int, mode: int) -> int:
    """Return the slot of the run that turns a candidate on."""
    if not store.slot_of[node]:
        store.counters[SLOTS] += 1
        store.slot_of[node] = store.counters[SLOTS]
        run(grid, work, store, store.slot_of[node], 2 * node, mode)
    return store.slot_of[node]


def conclude(grid: RatedGrid, literal: int) -> None:
    """Note that a literal holds: the candidate is placed, or removed."""
    n = grid.houses.shape[1]
    cell, digit = (literal >> 1) // n, (literal >> 1) % n
    fill(grid.removed, 0)
    if literal & 1:
        grid.removed[cell] = 1 << digit
    else:
        grid.hint[CELL], grid.hint[DIGIT] = cell, digit


def use_conflict(grid: RatedGrid, store: Store, slot: int, literal: int, mode: int) -> None:
    """Conclude the opposite of a literal whose run contradicts itself."""
    new, existing = store.conflict[slot, NEW], store.conflict[slot, EXISTING]
    if not new:
        return
    store.counters[CHAINS] = 0
    complexity = count_ancestors(store, slot, existing, store.first[slot, existing])
    complexity += count_ancestors(store, slot, existing ^ 1, new)
    rating = base_of(mode) + length_rating(complexity)
    if is_better(grid, rating, complexity, CONTRADICTION_KEY):
        keep_best(grid, rating, complexity, CONTRADICTION_KEY, NISHIO if mode == NISHIO_MODE else CONTRADICTION)
        conclude(grid, literal ^ 1)


def reduce_runs(grid: RatedGrid, store: Store, slots: NDArray[np.int64], count: int, key: int, name: int, mode: int) -> None:
    """Conclude what follows in all of these runs, in the order of the first: what is on, then what is off."""
    n = grid.houses.shape[1]
    base = base_of(mode)
    for sign in range(2):
        order = store.order[slots[0], sign]
        for i in range(1, order[0] + 1):
            literal = 2 * order[i] + sign
            complexity = store.counters[CHAINS] = 0
            for j in range(count):
                start = store.first[slots[j], literal]
                if not start or not is_better(grid, base + length_rating(complexity), complexity, key):
                    complexity = 0
                    break
                complexity += count_ancestors(store, slots[j], literal, start)
            if not complexity or (sign == 0 and size_of(grid.candidates[order[i] // n]) < 2):
                continue
            if is_better(grid, base + length_rating(complexity), complexity, key):
                keep_best(grid, base + length_rating(complexity), complexity, key, name)
                conclude(grid, literal)


def search_regions(grid: RatedGrid, work: RatedGrid, store: Store, node: int, mode: int, slots: NDArray[np.int64]) -> None:
    """Use the houses in which a candidate's cell is the first place of its digit."""
    n = grid.houses.shape[1]
    cell, digit = node // n, node % n
    for kind in range(3):
        house = grid.house_of[cell, kind]
        places = grid.places[kind, house, digit]
        if size_of(places) < 2 or lowest_of(places) != grid.place_of[cell, kind]:
            continue
        count = 0
        while places:
            other = grid.houses[kind, house, lowest_of(places)] * n + digit
            slots[count] = slot_of_run(grid, work, store, other, mode)
            count += 1
            places &= places - 1
        name = REGION_CHAINS if mode == MULTIPLE_MODE else DYNAMIC_REGION
        reduce_runs(grid, store, slots, count, REGION_KEY, name, mode)


def search_candidate(grid: RatedGrid, work: RatedGrid, store: Store, node: int, mode: int, slots: NDArray[np.int64]) -> None:
    """Use the runs of one candidate, on and off, and its houses."""
    on = slot_of_run(grid, work, store, node, mode)
    if mode != MULTIPLE_MODE:
        use_conflict(grid, store, on, 2 * node, mode)
        run(grid, work, store, 0, 2 * node + 1, mode)
        use_conflict(grid, store, 0, 2 * node + 1, mode)
        if mode != NISHIO_MODE and size_of(grid.candidates[node // grid.houses.shape[1]]) > 2:
            slots[0], slots[1] = on, 0
            reduce_runs(grid, store, slots, 2, DOUBLE_KEY, DOUBLE_CHAINS, mode)
    if mode != NISHIO_MODE:
        search_regions(grid, work, store, node, mode, slots)


def search_cell(grid: RatedGrid, work: RatedGrid, store: Store, cell: int, mode: int) -> None:
    """Look for hints from the candidates of a cell, and keep the best."""
    n = grid.houses.shape[1]
    slots = np.zeros(n, np.int64)
    own = grid.candidates[cell]
    if size_of(own) < (3 if mode == MULTIPLE_MODE else 2):
        return
    if store.counters[POOL] > len(store.pool) // 2:
        fill(store.slot_of, 0)
        store.counters[POOL], store.counters[SLOTS] = 1, 0
    for digit in range(n):
        if own >> digit & 1:
            search_candidate(grid, work, store, cell * n + digit, mode, slots)
    if mode == NISHIO_MODE:
        return
    count = 0
    for digit in range(n):
        if own >> digit & 1:
            slots[count] = slot_of_run(grid, work, store, cell * n + digit, mode)
            count += 1
    name = CELL_CHAINS if mode == MULTIPLE_MODE else DYNAMIC_CELL
    reduce_runs(grid, store, slots, count, CELL_KEY, name, mode)


def clear_runs(grid: RatedGrid, work: RatedGrid, store: Store) -> None:
    """Forget all runs and the hint: a search begins."""
    fill(grid.hint, 0)
    for kind in range(3):
        copy(grid.open_cells[kind], work.open_cells[kind])
    fill(store.slot_of, 0)
    store.counters[POOL], store.counters[SLOTS] = 1, 0
