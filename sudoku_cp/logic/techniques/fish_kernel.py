"""The search for fish: plain Python on integers of any size, and, compiled by `compiled_fish`, on words of 64 bits.

Theory of operation. Sets of bases come in the order of their houses; few endo-fins are allowed, so most partial sets of large
fish are dropped at once. As soon as a set is full, it is searched for covers depth first: the lowest place of the bases that is
neither covered nor a fin is covered by each of its houses in turn, of which later branches do without the earlier, and is a fin
in the last branch. So no set of covers is met twice. A branch ends when more places are left than fins and covers can take, or
when nothing that fish may eliminate sees all its fins. When the fish of a set of bases are known, they are paired.

Both searches keep their branches on stacks in arrays (`FishArrays`), so `advance` can stop anywhere, when its budget is spent or
an array is full, and goes on when it is called again. Rows are copied word by word: slices would cost more than the rest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

# Sets as bits, for searches that run on integers of any size, and compiled on words; and a hash table of such sets.
#
# What is defined here is for integers. `compiled_fish` puts in its place what words of 64 bits need.


NONE, ONE = 0, 1
"""The empty set, and the set of 0 alone."""
WORD = 1 << 30
"""The members of a set in one word: more than there will be."""
as_set = as_number = int
"""A number in an array of sets, and the number that was put there."""


def set_of(member: int) -> Any:
    """Return the set of one member."""
    return 1 << member


def smallest(members: Any) -> int:
    """Return the smallest member of a set that is not empty."""
    number: int = (members & -members).bit_length() - 1
    return number


def largest(members: Any) -> int:
    """Return the largest member of a set that is not empty."""
    number: int = members.bit_length() - 1
    return number


def size_of(members: Any) -> int:
    """Return how many members a set has."""
    number: int = members.bit_count()
    return number


def mix(mixed: Any, word: Any) -> Any:
    """Return a hash of sets, and of one more."""
    return hash((mixed, word)) & (1 << 60) - 1


# The table: open addressing, a row of words for each set with two more behind, the last not 0.


def find_slot(table: Any, rows: Any, row: int, words: int) -> int:
    """Return the slot of a set, or the free one where it belongs."""
    mixed, last = NONE, len(table) - 1
    for word in range(words):
        mixed = mix(mixed, rows[row, word])
    slot = as_number(mixed & as_set(last))
    while table[slot, words + 1] != NONE:
        differences = NONE
        for word in range(words):
            differences |= table[slot, word] ^ rows[row, word]
        if differences == NONE:
            break
        slot = (slot + 1) & last
    return slot


def move_slots(table: Any, larger: Any) -> None:
    """Copy what a table holds into an empty larger one."""
    words = table.shape[1] - 2
    for row in range(len(table)):
        if table[row, words + 1] != NONE:
            slot = find_slot(larger, table, row, words)
            for index in range(words + 2):
                larger[slot, index] = table[row, index]


class FishArrays(NamedTuple):
    """The arrays of a search.

    Sets of places are rows of ``words``, one if they are integers of any size; sets of houses are one word.

    - ``masks`` (houses, words) and ``sights`` (places, words): sets of places; ``houses_of`` (places,): sets of houses.
    - ``kinds``: the rows, columns, boxes and all houses, as sets.
    - ``query``: see `SIZE` and those behind it; ``state``: see `BASES_TOP` and those behind it.
    - ``base_stack``: branches of houses; their places, those in two of them, what sees these. ``cover_stack``: branches of houses
      chosen and houses ruled out; places left, fins, what sees these. ``bases`` and ``node`` are the branch in hand of each.
    - ``allowed`` are the covers that the bases in hand may have; ``most`` the places that may be left or fins when 0, 1, 2, ...
      covers are chosen.
    - ``own`` and ``own_covers``: what the fish of the bases in hand remove, each set once.
    - ``table``: a hash table of all sets removed: words, the fewest places in bases so far (0: nobody was told), and the number
      of the set of bases that met it last (0: a free slot).
    - ``told`` (fish, 3): bases, covers, and the covers of the second of a pair.
    - ``scratch`` (3, words): sets for the moment.
    """

    masks: Any
    sights: Any
    houses_of: Any
    kinds: Any
    query: Any
    state: Any
    base_stack: Any
    cover_stack: Any
    bases: Any
    node: Any
    allowed: Any
    most: Any
    own: Any
    own_covers: Any
    table: Any
    told: Any
    scratch: Any


SIZE, KIND, WANTED, PAIRED, FINS, ENDO_FINS = range(6)
"""Fields of a query."""
BASES_TOP, COVERS_TOP, OWN, ONE_OF_PAIR, OTHER_OF_PAIR, TABLE, TOLD, BASE_SETS = range(8)
"""Fields of the state: how high both stacks are, numbers of rows used, the next pair, and how many sets of bases were begun."""
PLAIN, FINNED, SASHIMI = 1, 2, 4
BASIC, FRANKEN, MUTANT = 0, 1, 2
ROWS, COLUMNS, BOXES, HOUSES = range(4)
REMOVED, ONCE, FINS_OF = range(3)
"""Rows of the scratch."""


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
        bit = set_of(house)
        if bit <= bases[0]:
            break
        if possible & bit and possible_covers(search.kinds, kind, bases[0] | bit):
            add_base(search, house)


def add_base(search: FishArrays, house: int) -> None:
    """Push the branch with a further house, if its endo-fins are few and something sees them all."""
    words, top, stack = search.masks.shape[1], search.state[BASES_TOP], search.base_stack
    for index in range(len(search.bases)):
        stack[top, index] = search.bases[index]
    stack[top, 0] |= set_of(house)
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
    words, size, most, scratch = search.masks.shape[1], search.query[SIZE], search.most, search.scratch
    possible = possible_covers(search.kinds, search.query[KIND], search.bases[0])
    search.allowed[0] = NONE
    most[:] = 0
    scratch[:] = NONE
    for house in range(len(search.masks)):
        bit, taken = set_of(house), 0
        for word in range(words):
            taken += size_of(search.masks[house, word] & search.bases[1 + word])
        if taken == 0 or not possible & bit:
            continue
        search.allowed[0] |= bit
        for word in range(words):
            scratch[REMOVED, word] |= scratch[ONCE, word] & search.masks[house, word]
            scratch[ONCE, word] |= search.masks[house, word]
        for index in range(size):  # the largest numbers, in falling order
            if taken > most[index]:
                taken, most[index] = most[index], taken
    for index in range(1, size):
        most[index] += most[index - 1]
    for index in range(size // 2):  # with k chosen, the missing ones take as much as the (size - k) largest
        most[index], most[size - 1 - index] = most[size - 1 - index], most[index]
    for index in range(size + 1):
        most[index] += search.query[FINS]


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
    place, free = lowest_place(search), search.allowed[0] & ~node[1]
    rest = free & search.houses_of[place] if place >= 0 else free & ~node[0]
    if place >= 0 and search.query[FINS]:
        add_fin(search, rest, place)
    if size_of(free | node[0]) < search.query[SIZE]:
        return
    while rest:
        house, top = largest(rest), search.state[COVERS_TOP]
        bit = set_of(house)
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
    word, bit = place // WORD, set_of(place % WORD)
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
    return bool(places <= search.most[size_of(search.cover_stack[top, 0])])


def finish(search: FishArrays) -> None:
    """Note a full set of covers, and report its fish if it is looked for and removes anything: the rest are fins."""
    query, state = search.query, search.state
    if not find_removed(search) or kind_of(search.kinds, search.bases[0], search.node[0]) != query[KIND]:
        return
    form = form_of(search)
    if form & query[WANTED]:
        tell(search, search.node[0], NONE)
    if form & query[PAIRED]:
        words, slot, stamp = search.masks.shape[1], slot_of(search), as_set(state[BASE_SETS] + 1)
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
    """Return the form of a fish; only basic ones are called sashimi."""
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
    best = as_number(search.table[slot, words])
    if best == 0 or size < best:
        search.table[slot, words] = as_set(size)
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
