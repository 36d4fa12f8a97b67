"""The search for fish in compiled code: fills its arrays, and reads its results."""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.backends.native.kernel import bits as words_as_sets
from sudoku_cp.backends.native.kernel.bits import NONE, ONE, leading_zeros, size_of, smallest
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.logic.techniques import fish_space, set_table
from sudoku_cp.logic.techniques.fish_space import (
    BASE_SETS,
    BASES_TOP,
    BASIC,
    BOXES,
    COLUMNS,
    COVERS_TOP,
    ENDO_FINS,
    FINNED,
    FINS,
    FINS_OF,
    FRANKEN,
    HOUSES,
    KIND,
    MAX_ENDO_FINS,
    MAX_FINS,
    MUTANT,
    ONCE,
    ONE_OF_PAIR,
    OTHER_OF_PAIR,
    OWN,
    PAIRED,
    PLAIN,
    REMOVED,
    ROWS,
    SASHIMI,
    SIZE,
    TABLE,
    TOLD,
    WANTED,
    WORD,
    Fish,
    FishArrays,
    Form,
    bits,
)
from sudoku_cp.logic.techniques.set_table import find_slot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.techniques.fish_space import FishQuery, FishSpace


BUDGET = 50_000
"""Branches between two ticks: some milliseconds."""
COVER_BRANCHES = 1024
"""Room for branches of one set of bases: each cover and each fin of the path in hand leaves a few others open."""
QUERY_ROWS = 64
"""What fits at first into arrays that grow."""
SLOTS = 1024
"""Slots of the hash table at first; at least as many stay free as are used."""

_KERNEL = CachedModule.of_functions(
    "fish",
    (words_as_sets, fish_space, set_table, sys.modules[__name__]),
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
        own=_sets(QUERY_ROWS, words),
        own_covers=_sets(QUERY_ROWS),
        table=_sets(SLOTS, words + 2),
        told=_sets(QUERY_ROWS, 3),
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


# The search for fish, to be compiled: the same fish in the same order as `fish_search` finds.
#
# Theory of operation. Places of the value are numbered; sets of places are rows of 64-bit words, sets of houses one word. Both
# searches are depth first over stacks of branches that live in arrays (`FishArrays`), so `advance` can stop anywhere, when its
# budget is spent or an array is full, and goes on when it is called again. A set of bases is searched for covers as soon as it
# is complete; when its fish are known, they are paired. Rows are copied word by word: slices would cost more than the rest.


def advance(search: FishArrays, budget: int) -> bool:
    """Go on with the search; return False when it is done."""
    state = search.state
    for _ in range(budget):
        if state[TOLD] == len(search.told) or state[OWN] == len(search.own) or 2 * state[TABLE] >= len(search.table):
            return True
        if state[COVERS_TOP]:
            cover_step(search)
        elif state[ONE_OF_PAIR] < state[OWN]:
            pair_step(search)
        elif state[BASES_TOP]:
            base_step(search)
        else:
            return False
    return True


# --- bases ------------------------------------------------------------------------------------------------------------


def base_step(search: FishArrays) -> None:
    """Take a branch: begin with the covers of a full set of bases, or add each later house to others; the first is on top."""
    bases, state, kind = search.bases, search.state, search.query[KIND]
    state[BASES_TOP] -= 1
    for index in range(len(bases)):
        bases[index] = search.base_stack[state[BASES_TOP], index]
    if size_of(bases[0]) == search.query[SIZE]:
        begin_covers(search)
        return
    possible = possible_bases(search.kinds, kind)
    for house in range(len(search.masks) - 1, -1, -1):
        bit = ONE << np.uint64(house)
        if bit <= bases[0]:
            break
        if possible & bit and possible_covers(search.kinds, kind, bases[0] | bit):
            add_base(search, house)


def add_base(search: FishArrays, house: int) -> None:
    """Push the branch with a further house, if its endo-fins are few and something sees them all."""
    words, top, stack = search.masks.shape[1], search.state[BASES_TOP], search.base_stack
    for index in range(len(search.bases)):
        stack[top, index] = search.bases[index]
    stack[top, 0] |= ONE << np.uint64(house)
    for word in range(words):
        mask = search.masks[house, word]
        shared = mask & search.bases[1 + word] & ~search.bases[1 + words + word]
        stack[top, 1 + word] |= mask
        stack[top, 1 + words + word] |= shared
        while shared:
            place = WORD * word + smallest(shared)
            shared &= shared - ONE
            for other in range(words):
                stack[top, 1 + 2 * words + other] &= search.sights[place, other]
    endo_fins = seen = 0
    for word in range(words):
        endo_fins += size_of(stack[top, 1 + words + word])
        seen += size_of(stack[top, 1 + 2 * words + word])
    if endo_fins <= search.query[ENDO_FINS] and seen:
        search.state[BASES_TOP] += 1


def possible_bases(kinds: Any, kind: int) -> Any:
    """Return the houses that may be bases: `FishSpace.possible_bases`."""
    lines = kinds[ROWS] | kinds[COLUMNS]
    if kind == BASIC:
        return lines
    return lines | kinds[BOXES] if kind == FRANKEN else kinds[HOUSES]


def possible_covers(kinds: Any, kind: int, bases: Any) -> Any:
    """Return the houses that may cover bases: `FishSpace.possible_covers`."""
    if kind == MUTANT:
        return kinds[HOUSES] & ~bases
    if bases & kinds[ROWS] and bases & kinds[COLUMNS]:
        return NONE
    lines = kinds[ROWS] | kinds[COLUMNS]
    if bases & kinds[ROWS]:
        lines = kinds[COLUMNS]
    elif bases & kinds[COLUMNS]:
        lines = kinds[ROWS]
    return (lines | kinds[BOXES] if kind == FRANKEN else lines) & ~bases


def kind_of(kinds: Any, bases: Any, covers: Any) -> int:
    """Return the kind of a fish: `FishSpace.kind_of`."""
    both, rows, columns = bases | covers, kinds[ROWS], kinds[COLUMNS]
    if both & ~(rows | columns | kinds[BOXES]):
        return MUTANT
    if (bases & columns or covers & rows) and (bases & rows or covers & columns):
        return MUTANT
    return FRANKEN if both & kinds[BOXES] else BASIC


def begin_covers(search: FishArrays) -> None:
    """Put the root of the search for covers on its stack, and note what it keeps to."""
    words, state, bases = search.masks.shape[1], search.state, search.bases
    state[OWN] = state[ONE_OF_PAIR] = 0
    state[OTHER_OF_PAIR] = 1
    state[BASE_SETS] += 1
    note_limits(search)
    root, seen = search.cover_stack, 0
    root[0, 0] = root[0, 1] = NONE
    for word in range(words):
        root[0, 2 + word] = bases[1 + word]
        root[0, 2 + words + word] = bases[1 + words + word]
        within_reach = search.scratch[ONCE, word] & ~bases[1 + word] | search.scratch[REMOVED, word]
        root[0, 2 + 2 * words + word] = bases[1 + 2 * words + word] & within_reach
        seen += size_of(root[0, 2 + 2 * words + word])
    if seen and fits(search, 0):
        state[COVERS_TOP] = 1


def note_limits(search: FishArrays) -> None:
    """Note which covers are allowed and how many places may be left; in the scratch, what they hold once and more often."""
    words, size, facts, scratch = search.masks.shape[1], search.query[SIZE], search.facts, search.scratch
    possible = possible_covers(search.kinds, search.query[KIND], search.bases[0])
    facts[:] = 0
    scratch[:] = NONE
    for house in range(len(search.masks)):
        bit, taken = ONE << np.uint64(house), np.int64(0)
        for word in range(words):
            taken += size_of(search.masks[house, word] & search.bases[1 + word])
        if taken == 0 or not possible & bit:
            continue
        facts[0] |= bit
        for word in range(words):
            scratch[REMOVED, word] |= scratch[ONCE, word] & search.masks[house, word]
            scratch[ONCE, word] |= search.masks[house, word]
        for index in range(1, size + 1):  # the largest numbers, in falling order
            if taken > np.int64(facts[index]):
                taken, facts[index] = np.int64(facts[index]), np.uint64(taken)
    for index in range(2, size + 1):
        facts[index] += facts[index - 1]
    facts[size + 1] = NONE
    for index in range(1, size // 2 + 1):  # with k chosen, the missing ones take as much as the (size - k) largest
        facts[index], facts[size + 1 - index] = facts[size + 1 - index], facts[index]
    for index in range(1, size + 2):
        facts[index] += np.uint64(search.query[FINS])


# --- covers -----------------------------------------------------------------------------------------------------------


def cover_step(search: FishArrays) -> None:
    """Take a branch: finish a full set of covers, or branch further."""
    node, state = search.node, search.state
    state[COVERS_TOP] -= 1
    for index in range(len(node)):
        node[index] = search.cover_stack[state[COVERS_TOP], index]
    if size_of(node[0]) == search.query[SIZE]:
        finish(search)
    else:
        branch(search)


def branch(search: FishArrays) -> None:
    """Push the branches at the lowest place that is left, or at any house where none is; the first on top."""
    node, stack, words = search.node, search.cover_stack, search.masks.shape[1]
    place, free = lowest_place(search), search.facts[0] & ~node[1]
    rest = free & search.houses_of[place] if place >= 0 else free & ~node[0]
    if place >= 0 and search.query[FINS]:
        add_fin(search, rest, place)
    if size_of(free | node[0]) < search.query[SIZE]:
        return
    while rest:
        house, top = 63 - leading_zeros(rest), search.state[COVERS_TOP]
        bit = ONE << np.uint64(house)
        rest ^= bit
        stack[top, 0], stack[top, 1] = node[0] | bit, node[1] | rest
        for word in range(words):
            stack[top, 2 + word] = node[2 + word] & ~search.masks[house, word]
        for index in range(2 + words, len(node)):
            stack[top, index] = node[index]
        if fits(search, top):
            search.state[COVERS_TOP] += 1


def lowest_place(search: FishArrays) -> int:
    """Return the lowest place that is left, -1 if none is."""
    for word in range(search.masks.shape[1]):
        if search.node[2 + word]:
            return int(WORD * word + smallest(search.node[2 + word]))
    return -1


def add_fin(search: FishArrays, options: Any, place: int) -> None:
    """Push the branch in which a place is a fin, and none of its houses a cover, if anything sees all fins."""
    node, stack, top, words = search.node, search.cover_stack, search.state[COVERS_TOP], search.masks.shape[1]
    for index in range(len(node)):
        stack[top, index] = node[index]
    word, bit = place >> 6, ONE << np.uint64(place & 63)
    stack[top, 1] |= options
    stack[top, 2 + word] ^= bit
    stack[top, 2 + words + word] |= bit
    if not node[2 + words + word] & bit:
        seen = NONE
        for other in range(words):
            stack[top, 2 + 2 * words + other] &= search.sights[place, other]
            seen |= stack[top, 2 + 2 * words + other]
        if seen == NONE:
            return
    if fits(search, top):
        search.state[COVERS_TOP] += 1


def fits(search: FishArrays, top: int) -> bool:
    """Return whether the covers that are missing in a branch can take all places but some fins."""
    words, places = search.masks.shape[1], 0
    for word in range(words):
        places += size_of(search.cover_stack[top, 2 + word] | search.cover_stack[top, 2 + words + word])
    return bool(places <= np.int64(search.facts[1 + size_of(search.cover_stack[top, 0])]))


def finish(search: FishArrays) -> None:
    """Note a full set of covers, and report its fish if it is looked for and removes anything: the rest are fins."""
    query, state = search.query, search.state
    if not find_removed(search) or kind_of(search.kinds, search.bases[0], search.node[0]) != query[KIND]:
        return
    form = form_of(search)
    if form & query[WANTED]:
        tell(search, search.node[0], NONE)
    if form & query[PAIRED]:
        words, slot, stamp = search.masks.shape[1], slot_of(search), np.uint64(state[BASE_SETS] + 1)
        if search.table[slot, words + 1] != stamp:
            search.table[slot, words + 1] = stamp
            for word in range(words):
                search.own[state[OWN], word] = search.scratch[REMOVED, word]
            search.own_covers[state[OWN]] = search.node[0]
            state[OWN] += 1


def find_removed(search: FishArrays) -> bool:
    """Find what loses the value, if anything: what is covered outside the bases, or twice, and sees all fins."""
    node, scratch, words, covers = search.node, search.scratch, search.masks.shape[1], search.node[0]
    for word in range(words):
        scratch[REMOVED, word] = scratch[ONCE, word] = NONE
    while covers:
        house = smallest(covers)
        covers &= covers - ONE
        for word in range(words):
            scratch[REMOVED, word] |= scratch[ONCE, word] & search.masks[house, word]
            scratch[ONCE, word] |= search.masks[house, word]
    for word in range(words):
        outside = scratch[ONCE, word] & ~search.bases[1 + word]
        scratch[REMOVED, word] = (scratch[REMOVED, word] | outside) & node[2 + 2 * words + word]
        scratch[FINS_OF, word] = node[2 + word] | node[2 + words + word]
    for word in range(words):
        left = node[2 + word] & ~node[2 + words + word]
        while left:
            place = WORD * word + smallest(left)
            left &= left - ONE
            for other in range(words):
                scratch[REMOVED, other] &= search.sights[place, other]
    union = NONE
    for word in range(words):
        union |= scratch[REMOVED, word]
    return bool(union != NONE)


def form_of(search: FishArrays) -> int:
    """Return the form of a fish: `fish_search.form_of`."""
    words, bases, fins = search.masks.shape[1], search.bases[0], NONE
    for word in range(words):
        fins |= search.scratch[FINS_OF, word]
    if fins == NONE:
        return PLAIN
    while search.query[KIND] == BASIC and bases:
        house, kept = smallest(bases), 0
        bases &= bases - ONE
        for word in range(words):
            kept += size_of(search.masks[house, word] & ~search.scratch[FINS_OF, word])
        if kept <= 1:
            return SASHIMI
    return FINNED


# --- what is told -----------------------------------------------------------------------------------------------------


def pair_step(search: FishArrays) -> None:
    """Report the next pair of fish of the same bases, if what they remove is new."""
    state, own = search.state, search.own
    one, other = state[ONE_OF_PAIR], state[OTHER_OF_PAIR]
    if other >= state[OWN]:
        state[ONE_OF_PAIR] += 1
        state[OTHER_OF_PAIR] = one + 2
        return
    state[OTHER_OF_PAIR] += 1
    for word in range(search.masks.shape[1]):
        search.scratch[REMOVED, word] = own[one, word] | own[other, word]
    tell(search, search.own_covers[one], search.own_covers[other])


def tell(search: FishArrays, covers: Any, other_covers: Any) -> None:
    """Report a fish if what it removes is new, or its bases have fewer places than before."""
    words, told, row, size = search.masks.shape[1], search.told, search.state[TOLD], 0
    for word in range(words):
        size += size_of(search.bases[1 + word])
    slot = slot_of(search)
    best = np.int64(search.table[slot, words])
    if best == 0 or size < best:
        search.table[slot, words] = np.uint64(size)
        told[row, 0], told[row, 1], told[row, 2] = search.bases[0], covers, other_covers
        search.state[TOLD] += 1


def slot_of(search: FishArrays) -> int:
    """Return the slot of the removed set; if there is none, take one that is free."""
    words, table = search.masks.shape[1], search.table
    slot = find_slot(table, search.scratch, REMOVED, words)
    if table[slot, words + 1] == NONE:
        for word in range(words):
            table[slot, word] = search.scratch[REMOVED, word]
        table[slot, words + 1] = ONE
        search.state[TABLE] += 1
    return slot
