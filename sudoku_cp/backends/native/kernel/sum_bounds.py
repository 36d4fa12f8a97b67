"""Bounds of sums, over groups of cells that differ.

The parameters of `bounds` are the least and the greatest total, the number of groups, and the factor and the size of each group;
its cells are those of the groups in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from numba import uint64

from sudoku_cp.backends.native.kernel.bits import (
    ALL,
    NONE,
    bit,
    compiled,
    from_value,
    inlined,
    is_single,
    largest,
    lowest,
    mirrored,
    size_of,
    smallest,
    up_to,
    without_lowest,
)
from sudoku_cp.backends.native.kernel.digit_sets import keep, meets_all, united
from sudoku_cp.backends.native.kernel.memory import DEPTH, NOBODY, narrow, offset

if TYPE_CHECKING:
    from sudoku_cp.backends.native.kernel.bits import Mask
    from sudoku_cp.backends.native.kernel.memory import LiveDomains, Neighbourhood, Pointer, Scope, ValueSets


ENDLESS = 1 << 40
"""A number beyond every total."""
HIGHEST = 63


@inlined
def least_sum(live: LiveDomains, cells: Pointer, size: int, but: int) -> int:
    """Return the least sum of different values, none below its cell's smallest; leave out the cell at index ``but``."""
    taken = NONE
    total = 0
    for index in range(size):
        if index != but:
            free = ~taken & from_value(smallest(live.domains[cells[index]]))
            if free == NONE:
                return ENDLESS
            value = smallest(free)
            taken |= bit(value)
            total += value
    return total


@inlined
def greatest_sum(live: LiveDomains, cells: Pointer, size: int, but: int) -> int:
    """Return the greatest sum of different values, none above its cell's largest; leave out the cell at index ``but``."""
    taken = NONE
    total = 0
    for index in range(size):
        if index != but:
            free = ~taken & up_to(largest(live.domains[cells[index]]))
            if free == NONE:
                return -ENDLESS
            value = largest(free)
            taken |= bit(value)
            total += value
    return total


@inlined
def span(live: LiveDomains, cells: Pointer, size: int, factor: int) -> tuple[int, int]:
    """Return the least and the greatest that a group adds to the sum."""
    least = factor * least_sum(live, cells, size, NOBODY)
    greatest = factor * greatest_sum(live, cells, size, NOBODY)
    if factor < 0:
        return greatest, least
    return least, greatest


@compiled
def narrow_group(live: LiveDomains, cells: Pointer, size: int, low: int, high: int) -> bool:
    """The cells of the group add up to a sum from ``low`` to ``high``: bound each cell by the others."""
    for index in range(size):
        cell = cells[index]
        if is_single(live.domains[cell]):
            continue
        top = high - least_sum(live, cells, size, index)
        bottom = low - greatest_sum(live, cells, size, index)
        if top < 0 or bottom > HIGHEST:
            return False
        kept = ALL
        if top < HIGHEST:
            kept &= up_to(top)
        if bottom > 0:
            kept &= from_value(bottom)
        if not narrow(live, cell, kept):
            return False
    return True


@compiled
def bounds(live: LiveDomains, scope: Scope, numbers: Pointer) -> bool:
    """Bound each group by the rest of the total that the others leave."""
    parameters = scope.parameters
    groups = parameters[2]
    least = greatest = first = 0
    for group in range(groups):
        size = parameters[4 + 2 * group]
        one, other = span(live, offset(scope.cells, first), size, parameters[3 + 2 * group])
        numbers[2 * group], numbers[2 * group + 1] = one, other
        least += one
        greatest += other
        first += size
    if least > parameters[1] or greatest < parameters[0]:
        return False
    first = 0
    for group in range(groups):
        factor, size = parameters[3 + 2 * group], parameters[4 + 2 * group]
        low = parameters[0] - (greatest - numbers[2 * group + 1])
        high = parameters[1] - (least - numbers[2 * group])
        if low > numbers[2 * group] or high < numbers[2 * group + 1]:
            if factor < 0:
                factor, low, high = -factor, -high, -low
            if not narrow_group(live, offset(scope.cells, first), size, -(-low // factor), high // factor):
                return False
        first += size
    return True


@compiled
def unequal(live: LiveDomains, scope: Scope) -> bool:
    """Once a single term is open, rule out the value that completes the total. The parameters are the total and the factors."""
    rest = scope.parameters[0]
    unsettled = NOBODY
    for index in range(scope.size):
        domain = live.domains[scope.cells[index]]
        if is_single(domain):
            rest -= scope.parameters[1 + index] * smallest(domain)
        elif unsettled != NOBODY:
            return True
        else:
            unsettled = index
    if unsettled == NOBODY:
        return rest != 0
    factor = scope.parameters[1 + unsettled]
    value = rest // factor
    if value * factor != rest or value < 0 or value > HIGHEST:
        return True
    return narrow(live, scope.cells[unsettled], ~bit(value))


# Sums over several groups of different cells, by the sets of values that each group may take.
#
# A set adds an *amount* to the total, counted from the least that its group can ever add. The parameters are the total, the
# number of groups, the words that a set of totals takes, and for each group its factor and size, its least amount, and its
# sets.


FEW_OPEN = 4
SHALLOW = 4
"""The work pays only if few cells are open, or near the root."""
PAIR = 2
HEAD, FIELDS = 3, 5
FACTOR, SIZE, LEAST, FIRST, LAST = range(FIELDS)
WORDS = 4
"""The most words of a set of totals."""
GROUPS = 64
"""The most groups of a sum."""
WORD = 64
BELOW = GROUPS
"""The rows of totals: what each group adds; what those before it add; what those before it must add."""
NEEDED = 2 * GROUPS + 1
ROWS = 2 * GROUPS + 3


@inlined
def row(value_sets: ValueSets, number: int) -> Pointer:
    """Return a row of totals."""
    return offset(value_sets.sums, number * WORDS)


@inlined
def clear(totals: Pointer, words: int) -> None:
    """Make a set of totals empty."""
    for word in range(words):
        totals[word] = NONE


@inlined
def include(totals: Pointer, amount: int) -> None:
    """Put a total into the set."""
    totals[amount // WORD] |= bit(amount % WORD)


@inlined
def has(totals: Pointer, amount: int) -> bool:
    """Return whether a total is in the set."""
    return totals[amount // WORD] & bit(amount % WORD) != NONE


@inlined
def add_moved(totals: Pointer, given: Pointer, amount: int, words: int) -> None:
    """Put all ``given`` totals, each increased by ``amount``, into the set."""
    whole, part = amount // WORD, uint64(amount % WORD)
    for word in range(words - whole):
        given_word = given[word]
        if given_word:
            totals[word + whole] |= given_word << part
            if part and word + whole + 1 < words:
                totals[word + whole + 1] |= given_word >> (uint64(WORD) - part)


@inlined
def moved_back(given: Pointer, amount: int, word: int, words: int) -> Mask:
    """Return a word of the ``given`` totals, each reduced by ``amount``."""
    source, part = word + amount // WORD, uint64(amount % WORD)
    if source >= words:
        return NONE
    moved = given[source] >> part
    if part and source + 1 < words:
        moved |= given[source + 1] << (uint64(WORD) - part)
    return moved


@inlined
def too_many_open(live: LiveDomains, scope: Scope) -> bool:
    """Return whether so many cells are open, so deep in the search, that the work does not pay."""
    if live.control[DEPTH] < SHALLOW:
        return False
    unsettled = 0
    for index in range(scope.size):
        unsettled += not is_single(live.domains[scope.cells[index]])
    return unsettled > FEW_OPEN


@compiled
def set_sums(live: LiveDomains, scope: Scope, neighbourhood: Neighbourhood, value_sets: ValueSets) -> bool:
    """Keep those of each group's sets that add up to the total with some sets of the others."""
    outcome = few_open(live, scope, value_sets)
    if outcome != UNSUITED:
        return outcome == CONSISTENT
    if too_many_open(live, scope):
        return True
    return (
        possible_sets(live, scope, value_sets)
        and keep_consistent_amounts(scope, value_sets)
        and keep_sets(live, scope, neighbourhood, value_sets)
    )


# The same where few cells are open, at most two of a group: with the sets of their possible values as words, shifted so that the
# least that a cell can add is 0. The sums of several cells are then a word, too.


UNSUITED, CONSISTENT, CONTRADICTORY = range(3)
MOST_OPEN = 5
"""More open cells are left to the sets of their groups."""


class OpenTerms(NamedTuple):
    """Open cells of a sum, their groups, ends and values (`added`), and sums: of one or two of a group, of all before them."""

    cells: Pointer
    groups: Pointer
    ends: Pointer
    masks: Pointer
    units: Pointer
    before: Pointer


@inlined
def open_terms_in(value_sets: ValueSets) -> OpenTerms:
    """Return room for open cells."""
    numbers, words = value_sets.kept_amounts, value_sets.kept_masks
    return OpenTerms(
        numbers,
        offset(numbers, MOST_OPEN),
        offset(numbers, 2 * MOST_OPEN),
        words,
        offset(words, MOST_OPEN),
        offset(words, 2 * MOST_OPEN),
    )


@inlined
def added(domain: Mask, end: int, factor: int) -> Mask:
    """Return the values of a cell as what they add beyond its end: the least one, or the greatest if they are taken away."""
    return domain >> uint64(end) if factor > 0 else mirrored(domain) >> uint64(HIGHEST - end)


@inlined
def values_adding(amounts: Mask, end: int, factor: int) -> Mask:
    """Return the values that add so much; the opposite of `added`."""
    return amounts << uint64(end) if factor > 0 else mirrored(amounts) >> uint64(HIGHEST - end)


@compiled
def few_open(live: LiveDomains, scope: Scope, value_sets: ValueSets) -> int:
    """If few cells are open, keep the values with which some values of the others make the total."""
    opened, parameters = open_terms_in(value_sets), scope.parameters
    rest, first, found = parameters[0], 0, 0
    for group in range(parameters[1]):
        about = offset(parameters, HEAD + FIELDS * group)
        factor, own = about[FACTOR], 0
        rest += about[LEAST]
        for index in range(first, first + about[SIZE]):
            domain = live.domains[scope.cells[index]]
            if is_single(domain):
                rest -= factor * smallest(domain)
                continue
            own += 1
            if found == MOST_OPEN or own > PAIR or factor * factor != 1:
                return UNSUITED
            end = smallest(domain) if factor > 0 else largest(domain)
            rest -= factor * end
            opened.cells[found], opened.groups[found], opened.ends[found] = scope.cells[index], group, end
            opened.masks[found] = added(domain, end, factor)
            found += 1
        first += about[SIZE]
    if rest < 0 or (found == 0 and rest > 0):
        return CONTRADICTORY
    if found == 0:
        return CONSISTENT
    return UNSUITED if rest > HIGHEST else keep_completed(live, parameters, opened, found, rest)


@inlined
def is_pair(opened: OpenTerms, first: int, last: int) -> bool:
    """Return whether the open cell after the first one is of its group, and not the last."""
    return first + 1 < last and opened.groups[first] == opened.groups[first + 1]


@inlined
def partners_of(opened: OpenTerms, first: int, amount: int, factor: int) -> Mask:
    """Return what the cell after the first one may add if that adds so much: they hold different values."""
    same = amount + factor * (opened.ends[first] - opened.ends[first + 1])
    others = opened.masks[first + 1]
    return others & ~bit(same) if 0 <= same <= HIGHEST else others


@inlined
def sums_of_pair(opened: OpenTerms, first: int, factor: int) -> Mask:
    """Return what two cells of a group may add together."""
    sums, left = NONE, opened.masks[first]
    while left:
        amount = smallest(left)
        left = without_lowest(left)
        sums |= partners_of(opened, first, amount, factor) << uint64(amount)
    return sums


@compiled
def keep_completed(live: LiveDomains, parameters: Pointer, opened: OpenTerms, found: int, rest: int) -> int:
    """Keep the values of open cells with which the others add up to the rest: sums of those before, then backwards."""
    wanted = up_to(rest)
    opened.before[0] = bit(0)
    units = first = 0
    while first < found:
        pair = is_pair(opened, first, found)
        sums = opened.masks[first]
        if pair:
            sums = sums_of_pair(opened, first, parameters[HEAD + FIELDS * opened.groups[first] + FACTOR])
        sums &= wanted
        opened.units[units] = sums
        before = NONE
        while sums:
            before |= opened.before[units] << uint64(smallest(sums))
            sums = without_lowest(sums)
        units += 1
        opened.before[units] = before & wanted
        first += 1 + pair
    needed, last = bit(rest), found
    for unit in range(units - 1, -1, -1):
        earlier = kept = NONE
        sums = opened.units[unit]
        while sums:
            hits = needed >> uint64(smallest(sums)) & opened.before[unit]
            if hits:
                earlier |= hits
                kept |= lowest(sums)
            sums = without_lowest(sums)
        needed = earlier
        first = last - 1
        if first > 0 and opened.groups[first - 1] == opened.groups[first]:
            first -= 1
        if kept == NONE or not keep_amounts(live, parameters, opened, first, last, kept):
            return CONTRADICTORY
        last = first
    return CONSISTENT


@inlined
def keep_amounts(live: LiveDomains, parameters: Pointer, opened: OpenTerms, first: int, last: int, kept: Mask) -> bool:
    """Keep the values of one or two open cells of a group that add a kept amount."""
    factor = parameters[HEAD + FIELDS * opened.groups[first] + FACTOR]
    if last - first == 1:
        return narrow(live, opened.cells[first], values_adding(kept, opened.ends[first], factor))
    own = other = NONE
    left = opened.masks[first]
    while left:
        amount = smallest(left)
        partners = partners_of(opened, first, amount, factor) & kept >> uint64(amount)
        if partners:
            own |= lowest(left)
            other |= partners
        left = without_lowest(left)
    return narrow(live, opened.cells[first], values_adding(own, opened.ends[first], factor)) and narrow(
        live, opened.cells[first + 1], values_adding(other, opened.ends[first + 1], factor)
    )


@compiled
def possible_sets(live: LiveDomains, scope: Scope, value_sets: ValueSets) -> bool:
    """Note the sets of each group that its cells and the others' bounds allow; return False if a group has none."""
    parameters = scope.parameters
    groups = parameters[1]
    least = greatest = first = 0
    for group in range(groups):
        about = offset(parameters, HEAD + FIELDS * group)
        one, other = span(live, offset(scope.cells, first), about[SIZE], about[FACTOR])
        value_sets.numbers[2 * group], value_sets.numbers[2 * group + 1] = one - about[LEAST], other - about[LEAST]
        least += one - about[LEAST]
        greatest += other - about[LEAST]
        first += about[SIZE]
    if least > parameters[0] or greatest < parameters[0]:
        return False
    first = kept = 0
    for group in range(groups):
        about = offset(parameters, HEAD + FIELDS * group)
        low = parameters[0] - (greatest - value_sets.numbers[2 * group + 1])
        high = parameters[0] - (least - value_sets.numbers[2 * group])
        value_sets.numbers[2 * GROUPS + group] = kept
        kept = note_sets(
            live,
            offset(scope.cells, first),
            about,
            value_sets,
            row(value_sets, group),
            kept,
            max(low, 0),
            min(high, parameters[0]),
        )
        if kept == value_sets.numbers[2 * GROUPS + group]:
            return False
        first += about[SIZE]
    value_sets.numbers[2 * GROUPS + groups] = kept
    return True


@compiled
def note_sets(
    live: LiveDomains, cells: Pointer, about: Pointer, value_sets: ValueSets, totals: Pointer, kept: int, low: int, high: int
) -> int:
    """Append the group's possible sets with amounts from ``low`` to ``high`` to those kept; return how many are kept then."""
    clear(totals, WORDS)
    size = about[SIZE]
    union, decided = united(live, cells, size)
    if size - size_of(decided) <= PAIR:
        return note_completions(live, cells, about, value_sets, totals, kept, low, high)
    for index in range(about[FIRST], about[LAST]):
        amount = value_sets.amounts[index]
        if amount > high:
            break  # they are in order
        mask = value_sets.masks[index]
        if amount >= low and mask & ~union == NONE and decided & ~mask == NONE and meets_all(live, cells, size, mask):
            kept = note_set(value_sets, totals, kept, mask, amount)
    return kept


@inlined
def note_set(value_sets: ValueSets, totals: Pointer, kept: int, mask: Mask, amount: int) -> int:
    """Append a set to those kept; return how many are kept then."""
    value_sets.kept_masks[kept] = mask
    value_sets.kept_amounts[kept] = amount
    include(totals, amount)
    return kept + 1


@compiled
def note_completions(
    live: LiveDomains, cells: Pointer, about: Pointer, value_sets: ValueSets, totals: Pointer, kept: int, low: int, high: int
) -> int:
    """Do as `note_sets` where at most two cells are open: list what completes the decided values, instead of all sets."""
    one = other = decided = NONE
    unsettled, amount, factor = 0, -about[LEAST], about[FACTOR]
    for index in range(about[SIZE]):
        domain = live.domains[cells[index]]
        if is_single(domain):
            decided |= domain
            amount += factor * smallest(domain)
        else:
            one, other = domain, one
            unsettled += 1
    if unsettled + size_of(decided) < about[SIZE]:
        return kept  # two cells hold the same value
    if unsettled == 0:
        return note_set(value_sets, totals, kept, decided, amount) if low <= amount <= high else kept
    one &= ~decided
    other &= ~decided
    firsts = one | other
    while firsts:
        first = lowest(firsts)
        firsts ^= first
        more = amount + factor * smallest(first)
        if unsettled == 1:
            if low <= more <= high:
                kept = note_set(value_sets, totals, kept, decided | first, more)
            continue
        seconds = firsts & ((other if first & one else NONE) | (one if first & other else NONE))
        while seconds:
            second = lowest(seconds)
            seconds ^= second
            both = more + factor * smallest(second)
            if low <= both <= high:
                kept = note_set(value_sets, totals, kept, decided | first | second, both)
    return kept


@compiled
def keep_consistent_amounts(scope: Scope, value_sets: ValueSets) -> bool:
    """Keep in each group's row the amounts that some amounts of the others complete to the total."""
    total, groups, words = scope.parameters[0], scope.parameters[1], scope.parameters[2]
    clear(row(value_sets, BELOW), words)
    include(row(value_sets, BELOW), 0)
    for group in range(groups - 1):
        after = row(value_sets, BELOW + group + 1)
        clear(after, words)
        own = row(value_sets, group)
        for word in range(words):
            amounts = own[word]
            while amounts:
                add_moved(after, row(value_sets, BELOW + group), word * WORD + smallest(amounts), words)
                amounts = without_lowest(amounts)
    needed, needed_before = row(value_sets, NEEDED), row(value_sets, NEEDED + 1)
    clear(needed, words)
    include(needed, total)
    for group in range(groups - 1, -1, -1):
        clear(needed_before, words)
        if not drop_useless_amounts(row(value_sets, group), row(value_sets, BELOW + group), needed, needed_before, words):
            return False
        for word in range(words):
            needed[word] = needed_before[word]
    return True


@compiled
def drop_useless_amounts(own: Pointer, before: Pointer, needed: Pointer, needed_before: Pointer, words: int) -> bool:
    """Drop the group's amounts that lead from no total before it to a needed one; return whether any are left."""
    left = NONE
    for word in range(words):
        amounts = own[word]
        while amounts:
            amount = word * WORD + smallest(amounts)
            hit = NONE
            for place in range(words):
                totals = moved_back(needed, amount, place, words) & before[place]
                needed_before[place] |= totals
                hit |= totals
            if hit == NONE:
                own[word] &= ~lowest(amounts)
            amounts = without_lowest(amounts)
        left |= own[word]
    return left != NONE


@compiled
def keep_sets(live: LiveDomains, scope: Scope, neighbourhood: Neighbourhood, value_sets: ValueSets) -> bool:
    """Narrow each group to the sets whose amounts are left."""
    first = 0
    for group in range(scope.parameters[1]):
        size = scope.parameters[HEAD + FIELDS * group + SIZE]
        possible, required = NONE, ALL
        for index in range(value_sets.numbers[2 * GROUPS + group], value_sets.numbers[2 * GROUPS + group + 1]):
            if has(row(value_sets, group), value_sets.kept_amounts[index]):
                possible |= value_sets.kept_masks[index]
                required &= value_sets.kept_masks[index]
        if possible == NONE or not keep(live, neighbourhood, offset(scope.cells, first), size, possible, required):
            return False
        first += size
    return True
