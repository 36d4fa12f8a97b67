"""Nishio, multiple and dynamic forcing chains: what the runs from a cell and its houses prove.

- **Contradiction** (Nishio, dynamic): a candidate whose run contradicts itself.
- **Double** (dynamic, cells of three or more): what follows from a candidate both on and off.
- **Cell** and **region** (multiple, dynamic): what follows from all candidates of a cell, or all places of a digit in a house.

The best of all hints counts. Runs that turn a candidate on are kept, for they serve its cell and its houses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sudoku_cp.logic.rating.kernel.basic_techniques import (
    PAIRS,
    common_house,
    covers_of,
    has_kinds,
    hidden_places,
    keep_digits,
    lock,
    lock_seen,
    naked_digits,
    remove_from_covers,
    use_naked_set,
)
from sudoku_cp.logic.rating.kernel.grid import (
    CELL,
    CELL_CHAINS,
    COLUMN,
    CONTRADICTION,
    DIGIT,
    DOUBLE_CHAINS,
    DYNAMIC_CELL,
    DYNAMIC_REGION,
    NISHIO,
    REGION_CHAINS,
    ROW,
    RatedGrid,
    copy,
    fill,
    is_better,
    keep_best,
    kind_of_turn,
    length_rating,
    lowest_of,
    next_subset,
    size_of,
)
from sudoku_cp.logic.rating.kernel.nested_chains import use_nested
from sudoku_cp.logic.rating.kernel.runs import (
    CHAINS,
    EXISTING,
    NEW,
    POOL,
    SLOTS,
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


# What runs use when links lead no further: locked candidates, hidden pairs, naked pairs and X-wings of the board that is left.
#
# The first of these four that has any result gives all its results. Each removes candidates because of its parents: those that
# were on the board when the run began, and would spoil the pattern. A pattern without parents was there before, and is of no
# use.


def add_parents_of_places(grid: RatedGrid, kind: int, house: int, digit: int, places: int, parents: NDArray[np.int32]) -> None:
    """Add "digit off" in these places of a house; ``parents`` has their number first."""
    n = grid.houses.shape[2]
    while places:
        parents[0] += 1
        parents[parents[0]] = 2 * (grid.houses[kind, house, lowest_of(places)] * n + digit) + 1
        places &= places - 1


def use_pattern(work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Turn off what ``removed`` of the work board says, because of the parents; return whether there was anything to use."""
    if parents[0] == 0:
        return False
    n = work.houses.shape[2]
    for cell in range(len(work.removed)):
        gone = work.removed[cell]
        while gone:
            literal = 2 * (cell * n + lowest_of(gone)) + 1
            gone &= gone - 1
            if not store.first[slot, literal]:
                start = open_list(store)
                for i in range(1, parents[0] + 1):
                    add_parent(store, start, parents[i])
                add_literal(store, slot, literal, start)
    return True


def use_locked_seen(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use digits all of whose places in a house a cell elsewhere sees."""
    used = False
    for kind in range(grid.houses.shape[0]):
        for digit in range(grid.houses.shape[2]):
            for house in range(grid.counts[kind]):
                if lock_seen(work, kind, house, digit):
                    parents[0] = 0
                    gone = grid.places[kind, house, digit] & ~work.places[kind, house, digit]
                    add_parents_of_places(grid, kind, house, digit, gone, parents)
                    used |= use_pattern(work, store, slot, parents)
    return used


def use_locked(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use pointing and claiming."""
    if grid.is_general[0]:
        return use_locked_seen(grid, work, store, slot, parents)
    n = grid.houses.shape[2]
    used = False
    for kind, other in PAIRS:
        if not has_kinds(grid, kind, other):
            continue
        for digit in range(n):
            for house in range(grid.counts[kind]):
                if not lock(work, kind, house, digit, other):
                    continue
                crossed = common_house(work, kind, house, work.places[kind, house, digit], other)
                gone = grid.places[kind, house, digit] & ~work.places[kind, house, digit]
                outside = 0
                while gone:
                    place = lowest_of(gone)
                    if grid.house_of[grid.houses[kind, house, place], other] != crossed:
                        outside |= 1 << place
                    gone &= gone - 1
                parents[0] = 0
                add_parents_of_places(grid, kind, house, digit, outside, parents)
                used |= use_pattern(work, store, slot, parents)
    return used


def use_hidden_pairs(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use hidden pairs."""
    n = grid.houses.shape[2]
    used = False
    for turn in range(grid.houses.shape[0]):
        kind = kind_of_turn(turn)
        for house in range(grid.counts[kind]):
            if grid.open_cells[kind, house] <= 4:
                continue
            digits = 3
            while digits < 1 << n:
                cells = hidden_places(work, kind, house, digits)
                if cells and keep_digits(work, kind, house, cells, digits):
                    parents[0] = 0
                    left = digits
                    while left:
                        digit = lowest_of(left)
                        add_parents_of_places(grid, kind, house, digit, grid.places[kind, house, digit] & ~cells, parents)
                        left &= left - 1
                    used |= use_pattern(work, store, slot, parents)
                digits = next_subset(digits)
    return used


def use_naked_pairs(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use naked pairs."""
    n = grid.houses.shape[2]
    used = False
    for turn in range(grid.houses.shape[0]):
        kind = kind_of_turn(turn)
        for house in range(grid.counts[kind]):
            if grid.open_cells[kind, house] < 4:
                continue
            cells = 3
            while cells < 1 << n:
                digits = naked_digits(work, kind, house, cells)
                if digits and use_naked_set(work, kind, house, cells, digits):
                    parents[0] = 0
                    for digit in range(n):
                        if not digits >> digit & 1:
                            places = grid.places[kind, house, digit] & cells
                            add_parents_of_places(grid, kind, house, digit, places, parents)
                    used |= use_pattern(work, store, slot, parents)
                cells = next_subset(cells)
    return used


def use_x_wings(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use X-wings."""
    n = grid.houses.shape[2]
    used = False
    for kind, cover in ((COLUMN, ROW), (ROW, COLUMN)):
        bases = 3
        while bases < 1 << n:
            for digit in range(n):
                covers = covers_of(work, kind, bases, digit)
                if not covers or not remove_from_covers(work, cover, bases, covers, digit):
                    continue
                parents[0] = 0
                left = bases
                while left:
                    line = lowest_of(left)
                    add_parents_of_places(grid, kind, line, digit, grid.places[kind, line, digit] & ~covers, parents)
                    left &= left - 1
                used |= use_pattern(work, store, slot, parents)
            bases = next_subset(bases)
    return used


def use_patterns(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, parents: NDArray[np.int32]) -> bool:
    """Use the first kind of pattern that has any result; return whether there was one."""
    return (
        use_locked(grid, work, store, slot, parents)
        or use_hidden_pairs(grid, work, store, slot, parents)
        or use_naked_pairs(grid, work, store, slot, parents)
        or use_x_wings(grid, work, store, slot, parents)
    )


# What takes the place of nested chains in code that is compiled without them: most puzzles never need them.


def use_nothing(grid: RatedGrid, work: RatedGrid, store: Store, slot: int, mode: int) -> bool:  # noqa: ARG001
    """Find nothing."""
    return False


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
    parents = np.zeros(len(store.queue) if mode > DYNAMIC_MODE else 0, np.int32)
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
    n = grid.houses.shape[2]
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
    n = grid.houses.shape[2]
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
    n = grid.houses.shape[2]
    cell, digit = node // n, node % n
    for kind in range(grid.houses.shape[0]):
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
        if mode != NISHIO_MODE and size_of(grid.candidates[node // grid.houses.shape[2]]) > 2:
            slots[0], slots[1] = on, 0
            reduce_runs(grid, store, slots, 2, DOUBLE_KEY, DOUBLE_CHAINS, mode)
    if mode != NISHIO_MODE:
        search_regions(grid, work, store, node, mode, slots)


def search_cell(grid: RatedGrid, work: RatedGrid, store: Store, cell: int, mode: int) -> None:
    """Look for hints from the candidates of a cell, and keep the best."""
    n = grid.houses.shape[2]
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
    for kind in range(grid.houses.shape[0]):
        copy(grid.open_cells[kind], work.open_cells[kind])
    fill(store.slot_of, 0)
    store.counters[POOL], store.counters[SLOTS] = 1, 0
