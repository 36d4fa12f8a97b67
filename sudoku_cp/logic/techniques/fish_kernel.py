"""The search for fish, to be compiled: the same fish in the same order as `fish_search` finds.

Theory of operation. Places of the value are numbered, sets of places are rows of 64-bit words, sets of houses one word. Both
searches are depth first over stacks of branches that live in arrays, so `advance` can stop anywhere (its budget is spent, or
an array is full) and go on when it is called again.

- ``masks`` (houses, words) and ``sights`` (places, words): sets of places; ``houses_of`` (places,): sets of houses.
- ``kinds``: the rows, columns, boxes and all houses, as sets.
- ``query``: see `SIZE` and those behind it. ``state``: see `BASES_TOP` and those behind it.
- ``base_stack``: the houses; their places, those in two of them, what sees these. ``cover_stack``: houses chosen and ruled out;
  places left, fins, what sees these. A branch is one row.
- ``bases``: the set of bases whose covers are searched, one row like the stack's; ``facts``: its allowed covers, then the most
  places that 0, 1, 2, ... of them can take.
- ``own`` and ``own_covers``: what the fish of these bases remove, each set once; they are paired when all are known.
- ``table``: a hash table of all sets removed: words, the fewest places in bases so far (0: none was told), and the number of the
  set of bases that met it last (0: a free slot).
- ``told`` (fish, 3): bases, covers and the covers of the second of a pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sudoku_cp.backends.native.kernel.bits import NONE, ONE, leading_zeros, size_of, smallest

SIZE, KIND, WANTED, PAIRED, FINS, ENDO_FINS = range(6)
"""Fields of a query."""
BASES_TOP, COVERS_TOP, OWN, ONE_OF_PAIR, OTHER_OF_PAIR, TABLE, TOLD, BASE_SETS = range(8)
"""Fields of the state: how high both stacks are, numbers of rows used, the next pair, and how many sets of bases were begun."""
PLAIN, FINNED, SASHIMI = 1, 2, 4
ROWS, COLUMNS, BOXES, HOUSES = range(4)


def count(words: Any) -> int:
    """Return how many places a set has."""
    number = 0
    for word in words:
        number += size_of(word)
    return number


def spare_slots(table: Any, used: int) -> bool:
    """Say whether the table has room for more."""
    return 2 * used < len(table)


def advance(
    masks: Any, sights: Any, houses_of: Any, kinds: Any, query: Any, state: Any, base_stack: Any, cover_stack: Any, bases: Any,
    facts: Any, own: Any, own_covers: Any, table: Any, told: Any, budget: int,
) -> bool:  # fmt: skip
    """Go on with the search; return False when it is done."""
    for _ in range(budget):
        if state[TOLD] == len(told) or state[OWN] == len(own) or not spare_slots(table, state[TABLE]):
            return True
        if state[COVERS_TOP]:
            cover_step(masks, sights, houses_of, kinds, query, state, cover_stack, bases, facts, own, own_covers, table, told)
        elif state[ONE_OF_PAIR] < state[OWN]:
            pair_step(query, state, bases, own, own_covers, table, told)
        elif state[BASES_TOP]:
            base_step(masks, sights, kinds, query, state, base_stack, cover_stack, bases, facts)
        else:
            return False
    return True


# --- bases ------------------------------------------------------------------------------------------------------------


def base_step(
    masks: Any, sights: Any, kinds: Any, query: Any, state: Any, base_stack: Any, cover_stack: Any, bases: Any, facts: Any
) -> None:
    """Take a branch: begin with the covers of a full set of bases, or add each later house to others."""
    state[BASES_TOP] -= 1
    bases[:] = base_stack[state[BASES_TOP]]
    houses = bases[0]
    if size_of(houses) == query[SIZE]:
        begin_covers(masks, kinds, query, state, cover_stack, bases, facts)
        return
    possible = possible_bases(kinds, query[KIND])
    for house in range(len(masks) - 1, -1, -1):
        bit = ONE << np.uint64(house)
        if bit <= houses:
            break
        if possible & bit and possible_covers(kinds, query[KIND], houses | bit):
            add_base(masks, sights, query, state, base_stack, bases, house)


def add_base(masks: Any, sights: Any, query: Any, state: Any, base_stack: Any, bases: Any, house: int) -> None:
    """Push the branch with a further house, if its endo-fins are few and something sees them all."""
    words = masks.shape[1]
    row = base_stack[state[BASES_TOP]]
    row[:] = bases
    row[0] |= ONE << np.uint64(house)
    for word in range(words):
        row[1 + word] |= masks[house, word]
        shared = masks[house, word] & bases[1 + word] & ~bases[1 + words + word]
        row[1 + words + word] |= shared
        while shared:
            place = 64 * word + smallest(shared)
            shared &= shared - ONE
            for other in range(words):
                row[1 + 2 * words + other] &= sights[place, other]
    if count(row[1 + words : 1 + 2 * words]) <= query[ENDO_FINS] and count(row[1 + 2 * words :]):
        state[BASES_TOP] += 1


def begin_covers(masks: Any, kinds: Any, query: Any, state: Any, cover_stack: Any, bases: Any, facts: Any) -> None:
    """Put the root of the search for covers on its stack, and note what it may use."""
    words, houses = masks.shape[1], bases[0]
    possible, allowed = possible_covers(kinds, query[KIND], houses), NONE
    best = np.zeros(query[SIZE], np.int64)
    for house in range(len(masks)):
        bit = ONE << np.uint64(house)
        if not possible & bit:
            continue
        taken = 0
        for word in range(words):
            taken += size_of(masks[house, word] & bases[1 + word])
        if taken:
            allowed |= bit
            insert_largest(best, taken)
    facts[0], facts[1] = allowed, NONE
    for index in range(query[SIZE]):
        facts[2 + index] = facts[1 + index] + np.uint64(best[index])
    state[OWN] = state[ONE_OF_PAIR] = 0
    state[OTHER_OF_PAIR] = 1
    state[BASE_SETS] += 1
    state[COVERS_TOP] = 1
    cover_stack[0, 0] = cover_stack[0, 1] = NONE
    cover_stack[0, 2 : 2 + words] = bases[1 : 1 + words]
    cover_stack[0, 2 + words :] = bases[1 + words :]


def insert_largest(best: Any, number: int) -> None:
    """Put a number into the list of the largest, in falling order."""
    for index in range(len(best)):
        if number > best[index]:
            best[index], number = number, best[index]


def possible_bases(kinds: Any, kind: int) -> Any:
    """Return the houses that may be bases: `FishSpace.possible_bases`."""
    lines = kinds[ROWS] | kinds[COLUMNS]
    return lines if kind == 0 else lines | kinds[BOXES] if kind == 1 else kinds[HOUSES]


def possible_covers(kinds: Any, kind: int, bases: Any) -> Any:
    """Return the houses that may cover bases: `FishSpace.possible_covers`."""
    if kind == 2:  # noqa: PLR2004
        return kinds[HOUSES] & ~bases
    if bases & kinds[ROWS] and bases & kinds[COLUMNS]:
        return NONE
    lines = kinds[ROWS] | kinds[COLUMNS]
    if bases & kinds[ROWS]:
        lines = kinds[COLUMNS]
    elif bases & kinds[COLUMNS]:
        lines = kinds[ROWS]
    return (lines | kinds[BOXES] if kind == 1 else lines) & ~bases


def kind_of(kinds: Any, bases: Any, covers: Any) -> int:
    """Return the kind of a fish: `FishSpace.kind_of`."""
    both, rows, columns = bases | covers, kinds[ROWS], kinds[COLUMNS]
    if both & ~(rows | columns | kinds[BOXES]):
        return 2
    if (bases & columns or covers & rows) and (bases & rows or covers & columns):
        return 2
    return 1 if both & kinds[BOXES] else 0


# --- covers -----------------------------------------------------------------------------------------------------------


def cover_step(
    masks: Any, sights: Any, houses_of: Any, kinds: Any, query: Any, state: Any, cover_stack: Any, bases: Any, facts: Any,
    own: Any, own_covers: Any, table: Any, told: Any,
) -> None:  # fmt: skip
    """Take a branch: finish a full set of covers, drop one that can come to nothing, or branch further."""
    words = masks.shape[1]
    state[COVERS_TOP] -= 1
    node = cover_stack[-1]  # which the stack never reaches
    node[:] = cover_stack[state[COVERS_TOP]]
    missing = query[SIZE] - size_of(node[0])
    undecided = fins = 0
    for word in range(words):
        undecided += size_of(node[2 + word] & ~node[2 + words + word])
        fins += size_of(node[2 + words + word])
    if undecided > query[FINS] - fins + np.int64(facts[1 + missing]):
        return
    if missing == 0:
        finish(masks, sights, kinds, query, state, node, bases, own, own_covers, table, told)
    else:
        branch(masks, sights, houses_of, query, state, cover_stack, node, facts[0] & ~node[1], missing)


def branch(
    masks: Any, sights: Any, houses_of: Any, query: Any, state: Any, cover_stack: Any, node: Any, free: Any, missing: int
) -> None:
    """Push the branches at the lowest place that is left, or at any house where none is; the first on top."""
    words, place = masks.shape[1], -1
    for word in range(words - 1, -1, -1):
        if node[2 + word]:
            place = 64 * word + smallest(node[2 + word])
    options = free & houses_of[place] if place >= 0 else free & ~node[0]
    if place >= 0 and query[FINS]:
        add_fin(sights, state, cover_stack, node, options, place)
    if size_of(free & ~node[0]) < missing:
        return
    rest = options
    while rest:
        house = 63 - leading_zeros(rest)
        bit = ONE << np.uint64(house)
        rest ^= bit
        row = cover_stack[state[COVERS_TOP]]
        row[:] = node
        row[0] |= bit
        row[1] |= rest
        for word in range(words):
            row[2 + word] &= ~masks[house, word]
        state[COVERS_TOP] += 1


def add_fin(sights: Any, state: Any, cover_stack: Any, node: Any, options: Any, place: int) -> None:
    """Push the branch in which a place is a fin, and none of its houses a cover, if anything sees all fins."""
    words = sights.shape[1]
    word, bit = place >> 6, ONE << np.uint64(place & 63)
    row = cover_stack[state[COVERS_TOP]]
    row[:] = node
    row[1] |= options
    row[2 + word] ^= bit
    row[2 + words + word] |= bit
    if not node[2 + words + word] & bit:
        some = NONE
        for other in range(words):
            row[2 + 2 * words + other] &= sights[place, other]
            some |= row[2 + 2 * words + other]
        if some == NONE:
            return
    state[COVERS_TOP] += 1


def finish(
    masks: Any, sights: Any, kinds: Any, query: Any, state: Any, node: Any, bases: Any, own: Any, own_covers: Any, table: Any,
    told: Any,
) -> None:  # fmt: skip
    """Note a full set of covers, and tell its fish, if it is looked for and removes anything: what is left are fins."""
    words = masks.shape[1]
    removed = removed_by(masks, sights, node, bases)
    if count(removed) == 0 or kind_of(kinds, bases[0], node[0]) != query[KIND]:
        return
    fins = node[2 : 2 + words] | node[2 + words : 2 + 2 * words]
    form = form_of(masks, query[KIND], bases[0], fins)
    if form & query[WANTED]:
        tell(state, bases, removed, node[0], NONE, table, told)
    if form & query[PAIRED]:
        slot = slot_of(table, removed)
        if table[slot, words + 1] == NONE:
            occupy(state, table, slot, removed)
        if table[slot, words + 1] != np.uint64(state[BASE_SETS] + 1):
            table[slot, words + 1] = np.uint64(state[BASE_SETS] + 1)
            own[state[OWN]] = removed
            own_covers[state[OWN]] = node[0]
            state[OWN] += 1


def removed_by(masks: Any, sights: Any, node: Any, bases: Any) -> Any:
    """Return what loses the value: what is covered outside the bases, or twice, and sees all fins."""
    words = masks.shape[1]
    removed = np.zeros(words, np.uint64)
    once = np.zeros(words, np.uint64)
    covers = node[0]
    while covers:
        house = smallest(covers)
        covers &= covers - ONE
        for word in range(words):
            removed[word] |= once[word] & masks[house, word]
            once[word] |= masks[house, word]
    for word in range(words):
        removed[word] = (removed[word] | once[word] & ~bases[1 + word]) & node[2 + 2 * words + word]
    for word in range(words):
        left = node[2 + word] & ~node[2 + words + word]
        while left:
            place = 64 * word + smallest(left)
            left &= left - ONE
            for other in range(words):
                removed[other] &= sights[place, other]
    return removed


def form_of(masks: Any, kind: int, bases: Any, fins: Any) -> int:
    """Return the form of a fish: `fish_search.form_of`."""
    if count(fins) == 0:
        return PLAIN
    while kind == 0 and bases:
        house = smallest(bases)
        bases &= bases - ONE
        if count(masks[house] & ~fins) <= 1:
            return SASHIMI
    return FINNED


# --- what is told -----------------------------------------------------------------------------------------------------


def pair_step(query: Any, state: Any, bases: Any, own: Any, own_covers: Any, table: Any, told: Any) -> None:
    """Tell the next pair of what the fish of the same bases remove, if that is new."""
    one, other = state[ONE_OF_PAIR], state[OTHER_OF_PAIR]
    if other >= state[OWN]:
        state[ONE_OF_PAIR] += 1
        state[OTHER_OF_PAIR] = one + 2
        return
    state[OTHER_OF_PAIR] += 1
    tell(state, bases, own[one] | own[other], own_covers[one], own_covers[other], table, told)


def tell(state: Any, bases: Any, removed: Any, covers: Any, other_covers: Any, table: Any, told: Any) -> None:
    """Tell a fish if what it removes is new, or its bases have fewer places than before."""
    words = len(removed)
    slot = slot_of(table, removed)
    if table[slot, words + 1] == NONE:
        occupy(state, table, slot, removed)
    size = np.uint64(count(bases[1 : 1 + words]))
    if table[slot, words] == NONE or size < table[slot, words]:
        table[slot, words] = size
        told[state[TOLD], 0], told[state[TOLD], 1], told[state[TOLD], 2] = bases[0], covers, other_covers
        state[TOLD] += 1


def slot_of(table: Any, removed: Any) -> int:
    """Return the slot of a set, or the free one where it belongs."""
    words, last = len(removed), len(table) - 1
    mixed = NONE
    for word in range(words):
        mixed = (mixed ^ removed[word]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(last))
    while table[slot, words + 1] != NONE:
        same = True
        for word in range(words):
            same &= table[slot, word] == removed[word]
        if same:
            break
        slot = (slot + 1) & last
    return slot


def occupy(state: Any, table: Any, slot: int, removed: Any) -> None:
    """Take a free slot for a set that no set of bases has met and nobody was told of."""
    words = len(removed)
    table[slot, :words] = removed
    table[slot, words] = NONE
    table[slot, words + 1] = ONE
    state[TABLE] += 1


def move_slots(table: Any, larger: Any) -> None:
    """Copy what a table holds into an empty larger one."""
    words = table.shape[1] - 2
    for slot in range(len(table)):
        if table[slot, words + 1] != NONE:
            larger[slot_of(larger, table[slot, :words])] = table[slot]


FUNCTIONS = (
    count, spare_slots, possible_bases, possible_covers, kind_of, form_of, insert_largest, begin_covers, add_base, base_step,
    slot_of, occupy, tell, pair_step, removed_by, finish, add_fin, branch, cover_step, advance, move_slots,
)  # fmt: skip
"""In the order in which they must be compiled."""
